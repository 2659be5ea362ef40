"""Held-out scores of a model, as labels are learned and cross-validated, and their line."""

import numpy as np

from nbmail.core.calibration.cross_validation import latest_due
from nbmail.core.calibration.fitting import fit
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.calibration.line import Line
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
        """Return the line for these labels.

        `share`: base rate of the messages that active learning selects from.
        """
        if not self._before.asked[: self._length].any():
            share = 0.5
        cut = max(0, self._length.bit_length() - _FIT_DIGITS)
        length = self._length >> cut << cut
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
