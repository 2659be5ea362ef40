"""Counts on the disk: always the imported base plus the sum over all labels, changed only by differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.counts import Counts, sum_measures
from nbmail.core.counting.sample import LongArray, Sample
from nbmail.store.files.connection import Connection, listed
from nbmail.store.files.many_rows import write_many
from nbmail.store.labels.labels import Labels
from nbmail.store.model.class_order import ClassOrder

Measures = list[list[int]]
Held = Callable[[int, LongArray], npt.NDArray[np.bool_]]
_ADD = (
    "ON CONFLICT (word, class) DO UPDATE"
    " SET documents = documents + excluded.documents, occurrences = occurrences + excluded.occurrences"
)
_CHANGE = "UPDATE counts SET documents = documents + column2, occurrences = occurrences + column3 FROM ("


@dataclass(frozen=True, slots=True)
class Difference:
    """A sample to count in (`sign` 1) or out (-1) of a class."""

    klass: int
    sample: Sample
    sign: int


class CountsTable:
    """Documents and occurrences by word and class, messages and measures by class. Below zero is an error."""

    def __init__(self, connection: Connection, order: ClassOrder) -> None:
        self._connection = connection
        self._order = order

    def apply(self, differences: Sequence[Difference], held: Held | None = None) -> None:
        """Count samples in and out. A word that many of them share is written once.

        `held` tells of a class and words whether any message holds them afterwards, where somebody knows: to look for
        rows that have become empty takes a third of the time of changing them.
        """
        for klass in sorted({one.klass for one in differences}):
            mine = [one for one in differences if one.klass == klass]
            self.change_class(klass, sum(one.sign for one in mine), _summed_measures(mine))
            self.change_words(klass, *_summed_words(mine), held=held)

    def change_class(self, klass: int, messages: int, measures: Measures) -> None:
        """Change a class's number of messages and the sums [n, sum, squares] of its measures."""
        self._connection.execute("UPDATE classes SET messages = messages + ? WHERE number = ?", (messages, klass))
        if not measures:
            return
        rows = self._connection.rows("SELECT place, n, total, squares FROM measures WHERE class = ?", (klass,))
        kept = {place: [n, int(total), int(squares)] for place, n, total, squares in rows}
        summed = (
            (klass, place, *(old + new for old, new in zip(kept.get(place, [0, 0, 0]), one, strict=True)))
            for place, one in enumerate(measures)
        )
        self._connection.execute_many(
            "INSERT OR REPLACE INTO measures VALUES (?, ?, ?, ?, ?)",
            ((klass, place, n, str(total), str(squares)) for klass, place, n, total, squares in summed),
        )

    def change_words(
        self,
        klass: int,
        words: LongArray,
        documents: LongArray,
        occurrences: LongArray,
        *,
        held: Held | None = None,
    ) -> None:
        """Change a class's words by these differences; `held` as above."""
        less = (documents < 0) | (occurrences < 0)
        more = ~less & ((documents > 0) | (occurrences > 0))
        self._add(klass, words[more], documents[more], occurrences[more])
        # Where any of the two goes down, the row must be there; the other may go up.
        fewer = words[less]
        self._update(klass, fewer, documents[less], occurrences[less])
        self._drop_empty(klass, fewer if held is None else fewer[~held(klass, fewer)])

    def load(self) -> Counts:
        """All of it."""
        order = self._order.numbers()
        rows = {number: row for row, number in enumerate(order)}
        # A column as one text takes a quarter of the time of its rows.
        columns = "word", "class", "documents", "occurrences"
        stored = self._connection.row(f"SELECT {', '.join(map(_in_one_text, columns))} FROM counts")
        words, classes, *others = (np.fromstring(column or "", np.int64, sep=" ") for column in stored or ("",) * 4)
        shape = (len(order), int(words.max(initial=-1)) + 1)
        documents, occurrences = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        row_of = np.array([rows.get(number, len(order)) for number in range(max(order, default=0) + 1)], np.int64)
        documents[row_of[classes], words], occurrences[row_of[classes], words] = others
        messages: dict[int, int] = dict(self._connection.rows("SELECT number, messages FROM classes"))
        return Counts.build(
            self._order.names(),
            [messages[number] for number in order],
            documents,
            occurrences,
            self.measures(order),
        )

    def replace(self, counts: Counts, labels: Labels) -> None:
        """Put these counts in the place of all that is there."""
        self._connection.execute("DELETE FROM counts")
        self._connection.execute("DELETE FROM measures")
        self._connection.execute("UPDATE classes SET messages = 0")
        for row, name in enumerate(counts.classes):
            klass, words = labels.number(name), np.flatnonzero(counts.documents[row])
            self.change_class(klass, counts.messages[row], counts.measures[row])
            documents, occurrences = counts.documents[row][words], counts.occurrences[row][words]
            self.change_words(klass, words, documents.astype(np.int64), occurrences)

    def measures(self, classes: Sequence[int]) -> list[Measures]:
        """The sums of these classes' measures."""
        loaded: dict[int, Measures] = {number: [] for number in classes}
        for klass, n, total, squares in self._connection.rows(
            "SELECT class, n, total, squares FROM measures WHERE class IN (SELECT value FROM json_each(?))"
            " ORDER BY class, place",
            (listed(classes),),
        ):
            loaded[klass].append([n, int(total), int(squares)])
        return list(loaded.values())

    def _add(self, klass: int, words: LongArray, documents: LongArray, occurrences: LongArray) -> None:
        rows = _in_rows(words, documents, occurrences)
        write_many(self._connection, "INSERT INTO counts", f"(?, {klass:d}, ?, ?)", rows, _ADD)

    def _update(self, klass: int, words: LongArray, documents: LongArray, occurrences: LongArray) -> None:
        rows = _in_rows(words, documents, occurrences)
        changed = write_many(
            self._connection, _CHANGE, "(?, ?, ?)", rows, f") WHERE class = {klass:d} AND word = column1"
        )
        if changed != len(words):
            raise ValueError("counting out what was never counted in")

    def _drop_empty(self, klass: int, words: LongArray) -> None:
        self._connection.execute(
            "DELETE FROM counts WHERE documents = 0 AND occurrences = 0 AND class = ?"
            " AND word IN (SELECT value FROM json_each(?))",
            (klass, listed(words.tolist())),
        )


