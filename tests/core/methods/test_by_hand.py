"""The worked examples of the lectures, with their own numbers."""

import math

import numpy as np
import pytest

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Vocabulary, WordRows
from nbmail.core.methods.naive_bayes import (
    Bernoulli,
    Categorical,
    CompleteBernoulli,
    Multinomial,
    fact_log_chances,
    log_chances,
    log_shares,
    mean_and_variance,
)
from nbmail.core.methods.registry import UNIT, chances
from nbmail.core.scoring.explaining import explain
from nbmail.core.scoring.model import Model
from nbmail.values import GOOD, JUNK
from tests.core.material import sample, text_sample

# Whether to play tennis: outlook, temperature, humidity, wind (UTA CSE 6363, after Quinlan 1986).
WEATHER = """
sunny hot high weak no
sunny hot high strong no
overcast hot high weak yes
rain mild high weak yes
rain cool normal weak yes
rain cool normal strong no
overcast cool normal strong yes
sunny mild high weak no
sunny cool normal weak yes
rain mild normal weak yes
sunny mild normal strong yes
overcast mild high strong yes
overcast hot normal weak yes
rain mild high strong no
"""
FACTS = ("outlook", "temperature", "humidity", "wind")


def day(vocabulary, values):
    return text_sample(vocabulary, [f"fact:{name}={value}" for name, value in zip(FACTS, values, strict=True)])


@pytest.fixture
def weather():
    vocabulary, counts = Vocabulary(), Counts()
    for line in WEATHER.split("\n")[1:-1]:
        *values, play = line.split()
        counts.learn(day(vocabulary, values), play)
    return vocabulary, counts, day(vocabulary, ("sunny", "cool", "high", "strong"))


def test_the_weather_table(weather):
    vocabulary, counts, today = weather
    method = Categorical(vocabulary, virtual=0.0)
    scores = np.exp(method.scores(counts, WordRows.of([today]))[0])
    yes, no = scores[counts.row("yes")], scores[counts.row("no")]
    assert yes == pytest.approx(9 / 14 * 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9)
    assert (round(yes, 4), round(no, 4)) == (0.0053, 0.0206)
    assert no > yes
    assert no / (no + yes) == pytest.approx(0.795, abs=5e-4)


def test_virtual_examples_mend_the_weather_tables_zero(weather):
    vocabulary, counts, _ = weather
    overcast = np.array(vocabulary.numbers_of(["fact:outlook=overcast"]), np.int32)
    no = counts.row("no")
    assert Categorical(vocabulary, virtual=0.0).weigh(counts, overcast).words[no, 0] == pytest.approx(
        math.log(1e-100 / 5)
    )
    # m = 3 virtual days, a third of them overcast: (0 + 1) / (5 + 3).
    assert Categorical(vocabulary, virtual=3.0).weigh(counts, overcast).words[no, 0] == pytest.approx(math.log(1 / 8))


def test_chances_of_a_die():
    chances = fact_log_chances(np.array([[2, 1, 7]]), np.array([0, 0, 1]), 2.0)
    assert np.exp(chances) == pytest.approx(np.array([[3 / 5, 2 / 5, 9 / 9]]))


def test_algorithm_1_of_cse_446():
    """Chances are (1 + messages with the word) / (2 + messages); a word never learned is ignored."""
    buy, now, meet, zebra = range(4)
    counts = Counts()
    for words, label in (([buy, meet], "junk"), ([buy, now], "junk"), ([meet, now], "good")):
        counts.learn(sample(words), label)
    shares = Bernoulli().decompose(counts, (0, 1), sample([buy, now, zebra]))
    assert shares.prior == pytest.approx(math.log(2))
    assert np.exp(shares.contributions) == pytest.approx([(3 / 4) / (1 / 3), (2 / 4) / (2 / 3), 1.0])
    assert math.exp(shares.log_odds) == pytest.approx(27 / 8)


def test_a_beta_prior_gives_pseudo_counts_by_mode_and_by_mean():
    # Three heads in four tosses under Beta(3, 2): the mode is 5/7, the mean 6/9.
    documents, messages = np.array([[3]]), np.array([4.0])
    assert np.exp(log_chances(documents, messages, *pseudo_counts(3, 2, "mode"))) == pytest.approx(5 / 7)
    assert np.exp(log_chances(documents, messages, *pseudo_counts(3, 2, "mean"))) == pytest.approx(6 / 9)
    assert pseudo_counts(1, 1, "mode") == (0, 0), "the uniform prior's mode is maximum likelihood"
    assert pseudo_counts(2, 2, "mode") == pseudo_counts(1, 1, "mean") == (1, 1), "both are Laplace"


