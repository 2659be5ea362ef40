"""Methods with one weight for each word and class."""

from abc import abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.word_rows import WordRows
from nbmail.core.methods.decomposition import DecomposedOdds
from nbmail.core.methods.method import Method, Pair, Scorer


class Weights(NamedTuple):
    """Weights of words by class (row) and word (column).

    Score of a class: scale * sum of its weights + `base`.
    """

    base: FloatArray
    words: FloatArray


class LinearMethod(Method):
    """A method with one weight for each word and class."""

    is_learned: ClassVar[bool] = False
    """True if weights are corrections. The words of a message then share a length of 1: 1 / sqrt(n)
    each.
    """

    @abstractmethod
    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Return the weights of words, of all columns for None.

        Words of no message, and the last column, have 0.
        """

    def compare(
        self, counts: Counts, pair: Pair, words: IntArray | None
    ) -> tuple[float, FloatArray]:
        """Return the base and the weights of words between two classes."""
        base, weights = self.weigh(counts, words)
        wanted, other = pair
        return float(base[wanted] - base[other]), weights[wanted] - weights[other]

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the weights of these words before they are scaled by the length of a message."""
        _, weights = self.compare(counts, pair, words)
        nothing = np.zeros(len(words))
        if self.is_learned:
            return nothing, weights
        return weights, nothing

    def scorer(self, counts: Counts, pair: Pair, words: IntArray | None = None) -> Scorer:
        base, weights = self.compare(counts, pair, words)
        is_aligned = words is not None
        return lambda rows: base + self._sums(weights, rows, aligned=is_aligned)

    def scores(self, counts: Counts, rows: WordRows) -> FloatArray:
        """Return a score for every message and class, in one pass for each class."""
        words = rows.words_if_few(counts.width)
        is_aligned = words is not None
        bases, weights = self.weigh(counts, words)
        found = np.empty((len(rows), len(counts.classes)))
        for row, base in enumerate(bases):
            found[:, row] = base + self._sums(weights[row], rows, aligned=is_aligned)
        return found

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        """Return the log-odds of one message in parts, from the weights of its words."""
        base, weights = self.compare(counts, pair, sample.words)
        nothing = np.zeros(len(weights))
        if self.is_learned:
            contributions = weights * (1.0 / np.sqrt(max(len(weights), 1)))
            return DecomposedOdds(base, nothing, contributions, contributions)
        times = sample.occurrences if self.wants_occurrences else 1.0
        return DecomposedOdds(base, weights, nothing, weights * times)

    def _sums(self, weights: FloatArray, rows: WordRows, *, aligned: bool) -> FloatArray:
        sums = rows.sum(weights, aligned=aligned, times=self.wants_occurrences)
        if not self.is_learned:
            return sums
        return sums * (1.0 / np.sqrt(np.maximum(rows.lengths(), 1)))
