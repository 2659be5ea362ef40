"""What servers do wrong, one fault after the other: nothing lost, nothing done twice, no busy loop."""

import socket
import ssl

import pytest

from nbmail.errors import Trouble
from nbmail.settings import Account, Security
from nbmail.sync.account import AccountThread
from nbmail.sync.connection import imap_connection
from nbmail.sync.desk import DeskClosed
from nbmail.values import Outcome, Phase
from tests.fake_imap import FakeImap
from tests.sync.json_desk import until
from tests.sync.letters import letter

LETTERS = {uid: letter(uid) for uid in (3, 5, 8)}


@pytest.fixture
def fake():
    """`fake(...)` starts a fake server; all end with the test."""
    servers = []

    def start(messages=LETTERS, **wishes):
        servers.append(FakeImap(messages, **wishes))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
        assert server.problems == []


@pytest.fixture
def server_tls(session_dovecot):
    """The certificate that the test authority signed for localhost."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    folder = session_dovecot.folder / "tls"
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    return context


def account(server, **more):
    chosen = {"name": "alice", "host": "127.0.0.1", "port": server.port, "security": Security.PLAIN, "user": "u"}
    return Account(**{**chosen, "poll_seconds": 0.2, "watch_junk": False, **more})


def once(fault):
    """Let the fault happen the first time only."""
    left = [fault]
    return lambda line, tag, arguments: bool(left) and left.pop()(line, tag, arguments)


def offline(desk):
    return [state for state in desk.of("alice") if state.phase is Phase.OFFLINE]


def needs(desk):
    return [state for state in desk.of("alice") if state.phase is Phase.NEEDS_YOU]


def in_step_with(desk, server):
    return lambda: desk.messages() == server.folders[b"INBOX"]


def test_the_fake_itself_is_a_proper_server(fake, desk, watch):
    server = fake()
    thread = watch(account(server))
    desk.wait_in_step()
    assert desk.messages() == LETTERS
    desk.keywords(5, {"$Junk"})
    desk.move(3)
    thread.wake()
    desk.wait(lambda: desk.outcomes() == [Outcome.DONE] * 2 and set(desk.flags()) == {5, 8})
    assert desk.flags()[5] == {"$Junk"}
    assert list(server.folders[b"Junk"].values()) == [LETTERS[3]]
    assert server.connections == 1


def test_news_in_half_lines(fake, desk, watch):
    def in_halves(line, tag, arguments):
        line.idle_tag = tag
        server.folders[b"INBOX"][9] = letter(9)
        line.say(b"+ idl", b"ing\r\n* 4 EX", b"IS", b"TS\r", b"\n", pause=0.05)
        return True

    server = fake()
    server.hooks["IDLE"] = once(in_halves)
    watch(account(server))
    desk.wait(lambda: len(desk.flags()) == 4)
    assert server.connections == 1


def test_literals_in_crumbs(fake, desk, watch):
    def crumbs(line, tag, arguments):
        uids = [uid for _, uid in server._numbered(line, arguments.split()[0])]
        answer = b"".join(server.message(b"INBOX", 1, uid, b"BODY" in arguments) for uid in uids) + tag + b" OK\r\n"
        line.say(*(answer[start : start + 7] for start in range(0, len(answer), 7)))
        return True

    server = fake()
    server.hooks["UID FETCH"] = crumbs
    watch(account(server))
    desk.wait_in_step()
    assert desk.messages() == LETTERS


def test_closed_in_idle_costs_one_reconnect(fake, desk, watch):
    def hang_up(line, tag, arguments):
        line.say_line(b"+ idling")
        line.close()
        return True

    server = fake(hooks={"IDLE": once(hang_up)})
    watch(account(server))
    desk.wait(lambda: len([state for state in desk.states if state.phase is Phase.IN_STEP]) >= 2)
    server.folders[b"INBOX"][9] = letter(9)
    until(lambda: server.asked("IDLE") >= 2)
    server.news()
    desk.wait(in_step_with(desk, server))
    assert server.connections == 2
    assert [state.trouble for state in offline(desk)] == [Trouble.SERVER_GONE]


def test_a_server_that_always_closes_is_tried_ever_less(fake, desk, watch):
    def hang_up(line, tag, arguments):
        line.close()
        return True

    server = fake(hooks={"IDLE": hang_up})
    watch(account(server))
    desk.wait(lambda: len(offline(desk)) >= 5)
    waits = [state.retry_at - state.at for state in offline(desk)]
    assert waits[4] > waits[0]
    assert server.connections <= len(offline(desk)) + 1


def test_idle_ended_by_the_server_becomes_asking(fake, desk, watch):
    def end_at_once(line, tag, arguments):
        line.say(b"+ idling\r\n", tag + b" OK enough\r\n")
        return True

    server = fake(hooks={"IDLE": end_at_once})
    watch(account(server, poll_seconds=0.05))
    until(lambda: server.asked("NOOP") >= 3)
    server.folders[b"INBOX"][9] = letter(9)
    server.news()
    desk.wait(in_step_with(desk, server))
    assert server.asked("IDLE") == 1
    assert server.connections == 1


def test_idle_refused_becomes_asking(fake, desk, watch):
    def refuse(line, tag, arguments):
        line.say_line(tag + b" NO not today")
        return True

    server = fake(hooks={"IDLE": refuse})
    watch(account(server, poll_seconds=0.05))
    until(lambda: server.asked("NOOP") >= 3)
    assert (server.asked("IDLE"), server.connections) == (1, 1)


def test_a_server_that_falls_silent_is_found_out(fake, desk, watch):
    server = fake(hooks={"UID FETCH": once(lambda line, tag, arguments: True)})
    watch(account(server), patience=1.0)
    desk.wait_in_step()
    assert desk.messages() == LETTERS
    assert [state.trouble for state in offline(desk)] == [Trouble.SERVER_GONE]


def test_silence_after_done_is_found_out(fake, desk, watch):
    def forget(line, tag, arguments):
        line.say_line(b"+ idling")
        line.idle_tag = b"X"
        return True

    server = fake(hooks={"IDLE": once(forget)})
    thread = watch(account(server), patience=1.0)
    desk.wait_in_step()
    until(lambda: server.asked("IDLE") == 1)
    thread.wake()
    desk.wait(lambda: offline(desk) and desk.states[-1].phase is Phase.IN_STEP)
    assert server.connections == 2


@pytest.mark.parametrize("exists", [0, 1, 50])
def test_lying_counts_lose_nothing(fake, desk, watch, exists):
    server = fake()
    thread = watch(account(server))
    desk.wait_in_step()
    server.exists = exists
    before = len(desk.states)
    thread.wake()
    desk.wait_in_step(after=before)
    assert desk.messages() == LETTERS
    assert server.connections == 1


def test_a_listing_that_breaks_off_loses_nothing(fake, desk, watch):
    def only_one(line, tag, arguments):
        line.say(server.message(b"INBOX", 1, 3, False), tag + b" OK\r\n")
        return True

    server = fake()
    watch(account(server))
    desk.wait_in_step()
    server.folders[b"INBOX"][9] = letter(9)
    del server.folders[b"INBOX"][8]
    server.hooks["UID FETCH"] = once(only_one)
    for line in list(server.lines):
        line.close()
    desk.wait(in_step_with(desk, server))
    gone = set().union(*(delivery.gone for delivery in desk.deliveries))
    assert gone == {8}


def test_another_uidvalidity_in_mid_fetch_starts_anew(fake, desk, watch):
    def become_another(line, tag, arguments):
        if b"BODY" not in arguments:
            return False
        line.say(server.message(b"INBOX", 3, 8, True))
        server.validity = 8
        server.folders[b"INBOX"] = {8: letter(80), 9: letter(90)}
        line.say(b"* OK [UIDVALIDITY 8] another folder now\r\n", server.message(b"INBOX", 1, 8, True))
        line.say_line(tag + b" OK fetched")
        server.hooks.clear()
        return True

    server = fake(hooks={"UID FETCH": become_another})
    watch(account(server))
    desk.wait(in_step_with(desk, server))
    assert {delivery.validity for delivery in desk.deliveries if delivery.arrivals} <= {7, 8}
    assert letter(80) not in [each.raw for d in desk.deliveries if d.validity == 7 for each in d.arrivals]


def test_another_uidvalidity_between_sessions_drops_what_was_known(fake, desk, watch):
    server = fake()
    watch(account(server))
    desk.wait_in_step()
    server.validity = 8
    server.folders[b"INBOX"] = {3: letter(30)}
    for line in list(server.lines):
        line.close()
    desk.wait(lambda: desk.messages() == {3: letter(30)})


def test_a_folder_without_uidvalidity_is_not_trusted(fake, desk, watch):
    def no_validity(line, tag, arguments):
        line.selected = b"INBOX"
        line.say(b"* 3 EXISTS\r\n", tag + b" OK open\r\n")
        return True

    watch(account(fake(hooks={"SELECT": no_validity})))
    desk.wait(lambda: offline(desk))
    assert offline(desk)[0].trouble is Trouble.SERVER_BROKEN
    assert desk.deliveries == []


def test_bye_instead_of_hello(fake, desk, watch):
    server = fake()
    server.greeting = b"* BYE too many of you"
    watch(account(server))
    desk.wait(lambda: offline(desk))
    assert (offline(desk)[0].trouble, offline(desk)[0].detail) == (Trouble.SERVER_REFUSED, "too many of you")


def test_bye_in_the_middle(fake, desk, watch):
    def bye(line, tag, arguments):
        line.say_line(b"* BYE restarting")
        line.close()
        return True

    server = fake(hooks={"UID FETCH": once(bye)})
    watch(account(server))
    desk.wait_in_step()
    assert desk.messages() == LETTERS
    assert [state.detail for state in offline(desk)] == ["restarting"]


def test_no_imap_server_at_all(fake, desk, watch):
    server = fake()
    server.greeting = b"HTTP/1.1 400 Bad Request"
    watch(account(server))
    desk.wait(lambda: offline(desk))
    assert offline(desk)[0].trouble is Trouble.SERVER_BROKEN


def test_nobody_there(fake, desk, watch):
    server = fake()
    server.close()
    watch(account(server))
    desk.wait(lambda: len(offline(desk)) >= 2)
    assert {state.trouble for state in offline(desk)} == {Trouble.NO_NETWORK}
    assert all(state.retry_at > state.at for state in offline(desk))


def test_an_unavailable_server_is_not_a_wrong_password(fake, desk, watch):
    def unavailable(line, tag, arguments):
        line.say_line(tag + b" NO [UNAVAILABLE] the user database is resting")
        return True

    server = fake(hooks={"LOGIN": once(unavailable)})
    watch(account(server))
    desk.wait_in_step()
    assert [state.trouble for state in offline(desk)] == [Trouble.SERVER_REFUSED]
    assert not needs(desk)


def test_a_wrong_password_is_said_once_and_never_hammered(fake, desk, watch):
    server = fake()
    server.password_is_right = False
    thread = watch(account(server), password="wrong")
    desk.wait(lambda: needs(desk))
    for _ in range(5):
        thread.wake()
    server.password_is_right = True
    assert server.asked("LOGIN") == 1
    thread.retry()
    desk.wait_in_step()
    assert (server.asked("LOGIN"), len(needs(desk))) == (2, 1)
    assert needs(desk)[0].trouble is Trouble.WRONG_PASSWORD
    assert needs(desk)[0].detail.split()[-1] == "wrong"


def test_no_password_needs_you(fake, desk, watch):
    server = fake()
    watch(account(server), password=lambda: None)
    desk.wait(lambda: needs(desk))
    assert needs(desk)[0].trouble is Trouble.NO_PASSWORD
    assert server.connections == 0


def test_over_quota_settles_the_errand_and_says_why(fake, desk, watch):
    def full(line, tag, arguments):
        line.say_line(tag + b" NO [OVERQUOTA] no room")
        return True

    server = fake(hooks={"UID MOVE": full})
    thread = watch(account(server))
    desk.wait_in_step()
    desk.move(3)
    thread.wake()
    desk.wait(lambda: desk.settled)
    assert desk.settled[0][1:] == (Outcome.REFUSED, "[OVERQUOTA] no room")
    assert server.connections == 1 and desk.messages() == LETTERS


def test_an_unavailable_errand_is_tried_later(fake, desk, watch):
    def unavailable(line, tag, arguments):
        line.say_line(tag + b" NO [UNAVAILABLE] later")
        return True

    server = fake(hooks={"UID STORE": once(unavailable)})
    thread = watch(account(server))
    desk.wait_in_step()
    desk.keywords(3, {"$Junk"})
    thread.wake()
    until(lambda: server.asked("UID STORE") == 1)
    thread.wake()
    desk.wait(lambda: desk.outcomes() == [Outcome.DONE])


def test_a_line_without_end_is_cut_off(fake, desk, watch):
    def endless(line, tag, arguments):
        while True:
            line.say(b"* OK " + b"x" * 1_000_000)

    watch(account(fake(hooks={"LIST": once(endless)})))
    desk.wait_in_step()
    assert [state.trouble for state in offline(desk)] == [Trouble.SERVER_BROKEN]


def test_an_answer_without_end_is_cut_off(fake, desk, watch, monkeypatch):
    def endless(line, tag, arguments):
        while True:
            line.say(b"* OK still here\r\n" * 100)

    monkeypatch.setattr(imap_connection, "MOST_REPLIES", 5000)
    watch(account(fake(hooks={"LIST": once(endless)})))
    desk.wait_in_step()
    assert [state.trouble for state in offline(desk)] == [Trouble.SERVER_BROKEN]


def test_a_literal_of_two_gigabytes_is_not_waited_for(fake, desk, watch):
    def huge(line, tag, arguments):
        line.say(b"* 1 FETCH (UID 3 FLAGS () RFC822.SIZE 2147483647 BODY[] {2147483647}\r\n")
        return True

    watch(account(fake(hooks={"UID FETCH": once(huge)})))
    desk.wait_in_step()
    assert [state.trouble for state in offline(desk)] == [Trouble.SERVER_BROKEN]
    assert desk.messages() == LETTERS


def test_more_than_was_asked_for_passes_unread(fake, desk, watch):
    big = letter(3, size=400_000)
    server = fake({3: big, 5: letter(5)})
    watch(account(server, largest_message=50_000))
    desk.wait_in_step()
    assert desk.messages()[5] == letter(5)
    kept = desk.messages()[3]
    assert big.startswith(kept) and 50_000 <= len(kept) < 200_000


def test_one_unreadable_message_hides_no_other(fake, desk, watch):
    def all_but_one(line, tag, arguments):
        if b"BODY" not in arguments:
            return False
        for number, uid in server._numbered(line, arguments.split()[0]):
            if uid != 5:
                line.say(server.message(b"INBOX", number, uid, True))
        line.say_line(tag + b" NO [SERVERBUG] some could not be fetched")
        return True

    server = fake(hooks={"UID FETCH": all_but_one})
    watch(account(server))
    desk.wait_in_step()
    assert set(desk.flags()) == {3, 8}
    server.hooks.clear()
    server.news()
    desk.wait(in_step_with(desk, server))
    assert server.connections == 1


def test_news_that_never_ends_is_no_reason_to_run_hot(fake, desk, watch):
    def always_news(line, tag, arguments):
        line.idle_tag = tag
        line.say(b"+ idling\r\n* 3 EXISTS\r\n")
        return True

    server = fake(hooks={"IDLE": always_news})
    watch(account(server))
    desk.wait_in_step()
    until(lambda: server.asked("IDLE") >= 4)
    asked = server.asked("SELECT")
    assert asked <= 3 * server.asked("IDLE") + 3


@pytest.mark.parametrize(
    "name", ["Entwürfe & Müll", "迷惑メール", 'a "quoted" \\ name', "2024", "INBOX/été", "a{}b{3}"]
)
def test_folders_of_any_name(fake, desk, watch, name):
    from imapclient import imap_utf7

    server = fake()
    raw = imap_utf7.encode(name)
    server.folders[raw] = {1: letter(1)}

    def listed(line, tag, arguments):
        line.say(b'* LIST () "/" {%d}\r\n' % len(raw), raw, b"\r\n* LIST () NIL INBOX\r\n", tag + b" OK\r\n")
        return True

    server.hooks["LIST"] = listed
    watch(account(server, folders=(name,)))
    desk.wait(lambda: desk.messages(folder=name) == {1: letter(1)})


def test_a_missing_folder_is_said_and_stops_nothing(fake, desk, watch):
    server = fake()
    watch(account(server, folders=("INBOX", "Lists")))
    desk.wait_in_step()
    assert desk.messages() == LETTERS
    state = next(each for each in desk.states if each.phase is Phase.IN_STEP)
    assert (state.trouble, state.detail) == (Trouble.FOLDER_MISSING, "Lists")
    server.folders[b"Lists"] = {1: letter(1)}
    desk.wait(lambda: desk.messages(folder="Lists") == {1: letter(1)})


def test_answers_injected_before_starttls_are_thrown_away(fake, desk, watch, server_tls, session_dovecot):
    def inject(line, tag, arguments):
        line.say(tag + b" OK begin\r\n* PREAUTH welcome\r\n* BYE gotcha\r\nN1 OK [CAPABILITY IMAP4rev1 EVIL] x\r\n")
        line.start_tls()
        return True

    server = fake(hooks={"STARTTLS": inject}, tls=server_tls)
    authority = str(session_dovecot.authority)
    watch(account(server, security=Security.STARTTLS, authority_file=authority))
    desk.wait_in_step()
    assert desk.messages() == LETTERS
    assert server.asked("LOGIN") == 1


@pytest.mark.parametrize("answer", [b" NO not here", b" BAD what"])
def test_starttls_can_not_be_stripped(fake, desk, watch, answer):
    def strip(line, tag, arguments):
        line.say_line(tag + answer)
        return True

    server = fake(hooks={"STARTTLS": strip})
    watch(account(server, security=Security.STARTTLS))
    desk.wait(lambda: needs(desk))
    assert needs(desk)[0].trouble is Trouble.NOT_ENCRYPTED
    assert server.commands == ["STARTTLS"]


def test_preauth_before_tls_is_refused(fake, desk, watch):
    server = fake()
    server.greeting = b"* PREAUTH welcome back"
    watch(account(server, security=Security.STARTTLS))
    desk.wait(lambda: needs(desk))
    assert needs(desk)[0].trouble is Trouble.NOT_ENCRYPTED
    assert server.commands == []


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
def test_a_certificate_nobody_vouches_for_needs_you(fake, desk, watch, server_tls, security):
    server = fake(tls=server_tls, wrapped=security is Security.TLS)
    watch(account(server, security=security))
    desk.wait(lambda: needs(desk))
    assert needs(desk)[0].trouble is Trouble.CERTIFICATE
    assert server.connections == 1
    assert server.asked("LOGIN") == 0


def test_a_certificate_for_another_host_needs_you(fake, desk, watch, server_tls, session_dovecot):
    # 127.0.0.2 is this machine too, but the certificate is for 127.0.0.1 and localhost.
    server = fake(tls=server_tls, wrapped=True, at="127.0.0.2")
    authority = str(session_dovecot.authority)
    watch(account(server, security=Security.TLS, authority_file=authority, host="127.0.0.2"))
    desk.wait(lambda: needs(desk))
    assert needs(desk)[0].trouble is Trouble.CERTIFICATE
    assert server.asked("LOGIN") == 0


def test_a_plain_password_goes_only_where_plain_was_chosen(fake, desk, watch):
    server = fake(abilities="IMAP4rev1 LOGINDISABLED")
    watch(account(server))
    desk.wait(lambda: offline(desk))
    assert server.asked("LOGIN") == 0


@pytest.mark.parametrize("abilities", ["IMAP4rev1", "IMAP4rev1 AUTH=PLAIN SASL-IR", "IMAP4rev1 AUTH=PLAIN"])
@pytest.mark.parametrize("password", ["simple", 'qu"ote\\s', "schlüssel"])
def test_passwords_arrive_as_they_are(fake, desk, watch, abilities, password):
    import base64

    seen = []

    def logged(line, tag, arguments):
        while arguments.endswith(b"}"):
            size = int(arguments[arguments.rfind(b"{") + 1 : -1])
            line.say_line(b"+ go on")
            literal = line.read_line()
            arguments = arguments[: arguments.rfind(b"{")] + literal
            assert len(literal.split(b" {")[0]) == size
        seen.append(arguments)
        line.say_line(tag + b" OK in")
        return True

    def authenticated(line, tag, arguments):
        if b" " not in arguments:
            line.say_line(b"+ ")
            arguments += b" " + line.read_line()
        seen.append(base64.b64decode(arguments.split(b" ")[1]))
        line.say_line(tag + b" OK in")
        return True

    server = fake(abilities=abilities, hooks={"LOGIN": logged, "AUTHENTICATE": authenticated})
    watch(account(server), password=password)
    desk.wait_in_step()
    if "AUTH=PLAIN" in abilities:
        assert seen == [f"\0u\0{password}".encode()]
    elif password.isascii():
        quoted = password.replace("\\", "\\\\").replace('"', '\\"')
        assert seen == [f'"u" "{quoted}"'.encode()]
    else:
        assert seen == [b'"u" ' + password.encode()]


def test_a_full_disk_is_told_and_mail_is_fetched_again_later(fake, desk, watch):
    from nbmail.errors import KnownError

    desk.refuse = KnownError(Trouble.DISK_FULL, "no space left")
    watch(account(fake()))
    desk.wait(lambda: offline(desk))
    assert offline(desk)[0].trouble is Trouble.DISK_FULL
    desk.refuse = None
    desk.wait_in_step()
    assert desk.messages() == LETTERS


@pytest.mark.expects_log
def test_a_fault_of_ours_is_logged_and_ends_nothing(fake, desk, watch):
    desk.refuse = ZeroDivisionError("our own fault")
    watch(account(fake()))
    desk.wait(lambda: offline(desk))
    desk.refuse = None
    desk.wait_in_step()
    assert desk.messages() == LETTERS


def test_taken_away_at_the_very_moment_is_moot_for_that_one_alone(fake, desk, watch):
    def too_late(line, tag, arguments):
        del server.folders[b"INBOX"][5]
        line.say(b"* 2 EXPUNGE\r\n", tag + b" NO [EXPUNGEISSUED] some no longer exist\r\n")
        return True

    server = fake(hooks={"UID MOVE": once(too_late)})
    thread = watch(account(server))
    desk.wait_in_step()
    for uid in (3, 5, 8):
        desk.move(uid)
    thread.wake()
    desk.wait(lambda: len(desk.settled) == 3)
    assert {errand.uid: outcome for errand, outcome, _ in desk.settled} == {
        3: Outcome.DONE,
        5: Outcome.MOOT,
        8: Outcome.DONE,
    }


def test_without_move_one_refusal_concerns_one_message(fake, desk, watch):
    def refuse_the_second(line, tag, arguments):
        if arguments.startswith(b"5 "):
            line.say_line(tag + b" NO [CANNOT] never")
            return True
        return False

    server = fake(abilities="IMAP4rev1 IDLE UIDPLUS", hooks={"UID COPY": refuse_the_second})
    thread = watch(account(server))
    desk.wait_in_step()
    for uid in (3, 5, 8):
        desk.move(uid)
    thread.wake()
    desk.wait(lambda: len(desk.settled) == 3)
    outcomes = {errand.uid: outcome for errand, outcome, _ in desk.settled}
    assert outcomes == {3: Outcome.DONE, 5: Outcome.REFUSED, 8: Outcome.DONE}
    assert sorted(server.folders[b"Junk"].values()) == sorted([letter(3), letter(8)])


def test_stopped_while_the_server_says_nothing_at_all(desk, watch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        thread = watch(Account("alice", "127.0.0.1", silent.getsockname()[1], Security.PLAIN, "u"))
        desk.wait(lambda: desk.states)
        thread.stop()
        # Far less than it would have waited for the server.
        thread.join(5)
        assert not thread.is_alive()
    assert desk.states[-1].phase is Phase.STOPPED


def test_stopped_while_it_waits_to_try_again_or_for_the_user(fake, desk, watch):
    server = fake()
    server.password_is_right = False
    waiting = watch(account(server))
    desk.wait(lambda: needs(desk))
    server.close()
    trying = watch(account(server, name="bob"))
    desk.wait(lambda: desk.of("bob") and desk.of("bob")[-1].phase is Phase.OFFLINE)
    for thread in (waiting, trying):
        thread.stop()
        thread.join(5)
        assert not thread.is_alive()


def test_when_the_engine_closes_the_account_ends_quietly(fake, desk, watch):
    desk.refuse = DeskClosed()
    thread = watch(account(fake()))
    thread.join(10)
    assert not thread.is_alive()
    assert desk.states[-1].phase is Phase.STOPPED


def test_states_tell_when_they_began_and_when_the_next_try_is(desk):
    nowhere = Account("alice", "127.0.0.1", 1, Security.PLAIN, "u")
    thread = AccountThread(nowhere, desk, lambda: "x", clock=lambda: 5000.0)
    thread.start()
    desk.wait(lambda: offline(desk))
    thread.stop()
    thread.join(10)
    assert {state.at for state in desk.states} == {5000.0}
    assert 5000.5 <= offline(desk)[0].retry_at <= 5001.5


WITHOUT_MOVE = "IMAP4rev1 IDLE UIDPLUS"


def test_a_copy_is_withdrawn_when_someone_else_was_first(fake, desk, watch):
    def taken(line, tag, arguments):
        server.folders[b"INBOX"].pop(5, None)
        line.say_line(tag + b" OK nothing to store")
        return True

    server = fake(abilities=WITHOUT_MOVE, hooks={"UID STORE": once(taken)})
    thread = watch(account(server))
    desk.wait_in_step()
    desk.move(5)
    thread.wake()
    desk.wait(lambda: desk.outcomes() == [Outcome.MOOT])
    assert server.folders[b"Junk"] == {}


def test_what_can_not_be_moved_alone_stays(fake, desk, watch):
    server = fake(abilities="IMAP4rev1 IDLE")
    thread = watch(account(server))
    desk.wait_in_step()
    desk.move(5)
    thread.wake()
    desk.wait(lambda: desk.outcomes() == [Outcome.REFUSED])
    assert server.folders[b"INBOX"] == LETTERS
    assert not {"EXPUNGE", "UID COPY"} & set(server.commands)


def test_what_is_there_already_is_not_moved(fake, desk, watch):
    server = fake()
    server.folders[b"Junk"] = {1: letter(1)}
    thread = watch(account(server, watch_junk=True))
    desk.wait_in_step()
    desk.move(1, folder="Junk")
    thread.wake()
    desk.wait(lambda: desk.outcomes() == [Outcome.DONE])
    assert server.asked("UID MOVE") == 0


@pytest.mark.parametrize("change", ["validity", "gone"])
def test_errands_for_a_folder_that_is_no_more_are_moot(fake, desk, watch, change):
    server = fake()
    server.folders[b"Box"] = {1: letter(1)}
    thread = watch(account(server, folders=("INBOX", "Box")))
    desk.wait_in_step()
    thread.stop()
    thread.join(10)
    desk.move(1, folder="Box")
    desk.keywords(1, {"$Junk"}, folder="Box")
    if change == "gone":
        del server.folders[b"Box"]
    server.validity = 8
    watch(account(server))
    desk.wait(lambda: desk.outcomes() == [Outcome.MOOT] * 2)


def test_a_folder_that_can_not_be_opened_just_now_drops_no_errand(fake, desk, watch):
    def busy(line, tag, arguments):
        line.say_line(tag + b" NO [INUSE] locked by another session")
        return True

    server = fake()
    thread = watch(account(server))
    desk.wait_in_step()
    desk.keywords(5, {"$Junk"})
    server.hooks["SELECT"] = once(busy)
    thread.wake()
    desk.wait(lambda: desk.outcomes() == [Outcome.DONE])
    assert {"$Junk"} <= server_flags(server, 5)


def server_flags(server, uid):
    return {flag.decode() for flag in server.flags.get((b"INBOX", uid), set())}
