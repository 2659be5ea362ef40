"""What a model file holds, as plain values: everything that changes a score, and nothing about single messages."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from nbmail.core.counting.sample import LongArray
from nbmail.core.scoring.calibration import HeldOut

# More than anybody has. The default method looks logarithms up by count: 32 bytes for each message there is.
MOST_MESSAGES = 10_000_000
MOST_WORDS = 3_000_000
# Words times classes, 20 bytes each: half a million words in twenty folders, or ten thousand in a thousand.
MOST_CELLS = 10_000_000
MOST_CLASSES = 1000
# Older ones than these, the latest, weigh next to nothing.
MOST_SCORES = 1_000_000


class MeasureSums(NamedTuple):
    """Number, sum and sum of squares of one numeric fact in one class: exact, however large."""

    number: int
    total: int
    squares: int


@dataclass(frozen=True, slots=True, eq=False)
class ModelTables:
    """A model as tables.

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
    held_out: HeldOut = field(default_factory=HeldOut.none)

    @property
    def sizes(self) -> tuple[tuple[str, int], ...]:
        """Each class and how many messages of it there are."""
        return tuple(zip(self.classes, self.messages, strict=True))

    def only(self, kept: Any) -> ModelTables:
        """The tables with these words alone, given as a flag for each."""
        return replace(
            self,
            words=tuple(compress(self.words, kept)),
            documents=self.documents[:, kept],
            occurrences=self.occurrences[:, kept],
            corrections=self.corrections[:, kept],
        )

    def without_scores(self) -> ModelTables:
        """All but the held-out scores."""
        return replace(self, held_out=HeldOut.none())

    def fingerprint(self) -> str:
        """A digest of all that is counted. What is learned on top of the counts, and how, makes no other evidence."""
        digest = hashlib.sha256(json.dumps([self.classes, self.messages, self.measures]).encode())
        digest.update("\n".join(self.words).encode("utf-8", "surrogatepass"))
        for table in (self.documents, self.occurrences):
            digest.update(np.ascontiguousarray(table, "<i8").tobytes())
        return digest.hexdigest()
