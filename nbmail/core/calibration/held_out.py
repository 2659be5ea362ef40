"""Held-out scores of labels."""

from dataclasses import dataclass

import numpy as np

from nbmail.core.calibration.family_weights import without_families
from nbmail.core.counting.arrays import FloatArray, LongArray
from nbmail.values import BoolArray

# Half-life of a score's weight: this share of all held-out scores, but at least so many.
_HALF_LIFE = 0.15
_SHORTEST_HALF_LIFE = 1000.0


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Held-out scores of labels in learning order, NaN without one.

    `parts`: the score of all words, then that of each family (`family_weights`). `asked`: True if
    active learning selected the message by its score.
    """

    parts: FloatArray
    spam: BoolArray
    asked: BoolArray

    @classmethod
    def none(cls) -> "HeldOut":
        return cls.of_scores(np.zeros(0), np.zeros(0, np.bool_), np.zeros(0, np.bool_))

    @classmethod
    def of_scores(cls, scores: FloatArray, spam: BoolArray, asked: BoolArray) -> "HeldOut":
        """Return scores without those of families."""
        return cls(without_families(scores), spam, asked)

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def scores(self) -> FloatArray:
        return self.parts[:, 0]

    def at(self, places: slice | LongArray) -> "HeldOut":
        return HeldOut(self.parts[places], self.spam[places], self.asked[places])

    def with_room(self, more: int) -> "HeldOut":
        """Return a copy with room for `more` scores at the end."""
        return HeldOut(
            np.pad(self.parts, ((0, more), (0, 0))),
            np.pad(self.spam, (0, more)),
            np.pad(self.asked, (0, more)),
        )

    def count(self) -> tuple[int, int]:
        """Return the numbers of spam and ham labels with a score."""
        is_known = ~np.isnan(self.scores)
        of_spam = np.count_nonzero(is_known & self.spam)
        of_ham = np.count_nonzero(is_known & ~self.spam)
        return int(of_spam), int(of_ham)

    def weights(self) -> FloatArray:
        """Return the weight of each score: smaller for older ones, zero without a score."""
        ages = np.arange(len(self))[::-1]
        half_life = max(_SHORTEST_HALF_LIFE, _HALF_LIFE * len(self))
        halved = np.exp2(-ages / half_life)
        return np.asarray(np.where(np.isnan(self.scores), 0.0, halved))
