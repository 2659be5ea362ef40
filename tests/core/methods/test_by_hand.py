"""The worked examples of the lectures, with their own numbers."""

import math
import statistics

import numpy as np
import pytest

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Vocabulary, WordRows
from nbmail.core.methods.logistic import UNIT, chances
from nbmail.core.methods.naive_bayes import (
    Bernoulli,
    Categorical,
    CompleteBernoulli,
    Multinomial,
    fact_log_chances,
    log_chances,
    log_shares,
    mean_and_variance,
    pseudo_counts,
)
from nbmail.core.scoring.model import GOOD, JUNK, Model
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
        assert dict(shares.others) == {"absent:words": pytest.approx(absent)}
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
    assert not model.learned_tables().corrections.any(), "with one class there is nothing to get wrong"
    model.learn(sample([0, 1, 2, 3]), GOOD)
    # Half sure of either: the step is 8 * 0.5 / sqrt(4) toward good mail and away from junk.
    assert (model.learned_tables().corrections[:, :4] / UNIT).tolist() == [[-2.0] * 4, [2.0] * 4]
    assert model.log_odds(WordRows.of([sample([0])])).tolist() == [-4.0]
    assert model.log_odds(WordRows.of([sample([0, 1, 2, 3])])).tolist() == [-8.0]
    assert {part.log_ratio for part in model.explain(sample([0, 1])).contributions} == {0.0}


# One long and one short message of each class; "free" occurs three times in one of them.
MAIL = (
    ({"free": 3, "money": 1, "now": 1}, JUNK),
    ({"free": 1, "now": 2}, JUNK),
    ({"lunch": 2, "now": 1}, GOOD),
    ({"lunch": 1, "money": 2}, GOOD),
    ({"now": 1}, GOOD),
)
NEW = {"free": 2, "lunch": 1, "now": 3, "unknown": 1}


def reasons_of(name):
    """Return the reasons of `NEW` by word, and the explanation."""
    model = Model(Vocabulary(), name)
    for words, label in MAIL:
        model.learn(text_sample(model.vocabulary, list(words), list(words.values())), label)
    explained = model.explain(text_sample(model.vocabulary, list(NEW), list(NEW.values())), 100)
    parts = math.fsum(one.contribution for one in explained.contributions)
    total = explained.prior + parts + explained.weaker + explained.calibration
    assert total == pytest.approx(explained.log_odds, abs=1e-9)
    return {one.word: one for one in explained.contributions}, explained, model


def documents(word, label):
    return sum(word in words for words, its_label in MAIL if its_label == label)


def occurrences(label, word=None):
    found = (words if word is None else {word: words.get(word, 0)} for words, its_label in MAIL if its_label == label)
    return sum(sum(words.values()) for words in found)


def multinomial_by_hand(word):
    """The vocabulary has four words that occurred."""
    shares = [(occurrences(label, word) + 1) / (occurrences(label) + 4) for label in (JUNK, GOOD)]
    return math.log(shares[0] / shares[1])


def bernoulli_by_hand(word):
    return math.log((1 + documents(word, JUNK)) / (2 + 2) / ((1 + documents(word, GOOD)) / (2 + 3)))


