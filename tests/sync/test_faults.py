"""Faults of servers: nothing is lost, nothing is done twice, no busy loop."""

import base64
import socket
import ssl
import threading

import pytest
from imapclient import imap_utf7

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account, Security
from nbmail.sync.account_backend import BackendClosed
from nbmail.sync.imap.protocol import imap_connection
from nbmail.values import Outcome, Phase
from tests.fake_imap import HERE, PATIENCE, does, hangs_up, once, says, stays_silent, when
from tests.sync.letters import LETTERS, letter
from tests.sync.memory_backend import leave
from tests.waiting import wait_for


@pytest.fixture
def server_tls(session_dovecot):
    """TLS context with a certificate for localhost by the test authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    folder = session_dovecot.folder / "tls"
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    return context


def offline(backend):
    return backend.of("alice", Phase.OFFLINE)


def needs(backend):
    return backend.of("alice", Phase.NEEDS_YOU)


def synced_with(backend, server):
    return lambda: backend.messages() == server.folders[b"INBOX"]


# --------------------------------------------------------------------------------------------------
# the line


def test_a_notification_in_two_segments_is_noticed(fake, backend, watch):
    def in_halves(line, tag, arguments):
        line.idle_tag = tag
        server.put(9, letter(9), silent=True)
        line.say(b"+ idl", b"ing\r\n* 4 EX", b"IS", b"TS\r", b"\n", pause=0.05)
        return True

    server = fake(hooks={"IDLE": once(in_halves)})
    watch(server.account())
    backend.wait(lambda: len(backend.flags()) == 4)
    assert server.connections == 1


def test_literals_in_small_segments_and_lines_without_text_are_read(fake, backend, synced):
    def crumbs(line, tag, arguments):
        uids = [uid for _, uid in server._numbered(line, arguments.split()[0])]
        answer = (
            b"".join(server.message(b"INBOX", 1, uid, b"BODY" in arguments) for uid in uids)
            + tag
            + b" OK\r\n"
        )
        line.say(*(answer[start : start + 7] for start in range(0, len(answer), 7)))
        return True

    server = fake(hooks={"UID FETCH": crumbs, "LOGIN": says(b"OK")})
    synced(server)
    assert backend.messages() == LETTERS


def endless_line(line, tag, arguments):
    while True:
        line.say(b"* OK " + b"x" * 1_000_000)


def endless_answer(line, tag, arguments):
    while True:
        line.say(b"* OK still here\r\n" * 100)


def hangs_up_in_idle(line, *call):
    line.say_line(b"+ idling")
    return hangs_up(line, *call)


def forgets_idle(line, tag, arguments):
    """Answer DONE with another tag."""
    line.say_line(b"+ idling")
    line.idle_tag = b"X"
    return True


@pytest.mark.parametrize(
    ("command", "hook", "error_code"),
    [
        ("LIST", endless_line, ErrorCode.SERVER_BROKEN),
        ("LIST", endless_answer, ErrorCode.SERVER_BROKEN),
        ("LIST", says(b"BAD what"), ErrorCode.SERVER_BROKEN),
        ("SELECT", says(b"OK without a UIDVALIDITY"), ErrorCode.SERVER_BROKEN),
        ("UID FETCH", stays_silent, ErrorCode.SERVER_GONE),
        ("UID FETCH", hangs_up, ErrorCode.SERVER_GONE),
        (
            "UID FETCH",
            says(b"* 1 FETCH (UID 3 BODY[] {2147483647}", b"OK"),
            ErrorCode.SERVER_BROKEN,
        ),
        ("UID FETCH", says(b"* BYE restarting", b"OK"), ErrorCode.SERVER_GONE),
        ("LOGIN", says(b"NO [UNAVAILABLE] the user database is resting"), ErrorCode.SERVER_REFUSED),
        ("IDLE", hangs_up_in_idle, ErrorCode.SERVER_GONE),
        ("IDLE", forgets_idle, ErrorCode.SERVER_BROKEN),
    ],
    ids=[
        "line",
        "answer",
        "BAD",
        "validity",
        "silence",
        "closed",
        "literal",
        "BYE",
        "unavailable",
        "idle",
        "done",
    ],
)
def test_a_protocol_error_costs_one_reconnect(
    fake, backend, watch, monkeypatch, command, hook, error_code
):
    monkeypatch.setattr(imap_connection, "MAX_REPLIES", 5000)
    server = fake(hooks={command: once(hook)})
    # The only wait for the end of the time is that for a silent server.
    watch(server.account(), timeout=10.0 if hook is stays_silent else 60.0)
    backend.wait(lambda: offline(backend) and backend.states[-1].phase is Phase.SYNCED)
    server.put(9, letter(9))
    backend.wait(synced_with(backend, server))
    assert [state.error_code for state in offline(backend)] == [error_code]
    assert server.connections == 2 and not needs(backend)


@pytest.mark.parametrize(
    ("greeting", "error_code"),
    [
        (b"* BYE too many of you", ErrorCode.SERVER_REFUSED),
        (b"HTTP/1.1 400 Bad Request", ErrorCode.SERVER_BROKEN),
    ],
)
def test_a_server_without_a_greeting_is_reported(fake, backend, watch, greeting, error_code):
    server = fake()
    server.greeting = greeting
    watch(server.account())
    backend.wait(lambda: offline(backend))
    assert offline(backend)[0].error_code is error_code
    assert greeting.removeprefix(b"* BYE ").decode() in offline(backend)[0].detail


@pytest.fixture
def nobody():
    """Settings for a port that refuses all connections and that no other server can get."""
    with socket.socket() as bound:
        bound.bind((HERE, 0))
        yield Account("alice", HERE, bound.getsockname()[1], Security.PLAIN, "u")


def no_such_name(*_, **__):
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


@pytest.mark.parametrize("resolve", [socket.getaddrinfo, no_such_name])
def test_an_unreachable_server_is_reported(nobody, backend, watch, monkeypatch, resolve):
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    watch(nobody)
    backend.wait(lambda: len(offline(backend)) >= 2)
    assert {state.error_code for state in offline(backend)} == {ErrorCode.NO_NETWORK}
    assert all(state.retry_at > state.at for state in offline(backend))


def test_unrequested_bytes_are_skipped(fake, backend, synced):
    big = letter(3, size=400_000)
    synced(fake({3: big, 5: letter(5)}), largest_message=50_000)
    assert backend.messages()[5] == letter(5)
    kept = backend.messages()[3]
    assert big.startswith(kept) and 50_000 <= len(kept) < 200_000


# --------------------------------------------------------------------------------------------------
# IDLE


def test_a_server_that_always_closes_is_tried_less_and_less_often(fake, backend, watch):
    server = fake(hooks={"IDLE": hangs_up})
    watch(server.account())
    backend.wait(lambda: len(offline(backend)) >= 5)
    waits = [state.retry_at - state.at for state in offline(backend)]
    assert waits[4] > waits[0]
    assert server.connections <= len(offline(backend)) + 1


def test_a_connection_that_brought_mail_is_no_failure(fake, backend, watch):
    """Messages before each cut are kept, and the delay doesn't grow."""

    def cut_after_one(line, tag, arguments):
        number, uid = server._numbered(line, arguments.split()[0])[-1]
        line.say(server.message(b"INBOX", number, uid, True))
        return hangs_up(line, tag, arguments)

    server = fake(
        {uid: letter(uid) for uid in range(1, 9)}, hooks={"UID FETCH": when(b"BODY", cut_after_one)}
    )
    watch(server.account())
    backend.wait(synced_with(backend, server))
    waits = [state.retry_at - state.at for state in offline(backend)]
    assert len(waits) >= 7 and max(waits) <= 0.031


