"""Marks, undo and redo through the engine: what follows from them, at once and for all messages."""

from operator import methodcaller as request

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbmail.core.scoring.model import Model
from nbmail.store.store import Store
from nbmail.values import ActionKind, FolderName, StepTaken
from nbmail.worker.protocol.events import Changed, Learned
from tests.worker.conftest import JUNK, LONGER, Done, Station, delivery, first_progress

LABELS = st.sampled_from(["junk", "good", None])


def scores(station):
    """All scores by message, as the list has them."""
    rows = station.do.list_mail()
    order = np.argsort(rows.messages)
    return rows.scores.log_odds[order]


def labels(station):
    rows = station.do.list_mail()
    return {
        message: rows.label_names[label]
        for message, label in zip(rows.messages.tolist(), rows.labels.tolist(), strict=True)
        if label >= 0
    }


@pytest.fixture
def small_pieces(monkeypatch):
    """Sixty labels are given in many transactions."""
    monkeypatch.setattr("nbmail.worker.marking.marking.CHUNK", 8)


def test_a_mark_shows_the_row_and_the_visible_first_then_the_others(backend_station):
    station = backend_station
    station.do.show_rows((60, 61))
    station.events.clear()
    marked = station.do.mark((50,), "good")
    assert (marked.messages, marked.label) == ((50,), "good")
    changes = [event for event in station.events if isinstance(event, Changed)]
    assert changes[0].rows.messages.tolist() == [50]
    assert changes[0].rows.label_names[changes[0].rows.labels[0]] == "good"
    assert sorted(changes[0].scores.messages.tolist()) == [50, 60, 61]
    later = {message for event in changes[1:] if event.scores for message in event.scores.messages.tolist()}
    assert later >= set(range(1, 101)) - {50, 60, 61}
    learned = [event for event in station.events if isinstance(event, Learned)]
    assert [(one.name, one.messages) for one in learned[-1].classes] == [("junk", 20), ("good", 21)]


def test_the_list_and_the_evidence_say_the_same(backend_station):
    by_list = scores(backend_station)
    for message in (1, 2, 50, 77):
        told = backend_station.do.explain(message)
        parts = told.prior + sum(one.contribution for one in told.contributions) + told.weaker
        assert abs(parts - by_list[message - 1]) < 1e-9


def test_undo_and_redo_lead_back_and_forth_exactly(backend_station):
    station = backend_station
    before = scores(station), labels(station)
    station.do.mark((50, 51), "junk")
    after = scores(station), labels(station)
    assert not np.array_equal(before[0], after[0])
    assert station.do.undo().messages == (50, 51)
    assert np.array_equal(scores(station), before[0])
    assert labels(station) == before[1]
    redone = station.do.redo()
    assert (redone.messages, redone.label) == ((50, 51), "junk")
    station.until_exact()
    assert np.array_equal(scores(station), after[0])
    assert labels(station) == after[1]
    station.again()
    assert station.do.undo().messages == (50, 51)
    station.until_exact()
    assert np.array_equal(scores(station), before[0])
    assert [line.by for line in station.do.list_journal(6)][:2] == ["undo", "undo"]


@settings(max_examples=20 * LONGER, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    steps=st.lists(
        st.one_of(
            st.builds(
                request,
                st.just("mark"),
                st.lists(st.integers(1, 30), max_size=12).map(tuple),
                st.sampled_from(["junk", "good", None]),
            ),
            st.sampled_from([request("undo"), request("redo"), request("rebuild")]),
        ),
        max_size=15,
    )
)
def test_after_any_marks_the_model_is_what_the_labels_make_it(tmp_path_factory, steps):
    with Station(tmp_path_factory.mktemp("marks")).ready() as station:
        station.deliver(range(1, 31))
        for step in steps:
            step(station.do)
        if steps and station.learned():
            station.until_exact()
        by_engine = scores(station)
        assert station.check_up().sound
    with Store(station.paths, 0.0) as store:
        model = Model(store.words.vocabulary)
        for one in store.labels.in_order(most=1000):
            model.learn(one.sample, one.label)
        samples = store.messages.samples(range(1, 31))
        by_hand = model.log_odds(model.rows([samples[message] for message in range(1, 31)]))
    assert np.array_equal(by_engine, by_hand)


def test_many_marks_are_one_step_and_what_is_marked_by_hand_meanwhile_stays(backend_station, small_pieces):
    station = backend_station
    station.hold_at(first_progress)
    bulk = station.tell.mark(tuple(range(41, 101)), "junk")
    station.is_held()
    by_hand = station.tell.mark((100, 90), "good")
    station.release()
    marked = station.ending(bulk).result
    assert set(marked.messages) == set(range(41, 101)) - {100, 90}
    assert station.ending(by_hand).result.messages == (100, 90)
    assert station.do.undo().messages == (100, 90)
    assert set(station.do.undo().messages) == set(marked.messages)


