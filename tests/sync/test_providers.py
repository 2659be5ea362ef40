"""Folder lists, capabilities, flags and errors of large providers and difficult servers."""

from dataclasses import dataclass

import pytest

from nbmail.errors import ErrorCode
from nbmail.sync.imap.folders.name_encoding import encoded
from nbmail.values import Outcome, Phase
from tests.fake_imap import says, when
from tests.sync.letters import LETTERS, letter
from tests.waiting import wait_for

USUAL = rb"\Answered \Flagged \Deleted \Seen \Draft"


@dataclass
class Provider:
    """Folder list of a provider, with the folders of spam and deleted mail."""

    abilities: str
    listing: list[bytes]
    spam: str
    trash: str
    permanent: bytes = USUAL + rb" \*"
    moves: bool = True

    @property
    def keeps_keywords(self):
        return rb"\*" in self.permanent


PROVIDERS = {
    "Gmail": Provider(
        "IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST CHILDREN X-GM-EXT-1 UIDPLUS ENABLE "
        "MOVE CONDSTORE ESEARCH "
        "UTF8=ACCEPT LIST-EXTENDED LIST-STATUS LITERAL- SPECIAL-USE APPENDLIMIT=35651584",
        [
            rb'(\HasNoChildren) "/" "INBOX"',
            rb'(\HasChildren \Noselect) "/" "[Gmail]"',
            rb'(\All \HasNoChildren) "/" "[Gmail]/Alle Nachrichten"',
            rb'(\Drafts \HasNoChildren) "/" "[Gmail]/Entw&APw-rfe"',
            rb'(\HasNoChildren \Important) "/" "[Gmail]/Wichtig"',
            rb'(\HasNoChildren \Junk) "/" "[Gmail]/Spam"',
            rb'(\HasNoChildren \Trash) "/" "[Gmail]/Papierkorb"',
            rb'(\HasNoChildren) "/" "Vereine"',
        ],
        "[Gmail]/Spam",
        "[Gmail]/Papierkorb",
        USUAL + rb" $NotPhishing $Phishing \*",
    ),
    "Exchange": Provider(
        (
            "IMAP4 IMAP4rev1 AUTH=PLAIN SASL-IR UIDPLUS MOVE ID UNSELECT CHILDREN IDLE NAMESPACE "
            "LITERAL+"
        ),
        [
            rb'(\Marked \HasNoChildren) "/" INBOX',
            rb'(\HasNoChildren) "/" Calendar',
            rb'(\HasNoChildren \Drafts) "/" Drafts',
            rb'(\HasNoChildren) "/" "Junk Email"',
            rb'(\HasNoChildren) "/" "Deleted Items"',
        ],
        "Junk Email",
        "Deleted Items",
        rb"\Seen \Answered \Flagged \Deleted \Draft $MDNSent",
    ),
    "Yahoo": Provider(
        "IMAP4rev1 ID NAMESPACE UIDPLUS LITERAL+ CHILDREN UNSELECT MOVE IDLE SPECIAL-USE",
        [
            rb'(\HasNoChildren) "/" "Inbox"',
            rb'(\Junk \HasNoChildren) "/" "Bulk"',
            rb'(\Trash \HasNoChildren) "/" "Trash"',
        ],
        "Bulk",
        "Trash",
    ),
    "Courier": Provider(
        "IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=REFERENCES SORT QUOTA IDLE ACL ACL2=UNION",
        [
            rb'(\Marked \HasChildren) "." "INBOX"',
            rb'(\HasNoChildren) "." "INBOX.Trash"',
            rb'(\HasNoChildren) "." "INBOX.Spam"',
            rb'(\HasNoChildren) "." "INBOX.Vereine.Chor"',
        ],
        "INBOX.Spam",
        "INBOX.Trash",
        rb"\* \Draft \Answered \Flagged \Deleted \Seen",
    ),
    "hMailServer": Provider(
        "IMAP4 IMAP4rev1 CHILDREN IDLE QUOTA SORT ACL NAMESPACE RIGHTS=texk",
        [
            rb'(\HasNoChildren) "." "INBOX"',
            rb'(\HasNoChildren) "." "Junk E-mail"',
            rb'(\HasNoChildren) "." Deleted Items',
        ],
        "Junk E-mail",
        "Deleted Items",
        rb"Deleted \Seen \Draft \Answered \Flagged",
        moves=False,
    ),
}


@pytest.fixture(params=PROVIDERS)
def provider(request):
    return PROVIDERS[request.param]


