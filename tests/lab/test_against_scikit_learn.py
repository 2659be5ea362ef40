"""Methods that scikit-learn also has return the same scores, to 1e-9, on any data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.lab.methods.bernoulli_complete import CompleteBernoulli
from nbmail.lab.methods.categorical import Categorical
from nbmail.lab.methods.complement import Complement
from nbmail.lab.methods.gaussian import Gaussian
from nbmail.lab.methods.multinomial import Multinomial

ALPHAS = st.sampled_from([0.01, 0.5, 1.0, 2.5])


@st.composite
def tables(draw, most=6):
    """A table of counts with a class for each row, all classes occurring, and rows to predict."""
    classes = draw(st.integers(2, 4))
    columns = draw(st.integers(2, 7))
    rows = draw(st.integers(classes, 14))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    table = random.integers(0, most, (rows, columns)) * random.integers(0, 2, (rows, columns))
    # scikit-learn counts columns, we count words that were met: here each was.
    table[random.integers(0, rows, columns), np.arange(columns)] += 1
    labels = np.concatenate([np.arange(classes), random.integers(0, classes, rows - classes)])
    return table, labels, random.integers(0, most, (5, columns))


def row_sample(row, measures=()):
    words = np.flatnonzero(row).astype(np.int32)
    return Sample(words, row[words].astype(np.int32), tuple(int(value) for value in measures))


def learned(samples, labels):
    counts = Counts()
    for one, label in zip(samples, labels, strict=True):
        counts.learn(one, f"class{label}")
    return counts


def assert_same(method, counts, samples, theirs):
    """Ours against the joint log-likelihoods of theirs, class by class and as log-odds of pairs."""
    rows = WordRows.of(samples)
    order = [counts.row(f"class{label}") for label in range(len(counts.classes))]
    scores = method.scores(counts, rows)[:, order]
    assert np.allclose(scores, theirs, atol=1e-9, rtol=1e-9)
    odds = method.odds(counts, (order[0], order[1]), rows)
    assert np.allclose(odds, theirs[:, 0] - theirs[:, 1], atol=1e-9, rtol=1e-9)


def complete(alpha):
    return CompleteBernoulli(alpha, alpha, "mean")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(Multinomial, MultinomialNB), (Complement, ComplementNB), (complete, BernoulliNB)],
)
@given(data=tables(), alpha=ALPHAS)
def test_words(ours, theirs, data, alpha):
    table, labels, more = data
    counts = learned(map(row_sample, table), labels)
    asked = (more > 0).astype(float) if theirs is BernoulliNB else more
    joint = theirs(alpha=alpha, force_alpha=True).fit(table, labels)._joint_log_likelihood(asked)
    assert_same(ours(alpha), counts, [row_sample(row) for row in more], joint)


@given(tables(), ALPHAS)
def test_categorical(data, alpha):
    table, labels, _ = data
    columns = table.shape[1]
    values = int(table.max()) + 1
    names = [f"fact:f{column}=v{value}" for column in range(columns) for value in range(values)]
    vocabulary = Vocabulary(names)

    def fact_sample(row):
        words = np.array([column * values + value for column, value in enumerate(row)], np.int32)
        return Sample(words, np.ones(columns, np.int32), ())

    counts = learned(map(fact_sample, table), labels)
    # Only values that were met have a face on the die; scikit-learn counts up to the largest.
    kinds = [len(set(column)) for column in table.T]
    dense = np.stack([np.unique(column, return_inverse=True)[1] for column in table.T], axis=1)
    theirs = CategoricalNB(alpha=alpha, force_alpha=True, min_categories=kinds).fit(dense, labels)
    joint = theirs._joint_log_likelihood(dense)
    ours = Categorical(vocabulary)
    if alpha == 1.0:
        assert_same(ours, counts, [fact_sample(row) for row in table], joint)
    virtual = Categorical(vocabulary, virtual=alpha * kinds[0])
    if len(set(kinds)) == 1:
        assert_same(virtual, counts, [fact_sample(row) for row in table], joint)


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.integers(1, 5))
def test_gaussian(seed, classes, columns):
    random = np.random.default_rng(seed)
    labels = np.concatenate([np.repeat(np.arange(classes), 2), random.integers(0, classes, 12)])
    table = random.integers(0, 1000, (len(labels), columns))
    nothing = np.zeros(0, np.int64)
    counts = learned([row_sample(nothing, row) for row in table], labels)
    more = random.integers(0, 1000, (5, columns))
    theirs = GaussianNB().fit(table, labels)._joint_log_likelihood(more)
    assert_same(Gaussian(), counts, [row_sample(nothing, row) for row in more], theirs)


def test_a_measure_that_never_varied_agrees_too():
    table = np.array([[5, 1], [5, 9], [5, 2], [5, 3]])
    labels = [0, 0, 1, 1]
    nothing = np.zeros(0, np.int64)
    counts = learned([row_sample(nothing, row) for row in table], labels)
    theirs = GaussianNB().fit(table, labels)._joint_log_likelihood(table)
    assert_same(Gaussian(), counts, [row_sample(nothing, row) for row in table], theirs)


@pytest.mark.parametrize(
    "method", [Multinomial(), Complement(), CompleteBernoulli()], ids=lambda one: type(one).__name__
)
def test_a_million_words_do_not_overflow(method):
    size = 1_000_000
    random = np.random.default_rng(5)
    words = np.arange(size, dtype=np.int32)
    counts = Counts()
    for label in ("spam", "ham"):
        counts.learn(Sample(words, random.integers(1, 100, size).astype(np.int32), ()), label)
    row = Sample(words, np.full(size, 1000, np.int32), ())
    odds = method.odds(counts, (0, 1), WordRows.of([row]))
    assert np.isfinite(odds).all()
    assert abs(odds[0] - method.decompose(counts, (0, 1), row).log_odds) <= 1e-9 * max(
        1.0, abs(odds[0])
    )
