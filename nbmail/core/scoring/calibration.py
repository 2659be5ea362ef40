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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.sample import FloatArray, LongArray
from nbmail.core.scoring.explanation import to_probabilities
from nbmail.values import BoolArray

# Half-life of a score's weight: this share of all held-out scores, but at least so many.
_HALF_LIFE = 0.15
_SHORTEST_HALF_LIFE = 1000.0
_ROUNDS = 60
_LONGEST_STEP = 0.5
_ENOUGH_EXACT = 1e-9
# Half of MacKay's approximation: the whole reduces recall more than necessary, none increases false
# positives.
_DOUBT = math.pi / 16
# Width of the bins in which scores are grouped before the fit: 75,000 take 4 ms instead of 157.
_BIN = 1 / 32
_FURTHEST = 64.0
# Imaginary messages, half of them spam, that pull the estimated base rate to one half. Their number
# is multiplied by 1 + messages / labels.
_IMAGINARY = 10.0
_SHARE_ROUNDS = 30

MOST = 1024
"""Number of labels that are cross-validated. Models hardly change any more when they score later
ones.
"""
NEVER = -1
"""Instead of a number of cross-validated labels: the messages are not available, so that none ever
will be.
"""
FOLDS = 10
EACH = 128
"""Below this number of labels, cross-validation is due at every number."""
DIGITS = 5
"""Above that, it is due at numbers whose binary form has only zeros after so many digits: 16 in
each doubling.
"""
# The number of fitted scores is rounded down to this number of binary digits.
_FIT_DIGITS = 7
# Scores within this distance are alike; never fewer than the nearest ten, never more than the
# nearest 200.
_NEAR = 1.0
_FEWEST_ALIKE = 10
_MOST_ALIKE = 200


class Prior(NamedTuple):
    """Prior distribution of the line, from many mailboxes.

    `slope_spread`: standard deviation of the log slope. `centre_spread`: that of the centre.
    `pull`: change of the centre per log ratio of spam to ham labels, since a class with more
    labels knows more words. `measured`: True for methods whose scores have no common scale
    (`Scale`).
    """

    slope: float
    slope_spread: float
    centre: float
    centre_spread: float
    pull: float
    measured: bool = False

    def centre_for(self, labels: tuple[int, int]) -> float:
        """Return the centre for these numbers of spam and ham labels; none counts as half a
        label.
        """
        return self.centre + self.pull * math.log(max(labels[0], 0.5) / max(labels[1], 0.5))