def _in_rows(*columns: LongArray) -> list[int]:
    """Row by row."""
    return np.stack(columns, axis=1).ravel().tolist()


def _in_one_text(column: str) -> str:
    return f"group_concat({column}, ' ')"


def _summed_words(differences: Sequence[Difference]) -> tuple[LongArray, LongArray, LongArray]:
    """Each word once with the sums of its differences: sorted, each word's lie side by side."""
    rows = np.concatenate([one.sample.words for one in differences])
    signs = np.repeat([one.sign for one in differences], [len(one.sample.words) for one in differences])
    changes = signs * np.concatenate([one.sample.occurrences for one in differences])
    order = np.argsort(rows)
    rows = rows[order].astype(np.int64)
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    documents, occurrences = (np.add.reduceat(values[order], first) for values in (signs, changes))
    return rows[first], documents, occurrences


def _summed_measures(differences: Sequence[Difference]) -> Measures:
    """Messages counted in or out, of which there may be very many and which have as many measures, column by column."""
    values = [one.sample.measures for one in differences]
    if len({one.sign for one in differences}) == 1 and len({len(one) for one in values}) == 1:
        sign = differences[0].sign
        return [[sign * part for part in sums] for sums in sum_measures(values)]
    summed: Measures = []
    for one in differences:
        summed += [[0, 0, 0] for _ in range(len(one.sample.measures) - len(summed))]
        for kept, value in zip(summed, one.sample.measures, strict=False):
            kept[0] += one.sign
            kept[1] += one.sign * int(value)
            kept[2] += one.sign * int(value) ** 2
    return summed