@pytest.mark.parametrize(
    "hook", [says(b"+ idling", b"OK enough"), says(b"NO not today"), says(b"BAD not ever")]
)
def test_a_server_that_ends_or_refuses_idle_is_polled(fake, backend, watch, hook):
    server = fake(hooks={"IDLE": hook})
    watch(server.account(poll_seconds=0.05))
    wait_for(lambda: server.asked("NOOP") >= 3)
    server.put(9, letter(9))
    backend.wait(synced_with(backend, server))
    assert (server.asked("IDLE"), server.connections) == (1, 1)


def test_endless_notifications_cause_no_busy_loop(fake, backend, synced):
    def always_news(line, tag, arguments):
        line.idle_tag = tag
        line.say(b"+ idling\r\n* 3 EXISTS\r\n")
        return True

    server = fake(hooks={"IDLE": always_news})
    synced(server)
    wait_for(lambda: server.asked("IDLE") >= 4)
    assert server.asked("SELECT") <= 3 * server.asked("IDLE") + 3


# -------------------------------------------------------------------------------------------------
# wrong answers


@pytest.mark.parametrize("exists", [0, 1, 50])
def test_wrong_counts_of_the_server_lose_nothing(fake, backend, synced, exists):
    server = fake()
    thread = synced(server)
    server.exists = exists
    backend.look(thread)
    assert backend.messages() == LETTERS
    assert server.connections == 1


