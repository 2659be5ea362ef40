"""Bernoulli Naive Bayes: a class is a row of biased coins, one a word, and a message says which came up heads.

Sources: UW CSE 446, Algorithm 1 (only present words speak); Brown CS195-5 (absent ones too, Beta prior per word).
"""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray
from nbmail.core.methods.method import LinearMethod, Weights, log_priors

Estimate = Literal["mode", "mean"]


def pseudo_counts(a: float, b: float, estimate: Estimate) -> tuple[float, float]:
    """What a Beta(a, b) prior adds to heads and to tails.

    The posterior's mode is (heads + a - 1) / (n + a + b - 2), its mean (heads + a) / (n + a + b).
    """
    return (a - 1.0, b - 1.0) if estimate == "mode" else (a, b)


def log_chances(documents: npt.NDArray[Any], messages: FloatArray, heads: float, tails: float) -> FloatArray:
    """The log chance of each word to be in a message of its class, told from how many of its messages hold it."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(documents + heads) - np.log(messages + (heads + tails))[:, None])


class Bernoulli(LinearMethod):
    """Present words only: (1 + messages with it) / (2 + messages). Words never learned are ignored."""

    def __init__(self, heads: float = 1.0, tails: float = 1.0) -> None:
        self.heads = heads
        self.tails = tails

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        messages = np.array(counts.messages, np.float64)
        present = log_chances(counts.documents_of(words), messages, self.heads, self.tails)
        return Weights(log_priors(counts), np.where(counts.holders_of(words) > 0, present, 0.0))


class CompleteBernoulli(LinearMethod):
    """What is absent speaks too. The base is a message without any word; a present word trades its absence.

    The pseudo-counts are those of a Beta(a, b) prior per word, by the posterior's mode or mean.
    """

    def __init__(self, a: float = 2.0, b: float = 2.0, estimate: Estimate = "mode") -> None:
        self.heads, self.tails = pseudo_counts(a, b, estimate)
        self._counts: Counts | None = None
        self._known: dict[int, tuple[int, int, float]] = {}

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Log chances of presence less those of absence, on the base of everything absent."""
        messages = np.array(counts.messages, np.float64)
        documents = counts.documents_of(words)
        present = log_chances(documents, messages, self.heads, self.tails)
        absent = log_chances(messages[:, None] - documents, messages, self.tails, self.heads)
        base = log_priors(counts) + self._nothing(counts, messages)
        return Weights(base, np.where(counts.holders_of(words) > 0, present - absent, 0.0))

    def _nothing(self, counts: Counts, messages: FloatArray) -> FloatArray:
        """The log chance of a message without any word, per class."""
        found = np.empty(len(messages))
        for row, total in enumerate(messages):
            words, missing = self._missing(counts, row, float(total))
            unheld = (counts.words - words) * np.log(total + self.tails)
            found[row] = missing + unheld - counts.words * np.log(total + self.heads + self.tails)
        return found

    def _missing(self, counts: Counts, row: int, messages: float) -> tuple[int, float]:
        """How many words a class holds, and the sum over them of log(messages without the word + tails).

        Added up anew only where the class has changed, mostly one. Most words share a few numbers of documents: each
        logarithm is taken once, which is ten times as fast.
        """
        if self._counts is not counts:
            self._counts, self._known = counts, {}
        change = counts.changes[row]
        known = self._known.get(row)
        if known is None or known[0] != change:
            alike = np.bincount(counts.documents[row])
            alike[0] = 0
            held = np.flatnonzero(alike)
            missing = float((alike[held] * np.log(messages - held + self.tails)).sum())
            known = self._known[row] = (change, int(alike.sum()), missing)
        return known[1:]
