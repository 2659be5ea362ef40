"""Counts read in pieces are what reading them at once gives, whatever happens in between."""

import pytest

from nbmail.core.judging.model import Model
from nbmail.store.mail import words_table
from nbmail.store.model import counts_reading
from nbmail.store.values import By
from tests.store.helpers import fill, learned, open_model, open_store


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(counts_reading, "PIECE", 7)
    monkeypatch.setattr(words_table, "PIECE", 7)


def test_pieces_give_the_whole(store, small_pieces):
    messages, model = fill(store, 40), open_model(store)
    assert list(store.counts_reading.pieces())
    for place, label in enumerate(("junk", "good", "work")):
        store.marks.mark(model, messages[place::3], label, by=By.USER, moment=1.0)
    again = Model(store.words.vocabulary)
    assert len(list(store.loading_model(again))) > 10
    assert again.counts == store.counts.load() == model.counts
    assert again.counts.classes == model.counts.classes
    assert learned(again) == learned(model)


def test_a_mark_in_between_is_in_it(store, small_pieces):
    messages, model = fill(store, 40), open_model(store)
    store.marks.mark(model, messages[:20], "junk", by=By.USER, moment=1.0)
    again = Model(store.words.vocabulary)
    for place, _ in enumerate(store.loading_model(again)):
        if place in (3, 9):
            store.marks.mark(model, messages[20 + place : 25 + place], "good", by=By.USER, moment=2.0)
    assert again.counts == model.counts
    assert learned(again) == learned(model)


def test_words_are_loaded_in_pieces(tmp_path, small_pieces):
    with open_store(tmp_path) as store:
        fill(store, 20)
        words = store.words.vocabulary.words_from(0)
    with open_store(tmp_path) as store:
        assert len(list(store.words.loading())) == -(-len(words) // 7)
        vocabulary = store.words.vocabulary
        assert vocabulary.words_from(0) == words
        assert list(store.words.loading()) == []
        assert store.words.vocabulary is vocabulary
        fill(store, 5, first=100)
    with open_store(tmp_path) as store:
        assert len(store.words.vocabulary) > len(words)
