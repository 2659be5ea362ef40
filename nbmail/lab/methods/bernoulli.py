"""Bernoulli naive Bayes of present words: UW CSE 446, Algorithm 1."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.methods.class_chances import log_priors
from nbmail.lab.methods.linear import LinearMethod, Weights
from nbmail.lab.methods.logarithms import logarithms


def log_chances(
    documents: npt.NDArray[np.number], messages: FloatArray, heads: float, tails: float
) -> FloatArray:
    """Return the log chance of each word (column) in each class (row), with pseudo-counts."""
    return logarithms(documents + heads) - logarithms(messages + (heads + tails))[:, None]


class Bernoulli(LinearMethod):
    """Present words only: (1 + messages with it) / (2 + messages), by a Beta(2, 2) prior.

    Unknown words are ignored. A Beta(a, b) prior adds pseudo-counts to present (`heads`) and absent
    words (`tails`). `estimate` of the posterior:

    * mode: (heads + a - 1) / (n + a + b - 2).
    * mean: (heads + a) / (n + a + b).
    """

    has_prior: ClassVar[bool] = True

    def __init__(self, a: float = 2.0, b: float = 2.0, estimate: str = "mode") -> None:
        one_less = 1.0 if estimate == "mode" else 0.0
        self.heads = a - one_less
        self.tails = b - one_less

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        messages = np.array(counts.messages, np.float64)
        present = log_chances(counts.documents_of(words), messages, self.heads, self.tails)
        is_known = counts.documents_with(words) > 0
        return Weights(log_priors(counts.messages), np.where(is_known, present, 0.0))
