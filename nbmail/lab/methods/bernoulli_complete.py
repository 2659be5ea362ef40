"""Bernoulli naive Bayes of present and absent words: Brown CS195-5, with a Beta prior."""

from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import Sample
from nbmail.core.methods.class_chances import log_priors
from nbmail.core.methods.decomposition import ABSENT, DecomposedOdds, Part
from nbmail.core.methods.method import Pair
from nbmail.lab.methods.bernoulli import Bernoulli, log_chances
from nbmail.lab.methods.linear import Weights
from nbmail.lab.methods.logarithms import logarithms


class _AbsentWords(NamedTuple):
    """Sum over the words of a class, all absent, at one state of its counts.

    `words`: their number. `log_chance`: sum of the logarithms before division by the messages.
    """

    change: int
    words: int
    log_chance: float


_UNKNOWN = _AbsentWords(-1, 0, 0.0)


class CompleteBernoulli(Bernoulli):
    """Bernoulli model with absent words. The base is the score of a message without words."""

    def __init__(self, a: float = 2.0, b: float = 2.0, estimate: str = "mode") -> None:
        super().__init__(a, b, estimate)
        self._counts: Counts | None = None
        self._absent: dict[int, _AbsentWords] = {}

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        present, absent = self._log_chances(counts, words)
        is_known = counts.documents_with(words) > 0
        base = log_priors(counts.messages) + self._empty_message(counts)
        return Weights(base, np.where(is_known, present - absent, 0.0))

    def weights(self, counts: Counts, pair: Pair, words: IntArray) -> tuple[FloatArray, FloatArray]:
        wanted, other = pair
        present, _ = self._log_chances(counts, words)
        is_known = counts.documents_with(words) > 0
        ratios = np.where(is_known, present[wanted] - present[other], 0.0)
        return ratios, np.zeros(len(words))

    def decompose(self, counts: Counts, pair: Pair, sample: Sample) -> DecomposedOdds:
        wanted, other = pair
        base, removals = self.compare(counts, pair, sample.words)
        priors = log_priors(counts.messages)
        prior = float(priors[wanted] - priors[other])

        present, absent = self._log_chances(counts, sample.words)
        is_known = counts.documents_with(sample.words) > 0
        ratios = np.where(is_known, present[wanted] - present[other], 0.0)
        losses = np.where(is_known, absent[wanted] - absent[other], 0.0)
        lacking = Part(ABSENT, base - prior - float(losses.sum()))
        return DecomposedOdds(
            prior, ratios, np.zeros(len(ratios)), ratios, (lacking,), removals=removals
        )

    def absent_words(
        self, counts: Counts, pair: Pair, sample: Sample
    ) -> tuple[IntArray, FloatArray]:
        known = np.flatnonzero(counts.documents_with(None)).astype(np.int32)
        words = known[~np.isin(known, sample.words)]
        _, absent = self._log_chances(counts, words)
        wanted, other = pair
        return words, absent[wanted] - absent[other]

    def _log_chances(self, counts: Counts, words: IntArray | None) -> tuple[FloatArray, FloatArray]:
        """Return the log chances that each word is present and that it is absent."""
        messages = np.array(counts.messages, np.float64)
        documents = counts.documents_of(words)
        present = log_chances(documents, messages, self.heads, self.tails)
        absent = log_chances(messages[:, None] - documents, messages, self.tails, self.heads)
        return present, absent

    def _empty_message(self, counts: Counts) -> FloatArray:
        """Return the log chance of a message without any word, per class."""
        found = np.empty(len(counts.messages))
        for row, messages in enumerate(counts.messages):
            total = float(messages)
            absent = self._absent_words_of(counts, row, total)
            tails = total + self.tails
            unheld, everything = logarithms(np.array([tails, total + self.heads + self.tails]))
            others = counts.words - absent.words
            found[row] = absent.log_chance + others * unheld - counts.words * everything
        return found

    def _absent_words_of(self, counts: Counts, row: int, total: float) -> _AbsentWords:
        """Return the sum over the words of a class, cached until the class changes.

        Words with the same number of documents share one logarithm: a tenth of the time.
        """
        if self._counts is not counts:
            self._counts = counts
            self._absent = {}
        known = self._absent.get(row, _UNKNOWN)
        if known.change == counts.changes[row]:
            return known

        alike = np.bincount(counts.documents[row])
        alike[0] = 0
        held = np.flatnonzero(alike)
        log_chance = float((alike[held] * logarithms(total - held + self.tails)).sum())
        found = _AbsentWords(counts.changes[row], int(alike.sum()), log_chance)
        self._absent[row] = found
        return found
