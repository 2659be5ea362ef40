"""Calibration: a line from raw scores to log-odds at even odds, fitted on held-out scores.

    calibrated = slope * (score - centre)

`calibrated` are log-odds at even odds. Slope and centre have a prior from many mailboxes (`Prior`)
and the likelihood of the held-out scores of this mailbox. So there is a probability with an
uncertainty from the first label of each class on. A line preserves the order of scores, and some
score is beyond every threshold.

The base rate of the labels is that of the marks, not of the mailbox. The fit removes it, and
`shift_base_rate` adds the estimated base rate of the mailbox. Measurements:
`tests/bench/MEASUREMENTS.md`, "Calibration".

Scores from before learning come from models of fewer labels, which are much weaker at the
beginning. The first `MOST` labels are therefore cross-validated (`HeldOutScores`). Each class is
dealt into ten folds in turn, and a model of the other folds scores each fold. The result depends
only on the labels and their order. Cross-validation is repeated after each of the first `EACH`
labels, later when their number has grown by a sixteenth (`latest_due`). Later labels keep their
score from before learning.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.calibration.prior import SHARED, Prior
from nbmail.core.counting.arrays import FloatArray
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


class Scale(NamedTuple):
    """Scale for scores that have none: arcsinh((score - `middle`) / `unit`). Without `unit` they
    stay unchanged.
    """

    middle: float = 0.0
    unit: float = 0.0

    @classmethod
    def of(cls, scores: FloatArray, spam: BoolArray) -> "Scale":
        """Return the scale of held-out scores: centred between the medians of the classes, in units
        of spread.
        """
        known = ~np.isnan(scores)
        scores = scores[known]
        spam = spam[known]
        if spam.all() or not spam.any():
            return cls(0.0, float(np.abs(scores).mean()) + 1.0 if len(scores) else 1.0)
        medians = [float(np.median(scores[flags])) for flags in (spam, ~spam)]
        apart = np.abs(scores - np.where(spam, medians[0], medians[1]))
        spread = sum(
            1.48 * float(np.median(apart[flags])) * float(flags.mean()) for flags in (spam, ~spam)
        )
        return cls(sum(medians) / 2, max(spread, abs(medians[0] - medians[1]) / 6, 1e-6))

    def laid(self, scores: FloatArray) -> FloatArray:
        """Return the scores on this scale, in the same order."""
        return (
            scores if not self.unit else np.asarray(np.arcsinh((scores - self.middle) / self.unit))
        )


class Line(NamedTuple):
    """A fitted line. `variances`: variance of log slope, variance of the centre, and their
    covariance.
    """

    slope: float
    centre: float
    variances: tuple[float, float, float]
    scale: Scale = Scale()

    def log_odds(self, scores: FloatArray) -> FloatArray:
        """Return calibrated log-odds at even odds, in the order of the scores."""
        return np.asarray(self.slope * (self.scale.laid(scores) - self.centre))

    def deviations(self, scores: FloatArray) -> FloatArray:
        """Return the standard deviation of each of these log-odds."""
        along = self.log_odds(scores)
        of_slope, of_centre, both = self.variances
        return np.sqrt(
            along**2 * of_slope + self.slope**2 * of_centre - 2 * self.slope * along * both
        )


def fit(
    held_out: HeldOut, labels: tuple[int, int], prior: Prior = SHARED, share: float = 0.5
) -> Line:
    """Return the most probable line given prior and held-out scores.

    `labels`: numbers of spam and ham labels. `share`: base rate of the messages that active
    learning selects from. Newton steps of at most `_LONGEST_STEP` on log slope and centre, about a
    dozen.
    """
    scale = Scale.of(held_out.scores, held_out.spam) if prior.measured else Scale()
    scores, weights, spam, offsets = _binned(held_out, scale, share)
    start = math.log(prior.slope), prior.centre_for(labels)
    tight = prior.slope_spread**-2, prior.centre_spread**-2
    steep, centre = start
    for _ in range(_ROUNDS):
        slope = math.exp(steep)
        along = slope * (scores - centre)
        chances = to_probabilities(along + offsets)
        missing = spam - weights * chances
        bend = weights * chances * (1 - chances)
        first = float((missing * along).sum()) - (steep - start[0]) * tight[0]
        second = -slope * float(missing.sum()) - (centre - start[1]) * tight[1]
        of_slope = float((bend * along**2).sum()) + tight[0]
        of_centre = slope**2 * float(bend.sum()) + tight[1]
        both = -slope * float((bend * along).sum())
        area = of_slope * of_centre - both * both
        steps = (
            (of_centre * first - both * second) / area,
            (of_slope * second - both * first) / area,
        )
        bounded = [min(_LONGEST_STEP, max(-_LONGEST_STEP, step)) for step in steps]
        steep = steep + bounded[0]
        centre = centre + bounded[1]
        if abs(steps[0]) + abs(steps[1]) < _ENOUGH_EXACT:
            break
    variances = (of_centre / area, of_slope / area, -both / area)
    # The position of the line is uncertain: the mean over all positions is flatter (MacKay 1992).
    flatter = math.sqrt(1 + _DOUBT * math.exp(2 * steep) * variances[1])
    return Line(math.exp(steep) / flatter, centre, variances, scale)


def _binned(held_out: HeldOut, scale: Scale, share: float) -> Iterator[FloatArray]:
    """Group neighbouring scores, separately for user-chosen and actively selected labels.

    Yield scores, their weights, the weights of spam among them, and the log-odds of spam before a
    score is known. User-chosen labels have the base rate of the labels. Actively selected messages
    were chosen by their scores and have the base rate of the mail they were selected from.
    """
    weights = held_out.weights()
    laid = np.clip(np.nan_to_num(scale.laid(held_out.scores)), -_FURTHEST, _FURTHEST)
    places = np.rint((laid + _FURTHEST) / _BIN).astype(np.int64)
    free = ~held_out.asked
    of_spam, of_ham = (
        float(weights[free & kind].sum()) for kind in (held_out.spam, ~held_out.spam)
    )
    offsets = math.log((of_spam + 0.5) / (of_ham + 0.5)), math.log(share / (1 - share))
    parts = []
    for flags, offset in zip((free, held_out.asked), offsets, strict=True):
        filled, inverse = np.unique(places[flags], return_inverse=True)
        total = np.bincount(inverse, weights[flags], len(filled))
        spam = np.bincount(inverse, weights[flags] * held_out.spam[flags], len(filled))
        parts.append((filled * _BIN - _FURTHEST, total, spam, np.full(len(filled), offset)))
    return map(np.concatenate, zip(*parts, strict=True))
