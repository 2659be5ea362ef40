"""Undo, redo and journeys of many labels: how far they are, stopped in the middle, and what can be done then."""

import numpy as np
import pytest

from nbmail.core.judging.model import Model
from nbmail.store.store import Store
from nbmail.worker.protocol import (
    Cancel,
    Cancelled,
    CheckUp,
    Done,
    Explain,
    GoBack,
    LabelFolder,
    ListMail,
    Mark,
    Progress,
    Redo,
    ShowJournal,
    Undo,
)
from tests.worker.conftest import INBOX
from tests.worker.test_marking import errands, labels, scores

ALL = 300


@pytest.fixture
def trained(station, monkeypatch):
    """A folder of 300 learned as good; steps are turned in transactions of two pieces of ten labels."""
    monkeypatch.setattr("nbmail.worker.marking.undo_redo.PIECE", 10)
    monkeypatch.setattr("nbmail.worker.marking.undo_redo.TOGETHER", 2)
    monkeypatch.setattr("nbmail.worker.engine.announcer.CALM", -1.0)
    station.ready().deliver(range(1, ALL + 1))
    station.deliver(range(1001, 1021))
    station.do(Mark(tuple(range(ALL + 1, ALL + 21)), "junk"))
    station.moment = station.clock.now
    station.do(LabelFolder(INBOX, "good", spare=True))
    station.settled()
    station.events.clear()
    return station


def progress_of(station, ticket):
    return [(one.done, one.total) for one in station.events if isinstance(one, Progress) and one.ticket == ticket]


def stop_at(station, command, number):
    """Cancel a command once it has told its progress so many times; how far it said to be."""
    told = []

    def reached(event):
        told.extend([event] if isinstance(event, Progress) else [])
        return len(told) == number

    station.hold_at(reached)
    running = station.tell(command)
    station.is_held()
    cancel = station.tell(Cancel(running))
    station.release()
    assert isinstance(station.ending(cancel), Done)
    assert isinstance(station.ending(running), Cancelled)
    assert len(station.endings(running)) == 1
    return progress_of(station, running)[-1]


def sound(station):
    """Counts, corrections and scores are what the labels make them."""
    if not station.learned().settled:
        station.settled()
    assert station.do(CheckUp()).sound
    by_engine = scores(station)
    station.stop()
    with Store(station.paths, 0.0) as store:
        model = Model(store.words.vocabulary)
        for one in store.labels.in_order(most=1000):
            model.learn(one.sample, one.label)
        assert model.counts == store.counts.load()
        samples = store.messages.samples(range(1, ALL + 21))
        by_hand = model.log_odds(model.rows([samples[message] for message in range(1, ALL + 21)]))
    assert np.array_equal(by_engine, by_hand)
    station.ready()


def test_the_way_is_told_with_its_length(trained):
    def went(command):
        ticket = trained.tell(command)
        assert isinstance(trained.ending(ticket), Done)
        done, totals = zip(*progress_of(trained, ticket), strict=True)
        assert set(totals) == {ALL}
        assert len(done) > ALL // 20 - 2
        assert list(done) == sorted(done)
        assert done[0] == 10
        return trained.ending(ticket).result

    assert len(went(Undo()).messages) == ALL
    assert len(went(Redo()).messages) == ALL
    assert len(went(GoBack(trained.moment)).messages) == ALL
    assert len(went(Undo()).messages) == ALL
    sound(trained)


@pytest.mark.parametrize("number", [1, 2, 5])
def test_a_cancelled_undo_stays_where_it_came_to_and_the_next_goes_on(trained, number):
    before = labels(trained)
    done, total = stop_at(trained, Undo(), number)
    left = labels(trained)
    assert (len(before) - len(left), total) == (done, ALL)
    assert before.items() > left.items()
    sound(trained)
    assert len(trained.do(Undo()).messages) == ALL - done
    assert set(labels(trained).values()) == {"junk"}
    assert len(trained.do(Redo()).messages) == ALL
    assert labels(trained) == before
    sound(trained)


def test_what_a_cancelled_undo_left_can_be_taken_back_after_other_marks(trained):
    done, _ = stop_at(trained, Undo(), 3)
    left = labels(trained)
    chosen = min(message for message in range(1, ALL + 1) if message in left)
    trained.do(Mark((chosen,), "junk"))
    assert trained.do(Undo()).messages == (chosen,)
    assert labels(trained) == left
    assert len(trained.do(Undo()).messages) == ALL - done
    sound(trained)


@pytest.mark.parametrize("between", [None, Mark((ALL + 1,), "good")])
def test_what_a_cancelled_redo_brought_back_can_be_taken_back(trained, between):
    trained.do(Undo())
    before = labels(trained)
    done, total = stop_at(trained, Redo(), 3)
    left = labels(trained)
    assert (len(left) - len(before), total) == (done, ALL)
    sound(trained)
    if between is not None:
        # A new step ends what could be redone, but never what can be undone.
        trained.do(between)
        trained.do(Undo())
    assert len(trained.do(Undo()).messages) == done
    assert labels(trained) == before
    assert len(trained.do(Redo()).messages) == ALL
    sound(trained)


