"""Fitting of the calibration line to held-out scores."""

import math
from typing import NamedTuple

import numpy as np

from nbmail.core.calibration.calibration_line import Line, Variances
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.calibration.prior import SHARED, Prior
from nbmail.core.calibration.score_scale import Scale
from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.core.scoring.log_odds import to_probabilities
from nbmail.values import BoolArray

_ROUNDS = 60
_LONGEST_STEP = 0.5
_ENOUGH_EXACT = 1e-9
# Half of MacKay's approximation: the whole reduces recall more than necessary, none increases false
# positives.
_DOUBT = math.pi / 16
# Width of the bins in which scores are grouped before the fit: 75,000 take 4 ms instead of 157.
_BIN = 1 / 32
_FURTHEST = 64.0


class _Bins(NamedTuple):
    """Neighbouring scores together: their weights, and the weights of spam among them.

    `offsets`: log-odds of spam before a score is known.
    """

    scores: FloatArray
    weights: FloatArray
    spam: FloatArray
    offsets: FloatArray


class _Curvature(NamedTuple):
    """Second derivatives of the likelihood and the prior, negated."""

    slope: float
    centre: float
    both: float

    @property
    def area(self) -> float:
        return self.slope * self.centre - self.both * self.both


def fit(
    held_out: HeldOut, labels: tuple[int, int], prior: Prior = SHARED, share: float = 0.5
) -> Line:
    """Return the most probable line given prior and held-out scores.

    `labels`: numbers of spam and ham labels. `share`: base rate of the messages that active
    learning selects from. Newton steps of at most `_LONGEST_STEP` on log slope and centre, about a
    dozen.
    """
    scale = Scale.of(held_out.scores, held_out.spam) if prior.measured else Scale()
    bins = _binned(held_out, scale, share)
    first_log_slope = math.log(prior.slope)
    first_centre = prior.centre_for(labels)
    slope_precision = prior.slope_spread**-2
    centre_precision = prior.centre_spread**-2

    log_slope = first_log_slope
    centre = first_centre
    for _ in range(_ROUNDS):
        slope = math.exp(log_slope)
        along = slope * (bins.scores - centre)
        chances = to_probabilities(along + bins.offsets)
        missing = bins.spam - bins.weights * chances
        bend = bins.weights * chances * (1 - chances)

        by_slope = float((missing * along).sum()) - (log_slope - first_log_slope) * slope_precision
        by_centre = -slope * float(missing.sum()) - (centre - first_centre) * centre_precision
        curvature = _Curvature(
            slope=float((bend * along**2).sum()) + slope_precision,
            centre=slope**2 * float(bend.sum()) + centre_precision,
            both=-slope * float((bend * along).sum()),
        )
        area = curvature.area
        slope_step = (curvature.centre * by_slope - curvature.both * by_centre) / area
        centre_step = (curvature.slope * by_centre - curvature.both * by_slope) / area
        log_slope += _bounded(slope_step)
        centre += _bounded(centre_step)
        if abs(slope_step) + abs(centre_step) < _ENOUGH_EXACT:
            break

    variances = Variances(curvature.centre / area, curvature.slope / area, -curvature.both / area)
    # The position of the line is uncertain: the mean over all positions is flatter (MacKay 1992).
    flatter = math.sqrt(1 + _DOUBT * math.exp(2 * log_slope) * variances.centre)
    return Line(math.exp(log_slope) / flatter, centre, variances, scale)


def _bounded(step: float) -> float:
    return min(_LONGEST_STEP, max(-_LONGEST_STEP, step))


def _binned(held_out: HeldOut, scale: Scale, share: float) -> _Bins:
    """Group neighbouring scores, separately for user-chosen and actively selected labels.

    User-chosen labels have the base rate of the labels. Actively selected messages were chosen by
    their scores and have the base rate of the mail they were selected from.
    """
    weights = held_out.weights()
    laid = np.clip(np.nan_to_num(scale.laid(held_out.scores)), -_FURTHEST, _FURTHEST)
    places = np.rint((laid + _FURTHEST) / _BIN).astype(np.int64)
    is_chosen = ~held_out.asked
    of_spam = float(weights[is_chosen & held_out.spam].sum())
    of_ham = float(weights[is_chosen & ~held_out.spam].sum())
    offset_of_labels = math.log((of_spam + 0.5) / (of_ham + 0.5))
    offset_of_mail = math.log(share / (1 - share))
    chosen = _bins_of(places, weights, held_out.spam, is_chosen, offset_of_labels)
    asked = _bins_of(places, weights, held_out.spam, held_out.asked, offset_of_mail)
    return _Bins(*(np.concatenate(both) for both in zip(chosen, asked, strict=True)))


def _bins_of(
    places: LongArray, weights: FloatArray, spam: BoolArray, chosen: BoolArray, offset: float
) -> _Bins:
    """Return the bins of the chosen labels. `places`: number of each one's bin."""
    filled, inverse = np.unique(places[chosen], return_inverse=True)
    bins = len(filled)
    own = weights[chosen]
    return _Bins(
        scores=np.asarray(filled * _BIN - _FURTHEST, np.float64),
        weights=np.asarray(np.bincount(inverse, own, bins), np.float64),
        spam=np.asarray(np.bincount(inverse, own * spam[chosen], bins), np.float64),
        offsets=np.full(bins, offset),
    )
