"""Content is never swapped under a label, and what older versions stored still matches."""

import pytest

from nbmail.core.words.tokenizer import TOKENIZER_VERSION
from nbmail.store.mail.identity import identities_of
from nbmail.values import Arrival, Delivery, LabelRecord
from tests.worker.conftest import INBOX, SPAM, mail, until_reread
from tests.worker.test_marking import labels


def arrival(raw, uid):
    return Arrival(uid, frozenset(), 1000.0, raw, len(raw))


def bring(harness, *raws, folder=INBOX, first=1):
    arrivals = tuple(arrival(raw, first + place) for place, raw in enumerate(raws))
    harness.engine.backend.deliver(Delivery(folder, 1, arrivals=arrivals, complete=True))


def make_old(parts):
    """Leave the database as a version before the current identities left it."""
    store = parts.store
    with store.transaction():
        for message, identity in store.messages.identities(
            range(1, store.messages.last() + 1)
        ).items():
            raw = store.raw_mail.get(identity)
            former = identities_of(raw).former
            store.raw_mail.put([(former, store.raw_mail._connection.value(RAW, (identity,)))], 0.0)
            store.raw_mail.drop([identity])
            store.connection.execute(
                "UPDATE messages SET identity = ? WHERE number = ?", (former, message)
            )
        store.connection.execute("DELETE FROM other_identities")
        store.connection.execute("UPDATE samples SET tokenizer = ?", (TOKENIZER_VERSION - 1,))


RAW = "SELECT raw FROM bodies WHERE identity = ?"
SWAPS = {
    "sender": (b"From: anna", b"From: eve"),
    "subject": (b"Subject: ", b"Subject: pay "),
    "content": (b"\r\nDate:", b"\r\nContent-Type: text/html\r\nDate:"),
}


def swapped(raw, kind):
    return raw.replace(*SWAPS[kind], 1)


@pytest.mark.parametrize("kind", SWAPS)
@pytest.mark.parametrize("is_old", [False, True])
def test_a_message_that_would_be_shown_otherwise_gets_a_row_of_its_own(harness, kind, is_old):
    harness.ready()
    raw = mail(2, False)
    bring(harness, raw)
    harness.do.mark((1,), "ham")
    if is_old:
        harness.on_engine(make_old)
        harness.again()
        until_reread(harness)
    bring(harness, swapped(raw, kind), first=2)
    bring(harness, raw, folder=SPAM, first=9)
    assert harness.on_engine(lambda parts: parts.store.messages.last()) == 2
    assert labels(harness) == {1: "ham"}
    assert {
        place.folder
        for place in harness.on_engine(lambda parts: parts.store.folders.locations([1]))
    } == {
        "INBOX",
        "Junk",
    }


def test_old_mail_that_is_not_cached_keeps_its_row_when_it_is_seen_again(harness):
    harness.ready()
    raw = mail(2, False)
    bring(harness, raw)
    harness.do.mark((1,), "ham")
    harness.on_engine(make_old)
    harness.on_engine(lambda parts: parts.store.raw_mail.drop([identities_of(raw).former]))
    bring(harness, swapped(raw, "subject"), first=2)
    bring(harness, raw, folder=SPAM, first=9)
    bring(harness, swapped(raw, "content"), first=3)
    assert harness.on_engine(lambda parts: parts.store.messages.last()) == 3
    assert len(harness.on_engine(lambda parts: parts.store.folders.locations([1]))) == 2
    assert labels(harness) == {1: "ham"}


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("is_waiting", [False, True])
def test_labels_of_both_versions_match(harness, version, is_waiting):
    harness.ready()
    raw = mail(2, False)
    current, former = identities_of(raw)
    record = LabelRecord(
        former if version == 1 else current, "spam", 5.0, "user", identity_version=version
    )
    if not is_waiting:
        bring(harness, raw)
    harness.on_engine(lambda parts: parts.store.import_labels(lambda: [record], 10.0) and None)
    if is_waiting:
        bring(harness, raw)
    assert labels(harness) == {1: "spam"}


def test_of_two_waiting_labels_of_a_message_the_later_one_counts(harness):
    harness.ready()
    raw = mail(2, False)
    current, former = identities_of(raw)
    records = [
        LabelRecord(former, "spam", 5.0, "user"),
        LabelRecord(current, "ham", 6.0, "user", identity_version=2),
    ]
    harness.on_engine(lambda parts: parts.store.import_labels(lambda: records, 10.0) and None)
    bring(harness, raw)
    assert labels(harness) == {1: "ham"}
