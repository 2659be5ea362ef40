"""Multinomial Naive Bayes: a class is an urn of words, a message is drawn from it word by word.

Sources: USC CSCI 567 and UTA CSE 6363 (multinomial event model; maximum likelihood and Laplace smoothing). Its
complement, where a class is described by what all the others are not: Rennie, Shih, Teevan and Karger, "Tackling the
Poor Assumptions of Naive Bayes Text Classifiers" (2003).
"""

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray
from nbmail.core.methods.method import LinearMethod, Weights, log_priors


def log_shares(occurrences: npt.NDArray[np.integer], totals: FloatArray, vocabulary: int, alpha: float) -> FloatArray:
    """The log of each word's smoothed share of its class's words: (times + alpha) / (all + alpha * vocabulary).

    `alpha` 0 is maximum likelihood (a word never seen in a class then rules it out), 1 is Laplace.
    """
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(occurrences + alpha) - np.log(totals + alpha * vocabulary)[:, None])


class Multinomial(LinearMethod):
    """Smoothed share of the class's words, times occurrences."""

    wants_occurrences: ClassVar[bool] = True

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Log shares; the vocabulary is the words that any message holds."""
        totals = np.array(counts.occurrence_totals, np.float64)
        shares = log_shares(counts.occurrences_of(words), totals, counts.words, self.alpha)
        return Weights(log_priors(counts), np.where(counts.holders_of(words) > 0, shares, 0.0))


class Complement(Multinomial):
    """A word speaks for a class as it is rare in the others, times occurrences. There is no prior."""

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Minus the log of each word's smoothed share of the words of all other classes."""
        totals = np.array(counts.occurrence_totals, np.float64)
        occurrences = counts.occurrences_of(words)
        others = log_shares(occurrences.sum(axis=0) - occurrences, totals.sum() - totals, counts.words, self.alpha)
        return Weights(np.zeros(len(totals)), np.where(counts.holders_of(words) > 0, -others, 0.0))
