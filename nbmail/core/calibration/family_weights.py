"""Weights of the families of words: how well each ranked lately, by its held-out scores.

    weight = GAIN * max(0, 2 * AUC - 1) ** 4

AUC is the share of pairs of a spam and a ham message that the family's scores put in order, among
the latest `LATEST` held-out scores. It comes from whole numbers of pairs over rounded scores, and
no library function is used, so that weights are identical on any machine.

    blended = (score + sum(weight * score of the family)) / (1 + sum(weight))
"""

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.core.words.families import FAMILIES
from nbmail.values import BoolArray

Weights = tuple[float, ...]

NO_WEIGHTS: Weights = (0.0,) * FAMILIES
"""All words count together alone."""
PARTS = 1 + FAMILIES
"""Columns of the parts of scores: that of all words, then that of each family, or NaN."""

GAIN = 0.4
LATEST = 2000
_UNIT = 64.0


def without_families(scores: FloatArray) -> FloatArray:
    """Return the parts of scores by a method that has no families."""
    parts = np.full((len(scores), PARTS), np.nan)
    parts[:, 0] = scores
    return parts


def family_weights(parts: FloatArray, spam: BoolArray) -> Weights:
    """Return the weight of each family by its held-out scores, the latest last."""
    known = np.flatnonzero(~np.isnan(parts[:, 1]))[-LATEST:]
    is_spam = spam[known]
    if is_spam.all() or not is_spam.any():
        return NO_WEIGHTS
    rounded = np.rint(parts[known, 1:] * _UNIT)
    return tuple([_weight(column[is_spam], column[~is_spam]) for column in rounded.T])


def blend(parts: FloatArray, weights: Weights) -> FloatArray:
    """Return the scores of messages from their parts.

    Scores without those of families stay unchanged.
    """
    scores = parts[:, 0].copy()
    if not any(weights):
        return scores
    is_known = ~np.isnan(parts[:, 1])
    total = 1.0
    for weight, column in zip(weights, parts.T[1:], strict=True):
        scores[is_known] += weight * column[is_known]
        total += weight
    scores[is_known] /= total
    return scores


def _weight(spam: FloatArray, ham: FloatArray) -> float:
    ordered = np.sort(ham)
    below = int(np.searchsorted(ordered, spam, side="left").sum())
    up_to = int(np.searchsorted(ordered, spam, side="right").sum())
    pairs = len(spam) * len(ham)
    # Twice the AUC, minus 1. Ties count half.
    advantage = (below + up_to - pairs) / pairs
    square = max(0.0, advantage) * max(0.0, advantage)
    return GAIN * (square * square)
