import numpy as np
import pytest

from nbmail.core.counting.sample import Vocabulary, WordRows
from nbmail.core.judging.model import GOOD, JUNK, Model
from nbmail.core.methods.logistic import UNIT, Logistic, chances
from tests.core.material import mailbox, sample, vocabulary


def test_chances_add_up_whatever_the_scores():
    assert chances(np.array([0.0, np.log(3.0)])) == pytest.approx([0.25, 0.75])
    assert chances(np.array([1e6, -1e6, -np.inf])).tolist() == [1.0, 0.0, 0.0]


def test_a_step_goes_against_the_error():
    model = Model(Vocabulary("abcd"), "logistic")
    model.learn(sample([0, 1]), JUNK)
    assert not model.keep().corrections.any(), "with one class there is nothing to get wrong"
    model.learn(sample([0, 1, 2, 3]), GOOD)
    # Half sure of either: the step is 8 * 0.5 / sqrt(4) toward good mail and away from junk.
    assert (model.keep().corrections[:, :4] / UNIT).tolist() == [[-2.0] * 4, [2.0] * 4]
    assert model.log_odds(WordRows.of([sample([0])])).tolist() == [-4.0]
    assert model.log_odds(WordRows.of([sample([0, 1, 2, 3])])).tolist() == [-8.0]


def test_everything_it_says_is_correction():
    model = Model(vocabulary(), "logistic")
    for one, label in mailbox(60):
        model.learn(one, label)
    explained = model.explain(sample([3, 40]))
    assert {part.log_ratio for part in explained.contributions} == {0.0}
    for part in explained.contributions:
        assert part.contribution == pytest.approx(part.correction / np.sqrt(2))


def test_it_finds_the_line_that_divides():
    model = Model(Vocabulary("abc"), "logistic")
    data = [([0], JUNK), ([1], GOOD), ([0, 2], JUNK), ([1, 2], GOOD)]
    for words, label in data * 20:
        model.learn(sample(words), label)
    scores = model.log_odds(WordRows.of([sample(words) for words, _ in data]))
    assert (scores > 0).tolist() == [True, False, True, False]


def test_taking_back_an_unknown_step_is_not_exact():
    method = Logistic()
    model = Model(vocabulary(), "logistic")
    assert not method.unlearn(model.counts, sample([1]), JUNK, None)
