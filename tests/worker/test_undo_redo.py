"""Undo, redo and journeys of many labels: one transaction each, then a fold."""

import time

import numpy as np
import pytest

from nbmail.core.scoring.model import Model
from nbmail.errors import ErrorCode
from nbmail.store.store import Store
from nbmail.worker.protocol import GoBack, LabelFolder, ListMail, Mark, Redo, ShowJournal, Undo
from nbmail.worker.protocol.own_model import Ask
from tests.worker.conftest import INBOX, Cancelled, Done, Progress
from tests.worker.test_marking import labels, scores

ALL = 300


@pytest.fixture
def trained(station):
    """A folder of 300 learned as good."""
    station.ready().deliver(range(1, ALL + 1))
    station.deliver(range(1001, 1021))
    station.do(Mark(tuple(range(ALL + 1, ALL + 21)), "junk"))
    station.do(LabelFolder(INBOX, "good", spare=True))
    station.line = station.do(ShowJournal(1))[0].number
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
    """Those of all messages once every score is that of a settled model."""
    state = station.engine._state
    while state._rescoring or not (state.store.model.is_exact and state.scores.exact):
        time.sleep(0.002)
    rows = station.do(ListMail())
    return rows.scores.probabilities[np.argsort(rows.messages)]


@pytest.mark.parametrize("asked", [False, True])
def test_a_mark_that_is_undone_leaves_every_probability_as_it_was(station, asked):
    """Also where the marks were asked for, and where each mark says something else of the share of junk."""
    station.ready().deliver(range(1, 61))
    station.do(Mark((1, 2, 3), "junk"))
    station.do(Mark((4, 5, 6), "good"))
    for label in ("junk", "good", "good"):
        for message in station.do(Ask(2)) if asked else ():
            station.do(Mark((message,), label))
    before = probabilities(station)
    for message in sorted(set(range(1, 61)) - labels(station).keys())[:3]:
        for label in ("junk", "good"):
            station.do(Mark((message,), label))
            assert not np.array_equal(probabilities(station), before)
            station.do(Undo())
            assert np.array_equal(probabilities(station), before)


def test_there_and_back_again(trained):
    before = labels(trained)
    for command, left in ((Undo(), 20), (Redo(), ALL + 20), (GoBack(trained.line), 20), (Undo(), ALL + 20)):
        assert len(trained.do(command).messages) == ALL
        assert len(labels(trained)) == left
    assert labels(trained) == before
    sound(trained)


def test_a_fold_that_takes_its_time_shows_how_far_it_is(trained, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.announcer.CALM", -1.0)
    ticket = trained.tell(GoBack(trained.line))
    assert isinstance(trained.ending(ticket), Done)
    told = [event for event in trained.events if isinstance(event, Progress) and event.ticket is ticket and event.total]
    assert [(one.done, one.total) for one in told] == [(20, 20)]


def test_what_was_cancelled_while_it_was_folded_is_done_and_folded_all_the_same(trained, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.announcer.CALM", -1.0)
    trained.hold_at(lambda event: isinstance(event, Progress))
    running = trained.tell(Undo())
    trained.is_held()
    running.cancel()
    trained.release()
    assert isinstance(trained.ending(running), Cancelled)
    assert len(labels(trained)) == 20
    sound(trained)
    assert len(trained.do(Redo()).messages) == ALL


def test_a_mark_while_it_is_folded_stays(trained, monkeypatch):
    monkeypatch.setattr("nbmail.worker.engine.announcer.CALM", -1.0)
    trained.hold_at(lambda event: isinstance(event, Progress))
    running = trained.tell(Undo())
    trained.is_held()
    by_hand = trained.tell(Mark((5, 6), "junk"))
    trained.release()
    assert len(trained.ending(running).result.messages) == ALL
    assert trained.ending(by_hand).result.messages == (5, 6)
    assert {labels(trained)[message] for message in (5, 6)} == {"junk"}
    sound(trained)


def test_a_full_disk_leaves_all_as_it_was(trained, full_disk):
    before = labels(trained)
    with full_disk():
        assert trained.ask(Undo()).error_code is ErrorCode.DISK_FULL
    assert labels(trained) == before
    assert len(trained.do(Undo()).messages) == ALL
    sound(trained)
