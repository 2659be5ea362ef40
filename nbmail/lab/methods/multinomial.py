"""Multinomial naive Bayes: the smoothed share of a word among all words of a class.

Sources: USC CSCI 567 and UTA CSE 6363 (maximum likelihood, Laplace smoothing).
"""

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.methods.class_chances import log_priors
from nbmail.lab.methods.linear import LinearMethod, Weights
from nbmail.lab.methods.logarithms import logarithms


def log_shares(
    occurrences: npt.NDArray[np.integer], totals: FloatArray, vocabulary: int, alpha: float
) -> FloatArray:
    """Return the log of each word's smoothed share of its class.

    The share is (times + alpha) / (all + alpha * vocabulary).
    """
    return logarithms(occurrences + alpha) - logarithms(totals + alpha * vocabulary)[:, None]


class Multinomial(LinearMethod):
    """Smoothed share of the class's words, times occurrences."""

    wants_occurrences: ClassVar[bool] = True
    has_prior: ClassVar[bool] = True

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        totals = np.array(counts.occurrence_totals, np.float64)
        shares = log_shares(counts.occurrences_of(words), totals, counts.words, self.alpha)
        is_known = counts.documents_with(words) > 0
        return Weights(log_priors(counts.messages), np.where(is_known, shares, 0.0))