def pseudo_counts(a, b, estimate):
    method = Bernoulli(a, b, estimate)
    return method.heads, method.tails


def test_maximum_likelihood_rules_out_and_laplace_mends():
    occurrences, totals = np.array([[3, 1, 0]]), np.array([4.0])
    assert np.exp(log_shares(occurrences, totals, 3, 0.0)) == pytest.approx(np.array([[3 / 4, 1 / 4, 0.0]]))
    assert log_shares(occurrences, totals, 3, 0.0)[0, 2] == pytest.approx(math.log(1e-100 / 4))
    assert np.exp(log_shares(occurrences, totals, 3, 1.0)) == pytest.approx(np.array([[4 / 7, 2 / 7, 1 / 7]]))


def test_a_word_counts_as_often_as_it_stands():
    counts = Counts()
    counts.learn(sample([0, 1], [3, 1]), "junk")
    counts.learn(sample([0, 1], [1, 3]), "good")
    shares = Multinomial().decompose(counts, (0, 1), sample([0, 1], [5, 2]))
    assert shares.contributions == pytest.approx([5 * math.log(4 / 2), 2 * math.log(2 / 4)])


def test_the_linear_form():
    """Log-odds are w0 + sum(z * w), z being 1 where the word is present and 0 where it isn't."""
    counts = Counts()
    for words, label in (([0, 1], "junk"), ([0], "junk"), ([0, 2], "junk"), ([1], "good"), ([1, 2], "good")):
        counts.learn(sample(words), label)
    p, q = np.array([4 / 5, 2 / 5, 2 / 5]), np.array([1 / 4, 3 / 4, 2 / 4])
    w0 = math.log(3 / 2) + np.log((1 - p) / (1 - q)).sum()
    w = np.log(p * (1 - q) / (q * (1 - p)))
    for z in np.ndindex(2, 2, 2):
        by_hand = math.log(3 / 2) + sum(
            math.log(p[i] / q[i]) if present else math.log((1 - p[i]) / (1 - q[i])) for i, present in enumerate(z)
        )
        shares = CompleteBernoulli().decompose(counts, (0, 1), sample(np.flatnonzero(z)))
        assert shares.log_odds == pytest.approx(by_hand)
        assert shares.log_odds == pytest.approx(w0 + sum(one for one, present in zip(w, z, strict=True) if present))
        assert shares.prior == pytest.approx(math.log(3 / 2))
        absent = sum(math.log((1 - p[i]) / (1 - q[i])) for i, present in enumerate(z) if not present)
        assert {part.name: part.value for part in shares.others} == {"absent:words": pytest.approx(absent)}
        assert shares.contributions == pytest.approx([math.log(p[i] / q[i]) for i in np.flatnonzero(z)])
        assert w0 + shares.removals.sum() == pytest.approx(by_hand)


def test_mean_and_variance_do_not_cancel():
    values = [10**12 + 1, 10**12 + 2, 10**12 + 3]
    mean, variance = mean_and_variance(3, sum(values), sum(value * value for value in values))
    assert (mean, variance) == (10**12 + 2, pytest.approx(2 / 3))
    assert np.isnan(mean_and_variance(0, 0, 0)).all()


def test_a_step_of_softmax_regression_goes_against_the_error():
    assert chances(np.array([0.0, np.log(3.0)])) == pytest.approx([0.25, 0.75])
    assert chances(np.array([1e6, -1e6, -np.inf])).tolist() == [1.0, 0.0, 0.0]
    model = Model(Vocabulary("abcd"), "logistic")
    model.learn(sample([0, 1]), JUNK)
    assert not model.content().corrections.any(), "with one class there is nothing to get wrong"
    model.learn(sample([0, 1, 2, 3]), GOOD)
    # Half sure of either: the step is 8 * 0.5 / sqrt(4) toward good mail and away from junk.
    assert (model.content().corrections[:, :4] / UNIT).tolist() == [[-2.0] * 4, [2.0] * 4]
    assert model.log_odds(WordRows.of([sample([0])])).tolist() == [-4.0]
    assert model.log_odds(WordRows.of([sample([0, 1, 2, 3])])).tolist() == [-8.0]
    assert {part.log_ratio for part in explain(model, sample([0, 1])).contributions} == {0.0}
