"""Multinomial evidence of unit length, which compares many classes with each other."""

import math

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.word_rows import WordRows


def filled_classes(counts: Counts) -> int:
    return sum(1 for messages in counts.messages if messages)


_SMOOTHING = 0.01
_MANY_CLASSES = 60
_MOST_EVIDENCE = 0.4


def folder_contributions(
    counts: Counts, row: int, words: IntArray, occurrences: IntArray
) -> FloatArray:
    values = _folder_values(counts, words, occurrences)
    length = math.sqrt(max(float((values * values).sum()), 1e-9))
    return np.asarray(_folder_weight(counts) * values * _log_shares(counts, words)[row] / length)


def folder_scores(counts: Counts, rows: WordRows) -> FloatArray:
    """Return the multinomial score of each message (row) and class (column). Occurrences default to
    1.
    """
    occurrences = (
        np.ones(len(rows.words), np.int32) if rows.occurrences is None else rows.occurrences
    )
    known, places = np.unique(rows.words, return_inverse=True)
    values = _folder_values(counts, rows.words, occurrences)
    lengths = np.sqrt(np.maximum(rows.sum(values * values, aligned=True), 1e-9))
    shares = _log_shares(counts, known)
    found = [
        rows.sum(values * shares[row][places], aligned=True) / lengths
        for row in range(len(counts.classes))
    ]
    return np.asarray(_folder_weight(counts) * np.stack(found, axis=1))


def _folder_weight(counts: Counts) -> float:
    """Return the weight of the multinomial score: it grows with up to sixty classes."""
    return _MOST_EVIDENCE * math.sqrt(min(1.0, sum(map(bool, counts.messages)) / _MANY_CLASSES))


def _folder_values(counts: Counts, words: IntArray, occurrences: IntArray) -> FloatArray:
    """Return the value of each word before normalization: log count times inverse document
    frequency.
    """
    holders = counts.documents_with(words)
    rarity = np.log1p(sum(counts.messages) / np.maximum(holders, 1))
    return np.asarray(np.log1p(occurrences) * rarity * (holders > 0))


def _log_shares(counts: Counts, words: IntArray) -> FloatArray:
    """Return the smoothed log share of each word in each class, minus its mean over the classes."""
    shares = np.log(counts.occurrences_of(words) + _SMOOTHING)
    shares -= np.log(np.array(counts.occurrence_totals) + _SMOOTHING * max(counts.words, 1))[
        :, None
    ]
    return np.asarray(shares - shares.mean(axis=0))
