"""A third voice among many classes: multinomial evidence of a message of unit length.

Balanced evidence weighs each class against all others together. With a hundred small folders the others are so many
that a word of three of them looks like a word of all; corrections see each folder's few messages too seldom.
Multinomial Naive Bayes with log counts, inverse document frequency and unit length compares class with class, and errs
elsewhere. What it brings was measured: `tests/bench/MEASUREMENTS.md`, "Many folders".
"""

import math

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, WordRows
from nbmail.core.counting.sums import sum_taken

_SMOOTHING = 0.01
_FEW_CLASSES, _MANY_CLASSES = 11, 60
_MOST_CORRECTIONS, _MOST_EVIDENCE = 2.0, 0.4


def corrections_weight(classes: int) -> float:
    """How much corrections count beside the mean: twice up to eleven classes, a little less with a hundred."""
    return _MOST_CORRECTIONS * math.pow(min(1.0, _FEW_CLASSES / classes), 0.15)


def contributions(counts: Counts, row: int, words: IntArray, occurrences: IntArray) -> FloatArray:
    """What each word of a message adds to the score of a class."""
    values = _values(counts, words, occurrences)
    length = math.sqrt(max(float((values * values).sum()), 1e-9))
    return np.asarray(_weight(counts) * values * _log_shares(counts, words)[row] / length)


def scores(counts: Counts, rows: WordRows) -> FloatArray:
    """A score for every message (row) and class (column); of words alone where their occurrences are not told."""
    occurrences = np.ones(len(rows.words), np.int32) if rows.occurrences is None else rows.occurrences
    known, places = np.unique(rows.words, return_inverse=True)
    values = _values(counts, rows.words, occurrences)
    lengths = np.sqrt(np.maximum(sum_taken(values * values, rows), 1e-9))
    shares = _log_shares(counts, known)
    found = [sum_taken(values * shares[row][places], rows) / lengths for row in range(len(counts.classes))]
    return np.asarray(_weight(counts) * np.stack(found, axis=1))


def _weight(counts: Counts) -> float:
    """How much this evidence counts beside the mean: most from sixty classes on."""
    return _MOST_EVIDENCE * math.sqrt(min(1.0, sum(map(bool, counts.messages)) / _MANY_CLASSES))


def _values(counts: Counts, words: IntArray, occurrences: IntArray) -> FloatArray:
    """What each word counts before lengths are made equal; nothing if no message holds it."""
    holders = counts.holders_of(words)
    rarity = np.log1p(sum(counts.messages) / np.maximum(holders, 1))
    return np.asarray(np.log1p(occurrences) * rarity * (holders > 0))


def _log_shares(counts: Counts, words: IntArray) -> FloatArray:
    """The smoothed log share of these words in each class, less the mean over all: words of none say nothing."""
    shares = np.log(counts.occurrences_of(words) + _SMOOTHING)
    shares -= np.log(np.array(counts.occurrence_totals) + _SMOOTHING * max(counts.words, 1))[:, None]
    return np.asarray(shares - shares.mean(axis=0))
