"""Categorical naive Bayes of facts: UTA CSE 6363 (weather table, m virtual examples)."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import FloatArray, IntArray
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.methods.class_chances import log_priors
from nbmail.lab.methods.linear import LinearMethod, Weights
from nbmail.lab.methods.logarithms import logarithms

_NO_FACT = -1


def fact_log_chances(
    documents: npt.NDArray[np.integer], groups: npt.NDArray[np.integer], virtual: FloatArray | float
) -> FloatArray:
    """Return the log probability of each value (column) of its fact (`groups`) in each class (row).

    The probability is (messages with the value + m / k) / (messages with any value + m) for a fact
    of k values. `virtual` is m, 0 for maximum likelihood. With m = alpha * k the formula is Laplace
    smoothing by alpha. A class without any value has 1 / k, which is the limit for small m.
    """
    facts = int(groups.max(initial=-1)) + 1
    values = np.bincount(groups, minlength=facts)
    known = np.stack([np.bincount(groups, weights=row, minlength=facts) for row in documents])
    examples = np.broadcast_to(np.asarray(virtual, np.float64), (facts,))
    examples = np.where(known + examples == 0, 1.0, examples)
    examples_of_value = examples / np.maximum(values, 1)
    upper = logarithms(documents + examples_of_value[:, groups])
    return upper - np.log(known + examples)[:, groups]


class Categorical(LinearMethod):
    """Categorical facts ("fact:name=value") only, with m virtual examples each.

    By default m is the number of values.
    """

    has_prior: ClassVar[bool] = True
    reads_words: ClassVar[bool] = True

    def __init__(self, vocabulary: Vocabulary, virtual: float | None = None) -> None:
        self.virtual = virtual
        self._vocabulary = vocabulary
        self._read = 0
        # The words that state a fact, in rising order, and the number of the fact that each states.
        self._words = np.empty(0, np.int32)
        self._groups = np.empty(0, np.int32)
        self._facts: dict[str, int] = {}

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        priors = log_priors(counts.messages)
        facts, chances = self._chances(counts)
        if words is None:
            table = np.zeros((len(counts.classes), counts.width))
            table[:, facts] = chances
            return Weights(priors, table)
        # An empty column behind the last stands for words that are no facts.
        places = np.searchsorted(facts, words)
        places[np.append(facts, _NO_FACT)[places] != words] = len(facts)
        padded = np.pad(chances, ((0, 0), (0, 1)))
        return Weights(priors, padded[:, places])

    def _chances(self, counts: Counts) -> tuple[IntArray, FloatArray]:
        """Return the facts that were met, and the log chance of each in each class."""
        self._read_new_words()
        known = counts.documents_with(self._words) > 0
        facts = self._words[known]
        groups = self._groups[known]
        if not len(facts):
            return facts, np.zeros((len(counts.classes), 0))
        values = np.bincount(groups).astype(np.float64)
        virtual = values if self.virtual is None else self.virtual
        return facts, fact_log_chances(counts.documents_of(facts), groups, virtual)

    def _read_new_words(self) -> None:
        new = self._vocabulary.words_from(self._read)
        numbers: list[int] = []
        groups: list[int] = []
        for number, word in enumerate(new, self._read):
            if word.startswith("fact:"):
                fact = word.partition("=")[0]
                numbers.append(number)
                groups.append(self._facts.setdefault(fact, len(self._facts)))
        if numbers:
            self._words = np.append(self._words, np.array(numbers, np.int32))
            self._groups = np.append(self._groups, np.array(groups, np.int32))
        self._read += len(new)
