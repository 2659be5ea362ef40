"""Held-out scores of a model, as labels are learned and cross-validated, and their line."""

import numpy as np

from nbmail.core.calibration.calibration_line import Line
from nbmail.core.calibration.cross_validation import latest_due
from nbmail.core.calibration.family_weights import NO_WEIGHTS, Weights, blend, family_weights
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.calibration.line_fitting import fit
from nbmail.core.calibration.prior import Prior
from nbmail.core.counting.arrays import FloatArray
from nbmail.values import BoolArray

NEVER = -1
"""Instead of a number of cross-validated labels: none ever will be, without their messages."""
# The number of fitted scores is rounded down to this number of binary digits.
_FIT_DIGITS = 7
# Scores within this distance are alike: at least the nearest ten, at most the nearest 200.
_NEAR = 1.0
_FEWEST_ALIKE = 10
_MOST_ALIKE = 200


class HeldOutScores:
    """Held-out scores of all labels.

    `uncounted`: numbers of spam and ham labels without a score.
    """

    def __init__(
        self, held_out: HeldOut, cross_validated: int = 0, uncounted: tuple[int, int] = (0, 0)
    ) -> None:
        """Load scores. `cross_validated`: number of the first ones from cross-validation."""
        # A copy: what comes from a file can't be written to.
        self._before = held_out.with_room(0)
        self._length = len(held_out)
        self._by_folds = held_out.parts[: max(cross_validated, 0)]
        self._never = cross_validated == NEVER
        self._uncounted = uncounted
        self._fitted: tuple[int, Prior, float] | None = None
        self._weighed: int | None = None
        self._weights = NO_WEIGHTS
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
    def stored(self) -> HeldOut:
        """All scores in parts, in learning order."""
        known = self._before.at(slice(self._length))
        parts = known.parts.copy()
        folded = min(len(self._by_folds), self._length)
        parts[:folded] = self._by_folds[:folded]
        return HeldOut(parts, known.spam.copy(), known.asked.copy())

    @property
    def all(self) -> HeldOut:
        """All scores as the families count now, in learning order."""
        stored = self.stored
        scores = blend(stored.parts, self.weights)
        return HeldOut.of_scores(scores, stored.spam, stored.asked)

    @property
    def weights(self) -> Weights:
        """Weights of the families of words."""
        length = self._fitted_length
        if self._weighed != length:
            known = self.stored.at(slice(length))
            self._weights = family_weights(known.parts, known.spam)
            self._weighed = length
        return self._weights

    @property
    def _fitted_length(self) -> int:
        """Number of scores that line and weights depend on."""
        cut = max(0, self._length.bit_length() - _FIT_DIGITS)
        return self._length >> cut << cut

    def append(self, parts: FloatArray, spam: BoolArray, asked: BoolArray) -> None:
        """Append scores from before learning, in parts and in learning order."""
        length = self._length + len(parts)
        if length > len(self._before):
            self._before = self._before.with_room(max(64, self._length, len(parts)))
        place = slice(self._length, length)
        self._before.parts[place] = parts
        self._before.spam[place] = spam
        self._before.asked[place] = asked
        self._length = length

    def drop_latest(self) -> None:
        self._length -= 1
        self._fitted = None
        self._weighed = None
        if self._length < len(self._by_folds):
            # A fold had learned the label that is dropped.
            self._by_folds = self._by_folds[:0]

    def set_cross_validated(self, by_folds: FloatArray) -> None:
        self._by_folds = by_folds
        self._fitted = None
        self._weighed = None

    def line(self, prior: Prior, share: float) -> Line:
        """Return the line for these labels.

        `share`: base rate of the messages that active learning selects from.
        """
        if not self._before.asked[: self._length].any():
            share = 0.5
        length = self._fitted_length
        wanted = (length, prior, share)
        if self._fitted != wanted:
            known = self.all.at(slice(length))
            of_spam = int(np.count_nonzero(known.spam))
            of_ham = len(known) - of_spam
            labels = (of_spam + self._uncounted[0], of_ham + self._uncounted[1])
            self._line = fit(known, labels, prior, share)
            self._fitted = wanted
        return self._line

    def nearest(self, score: float) -> tuple[int, int]:
        """Return how many labels have a score like this one, and how many of them are spam."""
        known = self.all
        distances = np.abs(known.scores - score)
        # NaN comes last.
        with_score = int(np.count_nonzero(~np.isnan(distances)))
        by_distance = np.argsort(distances, kind="stable")[: min(with_score, _MOST_ALIKE)]
        near = int(np.count_nonzero(distances[by_distance] <= _NEAR))
        alike = by_distance[: max(near, _FEWEST_ALIKE)]
        return len(alike), int(np.count_nonzero(known.spam[alike]))
