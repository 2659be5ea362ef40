"""Multinomial evidence of unit length, which compares many classes with each other."""

import math

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.word_rows import WordRows

_SMOOTHING = 0.01
_MANY_CLASSES = 60
_MOST_EVIDENCE = 0.4
_SHORTEST = 1e-9


def filled_classes(counts: Counts) -> int:
    """Return the number of classes with messages."""
    return sum(1 for messages in counts.messages if messages)


def folder_contributions(
    counts: Counts, row: int, words: IntArray, occurrences: IntArray
) -> FloatArray:
    """Return what each word of one message adds to the score of a class."""
    values = _values(counts, words, occurrences)
    length = math.sqrt(max(float((values * values).sum()), _SHORTEST))
    shares = _log_shares(counts, words)[row]
    return np.asarray(_weight(counts) * values * shares / length)


def folder_scores(counts: Counts, rows: WordRows) -> FloatArray:
    """Return the score of each message (row) and class (column). Occurrences default to 1."""
    occurrences = rows.occurrences
    if occurrences is None:
        occurrences = np.ones(len(rows.words), np.int32)
    values = _values(counts, rows.words, occurrences)
    squares = rows.sum(values * values, aligned=True)
    lengths = np.sqrt(np.maximum(squares, _SHORTEST))

    known, places = np.unique(rows.words, return_inverse=True)
    found = np.empty((len(rows), len(counts.classes)))
    for row, shares in enumerate(_log_shares(counts, known)):
        found[:, row] = rows.sum(values * shares[places], aligned=True) / lengths
    return np.asarray(_weight(counts) * found)


def _weight(counts: Counts) -> float:
    """Return the weight of the multinomial score: it grows with up to sixty classes."""
    return _MOST_EVIDENCE * math.sqrt(min(1.0, filled_classes(counts) / _MANY_CLASSES))


def _values(counts: Counts, words: IntArray, occurrences: IntArray) -> FloatArray:
    """Return each word's log count times inverse document frequency, before normalization."""
    holders = counts.documents_with(words)
    rarity = np.log1p(sum(counts.messages) / np.maximum(holders, 1))
    return np.asarray(np.log1p(occurrences) * rarity * (holders > 0))


def _log_shares(counts: Counts, words: IntArray) -> FloatArray:
    """Return the smoothed log share of each word in each class, minus its mean over the classes."""
    totals = np.array(counts.occurrence_totals) + _SMOOTHING * max(counts.words, 1)
    shares = np.log(counts.occurrences_of(words) + _SMOOTHING)
    shares -= np.log(totals)[:, None]
    return np.asarray(shares - shares.mean(axis=0))
