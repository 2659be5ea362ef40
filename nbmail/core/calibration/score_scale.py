"""A scale for scores of methods that have none."""

from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.values import BoolArray

# The standard deviation of a normal distribution, in medians of its absolute deviation.
_DEVIATION = 1.48
_SMALLEST = 1e-6


class Scale(NamedTuple):
    """The scale arcsinh((score - `middle`) / `unit`). Without `unit` scores stay unchanged."""

    middle: float = 0.0
    unit: float = 0.0

    @classmethod
    def of(cls, scores: FloatArray, spam: BoolArray) -> "Scale":
        """Return the scale of held-out scores.

        It is centred between the medians of the classes, in units of spread.
        """
        is_known = ~np.isnan(scores)
        scores = scores[is_known]
        spam = spam[is_known]
        if spam.all() or not spam.any():
            size = float(np.abs(scores).mean()) if len(scores) else 0.0
            return cls(0.0, size + 1.0)
        of_spam = float(np.median(scores[spam]))
        of_ham = float(np.median(scores[~spam]))
        distances = np.abs(scores - np.where(spam, of_spam, of_ham))
        spread = _spread_of(distances, spam) + _spread_of(distances, ~spam)
        middle = (of_spam + of_ham) / 2
        return cls(middle, max(spread, abs(of_spam - of_ham) / 6, _SMALLEST))

    def laid(self, scores: FloatArray) -> FloatArray:
        """Return the scores on this scale, in the same order."""
        if not self.unit:
            return scores
        return np.asarray(np.arcsinh((scores - self.middle) / self.unit))


def _spread_of(distances: FloatArray, kind: BoolArray) -> float:
    """Return the spread of one class, weighted by its share."""
    return _DEVIATION * float(np.median(distances[kind])) * float(kind.mean())