@pytest.fixture
def serve(fake):
    """Factory of servers that behave like a provider's."""

    def start(provider, **wishes):
        server = fake({}, abilities=provider.abilities, **wishes)
        server.permanent = provider.permanent
        server.folders = {}
        for line in provider.listing:
            raw = line.partition(b'" ')[2].strip(b'"')
            server.folders[raw] = dict(LETTERS) if raw.upper() == b"INBOX" else {}
        # The inbox has one name on every server, whatever it is listed as.
        inbox = next(raw for raw in server.folders if raw.upper() == b"INBOX")
        server.folders[b"INBOX"] = server.folders[inbox]

        def listing(line, tag, arguments):
            known = {each.partition(b'" ')[2].strip(b'"').upper() for each in provider.listing}
            fresh = [
                b'() "." "%s"' % raw for raw in list(server.folders) if raw.upper() not in known
            ]
            line.say(
                *(b"* LIST " + each + b"\r\n" for each in [*provider.listing, *fresh]),
                tag + b" OK done\r\n",
            )
            return True

        server.hooks.setdefault("LIST", listing)
        return server

    return start


def account(server, **more):
    return server.account(poll_seconds=0.1, watch_spam=True, **more)


def test_mail_of_providers_is_synced_marked_and_moved(serve, provider, backend, watch):
    server = serve(provider)
    thread = watch(account(server))
    backend.wait_synced()
    assert backend.messages() == LETTERS
    assert {delivery.special for delivery in backend.deliveries} <= {"\\Inbox", "\\Junk"}
    backend.keywords(3, {"$Junk"})
    backend.move(5)
    thread.wake()
    backend.wait(lambda: len(backend.completed) == 2)
    kinds = {action.kind: outcome for action, outcome, _ in backend.completed}
    assert kinds == {
        "keywords": Outcome.DONE if provider.keeps_keywords else Outcome.REFUSED,
        "move": Outcome.DONE if provider.moves else Outcome.REFUSED,
    }
    spam = server.folders[encoded(provider.spam)]
    assert list(spam.values()) == ([LETTERS[5]] if provider.moves else [])
    backend.wait(lambda: set(backend.flags()) == ({3, 8} if provider.moves else {3, 5, 8}))
    backend.wait(
        lambda: list(backend.messages(folder=provider.spam).values()) == list(spam.values())
    )
    assert "EXPUNGE" not in server.commands
    if not provider.keeps_keywords:
        backend.wait(
            lambda: (
                (backend.states[-1].phase, backend.states[-1].error_code)
                == (Phase.SYNCED, ErrorCode.NO_KEYWORDS)
            )
        )


def test_the_same_message_in_several_folders_of_gmail_is_moved_once(serve, backend, watch):
    """On Gmail, a move out of one folder removes the message from others, which is no error."""
    gmail = PROVIDERS["Gmail"]
    server = serve(gmail)
    server.folders[b"Vereine"] = {7: LETTERS[5]}
    server.folders[b"[Gmail]/Alle Nachrichten"] = {9: LETTERS[5]}

    def move(line, tag, arguments):
        with server.changing():
            raw = server.folders[line.selected][int(arguments.split(b" ")[0])]
            server.answer("UID MOVE", line, tag, arguments)
            for name in (b"INBOX", b"Vereine", b"[Gmail]/Alle Nachrichten"):
                for uid in [uid for uid, each in server.folders[name].items() if each == raw]:
                    del server.folders[name][uid]
        return True

    server.hooks["UID MOVE"] = move
    thread = watch(account(server, folders=("INBOX", "Vereine", "[Gmail]/Alle Nachrichten")))
    backend.wait_synced()
    specials = {delivery.folder.folder: delivery.special for delivery in backend.deliveries}
    assert specials["[Gmail]/Alle Nachrichten"] == "\\All"
    backend.move(5)
    backend.move(7, folder="Vereine")
    thread.wake()
    backend.wait(lambda: len(backend.completed) == 2)
    assert sorted(backend.outcomes()) == [Outcome.DONE, Outcome.OBSOLETE]
    assert list(server.folders[b"[Gmail]/Spam"].values()) == [LETTERS[5]]
    backend.wait(
        lambda: (
            not backend.flags(folder="Vereine")
            and not backend.flags(folder="[Gmail]/Alle Nachrichten")
        )
    )


