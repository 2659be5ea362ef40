"""The mail list, column by column: 100,000 rows in a few array operations instead of 100,000 objects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from nbmail.store.connection import Connection, Row, listed
from nbmail.store.folders import Folders
from nbmail.store.labels import Labels
from nbmail.store.values import Heads

# A message in several folders is shown once, where it was met first; it is unread where it is unread there.
_HEADS = """
SELECT number, date, sender, subject, attachments, min(folder), flags, class
FROM locations JOIN messages ON messages.number = locations.message
LEFT JOIN labels ON labels.message = locations.message
{where} GROUP BY locations.message ORDER BY date DESC, number DESC
"""


class Listing:
    """Messages as the list shows them."""

    def __init__(self, connection: Connection, labels: Labels, folders: Folders) -> None:
        self._connection = connection
        self._labels = labels
        self._folders = folders

    def all(self) -> Heads:
        """Every message that lies in a folder, newest first."""
        return self._columns(self._connection.rows(_HEADS.format(where="")))

    def newest(self, most: int) -> Heads:
        """The newest of them."""
        where = "WHERE locations.message IN (SELECT number FROM messages ORDER BY date DESC, number DESC LIMIT ?)"
        return self._columns(self._connection.rows(_HEADS.format(where=where), (most,)))

    def some(self, messages: Iterable[int]) -> Heads:
        """These of them."""
        where = "WHERE locations.message IN (SELECT value FROM json_each(?))"
        return self._columns(self._connection.rows(_HEADS.format(where=where), (listed(messages),)))

    def _columns(self, rows: list[Row]) -> Heads:
        columns = zip(*rows, strict=True) if rows else [()] * 8
        numbers, dates, senders, subjects, attachments, folders, flags, classes = columns
        class_rows = self._connection.rows("SELECT number, name FROM classes ORDER BY number")
        folder_rows = self._connection.rows("SELECT number, account, folder FROM folders ORDER BY number")
        return Heads(
            messages=np.array(numbers, np.int64),
            dates=np.array(dates, np.float64),
            senders=tuple(senders),
            subjects=tuple(subjects),
            labels=_places(classes, [row[0] for row in class_rows]),
            folders=_places(folders, [row[0] for row in folder_rows]),
            unread=np.array(["\\Seen" not in one for one in flags], bool),
            attachments=np.array(attachments, bool),
            label_names=tuple(row[1] for row in class_rows),
            folder_names=tuple((row[1], row[2]) for row in folder_rows),
        )


def _places(numbers: tuple[int | None, ...], known: list[int]) -> Any:
    """Where each number stands among the known; -1 for none."""
    places = np.full(max(known, default=0) + 1, -1, np.int16)
    places[known] = np.arange(len(known))
    return places[np.array([number or 0 for number in numbers], np.int64)]
