"""Undo, redo and journeys of many labels: one transaction each, then a fold."""

import time
from operator import methodcaller as request

import numpy as np
import pytest

from nbmail.core.scoring.model import Model
from nbmail.errors import ErrorCode
from nbmail.store.store import Store
from tests.worker.conftest import INBOX, Cancelled, Done, Progress
from tests.worker.test_marking import labels, scores

ALL = 300


@pytest.fixture
def trained(station):
    """A folder of 300 learned as good."""
    station.ready().deliver(range(1, ALL + 1))
    station.deliver(range(1001, 1021))
    station.do.mark(tuple(range(ALL + 1, ALL + 21)), "junk")
    station.do.label_folder(INBOX, "good", only_unlabelled=True)
    station.line = station.do.list_journal(1)[0].number
    station.until_exact()
    station.events.clear()
    return station


def sound(station):
    """Counts, corrections and scores are what the labels make them."""
    station.until_exact()
    assert station.check_up().sound
    by_engine = scores(station)
    station.stop()
    with Store(station.paths, 0.0) as store:
        model = Model(store.words.vocabulary)
        for one in store.labels.in_order(most=1000):
            model.learn(one.sample, one.label)
        samples = store.messages.samples(range(1, ALL + 21))
        by_hand = model.log_odds(model.rows([samples[message] for message in range(1, ALL + 21)]))
    assert np.array_equal(by_engine, by_hand)
    station.ready()


def probabilities(station):
    """Those of all messages once every score is that of an exact model."""
    parts = station.engine.parts
    while parts.updates.is_rescoring or not (parts.store.model.is_exact and parts.scoring.all.is_current):
        time.sleep(0.002)
    rows = station.do.list_mail()
    return rows.scores.probabilities[np.argsort(rows.messages)]


@pytest.mark.parametrize("asked", [False, True])
def test_a_mark_that_is_undone_leaves_every_probability_as_it_was(station, asked):
    """Also where the marks were asked for, and where each mark says something else of the share of junk."""
    station.ready().deliver(range(1, 61))
    station.do.mark((1, 2, 3), "junk")
    station.do.mark((4, 5, 6), "good")
    for label in ("junk", "good", "good"):
        for message in station.do.select_queries(2) if asked else ():
            station.do.mark((message,), label)
    before = probabilities(station)
    for message in sorted(set(range(1, 61)) - labels(station).keys())[:3]:
        for label in ("junk", "good"):
            station.do.mark((message,), label)
            assert not np.array_equal(probabilities(station), before)
            station.do.undo()
            assert np.array_equal(probabilities(station), before)


def test_there_and_back_again(trained):
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
    sound(trained)


def test_a_fold_that_takes_its_time_shows_how_far_it_is(trained, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.requests.SHORTEST", -1.0)
    ticket = trained.tell.restore(trained.line)
    assert isinstance(trained.ending(ticket), Done)
    told = [event for event in trained.events if isinstance(event, Progress) and event.ticket is ticket and event.total]
    assert [(one.done, one.total) for one in told] == [(20, 20)]


def test_what_was_cancelled_while_it_was_folded_is_done_and_folded_all_the_same(trained, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.requests.SHORTEST", -1.0)
    trained.hold_at(lambda event: isinstance(event, Progress))
    running = trained.tell.undo()
    trained.is_held()
    running.cancel()
    trained.release()
    assert isinstance(trained.ending(running), Cancelled)
    assert len(labels(trained)) == 20
    sound(trained)
    assert len(trained.do.redo().messages) == ALL


def test_a_mark_while_it_is_folded_stays(trained, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.requests.SHORTEST", -1.0)
    trained.hold_at(lambda event: isinstance(event, Progress))
    running = trained.tell.undo()
    trained.is_held()
    by_hand = trained.tell.mark((5, 6), "junk")
    trained.release()
    assert len(trained.ending(running).result.messages) == ALL
    assert trained.ending(by_hand).result.messages == (5, 6)
    assert {labels(trained)[message] for message in (5, 6)} == {"junk"}
    sound(trained)


def test_a_full_disk_leaves_all_as_it_was(trained, full_disk):
    before = labels(trained)
    with full_disk():
        assert trained.ask.undo().error_code is ErrorCode.DISK_FULL
    assert labels(trained) == before
    assert len(trained.do.undo().messages) == ALL
    sound(trained)
