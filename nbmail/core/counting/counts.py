"""Counts: whole numbers from which every weight is derived.

Tables have a row for each class and a column for each word. They grow by doubling. Their last
column is always empty, so that `mode="clip"` finds zero for words that were never counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import mul

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import IntArray, LongArray
from nbmail.core.counting.growing_table import with_room
from nbmail.core.counting.sample import Sample

_SMALLEST = 1024


class Counts:
    """Counts of each class.

    `messages`: per class. `documents`: messages of a class that contain a word, per class and word.
    `occurrences`: how often the word is in them. `measures`: exact [n, sum, sum of squares] of each
    numeric fact, per class.

    Derived values: `holders` is the sum of `documents` over all classes. `words` is the number of
    words with a holder, `occurrence_totals` the sum of `occurrences` per class. `changes` gets
    another number whenever a class changes.
    """

    def __init__(self) -> None:
        self.classes: list[str] = []
        self.messages: list[int] = []
        self.documents: IntArray = np.zeros((0, _SMALLEST), np.int32)
        self.occurrences: LongArray = np.zeros((0, _SMALLEST), np.int64)
        self.measures: list[list[list[int]]] = []
        self.holders: IntArray = np.zeros(_SMALLEST, np.int32)
        self.words = 0
        self.occurrence_totals: list[int] = []
        self.changes: list[int] = []
        self._rows: dict[str, int] = {}
        self._steps = 0

    @classmethod
    def build(
        cls,
        classes: Sequence[str],
        messages: Sequence[int],
        documents: npt.NDArray[np.integer],
        occurrences: npt.NDArray[np.integer],
        measures: Sequence[Sequence[Sequence[int]]] = (),
    ) -> Counts:
        """Return counts of stored tables, which have a row for each class."""
        counts = cls()
        width = documents.shape[1]
        counts.make_room(width - 1)
        for row, label in enumerate(classes):
            counts._add_class(label)
            counts.messages[row] = int(messages[row])
            counts.documents[row, :width] = documents[row]
            counts.occurrences[row, :width] = occurrences[row]
            if measures:
                counts.measures[row] = [[int(part) for part in sums] for sums in measures[row]]
        counts._derive()
        return counts

    def row(self, label: str) -> int | None:
        """Return the class's row, None for an unknown class."""
        return self._rows.get(label)

    def row_to_be(self, label: str) -> int:
        """Return the row that the class has, or gets with its first message."""
        return self._rows.get(label, len(self.classes))

    def pair(self, wanted: str, other: str) -> tuple[int, int] | None:
        """Return the rows of two classes, None if one is unknown."""
        first = self.row(wanted)
        second = self.row(other)
        if first is None or second is None:
            return None
        return first, second

    def messages_of(self, label: str) -> int:
        row = self.row(label)
        return 0 if row is None else self.messages[row]

    def copy(self) -> Counts:
        used = self._used_columns()
        documents = self.documents[:, :used]
        occurrences = self.occurrences[:, :used]
        return Counts.build(self.classes, self.messages, documents, occurrences, self.measures)

    @property
    def width(self) -> int:
        """Number of columns of the tables. The last column is empty."""
        return int(self.documents.shape[1])

    def documents_of(self, words: IntArray | None) -> IntArray:
        """Return the documents of these words, of all where None; zeros for words never counted."""
        if words is None:
            return self.documents
        return self.documents.take(words, axis=1, mode="clip")

    def occurrences_of(self, words: IntArray | None) -> LongArray:
        """Return the occurrences of these words, like `documents_of`."""
        if words is None:
            return self.occurrences
        return self.occurrences.take(words, axis=1, mode="clip")

    def documents_with(self, words: IntArray | None) -> IntArray:
        """Return the number of messages of any class with each word; None for all words."""
        if words is None:
            return self.holders
        return self.holders.take(words, mode="clip")

    def learn(self, sample: Sample, label: str) -> None:
        # Indexing with this type takes a third of the time.
        words = sample.words.astype(np.intp)
        if len(words) and words[-1] >= self.width - 1:
            self.make_room(int(words[-1]))
        row = self._rows.get(label)
        if row is None:
            row = self._add_class(label)

        held = self.holders[words]
        self.words += len(words) - int(np.count_nonzero(held))
        held += 1
        self.holders[words] = held
        self.documents[row][words] += 1
        self.occurrences[row][words] += sample.occurrences
        self._note(row, sample, 1)

    def unlearn(self, sample: Sample, label: str) -> None:
        """Revert `learn` exactly.

        Raises `ValueError`, and changes nothing, if a count would become negative. If the last
        class becomes empty, it is removed, as if it had never been learned.
        """
        row = self._rows.get(label)
        if row is None or not self._holds(row, sample):
            raise ValueError(f"unlearning what was not learned as {label!r}")
        words = sample.words
        held = self.holders[words] - 1
        self.words -= len(words) - int(np.count_nonzero(held))
        self.holders[words] = held
        self.documents[row][words] -= 1
        self.occurrences[row][words] -= sample.occurrences
        self._note(row, sample, -1)
        while self.messages and self.messages[-1] == 0:
            self._drop_class()

    def make_room(self, word: int) -> None:
        """Grow the tables to hold all classes, this word, and the empty column behind it."""
        self.documents = with_room(self.documents, len(self.classes), word + 2)
        self.occurrences = with_room(self.occurrences, len(self.classes), word + 2)
        if len(self.holders) < self.width:
            holders = np.zeros(self.width, np.int32)
            holders[: len(self.holders)] = self.holders
            self.holders = holders

    def note_run(
        self, rows: Sequence[int], samples: Sequence[Sample], gains: dict[int, int], fresh: int
    ) -> None:
        """Update totals and measures after the tables and `holders` have learned these samples.

        `rows`: rows of the samples' classes, which all exist. `gains`: occurrences added to each
        row. `fresh`: number of words that had no holder.
        """
        self.words += fresh
        for row, occurrences in gains.items():
            self._note_change(row)
            measures = [
                sample.measures for sample, own in zip(samples, rows, strict=True) if own == row
            ]
            self.messages[row] += len(measures)
            self.occurrence_totals[row] += occurrences
            _add_measures_of_many(self.measures[row], measures)

    def merge(self, other: Counts) -> None:
        used = other._used_columns()
        self.make_room(used - 1)
        for theirs, label in enumerate(other.classes):
            known = self._rows.get(label)
            row = self._add_class(label) if known is None else known
            self._note_change(row)
            self.messages[row] += other.messages[theirs]
            self.documents[row, :used] += other.documents[theirs, :used]
            self.occurrences[row, :used] += other.occurrences[theirs, :used]
            _add_measures(self.measures[row], other.measures[theirs])
        self._derive()

    def __eq__(self, other: object) -> bool:
        """Return whether all counts are equal.

        Room, order of classes, and classes without messages don't matter.
        """
        return isinstance(other, Counts) and self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def _content(self) -> dict[str, tuple[object, ...]]:
        """Return the counts of each class with messages, without room."""
        found: dict[str, tuple[object, ...]] = {}
        for row, label in enumerate(self.classes):
            if not self.messages[row]:
                continue
            measures = {place: sums for place, sums in enumerate(self.measures[row]) if sums[0]}
            documents = np.trim_zeros(self.documents[row], "b").tobytes()
            occurrences = np.trim_zeros(self.occurrences[row], "b").tobytes()
            found[label] = (self.messages[row], measures, documents, occurrences)
        return found

    def _used_columns(self) -> int:
        """Return the number of columns up to the last word that any message contains."""
        return len(np.trim_zeros(self.holders, "b"))

    def _holds(self, row: int, sample: Sample) -> bool:
        """Return whether the class can have learned this sample."""
        words = sample.words
        if self.messages[row] == 0 or (len(words) and words[-1] >= self.width):
            return False
        if not _hold_measures(self.measures[row], sample.measures):
            return False
        has_documents = (self.documents[row][words] >= 1).all()
        has_occurrences = (self.occurrences[row][words] >= sample.occurrences).all()
        return bool(has_documents and has_occurrences)

    def _note(self, row: int, sample: Sample, sign: int) -> None:
        """Update everything except the tables of words for one message."""
        self._note_change(row)
        self.messages[row] += sign
        self.occurrence_totals[row] += sign * int(sample.occurrences.sum())
        sums = [(sign, sign * value, sign * value * value) for value in sample.measures]
        _add_measures(self.measures[row], sums)

    def _note_change(self, row: int) -> None:
        self._steps += 1
        self.changes[row] = self._steps

    def _add_class(self, label: str) -> int:
        self._rows[label] = len(self.classes)
        self.classes.append(label)
        self.messages.append(0)
        self.changes.append(self._steps)
        self.measures.append([])
        self.occurrence_totals.append(0)
        self.make_room(-1)
        return self._rows[label]

    def _drop_class(self) -> None:
        del self._rows[self.classes.pop()]
        self.messages.pop()
        self.changes.pop()
        self.measures.pop()
        self.occurrence_totals.pop()
        self.documents = self.documents[:-1]
        self.occurrences = self.occurrences[:-1]

    def _derive(self) -> None:
        self.holders = self.documents.sum(axis=0, dtype=np.int32)
        self.words = int(np.count_nonzero(self.holders))
        self.occurrence_totals = [int(row.sum()) for row in self.occurrences]


def _hold_measures(kept: Sequence[Sequence[int]], measures: Sequence[int]) -> bool:
    """Return whether sums of measures can contain these of one message."""
    if len(measures) > len(kept):
        return False
    for (number, _, squares), value in zip(kept, measures, strict=False):
        if number < 1 or squares < value * value:
            return False
    return True


def _add_measures_of_many(kept: list[list[int]], several: Sequence[Sequence[int]]) -> None:
    """Add the measures of many messages by column: a third of the time.

    Messages with equally many measures are summed together.
    """
    for _, group in groupby(sorted(several, key=len), key=len):
        alike = list(group)
        sums = [
            (len(alike), sum(column), sum(map(mul, column, column)))
            for column in zip(*alike, strict=True)
        ]
        _add_measures(kept, sums)


def _add_measures(kept: list[list[int]], added: Sequence[Sequence[int]]) -> None:
    """Add sums of measures. `kept` grows to the number of measures that are added."""
    for _ in range(len(added) - len(kept)):
        kept.append([0, 0, 0])
    for sums, more in zip(kept, added, strict=False):
        for part, value in enumerate(more):
            sums[part] += value
