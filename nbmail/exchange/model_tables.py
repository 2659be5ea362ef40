"""What a model file holds, as plain values: everything that changes a score, and nothing about single messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nbmail.core.counting.sample import FloatArray, LongArray

# More than anybody has. The default method looks logarithms up by count: 32 bytes for each message there is.
MOST_MESSAGES = 10_000_000


@dataclass(frozen=True, slots=True)
class MeasureSums:
    """Number, sum and sum of squares of one numeric fact in one class: exact, however large."""

    count: int
    total: int
    squares: int


@dataclass(frozen=True, slots=True, eq=False)
class ModelTables:
    """A model taken apart.

    `documents`, `occurrences` and `corrections` have a row for each class and a column for each word; `measures` has
    a tuple for each class.
    """

    tokenizer: int
    method: str
    classes: tuple[str, ...]
    messages: tuple[int, ...]
    words: tuple[str, ...]
    documents: LongArray
    occurrences: LongArray
    corrections: LongArray
    measures: tuple[tuple[MeasureSums, ...], ...] = ()
    held_out_scores: FloatArray = field(default_factory=lambda: np.zeros(0))
    held_out_junk: Any = field(default_factory=lambda: np.zeros(0, bool))

    def __eq__(self, other: object) -> bool:
        """Equal when every table and value is."""
        return isinstance(other, ModelTables) and self._plain() == other._plain()

    __hash__ = None  # type: ignore[assignment]

    def _plain(self) -> tuple[Any, ...]:
        arrays = (self.documents, self.occurrences, self.corrections, self.held_out_scores, self.held_out_junk)
        head = (self.tokenizer, self.method, self.classes, self.messages, self.words, self.measures)
        return (*head, [array.tolist() for array in arrays])
