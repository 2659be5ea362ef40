"""Synchronization with a real server and actions of the user."""

import pytest

from nbmail.settings import Security
from nbmail.sync.imap.actions import action_runner
from nbmail.values import Phase
from tests.sync.letters import letter, letters
from tests.sync.memory_backend import leave


@pytest.mark.parametrize("security", list(Security))
def test_messages_are_stored_verbatim(dovecot, backend, security, synced):
    written = letters(60)
    dovecot.put(written)
    synced(dovecot, security=security)
    assert sorted(backend.messages().values()) == sorted(written)
    assert backend.of("alice")[0].phase is Phase.CONNECTING


def test_the_newest_messages_come_first_and_the_last_delivery_completes(dovecot, backend, synced):
    dovecot.put(letters(700))
    synced(dovecot, watch_spam=False)
    uids = [each.uid for delivery in backend.deliveries for each in delivery.arrivals]
    assert len(uids) == 700
    slices = [uids[:25], uids[25:425], uids[425:]]
    assert [set(each) for each in slices] == [
        set(range(676, 701)),
        set(range(276, 676)),
        set(range(1, 276)),
    ]
    assert [each.complete for each in backend.deliveries] == [False] * (
        len(backend.deliveries) - 1
    ) + [True]


def test_new_mail_comes_between_many_marks(dovecot, backend, watch, synced, monkeypatch):
    monkeypatch.setattr(action_runner, "BATCH_SIZE", 10)
    monkeypatch.setattr(action_runner, "TIME_BUDGET", 0.0)
    dovecot.put(letters(100))
    leave(synced(dovecot))
    counts = []
    backend.before = lambda delivery: (
        counts.append(len(backend.completed)) if delivery.arrivals else None
    )
    for uid in range(1, 101):
        backend.keywords(uid, {"$Junk", "Junk"})
    dovecot.client().append("INBOX", letter(101))
    watch(dovecot.account())
    backend.wait(lambda: len(backend.completed) == 100 and 101 in backend.flags())
    assert 0 < counts[0] < 100