def balanced_by_hand(word):
    shares = [(documents(word, label) + 0.01) / (messages + 0.02) for label, messages in ((JUNK, 2), (GOOD, 3))]
    return min(8.0, max(-8.0, math.log(shares[0] / shares[1])))


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        ("multinomial", multinomial_by_hand),
        ("bernoulli", bernoulli_by_hand),
        ("bernoulli-complete", bernoulli_by_hand),
        ("balanced", balanced_by_hand),
    ],
)
def test_columns_of_the_reasons_equal_counts_and_formulas(name, by_hand):
    found, explained, model = reasons_of(name)
    absent = found.pop("absent:words", None)
    if name == "bernoulli-complete":
        assert absent.contribution == pytest.approx(math.log((1 - 2 / 4) / (1 - 2 / 5)), abs=1e-12), "money"
        (money,) = explained.absent.words
        assert (money.word, money.junk, money.good, money.occurrences) == ("money", 1, 1, 0)
        assert money.contribution == pytest.approx(absent.contribution, abs=1e-12)
        assert money.log_ratio == pytest.approx(bernoulli_by_hand("money"), abs=1e-12)
    assert found.keys() == {word for word in NEW if word != "unknown" and by_hand(word)}
    assert explained.prior == pytest.approx(0.0 if name == "balanced" else math.log(2 / 3), abs=1e-12)
    assert explained.prior_from == ("even odds" if name == "balanced" else "labels")
    before = explained.log_odds - explained.calibration
    assert explained.posterior == pytest.approx(1 / (1 + math.exp(-before)), abs=1e-12)
    ratios = [by_hand(word) for word in NEW if word != "unknown"]
    for word, one in found.items():
        assert (one.junk, one.good, one.occurrences) == (documents(word, JUNK), documents(word, GOOD), NEW[word])
        weight = [float(part[0]) for part in model.word_parts(np.array(model.vocabulary.numbers_of([word]), np.int32))]
        assert one.log_ratio == weight[0] == pytest.approx(by_hand(word), abs=1e-12)
        adds = by_hand(word) * (NEW[word] if name == "multinomial" else 1)
        if name == "balanced":
            # Squares are rounded to sixteenths and cubes to sixty-fourths.
            squares = sum(round(16 * ratio**2) / 16 for ratio in ratios)
            adds = round(64 * by_hand(word) ** 3) / 64 / (squares + 16) + one.correction
            assert one.correction == pytest.approx(weight[1] / 2, abs=1e-12), "four distinct words"
            assert one.correction != 0
        else:
            assert one.correction == weight[1] == 0
        assert one.contribution == pytest.approx(adds, abs=1e-12)


def test_corrections_of_logistic_regression_are_those_that_are_added():
    found, explained, model = reasons_of("logistic")
    assert explained.prior == 0
    for word, one in found.items():
        weight = model.word_parts(np.array(model.vocabulary.numbers_of([word]), np.int32))
        assert (one.log_ratio, weight[0][0]) == (0, 0)
        assert one.correction == one.contribution == pytest.approx(weight[1][0] / 2, abs=1e-12), "four distinct words"


def test_the_default_begins_with_the_share_of_junk_in_the_mail_it_judges():
    _, _, model = reasons_of("balanced")
    model.base_rate = 0.2
    explained = model.explain(text_sample(model.vocabulary, list(NEW), list(NEW.values())))
    assert (explained.prior_from, explained.prior_share) == ("mail", pytest.approx(0.2))
    assert explained.prior == pytest.approx(math.log(0.2 / 0.8), abs=1e-12)
    parts = explained.prior + sum(one.contribution for one in explained.contributions) + explained.calibration
    assert parts == pytest.approx(explained.log_odds, abs=1e-9)


def test_measures_show_their_means_and_spreads():
    model = Model(Vocabulary(), "gaussian")
    values = ((JUNK, (10, 1)), (JUNK, (20, 1)), (JUNK, (60, 4)), (GOOD, (5, 2)), (GOOD, (9, 8)))
    for label, measures in values:
        model.learn(sample([], measures=measures), label)
    explained = model.explain(sample([], measures=(30, 3)))
    means = {label: list(map(statistics.mean, zip(*own, strict=True))) for label, own in by_label(values)}
    variances = {label: list(map(statistics.pvariance, zip(*own, strict=True))) for label, own in by_label(values)}
    # All variances grow by a share of the largest one, as in scikit-learn.
    more = 1e-9 * statistics.pvariance([own[0] for _, own in values])
    found = {one.word: one for one in explained.contributions}
    for place, name in enumerate(("measure:size", "measure:words")):
        one, value = found[name], (30, 3)[place]
        assert one.measure is not None
        assert (one.measure.value, one.junk, one.good) == (value, 3, 2)
        bells = [(means[label][place], math.sqrt(variances[label][place] + more)) for label in (JUNK, GOOD)]
        assert one.measure[1:] == pytest.approx([number for bell in bells for number in bell], abs=1e-9)
        heights = [math.exp(-((value - mean) ** 2) / (2 * spread**2)) / spread for mean, spread in bells]
        assert one.contribution == one.log_ratio == pytest.approx(math.log(heights[0] / heights[1]), abs=1e-9)


def by_label(values):
    return [(label, [own for its, own in values if its == label]) for label in (JUNK, GOOD)]
