"""Content is never swapped under a label, and labels of earlier builds find their messages."""

import pytest

from nbmail.store.labels_log.earlier_builds import earlier_identities
from nbmail.store.mail.identity import identify
from nbmail.store.mail.raw_mail import pack
from nbmail.values import Arrival, Delivery, LabelRecord
from tests.worker.conftest import INBOX, SPAM, mail
from tests.worker.test_marking import labels


def arrival(raw, uid):
    return Arrival(uid, frozenset(), 1000.0, raw, len(raw))


def bring(harness, *raws, folder=INBOX, first=1):
    arrivals = tuple(arrival(raw, first + place) for place, raw in enumerate(raws))
    harness.engine.backend.deliver(Delivery(folder, 1, arrivals=arrivals, complete=True))


SWAPS = {
    "sender": (b"From: anna", b"From: eve"),
    "subject": (b"Subject: ", b"Subject: pay "),
    "content": (b"\r\nDate:", b"\r\nContent-Type: text/html\r\nDate:"),
    "answers": (b"\r\nDate:", b"\r\nReply-To: eve@x.example\r\nDate:"),
}


def swapped(raw, kind):
    return raw.replace(*SWAPS[kind], 1)


@pytest.mark.parametrize("kind", SWAPS)
def test_a_message_that_would_be_shown_or_answered_otherwise_gets_a_row_of_its_own(harness, kind):
    harness.ready()
    raw = mail(2, False)
    bring(harness, raw)
    harness.do.mark((1,), "ham")
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


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("is_cached", [False, True])
def test_labels_of_earlier_builds_match_once_the_message_is_read(harness, version, is_cached):
    """From the server, or from the cache at the next start."""
    harness.ready()
    raw = swapped(mail(2, False), "answers")
    identity = earlier_identities(raw)[version - 1]
    if is_cached:
        bring(harness, raw)
        drop_messages(harness)
        cached = identity[:16]
        harness.on_engine(lambda parts: parts.store.raw_mail.put([(cached, pack(raw))], 0.0))
    harness.on_engine(
        lambda parts: restore(parts.store, LabelRecord(identity, "spam", 5.0, "user"))
    )
    if is_cached:
        harness.again()
        harness.look_until(lambda parts: len(parts.store.labels) == 1)
    else:
        bring(harness, raw)
    assert list(harness.on_engine(lambda parts: parts.store.labels.all()).values()) == ["spam"]
    assert harness.on_engine(lambda parts: len(parts.store.waiting_labels)) == 0


def restore(store, *records):
    store.import_labels(lambda: records, 10.0)


def drop_messages(harness):
    """Start with an empty database and the cache of the old one."""
    harness.stop()
    (harness.paths.data / "labels.log").unlink()
    harness.paths.database.unlink()
    harness.ready()


def test_of_two_waiting_labels_of_a_message_the_later_one_counts(harness):
    harness.ready()
    raw = mail(2, False)
    earlier = LabelRecord(earlier_identities(raw)[0], "spam", 5.0, "user")
    later = LabelRecord(identify(raw), "ham", 6.0, "user")
    harness.on_engine(lambda parts: restore(parts.store, earlier, later))
    bring(harness, raw)
    assert labels(harness) == {1: "ham"}
