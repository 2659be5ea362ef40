"""How well scores rank and how honest probabilities are: the figures that `evaluate` prints."""

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.sample import FloatArray

Flags = npt.NDArray[np.bool_]


def percent(share: float) -> float | None:
    """None where there is nothing to tell (NaN)."""
    return None if np.isnan(share) else 100.0 * share


def one_minus_auc(scores: FloatArray, junk: Flags) -> float:
    """The area above the ROC curve: the chance that a good message scores higher than junk, a tie being half.

    NaN unless there are both.
    """
    wanted, other = scores[junk], np.sort(scores[~junk])
    if not len(wanted) or not len(other):
        return float("nan")
    not_below = len(other) - np.searchsorted(other, wanted, side="left")
    above = len(other) - np.searchsorted(other, wanted, side="right")
    return float((not_below + above).sum() / (2.0 * len(wanted) * len(other)))


def missed_at(scores: FloatArray, junk: Flags, false_share: float) -> float:
    """The share of junk missed at the lowest threshold that misjudges at most this share of good mail.

    Only a score above the threshold counts as junk, so that what ties with too many good messages is missed. NaN
    unless there are both.
    """
    wanted, other = scores[junk], np.sort(scores[~junk])
    if not len(wanted) or not len(other):
        return float("nan")
    # The little extra keeps 0.001 * 3000 from coming out below 3.
    allowed = int(false_share * len(other) + 1e-9)
    if allowed >= len(other):
        return 0.0
    return float(np.mean(wanted <= other[len(other) - 1 - allowed]))


def calibration_error(probabilities: FloatArray, junk: Flags, bins: int = 10) -> float:
    """How far probabilities are from what happened: the mean distance over bins of equal width, by their messages.

    Messages without a probability (NaN) don't count. NaN if none has one.
    """
    known = ~np.isnan(probabilities)
    promised, happened = probabilities[known], junk[known]
    if not len(promised):
        return float("nan")
    places = np.minimum((promised * bins).astype(np.int64), bins - 1)
    gaps = np.bincount(places, weights=promised - happened, minlength=bins)
    return float(np.abs(gaps).sum() / len(promised))