def test_a_listing_that_breaks_off_loses_nothing(fake, backend, synced):
    server = fake()
    synced(server)
    with server.changing():
        server.folders[b"INBOX"][9] = letter(9)
        del server.folders[b"INBOX"][8]
        server.hooks["UID FETCH"] = once(says(b"* 1 FETCH (UID 3 FLAGS ())", b"OK"))
        server.drop()
    backend.wait(synced_with(backend, server))
    assert set().union(*(delivery.gone for delivery in backend.deliveries)) == {8}


def test_another_uidvalidity_during_a_fetch_starts_again(fake, backend, watch):
    def become_another(line, tag, arguments):
        line.say(server.message(b"INBOX", 3, 8, True))
        with server.changing():
            server.validity = 8
            server.folders[b"INBOX"] = {8: letter(80), 9: letter(90)}
        line.say(
            b"* OK [UIDVALIDITY 8] another folder now\r\n", server.message(b"INBOX", 1, 8, True)
        )
        server.hooks.clear()
        return says(b"OK fetched")(line, tag, arguments)

    server = fake(hooks={"UID FETCH": when(b"BODY", become_another)})
    watch(server.account())
    backend.wait(synced_with(backend, server))
    assert {delivery.validity for delivery in backend.deliveries if delivery.arrivals} <= {7, 8}
    assert letter(80) not in [
        each.raw for d in backend.deliveries if d.validity == 7 for each in d.arrivals
    ]


def test_one_unreadable_message_hides_no_other(fake, backend, synced):
    def all_but_one(line, tag, arguments):
        for number, uid in server._numbered(line, arguments.split()[0]):
            if uid != 5:
                line.say(server.message(b"INBOX", number, uid, True))
        return says(b"NO [SERVERBUG] some could not be fetched")(line, tag, arguments)

    server = fake(hooks={"UID FETCH": when(b"BODY", all_but_one)})
    synced(server)
    assert set(backend.flags()) == {3, 8}
    server.hooks.clear()
    server.announce()
    backend.wait(synced_with(backend, server))
    assert server.connections == 1


@pytest.mark.parametrize(
    "name", ["Entwürfe & Müll", "迷惑メール", 'a "quoted" \\ name', "2024", "INBOX/été", "a{}b{3}"]
)
@pytest.mark.parametrize("literal", [True, False])
def test_folders_of_any_name_are_synced(fake, backend, watch, name, literal):
    server = fake()
    raw = imap_utf7.encode(name)
    server.folders[raw] = {1: letter(1)}
    quoted = b'"' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
    listed = b'* LIST () "/" ' + (b"{%d}\r\n%s" % (len(raw), raw) if literal else quoted)
    server.hooks["LIST"] = says(listed, b"* LIST () NIL INBOX", b"OK")
    watch(server.account(folders=(name,)))
    backend.wait(lambda: backend.messages(folder=name) == {1: letter(1)})


def test_a_missing_folder_is_reported_and_others_are_synced(fake, backend, synced):
    server = fake()
    synced(server, folders=("INBOX", "Lists"))
    assert backend.messages() == LETTERS
    state = next(each for each in backend.states if each.phase is Phase.SYNCED)
    assert (state.error_code, state.detail) == (ErrorCode.FOLDER_MISSING, "Lists")
    with server.changing():
        server.folders[b"Lists"] = {1: letter(1)}
    backend.wait(lambda: backend.messages(folder="Lists") == {1: letter(1)})


# ---------------------------------------------------------------------------------------- passwords
# and protection