def test_undo_takes_back_a_step_that_is_still_going_on(backend_station, small_pieces):
    station = backend_station
    station.hold_at(first_progress)
    bulk = station.tell.mark(tuple(range(41, 101)), "junk")
    station.is_held()
    undo = station.tell.undo()
    station.release()
    done, undone = station.ending(bulk), station.ending(undo)
    assert isinstance(done, Done)
    assert done.result.messages == undone.result.messages
    assert len(labels(station)) == 40


def test_undo_pressed_twice_takes_two_steps_back_however_long_the_first(backend_station):
    station = backend_station
    before = labels(station)
    station.do.mark((1,), "good")
    marked = station.do.mark(tuple(range(41, 101)), "junk")
    station.hold_at(lambda event: isinstance(event, Done))
    held = station.tell.list_journal(1)
    station.is_held()
    first, second = station.tell.undo(), station.tell.undo()
    station.release()
    assert station.ending(held)
    assert set(station.ending(first).result.messages) == set(marked.messages)
    assert station.ending(second).result.messages == (1,)
    assert labels(station) == before


def test_costs_move_the_verdicts_and_not_the_scores(backend_station):
    station = backend_station
    station.do.set_cost(1.0)
    before = station.do.list_mail().scores
    station.do.set_cost(1e30)
    after = station.do.list_mail().scores
    assert np.array_equal(before.log_odds, after.log_odds)
    assert np.count_nonzero(before.verdicts == 2) > np.count_nonzero(after.verdicts == 2)
    assert [event.scores for event in station.events if isinstance(event, Changed) and event.scores]


# ------------------------------------------------------------------------------------------------- errands


def pending_actions(station):
    return station.engine.backend.pending_actions("home")


def test_a_mark_asks_for_keywords_wherever_the_message_lies(station):
    station.ready().deliver([1, 2])
    station.engine.backend.deliver(delivery([1], FolderName("home", "Archive")))
    station.do.mark((1,), "junk")
    found = {(action.folder.folder, action.kind, action.add) for action in pending_actions(station)}
    assert found == {(folder, ActionKind.KEYWORDS, frozenset({"$Junk", "Junk"})) for folder in ("INBOX", "Archive")}
    assert station.woken == ["home"]
    station.do.undo()
    assert pending_actions(station) == ()


def test_mail_is_moved_only_when_that_is_turned_on(station):
    station.ready().deliver([1, 2, 3])
    station.do.mark((1,), "junk")
    station.do.set_moving(True)
    station.do.mark((2,), "junk")
    station.do.mark((3,), "good")
    moves = [action for action in pending_actions(station) if action.kind is ActionKind.MOVE]
    assert [(action.uid, action.target) for action in moves] == [(2, "\\Junk")]
    station.do.set_moving(False)
    station.do.mark((1,), "good")
    assert len([action for action in pending_actions(station) if action.kind is ActionKind.MOVE]) == 1


def test_good_mail_is_fetched_out_of_the_junk_folder(station):
    station.ready().engine.backend.deliver(delivery([2], JUNK, special="\\Junk"))
    station.do.set_moving(True)
    station.do.mark((1,), "good")
    moves = [action for action in pending_actions(station) if action.kind is ActionKind.MOVE]
    assert [(action.folder, action.uid, action.target) for action in moves] == [(JUNK, 2, "\\Inbox")]


def effective_class(station):
    """What the list shows of each message: its label, or else its verdict."""
    rows, given = station.do.list_mail(), labels(station)
    verdicts = zip(rows.messages.tolist(), rows.scores.verdicts.tolist(), strict=True)
    return {message: given.get(message, verdict) for message, verdict in verdicts}


def test_turned_leaves_out_what_shows_its_label(station):
    station.ready().deliver(range(1, 101))
    station.do.mark((1, 3, 5, 7), "junk")
    station.do.mark(tuple(range(2, 32, 2)), "good")
    station.until_exact()
    before = effective_class(station)
    marked = station.do.mark(tuple(range(9, 29, 2)), "junk")
    after = effective_class(station)
    chosen = set(range(9, 29, 2))
    assert marked.changed_verdicts == sum(after[each] != before[each] for each in before if each not in chosen)


def test_a_large_step_is_named_and_left_alone_unless_asked_for(station):
    station.ready().deliver(range(1, 61))
    station.deliver(range(61, 71), JUNK)
    station.do.label_folder(JUNK, "junk")
    held = station.do.undo(9)
    assert (held.too_large, held.messages) == (True, ())
    assert held.step == StepTaken("folder", "junk", 10, JUNK)
    assert len(labels(station)) == 10
    done = station.do.undo(10)
    assert (done.too_large, len(done.messages), done.step) == (False, 10, held.step)
    assert station.do.redo().step == held.step
    station.do.mark((1, 2), None)
    station.do.mark((1, 2), "good")
    assert station.do.undo(32).step == StepTaken("user", "good", 2)
    assert station.do.undo(32).step == held.step
