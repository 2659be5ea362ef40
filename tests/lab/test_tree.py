"""Tree-augmented Bayes: dependent words, messages in pieces. `tests/lectures.py` has formulas."""

import math

import numpy as np
import pytest

from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.explaining.explaining import explain
from nbmail.core.scoring.model import Model
from nbmail.lab.methods import tree
from nbmail.lab.methods.dependency_tree import information
from nbmail.values import HAM, SPAM
from nbmail.worker.model.laboratory import method_named
from tests.core.material import class_scores, mailbox, sample, trained


def test_a_pair_that_always_comes_together_counts_once():
    """Naive Bayes counts two copies of one word twice, the tree once."""
    random = np.random.default_rng(2)
    names = [f"w{i}" for i in range(4)]
    paired = Model(Vocabulary(names), method_named("tree"))
    naive = Model(Vocabulary(names), method_named("bernoulli-complete"))
    for _ in range(400):
        label = SPAM if random.random() < 0.5 else HAM
        twins = [0, 1] if random.random() < (0.8 if label == SPAM else 0.2) else []
        others = [word for word in (2, 3) if random.random() < 0.5]
        for model in (paired, naive):
            model.learn(sample([*twins, *others]), label)
    rows = WordRows.of([sample([0, 1])])
    once = math.log(0.8 / 0.2)
    assert paired.log_odds(rows)[0] == pytest.approx(once, abs=0.6)
    assert naive.log_odds(rows)[0] > 1.5 * once
    (pair,) = (one for one in explain(paired, sample([0, 1])).contributions if one.place == "pair")
    assert pair.word in ("pair:w0 w1", "pair:w1 w0")
    assert pair.spam > pair.ham > 0


def test_the_tree_contains_the_most_informative_words_alone(monkeypatch):
    monkeypatch.setattr(tree, "MOST_WORDS", 8)
    model = trained("tree", messages=100)
    explained = [explain(model, one, 100) for one, _ in mailbox(100)]
    words = {
        one.word
        for each in explained
        for one in (*each.contributions, *each.absent.words)
        if one.is_word
    }
    worth = information(model.counts.documents, np.array(model.counts.messages))
    # Chosen from the first 64 messages: nearly the same words as from all hundred.
    best = {model.vocabulary.word(number) for number in np.argsort(-worth)[:12].tolist()}
    assert len(words) == 8
    assert len(words & best) >= 5


def test_many_messages_are_laid_out_in_pieces(monkeypatch):
    several = WordRows.of([one for one, _ in mailbox(40, seed=6)])
    expected = class_scores(trained("tree"), several)
    monkeypatch.setattr(tree, "_CHUNK", 7)
    assert np.array_equal(class_scores(trained("tree"), several), expected)
