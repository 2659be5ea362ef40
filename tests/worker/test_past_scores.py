"""Past models, compared with models built from the labels of that time; rescoring with the current
one.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbmail.chunks import drain
from nbmail.core.scoring.explanation import Costs
from nbmail.core.scoring.model import Model
from nbmail.store.labels.journal import By
from nbmail.store.store import Store
from nbmail.worker.model import past_scores, scores
from nbmail.worker.model.past_scores import PastModel, Timeline, _probability
from nbmail.worker.model.scores import Scoring
from tests.store.helpers import fill, learned, open_store, take
from tests.worker.conftest import INBOX, SPAM, Progress


def chance_then(store, moment, messages, share):
    """Return the mean probability of these messages by a model built from the labels of that
    moment.
    """
    places = store.labels.positions(
        max(line.number for line in store.journal.latest(9999) if line.moment <= moment)
    )
    pairs = [
        (one, places[one].label) for one in sorted(places, key=lambda one: places[one].position)
    ]
    model = Model(store.words.vocabulary)
    for message, label in pairs:
        model.learn(store.messages.samples([message])[message], label)
    drain(model.cross_validating())
    model.base_rate = share
    samples = store.messages.samples(messages)
    return _probability(model, model.rows([samples[message] for message in messages]))


def test_every_point_of_a_trace_is_exact(harness, monkeypatch):
    # Models built by hand know no mailbox.
    monkeypatch.setattr("nbmail.worker.model.scores.Scoring.estimate_base_rate", lambda *_: 0.5)
    harness.ready().deliver(range(1, 81))
    harness.deliver(range(101, 161), SPAM)
    harness.do.label_folder(SPAM, "spam")
    harness.do.label_folder(INBOX, "ham")
    for message in (3, 5, 7):
        harness.do.mark((message,), "spam")
    harness.do.mark((110, 3), "ham")
    harness.do.undo()
    harness.do.mark((9,), None)
    harness.until_exact()
    harness.events.clear()
    ticket = harness.engine.trace_sender(41)
    traced = harness.end_of(ticket).result
    share = harness.on_engine(lambda parts: parts.scoring.model.base_rate)
    early = [
        event.so_far for event in harness.events if isinstance(event, Progress) and event.so_far
    ]
    assert early[0] == traced[-1:]
    assert all(set(some) <= set(traced) for some in early)
    harness.stop()
    with Store(harness.paths, 0.0) as store:
        sender = store.messages.headings([41])[41].sender
        theirs = store.people.messages_from(sender)
        moments = {line.moment for line in store.journal.latest(9999)}
        assert len(traced) >= 6
        for moment, chance in traced:
            assert moment in moments
            assert abs(chance - chance_then(store, moment, theirs, share)) < 1e-9


def test_a_long_trace_has_fewer_points(harness, monkeypatch):
    harness.ready().deliver(range(1, 61))
    for message in range(1, 51):
        harness.do.mark((message,), "spam" if message % 2 else "ham")
    whole = harness.do.trace_sender(60)
    assert len(whole) == past_scores.MOMENTS
    monkeypatch.setattr(past_scores, "MOST_LEARNED", 40)
    few = harness.do.trace_sender(60)
    assert len(few) == past_scores.FEWEST
    assert (few[0], few[-1]) == (whole[0], whole[-1])


@given(
    st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["spam", "ham", None])), max_size=30),
    st.data(),
)
@settings(max_examples=30, deadline=None)
def test_a_past_model_is_exact_after_any_changes_of_moment(tmp_path_factory, marks, data):
    """Any sequence of moments: each order is the journal's, each model equals a rebuild."""
    with open_store(tmp_path_factory.mktemp("past")) as store:
        take(store, range(1, 13))
        for moment, (message, label) in enumerate(marks):
            shuffled = bool(moment % 3 == 0 and label)
            store.marks.mark({message: label}, by=By.USER, moment=float(moment), shuffled=shuffled)
        timeline = drain(Timeline.read(store))
        past = PastModel(store)
        for lines in data.draw(st.lists(st.integers(0, len(timeline)), max_size=6)):
            order = timeline.order(lines)
            places = sorted(
                (place.position, one, place.label)
                for one, place in store.labels.positions(lines).items()
            )
            expected = [
                (position, one, store.labels.number(label)) for position, one, label in places
            ]
            assert list(map(tuple, order.tolist())) == expected
            drain(past.go_to(order, 0))
            by_hand = Model(store.words.vocabulary)
            for _, message, label in places:
                by_hand.learn(store.messages.samples([message])[message], label)
            drain(by_hand.cross_validating())
            assert by_hand.counts == past.model.counts
            assert learned(by_hand) == learned(past.model)


def test_past_scores_before_an_import_do_not_know_it(harness, tmp_path):
    harness.ready().deliver(range(1, 41))
    harness.do.mark((1, 3), "spam")
    harness.do.mark((2, 4), "ham")
    harness.do.export_model(tmp_path / "model.nbmodel")
    assert harness.do.explain_at(7, 0.0).score == 0.0
    assert (
        harness.do.explain_at(7, harness.clock.now, 999).contributions
        == harness.do.explain(7, 999).contributions
    )
    moment = harness.clock.now
    before = harness.do.explain_at(7, moment)
    harness.do.import_model(tmp_path / "model.nbmodel", again=True)
    harness.do.mark((5,), "spam")
    assert (
        harness.do.explain_at(7, moment).score
        == before.score
        != harness.do.explain_at(7, 2e9).score
    )


@pytest.mark.parametrize("slices", range(5))
def test_a_replaced_model_rescores_everything(tmp_path, monkeypatch, slices):
    monkeypatch.setattr(scores, "CHUNK", 10)
    with open_store(tmp_path / "home") as store:
        messages = fill(store, 40)
        for which, label in (
            (messages[:10], "spam"),
            (messages[10:20], "ham"),
            (messages[:1], "ham"),
        ):
            store.marks.mark(dict.fromkeys(which, label), by=By.USER, moment=1.0)
        samples = store.messages.samples(messages)
        store.word_ids.append(list(messages), [samples[message] for message in messages])
        scoring = Scoring(store, Costs())
        rows = scoring.model.rows([samples[message] for message in messages])
        before = scoring.model.log_odds(rows)
        scoring.invalidate()
        update = scoring.update()
        for _ in range(slices):
            next(update)
        rebuild = store.model.begin_rebuild()
        while rebuild.advance():
            pass
        store.model.adopt(rebuild)
        scoring.invalidate()
        assert len(list(update)) >= 4
        assert scoring.is_current
        expected = scoring.model.log_odds(rows)
        assert np.array_equal(scoring.stored_scores(messages).log_odds, expected)
        assert not np.array_equal(before, expected)