def test_a_wrong_password_is_sent_once(fake, backend, watch):
    server = fake()
    server.password_is_right = False
    thread = watch(server.account(), password="wrong")
    backend.wait(lambda: needs(backend))
    for _ in range(5):
        thread.wake()
    server.password_is_right = True
    assert server.asked("LOGIN") == 1
    thread.retry()
    backend.wait_synced()
    assert (server.asked("LOGIN"), len(needs(backend))) == (2, 1)
    assert needs(backend)[0].error_code is ErrorCode.WRONG_PASSWORD
    assert needs(backend)[0].detail.split()[-1] == "wrong"


def test_a_password_typed_while_the_old_one_is_refused_is_tried(fake, backend, watch):
    began = threading.Event()
    refuse_late = does(
        lambda: began.wait(PATIENCE) and thread.retry(), says(b"NO [AUTHENTICATIONFAILED] wrong")
    )
    server = fake(hooks={"LOGIN": once(refuse_late)})
    thread = watch(server.account())
    began.set()
    backend.wait_synced()
    assert server.asked("LOGIN") == 2


def test_a_missing_password_needs_the_user(fake, backend, watch):
    server = fake()
    watch(server.account(), password=lambda: None)
    backend.wait(lambda: needs(backend))
    assert needs(backend)[0].error_code is ErrorCode.NO_PASSWORD
    assert server.connections == 0


def test_answers_injected_before_starttls_are_ignored(
    fake, backend, synced, server_tls, session_dovecot
):
    def inject(line, tag, arguments):
        line.say(
            tag
            + b" OK begin\r\n* PREAUTH welcome\r\n* BYE gotcha\r\n* CAPABILITY IMAP4rev1 EVIL\r\n"
        )
        line.start_tls()
        return True

    server = fake(hooks={"STARTTLS": inject}, tls=server_tls)
    server.greeting = b"* OK [CAPABILITY IMAP4rev1 STARTTLS AUTH=EVIL] hello"
    synced(server, security=Security.STARTTLS, authority_file=str(session_dovecot.authority))
    assert backend.messages() == LETTERS
    assert server.asked("LOGIN") == 1


@pytest.mark.parametrize(
    ("greeting", "answer"),
    [
        (b"* OK hello", b"NO not here"),
        (b"* OK hello", b"BAD what"),
        (b"* PREAUTH welcome back", b"BAD what"),
        (b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] no STARTTLS here", b"BAD what"),
    ],
)
def test_starttls_is_never_skipped(fake, backend, watch, greeting, answer):
    server = fake(hooks={"STARTTLS": says(answer)})
    server.greeting = greeting
    watch(server.account(security=Security.STARTTLS))
    backend.wait(lambda: needs(backend))
    assert needs(backend)[0].error_code is ErrorCode.NOT_ENCRYPTED
    assert set(server.commands) == (set() if b"PREAUTH" in greeting else {"STARTTLS"})


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
@pytest.mark.parametrize("vouched", [True, False], ids=["another host", "unknown authority"])
def test_an_unverified_certificate_needs_the_user(
    fake, backend, watch, server_tls, session_dovecot, security, vouched
):
    # 127.0.0.2 is this machine too, but the certificate is for 127.0.0.1 and localhost.
    server = fake(tls=server_tls, wrapped=security is Security.TLS, at="127.0.0.2")
    authority = str(session_dovecot.authority) if vouched else ""
    watch(server.account(security=security, authority_file=authority, host="127.0.0.2"))
    backend.wait(lambda: needs(backend))
    assert needs(backend)[0].error_code is ErrorCode.CERTIFICATE
    assert (server.connections, server.asked("LOGIN")) == (1, 0)


def test_a_plain_password_goes_only_where_plain_was_chosen(fake, backend, watch):
    server = fake(abilities="IMAP4rev1 LOGINDISABLED")
    watch(server.account())
    backend.wait(lambda: offline(backend))
    assert server.asked("LOGIN") == 0