@pytest.mark.parametrize(("prefix", "allowed"), [(b"INBOX.", True), (b"", True), (b"", False)])
def test_a_spam_folder_is_made_where_the_server_has_its_folders(
    serve, backend, watch, prefix, allowed
):
    """Courier refuses names outside the inbox. A server that refuses all is not tried again."""
    bare = Provider(
        PROVIDERS["Courier"].abilities,
        [rb'(\HasChildren) "." "INBOX"', b'(\\HasNoChildren) "." "%sVereine"' % prefix],
        "Junk",
        "",
    )

    refuse = says(b"NO Invalid mailbox name.")

    def create(line, tag, arguments):
        return not (allowed and arguments.strip(b'"').startswith(prefix)) and refuse(
            line, tag, arguments
        )

    server = serve(bare, hooks={"CREATE": create})
    server.prefix = prefix
    thread = watch(account(server, spam_folder="Werbung"))
    backend.wait_synced()
    backend.move(5)
    thread.wake()
    if allowed:
        backend.wait(lambda: backend.outcomes() == [Outcome.DONE])
        assert list(server.folders[prefix + b"Werbung"].values()) == [LETTERS[5]]
        backend.wait(lambda: len(backend.flags(folder=prefix.decode() + "Werbung")) == 1)
    else:
        backend.wait(lambda: any(state.detail == "\\Junk" for state in backend.states))
        assert backend.outbox
    assert not backend.of("alice", Phase.OFFLINE)
    assert server.connections <= 2


@pytest.mark.parametrize(
    ("answer", "phase", "error_code"),
    [
        (
            b"NO [ALERT] Too many simultaneous connections. (Failure)",
            Phase.OFFLINE,
            ErrorCode.SERVER_REFUSED,
        ),
        (b"NO [LIMIT] LOGIN Rate limit hit", Phase.OFFLINE, ErrorCode.SERVER_REFUSED),
        (
            b"NO [SERVERBUG] LOGIN Server error - Please try again later",
            Phase.OFFLINE,
            ErrorCode.SERVER_REFUSED,
        ),
        (b"NO Server Unavailable. 15", Phase.OFFLINE, ErrorCode.SERVER_REFUSED),
        (
            b"NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)",
            Phase.NEEDS_YOU,
            ErrorCode.WRONG_PASSWORD,
        ),
        (
            b"NO [ALERT] Application-specific password required: https://x",
            Phase.NEEDS_YOU,
            ErrorCode.WRONG_PASSWORD,
        ),
        (b"NO LOGIN failed.", Phase.NEEDS_YOU, ErrorCode.WRONG_PASSWORD),
        (b"NO AUTHENTICATE failed.", Phase.NEEDS_YOU, ErrorCode.WRONG_PASSWORD),
    ],
)
def test_a_refused_login_is_temporary_or_needs_the_user(
    serve, backend, watch, answer, phase, error_code
):
    watch(account(serve(PROVIDERS["Courier"], hooks={"LOGIN": says(answer)})))
    backend.wait(lambda: backend.of("alice", Phase.OFFLINE, Phase.NEEDS_YOU))
    first = backend.of("alice", Phase.OFFLINE, Phase.NEEDS_YOU)[0]
    assert (first.phase, first.error_code) == (phase, error_code)


def test_netease_opens_no_folder_for_a_program_without_a_name(serve, backend, watch):
    named = set()
    netease = Provider(
        "IMAP4rev1 XLIST SPECIAL-USE ID LITERAL+ STARTTLS UIDPLUS IDLE", [b'() "/" "INBOX"'], "", ""
    )

    refuse = says(b"NO SELECT Unsafe Login. Please contact us for help")
    unsafe = lambda line, *call: line not in named and refuse(line, *call)  # noqa: E731
    hooks = {"ID": lambda line, *call: named.add(line), "SELECT": unsafe, "EXAMINE": unsafe}
    watch(account(serve(netease, hooks=hooks)))
    backend.wait_synced()
    assert backend.messages() == LETTERS


def test_a_folder_that_cannot_be_opened_is_reported_and_others_are_synced(serve, backend, watch):
    forbidden = when(b"Vereine", says(b"NO [NOPERM] Permission denied"))
    server = serve(
        PROVIDERS["Gmail"], hooks=dict.fromkeys(("STATUS", "SELECT", "EXAMINE"), forbidden)
    )
    watch(account(server, folders=("INBOX", "Vereine")))
    backend.wait(lambda: any(state.error_code for state in backend.states))
    state = next(state for state in backend.states if state.error_code)
    assert (state.phase, state.error_code, state.detail) == (
        Phase.SYNCED,
        ErrorCode.FOLDER_MISSING,
        "Vereine",
    )
    assert backend.messages() == LETTERS
    server.put(9, letter(9))
    backend.wait(lambda: len(backend.flags()) == 4)
    wait_for(lambda: server.asked("IDLE") >= 1)
    assert not backend.of("alice", Phase.OFFLINE)
