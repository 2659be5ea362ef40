"""Complement Naive Bayes: a class is described by what all the others are not.

Source: Rennie, Shih, Teevan and Karger, "Tackling the Poor Assumptions of Naive Bayes Text Classifiers" (2003).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray
from nbmail.core.methods.method import LinearMethod, Weights
from nbmail.core.methods.multinomial import log_shares


def complements(occurrences: npt.NDArray[np.integer], totals: FloatArray, vocabulary: int, alpha: float) -> FloatArray:
    """Minus the log of each word's smoothed share of the words of all other classes."""
    return -log_shares(occurrences.sum(axis=0) - occurrences, totals.sum() - totals, vocabulary, alpha)


class Complement(LinearMethod):
    """A word speaks for a class as it is rare in the others, times occurrences. There is no prior."""

    name: ClassVar[str] = "complement"
    source: ClassVar[str] = "Rennie et al. 2003"
    wants_occurrences: ClassVar[bool] = True

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Minus log shares of the complement."""
        totals = np.array(counts.occurrence_totals, np.float64)
        found = complements(counts.occurrences_of(words), totals, counts.words, self.alpha)
        return Weights(np.zeros(len(totals)), np.where(counts.holders_of(words) > 0, found, 0.0))
