"""Metrics of scores and probabilities against true classes."""

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.core.evaluation.proportion import wilson
from nbmail.values import BoolArray

Interval = tuple[float, float]
"""95 % confidence interval, in percent."""

# Without this, rounding would make 0.001 * 3000 less than 3.
_ROUNDING = 1e-9
_BINS = 10


def percent(share: float) -> float | None:
    return None if np.isnan(share) else 100.0 * share


def interval(share: float, count: int) -> Interval | None:
    """Return the confidence interval of a share of `count` messages; None for NaN."""
    if np.isnan(share):
        return None
    lowest, highest = wilson(share * count, count)
    return 100 * lowest, 100 * highest


def one_minus_auc(scores: FloatArray, spam: BoolArray) -> float:
    """Return the area above the ROC curve: the chance that ham scores higher than spam.

    A tie counts half. NaN unless there are both.
    """
    wanted = scores[spam]
    other = np.sort(scores[~spam])
    if not len(wanted) or not len(other):
        return float("nan")
    not_below = len(other) - np.searchsorted(other, wanted, side="left")
    above = len(other) - np.searchsorted(other, wanted, side="right")
    return float((not_below + above).sum() / (2.0 * len(wanted) * len(other)))


def false_negative_rate_at(scores: FloatArray, spam: BoolArray, false_share: float) -> float:
    """Return the share of spam missed with at most this share of false alarms.

    The threshold is the lowest that allows it. Only a score above it counts as spam, so that what
    ties with too many ham messages is missed. NaN unless there are both.
    """
    wanted = scores[spam]
    other = np.sort(scores[~spam])
    if not len(wanted) or not len(other):
        return float("nan")
    allowed = int(false_share * len(other) + _ROUNDING)
    if allowed >= len(other):
        return 0.0
    threshold = other[len(other) - 1 - allowed]
    return float(np.mean(wanted <= threshold))


def calibration_error(probabilities: FloatArray, spam: BoolArray) -> float:
    """Return the mean difference of predicted probability and share of spam over ten equal bins.

    Bins are weighted by their messages. Messages with the probability NaN are left out; NaN if no
    other remains.
    """
    is_known = ~np.isnan(probabilities)
    predicted = probabilities[is_known]
    actual = spam[is_known]
    if not len(predicted):
        return float("nan")
    bins = np.minimum((predicted * _BINS).astype(np.int64), _BINS - 1)
    gaps = np.bincount(bins, weights=predicted - actual, minlength=_BINS)
    return float(np.abs(gaps).sum() / len(predicted))
