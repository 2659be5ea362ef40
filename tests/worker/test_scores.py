"""Scores of all messages after changes of the model."""

import numpy as np
import pytest

from nbmail.core.scoring.explanation import Costs
from nbmail.store.labels.journal import By
from nbmail.worker.model import scores
from nbmail.worker.model.scores import Scoring
from tests.store.helpers import fill, open_store


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