def test_a_cancelled_journey_is_a_step_as_far_as_it_went(trained):
    before = labels(trained)
    done, total = stop_at(trained, GoBack(trained.moment), 4)
    left = labels(trained)
    assert (len(before) - len(left), total) == (done, ALL)
    sound(trained)
    assert len(trained.do(GoBack(trained.moment)).messages) == ALL - done
    assert len(trained.do(Undo()).messages) == ALL - done
    assert labels(trained) == left
    assert len(trained.do(Undo()).messages) == done
    assert labels(trained) == before
    sound(trained)


def test_a_cancel_that_comes_too_late_says_that_all_is_done(trained):
    before = labels(trained)
    told = []
    trained.hold_at(lambda event: isinstance(event, Progress) and event.done == event.total and not told.append(event))
    running = trained.tell(Undo())
    trained.is_held()
    trained.tell(Cancel(running))
    trained.release()
    assert isinstance(trained.ending(running), Cancelled)
    assert progress_of(trained, running)[-1] == (ALL, ALL)
    assert len(before) - len(labels(trained)) == ALL
    assert len(trained.do(Redo()).messages) == ALL
    sound(trained)


def test_a_click_goes_between_two_pieces_of_one_transaction(trained):
    trained.hold_at(lambda event: isinstance(event, Done))
    held = trained.tell(ShowJournal(1))
    trained.is_held()
    undo, look, by_hand = trained.tell(Undo()), trained.tell(Explain(5)), trained.tell(Mark((5,), "junk"))
    trained.release()
    assert trained.ending(held)
    assert 5 not in trained.ending(undo).result.messages
    order = [event.ticket for event in trained.events if isinstance(event, Done)]
    assert order.index(look) < order.index(undo)
    assert trained.ending(by_hand).result.messages == (5,)
    assert labels(trained)[5] == "junk"
    sound(trained)


def test_nothing_is_scored_or_folded_for_nothing_on_the_way(trained, monkeypatch):
    from nbmail.store.model.label_fold import Fold
    from nbmail.worker.scores.scores import Board

    done = []
    advance, update = Fold.advance, Board.update

    def noted(what, inner):
        def call(*arguments, **more):
            done.append((what, trained.engine._office.travelling))
            return inner(*arguments, **more)

        return call

    monkeypatch.setattr(Fold, "advance", noted("fold", advance))
    monkeypatch.setattr(Board, "update", noted("scores", update))
    trained.do(Undo())
    trained.settled()
    trained.do(Redo())
    trained.settled()
    assert ("fold", False) in done
    assert ("scores", False) in done
    assert not [what for what, on_the_way in done if on_the_way]


def test_a_full_disk_on_the_way_leaves_what_came_before(trained, monkeypatch):
    from nbmail.errors import KnownError, Trouble
    from nbmail.store.labels.journal import Journal

    before, write, times = labels(trained), Journal.write, []

    def refuse(*arguments, **more):
        times.append(1)
        if len(times) == 7:
            raise KnownError(Trouble.DISK_FULL, "no space")
        return write(*arguments, **more)

    with monkeypatch.context() as full:
        full.setattr(Journal, "write", refuse)
        assert trained.ask(Undo()).trouble is Trouble.DISK_FULL
    # Five pieces are there; the sixth was in the transaction of the seventh.
    assert len(before) - len(labels(trained)) == 50
    sound(trained)
    assert len(trained.do(Undo()).messages) == ALL - 50


def test_what_is_left_of_a_cancelled_undo_is_left_on_the_server_too(station, monkeypatch):
    monkeypatch.setattr("nbmail.worker.marking.undo_redo.PIECE", 10)
    monkeypatch.setattr("nbmail.worker.marking.undo_redo.TOGETHER", 2)
    station.ready().deliver(range(1, 101))
    station.do(Mark(tuple(range(1, 101)), "junk"))
    assert len(errands(station)) == 100
    done, _ = stop_at(station, Undo(), 1)
    marked = set(labels(station))
    assert len(marked) == 100 - done
    assert {errand.uid for errand in errands(station)} == marked
    station.do(Redo())
    station.do(Undo())
    assert errands(station) == ()
    station.do(Redo())
    assert len(errands(station)) == 100


def test_a_journey_that_leads_nowhere_tells_no_way(trained):
    ticket = trained.tell(GoBack(trained.clock.now + 1000))
    assert trained.ending(ticket).result.messages == ()
    assert progress_of(trained, ticket) == []
    rows = trained.do(ListMail())
    assert len(rows.messages) == ALL + 20
