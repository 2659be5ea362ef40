"""Families of words: each place has one, weights follow the held-out order, and the default's score
is that of its docstring.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.chunks import drain
from nbmail.core.calibration.family_weights import (
    GAIN,
    LATEST,
    NO_WEIGHTS,
    blend,
    family_weights,
    without_families,
)
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.methods import evidence
from nbmail.core.methods.word_families import WordFamilies
from nbmail.core.scoring.model import Model
from nbmail.core.senders.people import KNOWN, THREAD
from nbmail.core.words.families import FAMILY_OF_PLACE, HOW, SAYS, WHO, family_of
from nbmail.core.words.word_places import PLACES
from nbmail.values import HAM, SPAM
from tests.core.material import once_trained, sample

LISTED = {
    SAYS: ["free", "subject:free", "start:dear friend", "phrase:act now"],
    WHO: ["from:anna", "link:example.org", "fact:dkim=pass", KNOWN + "me", THREAD + "mine"],
    HOW: ["received:mx", "fact:charset=utf-8", "measure:links=3", "x-priority:1", "file:.zip"],
}


def test_every_place_has_a_family():
    assert FAMILY_OF_PLACE.keys() == set(PLACES)
    for family, words in LISTED.items():
        assert [family_of(word) for word in words] == [family] * len(words)


def test_a_growing_vocabulary_keeps_its_families():
    vocabulary = Vocabulary(["free", "from:anna"])
    families = WordFamilies(vocabulary)
    assert families.up_to(2)[:2].tolist() == [SAYS, WHO]
    assert families.up_to(9)[:3].tolist() == [SAYS, WHO, SAYS]
    vocabulary.numbers_of(["received:mx", "from:bert"])
    assert families.up_to(4)[:4].tolist() == [SAYS, WHO, HOW, WHO]


scores = st.integers(-20, 20).map(lambda number: number / 4)
rows = st.lists(st.tuples(scores, scores, scores, scores, st.booleans()), max_size=30)


@given(rows)
def test_weights_are_those_of_the_share_of_ordered_pairs(labelled):
    parts = np.array([row[:4] for row in labelled]).reshape(-1, 4)
    is_spam = np.array([row[4] for row in labelled], np.bool_)
    found = family_weights(parts, is_spam)
    if is_spam.all() or not is_spam.any():
        assert found == NO_WEIGHTS
        return
    for family, weight in enumerate(found, 1):
        pairs = [
            Fraction((one > other) - (one < other))
            for one in parts[is_spam, family].tolist()
            for other in parts[~is_spam, family].tolist()
        ]
        advantage = max(Fraction(0), sum(pairs) / len(pairs))
        assert weight == pytest.approx(GAIN * float(advantage**4), abs=1e-12)


def test_only_the_latest_scores_with_families_count():
    wrong = np.tile([[1.0, -5.0, -5.0, -5.0], [-1.0, 5.0, 5.0, 5.0]], (LATEST, 1))
    right = -wrong[:LATEST]
    none = without_families(np.zeros(LATEST))
    parts = np.concatenate([wrong, right, none])
    is_spam = np.arange(len(parts)) % 2 == 0
    assert family_weights(parts, is_spam) == (GAIN, GAIN, GAIN)
    assert family_weights(none, is_spam[:LATEST]) == NO_WEIGHTS


def test_scores_without_families_stay_beside_blended_ones():
    parts = np.array([[3.0, 1.0, 2.0, 4.0], [3.0, np.nan, np.nan, np.nan]])
    assert blend(parts, (1.0, 0.5, 0.0)).tolist() == [5.0 / 2.5, 3.0]
    assert blend(parts, NO_WEIGHTS).tolist() == [3.0, 3.0]


WORDS = tuple(
    f"{place}{number}"
    for place in ("", "subject:", "from:", "received:", "hidden:")
    for number in range(12)
)


def labelled_mail(count, seed):
    random = np.random.default_rng(seed)
    for number in range(count):
        is_spam = number % 2 == 1
        shares = np.linspace(0.5, 0.1, 12) if is_spam else np.linspace(0.1, 0.5, 12)
        is_present = random.random(len(WORDS)) < np.tile(shares, len(WORDS) // 12)
        yield sample(np.flatnonzero(is_present)), SPAM if is_spam else HAM


def expected_score(model, one):
    """The docstring of `balanced`, in plain Python: one term for each word."""
    counts = model.counts
    spam, ham = counts.pair(SPAM, HAM)
    state = model.content().corrections >> 32
    ratios = {}
    corrections = {}
    for word in one.words.tolist():
        shares = [
            (int(counts.documents[row, word]) + 0.01) / (counts.messages[row] + 0.02)
            for row in (spam, ham)
        ]
        is_known = counts.documents[:, word].any()
        ratio = math.log(shares[0] / shares[1]) if is_known else 0.0
        ratios[word] = min(8.0, max(-8.0, ratio))
        corrections[word] = (int(state[spam, word]) - int(state[ham, word])) / (1 << 17)

    def terms(words):
        shown = sum(not model.vocabulary.word(word).startswith("hidden:") for word in words)
        squares = sum(round(16 * ratios[word] ** 2) / 16 for word in words)
        return {
            word: round(64 * ratios[word] ** 3) / 64 / (squares + 16)
            + corrections[word] / math.sqrt(max(1, shown))
            for word in words
        }

    weights = model.held_out.weights
    adds = terms(ratios)
    for family, weight in enumerate(weights):
        own = [word for word in ratios if family_of(model.vocabulary.word(word)) == family]
        for word, term in terms(own).items():
            adds[word] += weight * term
    return {word: term / (1 + sum(weights)) for word, term in adds.items()}


@pytest.mark.parametrize("folded", [False, True])
def test_the_score_is_that_of_the_docstring_word_by_word(folded):
    model = Model(Vocabulary(WORDS))
    model.learn_many(*zip(*labelled_mail(60, seed=2), strict=True))
    if folded:
        drain(model.cross_validating())
    assert len({weight for weight in model.held_out.weights if weight > 0}) == 3
    for one, _ in labelled_mail(20, seed=3):
        expected = expected_score(model, one)
        shares = model.implementation.decompose(model.counts, model.counts.pair(SPAM, HAM), one)
        assert shares.contributions == pytest.approx(list(expected.values()), abs=1e-9)
        (listed,) = model.log_odds(model.rows([one]))
        assert shares.log_odds == listed == pytest.approx(sum(expected.values()), abs=1e-9)


def test_weights_follow_undo_and_a_snapshot():
    model = Model(Vocabulary(WORDS))
    model.learn_many(*zip(*labelled_mail(60, seed=2), strict=True))
    before = model.held_out.weights
    one, _ = next(labelled_mail(1, seed=9))
    record = model.learn(one, SPAM)
    assert model.held_out.weights != before
    model.unlearn(one, SPAM, record)
    assert model.implementation.family_weights == model.held_out.weights == before
    other = Model(model.vocabulary)
    other.restore(model.content())
    assert other.implementation.family_weights == before


@pytest.mark.parametrize("aligned", [False, True])
def test_python_adds_up_families_as_compiled_code_does(aligned, monkeypatch):
    random = np.random.default_rng(7)
    lengths = [0, 3, 40, 5 * evidence.LONGEST]
    words = random.integers(0, 300, sum(lengths)).astype(np.int32)
    rows = WordRows(words, np.cumsum([0, *lengths]))
    families = random.integers(0, 4, 300).astype(WordFamilies(Vocabulary()).up_to(0).dtype)
    count = len(words) if aligned else 300
    packed = evidence.Evidence(
        random.normal(0, 3, count).clip(-8, 8), random.normal(0, 1, count)
    ).pack()
    expected = evidence.score_parts(packed, families, rows, aligned=aligned)
    monkeypatch.setattr(evidence, "compiled_scoring", None)
    found = evidence.score_parts(packed, families, rows, aligned=aligned)
    assert found == pytest.approx(expected, abs=1e-9)


def test_the_weight_of_a_word_is_that_of_a_message_of_this_word_alone():
    model = Model(Vocabulary(WORDS))
    model.learn_many(*zip(*labelled_mail(60, seed=2), strict=True))
    pair = model.counts.pair(SPAM, HAM)
    words = np.arange(len(WORDS), dtype=np.int32)
    ratios, corrections = model.implementation.weights(model.counts, pair, words)
    for word in words.tolist():
        alone = model.implementation.decompose(model.counts, pair, sample([word]))
        assert alone.ratios[0] == pytest.approx(ratios[word], abs=1e-9)
        assert alone.corrections[0] == pytest.approx(corrections[word], abs=1e-9)


def test_the_weight_of_a_word_among_own_classes_is_that_of_its_message():
    model = once_trained("balanced", labels=("work", "family", "lists"))
    pair = model.counts.pair("work", "family")
    ratios, corrections = model.implementation.weights(
        model.counts, pair, np.array([4], dtype=np.int32)
    )
    alone = model.implementation.decompose(model.counts, pair, sample([4]))
    assert alone.ratios == pytest.approx(ratios, abs=1e-9)
    assert alone.corrections == pytest.approx(corrections, abs=1e-9)
