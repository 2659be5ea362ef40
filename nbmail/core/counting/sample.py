"""The evidence of one message, as integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nbmail.core.counting.arrays import IntArray
from nbmail.core.words.tokenizer import with_counts


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The evidence of one message.

    `words`: numbers in a vocabulary, sorted, without duplicates. `occurrences`: one number for
    each. A word begins with its place ("subject:free", "from:anna"; none for the body), and a
    categorical fact is a word too ("fact:charset=utf-8"). `measures` are the numeric facts, in the
    order of `nbmail.core.words.measures.MEASURES`.
    """

    words: IntArray
    occurrences: IntArray
    measures: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sample)
            and np.array_equal(self.words, other.words)
            and np.array_equal(self.occurrences, other.occurrences)
            and self.measures == other.measures
        )

    __hash__ = None  # type: ignore[assignment]

    def with_counts(self, counts: Mapping[int, int]) -> Sample:
        """Return this sample with other occurrences of some words; 0 removes the word."""
        words, times = with_counts(self.words.tobytes(), self.occurrences.tobytes(), counts)
        return Sample(np.frombuffer(words, np.int32), np.frombuffer(times, np.int32), self.measures)
