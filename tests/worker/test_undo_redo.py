"""Undo, redo and restore of many labels: one transaction each, then a rebuild."""

from operator import methodcaller as request

import numpy as np
import pytest

from tests.worker.conftest import INBOX, Cancelled, Done, Progress
from tests.worker.test_marking import labels

ALL = 300


@pytest.fixture
def trained(harness):
    """Engine with a folder of 300 messages learned as ham."""
    harness.ready().deliver(range(1, ALL + 1))
    harness.deliver(range(1001, 1021))
    harness.do.mark(tuple(range(ALL + 1, ALL + 21)), "spam")
    harness.do.label_folder(INBOX, "ham", only_unlabelled=True)
    harness.line = harness.do.list_journal(1)[0].number
    harness.until_exact()
    harness.events.clear()
    return harness


def probabilities(harness):
    """Return the probabilities of all messages, once they are those of an exact model."""
    harness.until_exact()
    rows = harness.do.list_mail()
    return rows.scores.probabilities[np.argsort(rows.messages)]


@pytest.mark.parametrize("asked", [False, True])
def test_an_undone_mark_leaves_every_probability_unchanged(harness, asked):
    """Also for queried messages, and if each mark changes the base rate."""
    harness.ready().deliver(range(1, 61))
    harness.do.mark((1, 2, 3), "spam")
    harness.do.mark((4, 5, 6), "ham")
    for label in ("spam", "ham", "ham"):
        for message in harness.do.select_queries(2) if asked else ():
            harness.do.mark((message,), label)
    before = probabilities(harness)
    for message in sorted(set(range(1, 61)) - labels(harness).keys())[:3]:
        for label in ("spam", "ham"):
            harness.do.mark((message,), label)
            assert not np.array_equal(probabilities(harness), before)
            harness.do.undo()
            assert np.array_equal(probabilities(harness), before)


def test_undo_redo_and_restore_of_many_labels(trained):
    before = labels(trained)
    restore = request("restore", trained.line)
    for change, left in (
        (request("undo"), 20),
        (request("redo"), ALL + 20),
        (restore, 20),
        (request("undo"), ALL + 20),
    ):
        assert len(change(trained.do).messages) == ALL
        assert len(labels(trained)) == left
    assert labels(trained) == before
    trained.check_rebuilt()


def test_a_long_rebuild_reports_progress(trained, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.jobs.SHORTEST", -1.0)
    ticket = trained.engine.restore(trained.line)
    assert isinstance(trained.end_of(ticket), Done)
    told = [
        event
        for event in trained.events
        if isinstance(event, Progress) and event.ticket is ticket and event.total
    ]
    assert [(one.done, one.total) for one in told] == [(20, 20)]


def test_a_step_cancelled_during_its_rebuild_stays_and_is_rebuilt(trained, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.jobs.SHORTEST", -1.0)
    running = trained.hold(lambda event: isinstance(event, Progress), trained.engine.undo)
    running.cancel()
    trained.release()
    assert isinstance(trained.end_of(running), Cancelled)
    assert len(labels(trained)) == 20
    trained.check_rebuilt()
    assert len(trained.ready().do.redo().messages) == ALL


def test_a_mark_during_a_rebuild_stays(trained, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.jobs.SHORTEST", -1.0)
    running = trained.hold(lambda event: isinstance(event, Progress), trained.engine.undo)
    by_hand = trained.engine.mark((5, 6), "spam")
    trained.release()
    assert len(trained.end_of(running).result.messages) == ALL
    assert trained.end_of(by_hand).result.messages == (5, 6)
    assert {labels(trained)[message] for message in (5, 6)} == {"spam"}
    trained.check_rebuilt()
