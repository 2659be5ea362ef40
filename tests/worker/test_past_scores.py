"""Time travel, compared with models folded by hand."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.chunks import drain
from nbmail.core.scoring.model import Model
from nbmail.store.labels.journal import By
from nbmail.store.store import Store
from nbmail.worker.model import past_scores
from nbmail.worker.model.past_scores import PastModel, Timeline, _probability
from tests.store.helpers import learned, open_store, take
from tests.worker.conftest import INBOX, JUNK, Progress


def fold(store, pairs, messages):
    """Scores of a model that learned just these, in this order."""
    model = Model(store.words.vocabulary)
    for message, label in pairs:
        model.learn(store.messages.samples([message])[message], label)
    samples = store.messages.samples(messages)
    return model.log_odds(model.rows([samples[message] for message in messages]))


def test_a_look_back_says_what_the_model_of_then_said(station):
    station.ready().deliver(range(1, 41))
    history, moments = [], []
    for message, label in ((1, "junk"), (2, "good"), (3, "junk"), (2, "junk"), (4, "good"), (5, "junk"), (3, None)):
        station.do.mark((message,), label)
        history = [pair for pair in history if pair[0] != message] + [(message, label)] * (label is not None)
        moments.append((station.clock.now, list(history)))
    station.do.undo()
    looked = [station.do.score_at(moment, (7, 8, 9)) for moment, _ in moments]
    assert station.do.score_at(0.0, (7,)).log_odds.tolist() == [0.0]
    assert station.do.score_at(2e9, (7, 8, 9, 999)).messages.tolist() == [7, 8, 9]
    station.stop()
    with Store(station.paths, 0.0) as store:
        for (_, pairs), found in zip(moments, looked, strict=True):
            assert found.messages.tolist() == [7, 8, 9]
            assert np.array_equal(found.log_odds, fold(store, pairs, [7, 8, 9]))


def chance_then(store, moment, messages, share):
    """What a model folded by hand from the labels of that moment says of these messages, on the mean."""
    places = store.labels.positions_at(max(line.number for line in store.journal.latest(9999) if line.moment <= moment))
    pairs = [
        (one, store.labels.name(places[one].klass)) for one in sorted(places, key=lambda one: places[one].position)
    ]
    model = Model(store.words.vocabulary)
    for message, label in pairs:
        model.learn(store.messages.samples([message])[message], label)
    drain(model.cross_validating())
    model.share = share
    samples = store.messages.samples(messages)
    return _probability(model, model.rows([samples[message] for message in messages]))


def test_every_point_of_a_trace_is_exact_after_folders_relabelling_and_undo(station, monkeypatch):
    # What is folded by hand knows no mailbox.
    monkeypatch.setattr("nbmail.worker.model.updates.base_rate", lambda store, model, scores: 0.5)
    station.ready().deliver(range(1, 81))
    station.deliver(range(101, 161), JUNK)
    station.do.label_folder(JUNK, "junk")
    station.do.label_folder(INBOX, "good")
    for message in (3, 5, 7):
        station.do.mark((message,), "junk")
    station.do.mark((110, 3), "good")
    station.do.undo()
    station.do.mark((9,), None)
    station.until_exact()
    station.events.clear()
    ticket = station.tell.trace_sender(41)
    traced = station.ending(ticket).result
    share = station.engine.parts.scoring.model.share
    early = [event.so_far for event in station.events if isinstance(event, Progress) and event.so_far]
    assert early[0] == traced[-1:]
    assert all(set(some) <= set(traced) for some in early)
    station.stop()
    with Store(station.paths, 0.0) as store:
        sender = store.messages.headings([41])[41].sender
        theirs = [message for message, _ in store.messages.from_sender(sender)]
        moments = {line.moment for line in store.journal.latest(9999)}
        assert len(traced) >= 6
        for moment, chance in traced:
            assert moment in moments
            assert abs(chance - chance_then(store, moment, theirs, share)) < 1e-9


def test_a_long_way_is_looked_at_in_fewer_places(station, monkeypatch):
    station.ready().deliver(range(1, 61))
    for message in range(1, 51):
        station.do.mark((message,), "junk" if message % 2 else "good")
    whole = station.do.trace_sender(60)
    assert len(whole) == past_scores.MOMENTS
    monkeypatch.setattr(past_scores, "MOST_LEARNED", 40)
    few = station.do.trace_sender(60)
    assert len(few) == past_scores.FEWEST
    assert (few[0], few[-1]) == (whole[0], whole[-1])


@given(st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["junk", "good", None])), max_size=30), st.data())
@settings(max_examples=30, deadline=None)
def test_the_past_goes_anywhere_exactly(tmp_path_factory, marks, data):
    """Back and forth between any moments: each order is the journal's, each model that of a fold by hand."""
    with open_store(tmp_path_factory.mktemp("past")) as store:
        take(store, range(1, 13))
        for moment, (message, label) in enumerate(marks):
            shuffled = bool(moment % 3 == 0 and label)
            store.marks.mark({message: label}, by=By.USER, moment=float(moment), shuffled=shuffled)
        timeline = drain(Timeline.read(store))
        past = PastModel(store)
        for lines in data.draw(st.lists(st.integers(0, len(timeline)), max_size=6)):
            order = timeline.order(lines)
            expected = sorted(
                (place.position, one, place.klass) for one, place in store.labels.positions_at(lines).items()
            )
            assert list(zip(order.positions, order.messages, order.classes, strict=True)) == expected
            drain(past.go_to(order, 0))
            by_hand = Model(store.words.vocabulary)
            for _, message, klass in expected:
                by_hand.learn(store.messages.samples([message])[message], store.labels.name(klass))
            drain(by_hand.cross_validating())
            assert by_hand.counts == past.model.counts
            assert learned(by_hand) == learned(past.model)


def test_a_look_back_to_before_an_import_knows_nothing_of_it(station, tmp_path):
    station.ready().deliver(range(1, 41))
    station.do.mark((1, 3), "junk")
    station.do.mark((2, 4), "good")
    station.do.export_model(tmp_path / "model.nbmodel")
    before = station.do.score_at(station.clock.now, (7, 8))
    moment = station.clock.now
    station.do.import_model(tmp_path / "model.nbmodel", again=True)
    station.do.mark((5,), "junk")
    again = station.do.score_at(moment, (7, 8))
    assert np.array_equal(before.log_odds, again.log_odds)
    assert not np.array_equal(before.log_odds, station.do.score_at(2e9, (7, 8)).log_odds)
