"""Scores of all messages after changes of the model, and at arrival."""

import numpy as np
import pytest

from nbmail.core.scoring.verdict import Costs
from nbmail.store.labels.journal import By
from nbmail.worker.scores import scores
from nbmail.worker.scores.scores import Scoring
from tests.store.helpers import fill, open_store
from tests.worker.conftest import SPAM


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
        samples = store.samples.of(messages)
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


def test_the_chance_at_arrival_is_the_first_one_shown_and_stays(harness):
    harness.ready().deliver(range(1, 41))
    harness.do.mark(tuple(range(1, 21, 2)), "spam")
    harness.do.mark(tuple(range(2, 21, 2)), "ham")
    harness.settle()
    assert harness.do.explain(1).chance_at_arrival is None, "nothing was learned when it arrived"

    harness.deliver([41, 42])
    harness.settle()
    shown = harness.on_engine(lambda parts: parts.scoring.stored_scores([41, 42]).probabilities)
    assert [arrived(harness, 41), arrived(harness, 42)] == shown.tolist()

    harness.do.mark((41,), "ham")
    harness.deliver([41, 42])
    harness.again()
    assert harness.do.explain(41).probability != shown[0]
    assert [arrived(harness, 41), arrived(harness, 42)] == shown.tolist()


def test_messages_of_a_training_folder_have_no_chance_at_arrival(labelled_harness):
    labelled_harness.deliver([101, 102], folder=SPAM, role="spam")
    assert arrived(labelled_harness, 101) is None


def arrived(harness, message):
    return harness.do.explain(message).chance_at_arrival
