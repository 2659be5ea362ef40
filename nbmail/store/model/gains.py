"""What a model's counts have gained since a moment: cheaper than adding up thousands of samples once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import IntArray, LongArray


@dataclass(frozen=True, slots=True)
class Gain:
    """What a class has gained: messages, sums [n, sum, squares] of measures, and of each word that gained anything."""

    label: str
    messages: int
    measures: list[list[int]]
    words: LongArray
    documents: LongArray
    occurrences: LongArray


class Moment:
    """Counts as they were when it was made, of a model that from then on only learns."""

    def __init__(self, counts: Counts) -> None:
        self._messages = list(counts.messages)
        self._measures = [[list(sums) for sums in measures] for measures in counts.measures]
        self._documents, self._occurrences = counts.documents.copy(), counts.occurrences.copy()

    def gains(self, counts: Counts) -> Iterator[Gain]:
        """What each class has gained since, where it did."""
        for row, label in enumerate(counts.classes):
            messages = counts.messages[row] - (self._messages[row] if row < len(self._messages) else 0)
            if messages:
                documents = _grown(counts.documents[row], self._documents, row)
                occurrences = _grown(counts.occurrences[row], self._occurrences, row)
                words = np.flatnonzero(documents)
                measures = self._measures_gained(counts.measures[row], row)
                yield Gain(label, messages, measures, words, documents[words], occurrences[words])

    def _measures_gained(self, now: list[list[int]], row: int) -> list[list[int]]:
        before = self._measures[row] if row < len(self._measures) else []
        known = [[new - old for new, old in zip(*both, strict=True)] for both in zip(now, before, strict=False)]
        return known + [list(sums) for sums in now[len(before) :]]


def _grown(now: IntArray | LongArray, before: IntArray | LongArray, row: int) -> LongArray:
    grown: LongArray = now.astype(np.int64)
    if row < len(before):
        grown[: before.shape[1]] -= before[row]
    return grown
