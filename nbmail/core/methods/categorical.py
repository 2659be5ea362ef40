"""Categorical Naive Bayes: each fact is a die with named faces, one die a class.

Source: UTA CSE 6363 (the weather table, m virtual examples).
"""

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, Vocabulary
from nbmail.core.methods.method import LinearMethod, Weights, log_priors

_NO_FACT = -1


def log_chances(
    documents: npt.NDArray[np.integer], groups: npt.NDArray[np.integer], virtual: FloatArray | float
) -> FloatArray:
    """The log chance of each value (column) of its fact (`groups`) in each class (row).

    (messages with the value + m / k) / (messages with any value + m) for a fact of k values: `virtual` m examples in
    which every value is as likely, 0 for maximum likelihood. With m = alpha * k it is Laplace smoothing by alpha.
    """
    facts = int(groups.max(initial=-1)) + 1
    values = np.bincount(groups, minlength=facts)
    known = np.stack([np.bincount(groups, weights=row, minlength=facts) for row in documents])
    examples = np.broadcast_to(np.asarray(virtual, np.float64), (facts,))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (documents + (examples / values)[groups]) / (known + examples)[:, groups]
        return np.asarray(np.log(share))


class Categorical(LinearMethod):
    """Only facts speak ("fact:name=value"), with m virtual examples each; m is the number of values by default."""

    def __init__(self, vocabulary: Vocabulary, virtual: float | None = None) -> None:
        self.virtual = virtual
        self._facts = _Facts(vocabulary)

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Log chances of the facts, 0 for words of text."""
        facts, chances = self._chances(counts)
        if words is None:
            table = np.zeros((len(counts.classes), counts.width))
            table[:, facts] = chances
            return Weights(log_priors(counts), table)
        # An empty column behind the last stands for words that are no facts.
        places = np.searchsorted(facts, words)
        places[np.append(facts, _NO_FACT)[places] != words] = len(facts)
        return Weights(log_priors(counts), np.pad(chances, ((0, 0), (0, 1)))[:, places])

    def _chances(self, counts: Counts) -> tuple[IntArray, FloatArray]:
        facts = self._facts.words()
        facts = facts[counts.holders_of(facts) > 0]
        if not len(facts):
            return facts, np.zeros((len(counts.classes), 0))
        groups = self._facts.groups_of(facts)
        virtual = np.bincount(groups).astype(np.float64) if self.virtual is None else self.virtual
        return facts, log_chances(counts.documents_of(facts), groups, virtual)


class _Facts:
    """Which words of a growing vocabulary state which fact, found from each word's text once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._numbers: dict[str, int] = {}
        self._known = 0
        self._groups: IntArray = np.empty(0, np.int32)
        self._words: IntArray = np.empty(0, np.int32)

    def words(self) -> IntArray:
        """The numbers of all words that state a fact, in rising order."""
        new = self._vocabulary.words_from(self._known)
        groups = np.array([self._number(word) for word in new], np.int32)
        stating = np.flatnonzero(groups != _NO_FACT)
        if len(stating):
            self._words = np.append(self._words, (stating + self._known).astype(np.int32))
            self._groups = np.append(self._groups, groups[stating])
        self._known += len(new)
        return self._words

    def groups_of(self, words: IntArray) -> IntArray:
        """The fact that each of these words states, as a number."""
        return self._groups[np.searchsorted(self._words, words)]

    def _number(self, word: str) -> int:
        if not word.startswith("fact:"):
            return _NO_FACT
        return self._numbers.setdefault(word.partition("=")[0], len(self._numbers))
