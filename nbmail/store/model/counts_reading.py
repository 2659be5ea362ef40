"""The counts read in pieces, so that a click can go between: all at once takes 100 ms for 400,000 rows."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from nbmail.core.counting.counts import Counts
from nbmail.core.counting.sample import LongArray
from nbmail.store.files.connection import Connection
from nbmail.store.model.class_order import ClassOrder
from nbmail.store.model.counts_table import CountsTable

# Words read at once: about 4 ms.
PIECE = 10_000
_COLUMNS = ("word", "class", "documents", "occurrences")


class CountsReading:
    """What `CountsTable.load` gives, as long as nothing is counted in between: the journal's last line tells."""

    def __init__(self, connection: Connection, order: ClassOrder, counts: CountsTable) -> None:
        self._connection = connection
        self._order = order
        self._counts = counts

    def pieces(self) -> Generator[None, None, Counts]:
        """Read all of them."""
        order, names = self._order.numbers(), self._order.names()
        width = int(self._connection.value("SELECT max(word) FROM counts") or 0) + 1
        # One row more than there are classes: for what is counted for a class that isn't there.
        tables = np.zeros((2, len(order) + 1, width), np.int64)
        row_of = np.full(max(order, default=0) + 2, len(order), np.int64)
        row_of[order] = np.arange(len(order))
        for first in range(0, width, PIECE):
            words, classes, *numbers = self._read(first)
            tables[:, row_of[np.minimum(classes, len(row_of) - 1)], words] = numbers
            yield
        messages: dict[int, int] = dict(self._connection.rows("SELECT number, messages FROM classes"))
        measures = self._counts.measures(order)
        return Counts.build(names, [messages[number] for number in order], tables[0, :-1], tables[1, :-1], measures)

    def _read(self, first: int) -> list[LongArray]:
        """A column as one text takes a quarter of the time of its rows."""
        joined = ", ".join(f"group_concat({column}, ' ')" for column in _COLUMNS)
        stored = self._connection.row(
            f"SELECT {joined} FROM counts WHERE word >= ? AND word < ?", (first, first + PIECE)
        )
        return [np.fromstring(column or "", np.int64, sep=" ") for column in stored or ("",) * len(_COLUMNS)]
