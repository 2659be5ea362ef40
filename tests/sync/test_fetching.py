"""Requested raw mail: from a server without setting \\Seen, from the disk, and missing messages."""

import pytest

from nbmail.errors import ErrorCode
from nbmail.values import ActionKind, Outcome, Phase
from tests.fake_imap import says, when
from tests.sync.letters import LETTERS, letter, letters
from tests.sync.test_local import account, made

__all__ = ["made"]
CAP = 2000


def fetch(backend, thread, uid, **more):
    """Request a message; return it, or the outcome without it."""
    action = backend.send(ActionKind.FETCH, uid, **more)
    thread.wake()
    backend.wait(lambda: action.number not in backend.outbox)
    return backend.handed.get(action.number)


def test_a_requested_message_is_fetched_from_the_server(backend, synced, dovecot):
    dovecot.put(letters(3))
    thread = synced(dovecot)
    known = backend.messages()
    for uid, raw in known.items():
        found = fetch(backend, thread, uid)
        assert (found.uid, found.raw, found.size) == (uid, raw, len(raw))
    assert all("\\Seen" not in flags for flags in backend.flags().values())
    assert fetch(backend, thread, 999) is None
    assert backend.outcomes() == [Outcome.OBSOLETE]


def test_a_whole_message_is_fetched_beyond_the_limit(backend, synced, dovecot):
    raw = letter(1) + b"an attachment's line\r\n" * 1000
    dovecot.put([raw])
    thread = synced(dovecot, largest_message=CAP)
    (uid,) = backend.messages()
    assert backend.messages() == {uid: raw[:CAP]}
    sizes = [each.size for delivery in backend.deliveries for each in delivery.arrivals]
    assert sizes == [len(raw)]
    assert fetch(backend, thread, uid).raw == raw[:CAP]
    assert fetch(backend, thread, uid, most=5_000_000).raw == raw


def test_the_size_of_a_fetched_message_is_not_an_estimate(backend, fake, synced):
    items = b"UID 3 FLAGS () RFC822.SIZE 99999 BODY[]<0> {%d}" % len(letter(3))
    estimate = says(b"* 1 FETCH (" + items, letter(3) + b")", b"OK")
    synced(fake({3: letter(3)}, hooks={"UID FETCH": when(b"RFC822.SIZE", estimate)}))
    assert [each.size for delivery in backend.deliveries for each in delivery.arrivals] == [
        len(letter(3))
    ]


@pytest.mark.parametrize("at_all", [True, False])
def test_an_empty_partial_fetch_is_repeated_without_a_limit(backend, fake, watch, at_all):
    """Some servers answer every partial FETCH in this way."""

    empty = (b'* 1 FETCH (UID %d FLAGS () RFC822.SIZE 300 BODY[]<0> "")' % uid for uid in LETTERS)
    nothing = when(b"<0." if at_all else b"BODY", says(*empty, b"OK done"))
    watch(fake(hooks={"UID FETCH": nothing}).account())
    backend.wait_synced()
    assert backend.messages() == (LETTERS if at_all else {})
    state = next(each for each in backend.states if each.phase is Phase.SYNCED)
    assert (state.error_code, state.detail) == (
        ("", "") if at_all else (ErrorCode.SERVER_BROKEN, "INBOX: 3 messages came empty")
    )


def test_a_requested_message_is_read_from_the_disk(made, backend, watch):
    thread = watch(account(made, largest_message=300))
    backend.wait(lambda: sum(len(stored.flags) for stored in backend.folders.values()) == 30)
    (folder,) = {name for _, name in backend.folders}
    for uid, raw in list(backend.messages(folder=folder).items())[:3]:
        assert fetch(backend, thread, uid, folder=folder).raw == raw
        assert fetch(backend, thread, uid, folder=folder, most=5_000_000).raw.startswith(raw)
    assert fetch(backend, thread, 12345, folder=folder) is None
    assert fetch(backend, thread, 12345, folder="no such") is None
    assert backend.outcomes() == [Outcome.OBSOLETE] * 2
