"""What one message says, as the small whole numbers that are counted and stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nbmail.core.reading.word_table import new_table

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

MISSING = np.iinfo(np.int64).min
"""A measure that a message of `WordRows` lacks."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The evidence of one message.

    `words` are numbers of a vocabulary, sorted, each once, and `occurrences` stand beside them. A word carries its
    place in front ("subject:free", "from:anna", plain for the body), and a categorical fact is a word too
    ("fact:charset=utf-8"). `measures` are the numeric facts, in the order of `nbmail.core.reading.facts.MEASURES`.
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


@dataclass(frozen=True, slots=True, eq=False)
class WordRows:
    """Many messages' words end to end: message i holds `words[starts[i]:starts[i + 1]]`.

    `occurrences` stand beside the words, `measures` have a row a message: for the methods that want them. Without
    occurrences each word counts once, without measures none speaks.
    """

    words: IntArray
    starts: LongArray
    occurrences: IntArray | None = None
    measures: LongArray | None = None

    def __len__(self) -> int:
        return len(self.starts) - 1

    def without(self, words: IntArray) -> WordRows:
        """These messages less these words."""
        kept = ~np.isin(self.words, words)
        starts = np.append(0, np.cumsum(kept))[self.starts]
        occurrences = None if self.occurrences is None else self.occurrences[kept]
        return WordRows(self.words[kept], starts, occurrences, self.measures)

    @classmethod
    def join(cls, rows: Sequence[IntArray]) -> WordRows:
        """Lay single messages' words end to end."""
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=starts[1:])
        words = np.concatenate(rows) if rows else np.empty(0, np.int32)
        return cls(words.astype(np.int32, copy=False), starts)

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> WordRows:
        """Lay whole samples end to end, with all their evidence."""
        rows = cls.join([sample.words for sample in samples])
        none = [np.empty(0, np.int32)]
        occurrences = np.concatenate([sample.occurrences for sample in samples] or none)
        width = max((len(sample.measures) for sample in samples), default=0)
        measures = np.full((len(samples), width), MISSING, np.int64)
        for place, sample in enumerate(samples):
            measures[place, : len(sample.measures)] = sample.measures
        return cls(rows.words, rows.starts, occurrences.astype(np.int32, copy=False), measures)


class Vocabulary:
    """Words and their numbers, 0, 1, 2, … in the order of first meeting. It only grows."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.table = new_table()
        self.table.numbers_of(words)

    def __len__(self) -> int:
        return len(self.table)

    def word(self, number: int) -> str:
        return self.table.word(number)

    def words_from(self, number: int) -> list[str]:
        return self.table.words_from(number)

    def numbers_of(self, words: Iterable[str]) -> list[int]:
        """The numbers of these words, new ones for new words."""
        return self.table.numbers_of(words)

    def known_numbers_of(self, words: Iterable[str]) -> list[int]:
        """The numbers of these words, -1 for new ones."""
        return self.table.known_numbers_of(words)
