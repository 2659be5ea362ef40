"""Scores are brought up to date by the model that is in use, also when it changes in the middle of a pass."""

import numpy as np
import pytest

from nbmail.store.model.word_ids import WordShelf
from nbmail.store.values import By
from nbmail.worker.scores import scores as boards
from nbmail.worker.scores.scores import Board
from tests.store.helpers import fill, open_model, open_store, rebuilt


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "home") as store:
        yield store


@pytest.mark.parametrize("slices", range(5))
def test_a_model_that_takes_anothers_place_scores_everything(store, tmp_path, monkeypatch, slices):
    monkeypatch.setattr(boards, "CHUNK", 10)
    messages, model = fill(store, 40), open_model(store)
    store.marks.mark(model, messages[:10], "junk", by=By.USER, moment=1.0)
    store.marks.mark(model, messages[10:20], "good", by=By.USER, moment=2.0)
    store.marks.mark(model, messages[:1], "good", by=By.USER, moment=3.0)
    shelf = WordShelf(tmp_path)
    samples = store.messages.samples(messages)
    shelf.clear()
    shelf.append(list(messages), [samples[message] for message in messages])
    board, used = Board(shelf), [model]
    board.grow()
    board.outdate()
    update = board.update(lambda: used[-1])
    for _ in range(slices):
        next(update)
    used.append(rebuilt(store, model))
    board.outdate()
    assert len(list(update)) >= 4
    assert board.exact
    expected = used[-1].log_odds(used[-1].rows([samples[message] for message in messages]))
    assert np.array_equal(board.scores(messages).log_odds, expected)
    assert not np.array_equal(model.log_odds(model.rows([samples[message] for message in messages])), expected)
    shelf.close()
