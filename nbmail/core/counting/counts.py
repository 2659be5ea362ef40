"""Counts: whole numbers from which every weight is derived.

Tables have a row a class and a column a word. They grow by doubling, and their last column always stays empty, so
that words never counted can be looked up there (`mode="clip"`) without asking first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.sample import IntArray, LongArray, Sample

_SMALLEST = 1024


@dataclass(frozen=True, slots=True)
class Gain:
    """What the tables of a class were given from outside: words and occurrences, summed over its new messages."""

    words: int
    occurrences: int


class Counts:
    """What was seen of each class.

    `messages` per class; `documents` (how many messages of the class hold the word) and `occurrences` (how often it
    stands in them) per class and word; `measures` per class: [n, sum, sum of squares] of each numeric fact, exact.
    `changes` says when each class was changed last, in steps of its own, for those who derive things from one class.

    Derived and kept beside them: `holders`, the documents over all classes; `words`, how many words have a holder;
    `document_totals` and `occurrence_totals` per class.
    """

    def __init__(self) -> None:
        self.classes: list[str] = []
        self.messages: list[int] = []
        self.documents: IntArray = np.zeros((0, _SMALLEST), np.int32)
        self.occurrences: LongArray = np.zeros((0, _SMALLEST), np.int64)
        self.measures: list[list[list[int]]] = []
        self.changes: list[int] = []
        self.holders: IntArray = np.zeros(_SMALLEST, np.int32)
        self.words = 0
        self.document_totals: list[int] = []
        self.occurrence_totals: list[int] = []
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
        """Counts from kept tables (a row a class); everything derived is computed anew."""
        counts = cls()
        counts.make_room(documents.shape[1] - 1)
        for row, label in enumerate(classes):
            counts._add_class(label)
            counts.messages[row] = int(messages[row])
            counts.documents[row, : documents.shape[1]] = documents[row]
            counts.occurrences[row, : occurrences.shape[1]] = occurrences[row]
            if measures:
                counts.measures[row] = [[int(part) for part in one] for one in measures[row]]
        counts._derive()
        return counts

    def row(self, label: str) -> int | None:
        """The class's row, None for a class never met."""
        return self._rows.get(label)

    @property
    def width(self) -> int:
        """How many columns the tables have; the last is empty."""
        return int(self.documents.shape[1])

    def documents_of(self, words: IntArray | None) -> IntArray:
        """The documents of these words, of all where None; zeros for words never counted."""
        return self.documents if words is None else self.documents.take(words, axis=1, mode="clip")

    def occurrences_of(self, words: IntArray | None) -> LongArray:
        """The occurrences of these words, of all where None; zeros for words never counted."""
        return self.occurrences if words is None else self.occurrences.take(words, axis=1, mode="clip")

    def holders_of(self, words: IntArray | None) -> IntArray:
        """How many messages of any class hold these words (all words where None)."""
        return self.holders if words is None else self.holders.take(words, mode="clip")

    def learn(self, sample: Sample, label: str) -> None:
        """Count the message in its class."""
        # Looking up by this kind of number takes a third of the time.
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
        self.messages[row] += 1
        self.document_totals[row] += len(words)
        self.occurrence_totals[row] += int(sample.occurrences.sum())
        self._note_change(row)
        self._measure(row, sample.measures, 1)

    def unlearn(self, sample: Sample, label: str) -> None:
        """The exact inverse of `learn`. Going below zero is an error that leaves the counts as they were.

        A class that was met last and is empty again is forgotten, as if it had never been met.
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
        self.messages[row] -= 1
        self.document_totals[row] -= len(words)
        self.occurrence_totals[row] -= int(sample.occurrences.sum())
        self._note_change(row)
        self._measure(row, sample.measures, -1)
        while self.messages and self.messages[-1] == 0:
            self._drop_class()

    def make_room(self, word: int) -> None:
        """Room for this word and the empty column behind it."""
        more = max(word + 2, 2 * self.width) - self.width if word + 2 > self.width else 0
        if more:
            self.documents = np.pad(self.documents, ((0, 0), (0, more)))
            self.occurrences = np.pad(self.occurrences, ((0, 0), (0, more)))
            self.holders = np.pad(self.holders, (0, more))

    def note_run(self, rows: Sequence[int], samples: Sequence[Sample], gains: dict[int, Gain], fresh: int) -> None:
        """Bring up to date what stands beside the tables, where those and `holders` have learned samples already.

        `rows` are the samples' classes, all met before; `fresh` is how many words had no holder.
        """
        self.words += fresh
        for row, gain in gains.items():
            mine = [place for place, its in enumerate(rows) if its == row]
            self.messages[row] += len(mine)
            self.document_totals[row] += gain.words
            self.occurrence_totals[row] += gain.occurrences
            self.changes[row] = self._steps + mine[-1] + 1
            self._measure_many(row, [samples[place].measures for place in mine])
        self._steps += len(rows)

    def merge(self, other: Counts, numbers: IntArray | None = None) -> None:
        """Add other counts. `numbers[k]` is our number of their word k; None where the numbers are the same."""
        used = _used(other.holders)
        ours = np.arange(used, dtype=np.int32) if numbers is None else numbers[:used]
        if used:
            self.make_room(int(ours.max()))
        for theirs, label in enumerate(other.classes):
            known = self._rows.get(label)
            row = self._add_class(label) if known is None else known
            self.messages[row] += other.messages[theirs]
            self._note_change(row)
            np.add.at(self.documents[row], ours, other.documents[theirs, :used])
            np.add.at(self.occurrences[row], ours, other.occurrences[theirs, :used])
            _add_measures(self.measures[row], other.measures[theirs])
        self._derive()

    def __eq__(self, other: object) -> bool:
        """Equal when all counts are, whatever the order of the classes; classes without messages don't matter."""
        if not isinstance(other, Counts):
            return NotImplemented
        mine, theirs = self._filled(), other._filled()
        return mine == theirs and all(self._same_row(other, label) for label in mine)

    __hash__ = None  # type: ignore[assignment]

    def _filled(self) -> set[str]:
        return {label for label, messages in zip(self.classes, self.messages, strict=True) if messages}

    def _same_row(self, other: Counts, label: str) -> bool:
        mine, theirs = self._rows[label], other._rows[label]
        return (
            self.messages[mine] == other.messages[theirs]
            and _same(self.documents[mine], other.documents[theirs])
            and _same(self.occurrences[mine], other.occurrences[theirs])
            and _trimmed(self.measures[mine]) == _trimmed(other.measures[theirs])
        )

    def _holds(self, row: int, sample: Sample) -> bool:
        words = sample.words
        if self.messages[row] == 0 or (len(words) and words[-1] >= self.width):
            return False
        measures = self.measures[row]
        enough = len(sample.measures) <= len(measures) and all(
            kept[0] >= 1 and kept[2] >= value * value for kept, value in zip(measures, sample.measures, strict=False)
        )
        return (
            enough
            and bool((self.documents[row][words] >= 1).all())
            and bool((self.occurrences[row][words] >= sample.occurrences).all())
        )

    def _measure(self, row: int, values: Sequence[int], sign: int) -> None:
        kept = self.measures[row]
        kept.extend([0, 0, 0] for _ in range(len(values) - len(kept)))
        for one, value in zip(kept, values, strict=False):
            one[0] += sign
            one[1] += sign * value
            one[2] += sign * value * value

    def _measure_many(self, row: int, samples: Sequence[Sequence[int]]) -> None:
        """Column by column where all have as many: a third of the time."""
        if len(samples) == 1 or len({len(values) for values in samples}) > 1:
            for values in samples:
                self._measure(row, values, 1)
        else:
            _add_measures(self.measures[row], sum_measures(samples))

    def _note_change(self, row: int) -> None:
        self._steps += 1
        self.changes[row] = self._steps

    def _add_class(self, label: str) -> int:
        self._rows[label] = len(self.classes)
        self.classes.append(label)
        self.messages.append(0)
        self.changes.append(self._steps)
        self.measures.append([])
        self.document_totals.append(0)
        self.occurrence_totals.append(0)
        self.documents = np.pad(self.documents, ((0, 1), (0, 0)))
        self.occurrences = np.pad(self.occurrences, ((0, 1), (0, 0)))
        return self._rows[label]

    def _drop_class(self) -> None:
        """Forget the last class, which is empty."""
        del self._rows[self.classes.pop()]
        for column in (self.messages, self.changes, self.measures, self.document_totals, self.occurrence_totals):
            column.pop()
        self.documents, self.occurrences = self.documents[:-1], self.occurrences[:-1]

    def _derive(self) -> None:
        self.holders = self.documents.sum(axis=0, dtype=np.int32)
        self.words = int(np.count_nonzero(self.holders))
        self.document_totals = [int(row.sum(dtype=np.int64)) for row in self.documents]
        self.occurrence_totals = [int(row.sum()) for row in self.occurrences]


def _used(row: npt.NDArray[np.integer]) -> int:
    """How many columns there are up to the last that is not zero."""
    filled = np.flatnonzero(row)
    return int(filled[-1]) + 1 if len(filled) else 0


def _same(one: npt.NDArray[np.integer], other: npt.NDArray[np.integer]) -> bool:
    used = _used(one)
    return used == _used(other) and bool(np.array_equal(one[:used], other[:used]))


def _trimmed(measures: list[list[int]]) -> list[list[int]]:
    used = max((place + 1 for place, one in enumerate(measures) if one[0]), default=0)
    return measures[:used]


def sum_measures(samples: Sequence[Sequence[int]]) -> list[list[int]]:
    """[n, sum, sum of squares] of each measure, of samples that have equally many."""
    return [[len(samples), sum(column), sum(map(mul, column, column))] for column in zip(*samples, strict=True)]


def _add_measures(mine: list[list[int]], theirs: list[list[int]]) -> None:
    mine.extend([0, 0, 0] for _ in range(len(theirs) - len(mine)))
    for kept, more in zip(mine, theirs, strict=False):
        for part, value in enumerate(more):
            kept[part] += value
