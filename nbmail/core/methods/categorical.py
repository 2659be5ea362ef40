"""Categorical Naive Bayes: each fact is a die with named faces, one die a class.

Source: UTA CSE 6363 (the weather table, m virtual examples).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import FloatArray, IntArray, Vocabulary
from nbmail.core.methods.fact_groups import NONE, Groups, fact_of
from nbmail.core.methods.method import LinearMethod, Weights, log_priors


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

    name: ClassVar[str] = "categorical"
    source: ClassVar[str] = "UTA CSE 6363"

    def __init__(self, vocabulary: Vocabulary | None = None, virtual: float | None = None) -> None:
        super().__init__()
        self.virtual = virtual
        self._groups = Groups(Vocabulary() if vocabulary is None else vocabulary, fact_of)

    @classmethod
    def over(cls, vocabulary: Vocabulary) -> Categorical:
        """Which word states which fact stands in the words themselves."""
        return cls(vocabulary)

    def weigh(self, counts: Counts, words: IntArray | None) -> Weights:
        """Log chances of the facts, 0 for words of text."""
        facts, chances = self._chances(counts)
        if words is None:
            table = np.zeros((len(counts.classes), counts.width))
            table[:, facts] = chances
            return Weights(log_priors(counts), table)
        # An empty column behind the last stands for words that are no facts.
        places = np.searchsorted(facts, words)
        places[np.append(facts, NONE)[places] != words] = len(facts)
        return Weights(log_priors(counts), np.pad(chances, ((0, 0), (0, 1)))[:, places])

    def _chances(self, counts: Counts) -> tuple[IntArray, FloatArray]:
        facts = self._groups.members()
        facts = facts[counts.holders_of(facts) > 0]
        if not len(facts):
            return facts, np.zeros((len(counts.classes), 0))
        groups = self._groups.of(facts)
        virtual = np.bincount(groups).astype(np.float64) if self.virtual is None else self.virtual
        return facts, log_chances(counts.documents_of(facts), groups, virtual)
