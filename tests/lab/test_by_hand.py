"""Worked examples of the lectures, and zeros. `tests/lectures.py` has all formulas."""

import math

import numpy as np
import pytest

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.lab.methods.bernoulli import Bernoulli
from nbmail.lab.methods.bernoulli_complete import CompleteBernoulli
from nbmail.lab.methods.categorical import Categorical
from nbmail.lab.methods.gaussian import Gaussian
from nbmail.lab.methods.multinomial import Multinomial
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
    return text_sample(
        vocabulary, [f"fact:{name}={value}" for name, value in zip(FACTS, values, strict=True)]
    )


def test_the_weather_table_and_its_zero():
    vocabulary = Vocabulary()
    counts = Counts()
    for line in WEATHER.split("\n")[1:-1]:
        *values, play = line.split()
        counts.learn(day(vocabulary, values), play)
    today = day(vocabulary, ("sunny", "cool", "high", "strong"))
    scores = np.exp(Categorical(vocabulary, virtual=0.0).scores(counts, WordRows.of([today]))[0])
    yes = scores[counts.row("yes")]
    no = scores[counts.row("no")]
    assert (round(yes, 4), round(no, 4), round(no / (no + yes), 3)) == (0.0053, 0.0206, 0.795)
    overcast = np.array(vocabulary.numbers_of(["fact:outlook=overcast"]), np.int32)
    # m = 3 virtual days, a third of them overcast: (0 + 1) / (5 + 3).
    for virtual, chance in ((0.0, 1e-100 / 5), (3.0, 1 / 8)):
        weights = Categorical(vocabulary, virtual).weigh(counts, overcast).words
        assert weights[counts.row("no"), 0] == pytest.approx(math.log(chance))


def test_a_beta_prior_gives_pseudo_counts_by_mode_and_by_mean():
    """Three heads in four tosses under Beta(3, 2)."""
    counts = Counts()
    head = np.zeros(1, np.int32)
    for words in ([0], [0], [0], []):
        counts.learn(sample(words), "spam")
    for estimate, chance in (("mode", 5 / 7), ("mean", 6 / 9)):
        assert Bernoulli(3.0, 2.0, estimate).weigh(counts, head).words[0] == pytest.approx(
            math.log(chance)
        )


def test_maximum_likelihood_excludes_a_class_and_laplace_does_not():
    counts = Counts()
    counts.learn(sample([0, 1], [3, 1]), "spam")
    counts.learn(sample([2], [1]), "ham")
    for alpha, shares in ((0.0, [3 / 4, 1 / 4, 1e-100 / 4]), (1.0, [4 / 7, 2 / 7, 1 / 7])):
        found = Multinomial(alpha).weigh(counts, np.arange(3, dtype=np.int32)).words[0]
        assert found == pytest.approx(np.log(shares))


def test_the_linear_form():
    """Log-odds are w0 + sum(z * w), z being 1 where the word is present and 0 where it isn't."""
    counts = Counts()
    for words, label in (
        ([0, 1], "spam"),
        ([0], "spam"),
        ([0, 2], "spam"),
        ([1], "ham"),
        ([1, 2], "ham"),
    ):
        counts.learn(sample(words), label)
    p = np.array([4 / 5, 2 / 5, 2 / 5])
    q = np.array([1 / 4, 3 / 4, 2 / 4])
    w0 = math.log(3 / 2) + np.log((1 - p) / (1 - q)).sum()
    for z in np.ndindex(2, 2, 2):
        shares = CompleteBernoulli().decompose(counts, (0, 1), sample(np.flatnonzero(z)))
        assert shares.log_odds == pytest.approx(
            w0 + (np.log(p * (1 - q) / (q * (1 - p))) * z).sum()
        )
        assert w0 + shares.removals.sum() == pytest.approx(shares.log_odds)


def test_large_measures_do_not_cancel():
    counts = Counts()
    for value in (1, 2, 3):
        counts.learn(sample([], measures=[10**12 + value]), "spam")
        counts.learn(sample([], measures=[10**12]), "ham")
    known, unknown = Gaussian().decompose(counts, (0, 1), sample([], measures=[10**12, 5])).others
    figures = known.measure
    assert unknown.value == 0.0, "no class has this measure"
    assert (figures.spam_mean, figures.spam_deviation**2) == (10**12 + 2, pytest.approx(2 / 3))