@pytest.mark.parametrize(
    "abilities", ["IMAP4rev1", "IMAP4rev1 LITERAL+", "IMAP4rev1 AUTH=PLAIN SASL-IR"]
)
@pytest.mark.parametrize("password", ["simple", 'qu"ote\\s', "schlüssel"])
def test_passwords_are_sent_verbatim(fake, backend, watch, abilities, password):
    seen = []

    def logged(line, tag, arguments):
        while arguments.endswith(b"}"):
            text, _, size = arguments.rpartition(b"{")
            if not size.endswith(b"+}"):
                line.say_line(b"+ go on")
            literal = line.read_line()
            arguments = text + literal
            assert len(literal.split(b" {")[0]) == int(size.rstrip(b"+}"))
        return says(b"OK in")(line, tag, seen.append(arguments))

    def authenticated(line, tag, arguments):
        line.say_line(b"+ ")
        return says(b"OK in")(line, tag, seen.append(base64.b64decode(line.read_line())))

    server = fake(abilities=abilities, hooks={"LOGIN": logged, "AUTHENTICATE": authenticated})
    watch(server.account(), password=password)
    backend.wait_synced()
    quoted = password.replace("\\", "\\\\").replace('"', '\\"')
    sent = f'"u" "{quoted}"' if password.isascii() else f'"u" {password}'
    assert seen == [(f"\0u\0{password}" if "AUTH=PLAIN" in abilities else sent).encode()]


# -----------------------------------------------------------------------------------------------
# the backend, the end


@pytest.mark.expects_log
@pytest.mark.parametrize(
    "error", [KnownError(ErrorCode.DISK_FULL, "no space left"), ZeroDivisionError("our own fault")]
)
def test_a_failed_delivery_is_reported_and_fetched_again(fake, backend, watch, error):
    backend.refuse = error
    watch(fake().account())
    backend.wait(lambda: offline(backend))
    assert offline(backend)[0].error_code == getattr(error, "error_code", ErrorCode.SERVER_BROKEN)
    backend.refuse = None
    backend.wait_synced()
    assert backend.messages() == LETTERS


def test_an_account_stops_while_its_server_is_silent(backend, watch):
    with socket.create_server((HERE, 0)) as silent:
        # Longer than `leave` waits.
        thread = watch(
            Account("alice", HERE, silent.getsockname()[1], Security.PLAIN, "u"), timeout=600.0
        )
        backend.wait(lambda: backend.states)
        leave(thread)
    assert backend.states[-1].phase is Phase.STOPPED


def test_an_account_ends_without_an_error_when_the_engine_closes(fake, backend, watch):
    backend.refuse = BackendClosed()
    thread = watch(fake().account())
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert backend.states[-1].phase is Phase.STOPPED


# --------------------------------------------------------------------------------------------------
# actions


def test_a_message_expunged_before_its_mark_was_not_marked(fake, backend, move):
    """Another client moves the message with its old keywords, and the server still answers OK."""

    server = fake()
    server.hooks["UID STORE"] = once(does(lambda: server.carry(5, None)))
    ended = move(server, *LETTERS, send=backend.keywords, add={"$NotJunk"}, remove={"$Junk"})
    assert ended == {3: Outcome.DONE, 5: Outcome.OBSOLETE, 8: Outcome.DONE}


@pytest.mark.parametrize(
    ("command", "answer"),
    [("UID STORE", b"NO [UNAVAILABLE] later"), ("SELECT", b"NO [INUSE] locked by another session")],
)
def test_a_temporary_refusal_is_repeated_later(fake, backend, move, command, answer):
    server = fake()
    refuse = {command: once(says(answer))}
    assert (
        move(
            server,
            3,
            first=lambda: server.hooks.update(refuse),
            send=backend.keywords,
            add={"$Junk"},
        )
        is Outcome.DONE
    )
    assert b"$Junk" in server.flags[b"INBOX", 3]


@pytest.mark.parametrize("change", ["validity", "gone"])
def test_actions_for_a_missing_folder_are_obsolete(fake, backend, watch, synced, change):
    server = fake()
    server.folders[b"Box"] = {1: letter(1)}
    thread = synced(server, folders=("INBOX", "Box"))
    leave(thread)
    backend.move(1, folder="Box")
    backend.keywords(1, {"$Junk"}, folder="Box")
    with server.changing():
        if change == "gone":
            del server.folders[b"Box"]
        server.validity = 8
    watch(server.account())
    backend.wait(lambda: backend.outcomes() == [Outcome.OBSOLETE] * 2)
