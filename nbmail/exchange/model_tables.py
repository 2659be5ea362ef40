"""Plain tables of a model, as a file contains them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import NamedTuple

import numpy as np

from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.counting.arrays import LongArray
from nbmail.values import BoolArray

MOST_MESSAGES = 10_000_000
"""The default method has a table of logarithms with 32 bytes for each message."""
MOST_WORDS = 3_000_000
MOST_CELLS = 10_000_000
"""Words times classes, 20 bytes each: for example 500,000 words in 20 classes."""
MOST_CLASSES = 1000
MOST_SCORES = 1_000_000
"""The latest held-out scores. Older ones have almost no weight."""


class MeasureSums(NamedTuple):
    """Number, sum and sum of squares of one numeric fact in one class, as exact integers."""

    number: int
    total: int
    squares: int


@dataclass(frozen=True, slots=True, eq=False)
class ModelTables:
    """A model as plain values: everything that affects scores, and nothing about single messages.

    `documents`, `occurrences` and `corrections` have a row for each class and a column for each
    word. `measures` has a tuple for each class.
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
        return tuple(zip(self.classes, self.messages, strict=True))

    def only(self, kept: BoolArray) -> ModelTables:
        """Return the tables restricted to some words. `kept` has a flag for each word."""
        return replace(
            self,
            words=tuple(compress(self.words, kept)),
            documents=self.documents[:, kept],
            occurrences=self.occurrences[:, kept],
            corrections=self.corrections[:, kept],
        )

    def without_scores(self) -> ModelTables:
        return replace(self, held_out=HeldOut.none())

    def fingerprint(self) -> str:
        """Return a digest of all counts.

        Corrections and scores derive from the same messages and are left out.
        """
        head = json.dumps([self.classes, self.messages, self.measures])
        digest = hashlib.sha256(head.encode())
        digest.update("\n".join(self.words).encode("utf-8", "surrogatepass"))
        for table in (self.documents, self.occurrences):
            digest.update(np.ascontiguousarray(table, "<i8").tobytes())
        return digest.hexdigest()