SHARED = Prior(slope=0.9, slope_spread=0.2, centre=0.3, centre_spread=2.0, pull=1.9)
"""For balanced evidence, whose scores are on one scale in all mailboxes."""
MEASURED = Prior(
    slope=1.0, slope_spread=0.5, centre=0.0, centre_spread=1.5, pull=0.0, measured=True
)
"""For sums over words, which grow with length and labels: only their order and rough spread are
used.
"""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Held-out scores of labels in learning order, NaN without one. `asked`: True if selected by
    its score.
    """

    scores: FloatArray
    spam: BoolArray
    asked: BoolArray

    @classmethod
    def none(cls) -> "HeldOut":
        return cls(np.zeros(0), np.zeros(0, np.bool_), np.zeros(0, np.bool_))

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def columns(self) -> tuple[FloatArray, BoolArray, BoolArray]:
        return self.scores, self.spam, self.asked

    def at(self, places: slice | LongArray) -> "HeldOut":
        return HeldOut(self.scores[places], self.spam[places], self.asked[places])

    def with_room(self, more: int) -> "HeldOut":
        """Return a copy with room for `more` scores at the end."""
        return HeldOut(
            np.pad(self.scores, (0, more)),
            np.pad(self.spam, (0, more)),
            np.pad(self.asked, (0, more)),
        )

    def count(self) -> tuple[int, int]:
        known = ~np.isnan(self.scores)
        return int(np.count_nonzero(known & self.spam)), int(np.count_nonzero(known & ~self.spam))

    def weights(self) -> FloatArray:
        """Return the weight of each score: smaller for older ones, zero without a score."""
        ages = np.arange(len(self))[::-1]
        halved = np.exp2(-ages / max(_SHORTEST_HALF_LIFE, _HALF_LIFE * len(self)))
        return np.asarray(np.where(np.isnan(self.scores), 0.0, halved))


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


def shift_base_rate(log_odds: FloatArray, share: float) -> FloatArray:
    return np.asarray(log_odds + math.log(share / (1 - share)))


def estimate_base_rate(
    log_odds: FloatArray, known: tuple[int, int] = (0, 0), labels: int = 1_000_000
) -> float:
    """Estimate the share of spam in mail from its log-odds at even odds (Saerens et al. 2002).

    `known`: messages of known class, spam and ham, in addition. Imaginary messages pull the result
    to one half, so that few messages or few labels don't move it far.
    """
    imaginary = _IMAGINARY * (1 + len(log_odds) / max(labels, 1))
    odds = np.exp(np.clip(log_odds, -700.0, 700.0))
    share = 0.5
    for _ in range(_SHARE_ROUNDS):
        # The chance of each message at this share, without an exponential each round.
        found = float((odds / (odds + (1 - share) / share)).sum())
        share = (known[0] + found + imaginary / 2) / (sum(known) + len(log_odds) + imaginary)
    return share


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


def latest_due(labels: int) -> int:
    """Return the largest number of labels, up to this one, at which cross-validation is due."""
    labels = min(labels, MOST)
    cut = labels.bit_length() - DIGITS if labels >= EACH else 0
    return labels >> cut << cut


def deal(spam: Sequence[bool]) -> LongArray:
    """Return the fold of each label. Each class is dealt in turn."""
    kinds = np.array(spam, np.bool_)
    folds = np.empty(len(spam), np.int64)
    for flags in (kinds, ~kinds):
        folds[flags] = np.arange(np.count_nonzero(flags)) % FOLDS
    return folds


class HeldOutScores:
    """Held-out scores of all labels. `uncounted`: numbers of spam and ham labels without a
    score.
    """

    def __init__(
        self, held_out: HeldOut, cross_validated: int = 0, uncounted: tuple[int, int] = (0, 0)
    ) -> None:
        """Load scores. `cross_validated`: number of the first ones that are from
        cross-validation.
        """
        # A copy: what comes from a file can't be written to.
        self._before = held_out.with_room(0)
        self._length = len(held_out)
        self._by_folds = held_out.scores[: max(cross_validated, 0)]
        self._never = cross_validated == NEVER
        self._uncounted = uncounted
        self._fitted: tuple[int, Prior, float] | None = None
        self._line = fit(HeldOut.none(), (0, 0))

    def __len__(self) -> int:
        return self._length

    @property
    def cross_validated(self) -> int:
        """Number of scores from cross-validation; `NEVER` if the messages are not available."""
        return NEVER if self._never else len(self._by_folds)

    @property
    def needs_rescoring(self) -> bool:
        return not self._never and len(self._by_folds) != latest_due(self._length)

    @property
    def all(self) -> HeldOut:
        """All scores, in learning order."""
        known = self._before.at(slice(self._length))
        scores = known.scores.copy()
        folded = min(len(self._by_folds), self._length)
        scores[:folded] = self._by_folds[:folded]
        return HeldOut(scores, known.spam.copy(), known.asked.copy())

    def append(self, scores: FloatArray, spam: BoolArray, asked: BoolArray) -> None:
        """Append scores from before learning, in learning order."""
        length = self._length + len(scores)
        if length > len(self._before):
            self._before = self._before.with_room(max(64, self._length, len(scores)))
        place = slice(self._length, length)
        self._before.scores[place] = scores
        self._before.spam[place] = spam
        self._before.asked[place] = asked
        self._length = length

    def drop_latest(self) -> None:
        self._length -= 1
        self._fitted = None
        if self._length < len(self._by_folds):
            # A fold had learned the label that is dropped.
            self._by_folds = self._by_folds[:0]

    def set_cross_validated(self, by_folds: FloatArray) -> None:
        self._by_folds = by_folds
        self._fitted = None

    def line(self, prior: Prior, share: float) -> Line:
        """Return the line for these labels. `share`: base rate of the messages that active learning
        selects from.
        """
        cut = max(0, self._length.bit_length() - _FIT_DIGITS)
        wanted = (
            self._length >> cut << cut,
            prior,
            share if self._before.asked[: self._length].any() else 0.5,
        )
        if self._fitted != wanted:
            known = self.all.at(slice(wanted[0]))
            of_spam = int(np.count_nonzero(known.spam))
            labels = of_spam + self._uncounted[0], len(known) - of_spam + self._uncounted[1]
            self._line = fit(known, labels, prior, wanted[2])
            self._fitted = wanted
        return self._line

    def nearest(self, score: float) -> tuple[int, int]:
        known = self.all
        distances = np.abs(known.scores - score)
        nearest = np.argsort(distances, kind="stable")[
            : int(np.count_nonzero(~np.isnan(distances)))
        ][:_MOST_ALIKE]
        chosen = nearest[: max(int(np.count_nonzero(distances[nearest] <= _NEAR)), _FEWEST_ALIKE)]
        return len(chosen), int(np.count_nonzero(known.spam[chosen]))
