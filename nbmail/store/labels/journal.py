"""Append-only journal of all changes of labels."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from nbmail.store.files.connection import Connection, Row
from nbmail.store.labels.labels import LabelPosition, Labels
from nbmail.values import FolderName, JournalLine, LabelSource


class By(StrEnum):
    """Cause of a change. All before SERVER are undo steps.

    SERVER is a keyword set by another client.
    """

    USER = "user"
    FOLDER = "folder"
    IMPORT = "import"
    RESTORE = "restore"
    START = "start"
    WORDS = "words"
    PHRASES = "phrases"
    SORTING = "sorting"
    MOVE = "move"
    FLAG = "flag"
    RULE = "rule"
    METHOD = "method"
    COSTS = "costs"
    SERVER = "server"
    UNDO = "undo"
    REDO = "redo"


RESTORING = frozenset({By.UNDO, By.REDO, By.RESTORE})
"""Changes that only bring back labels. Their source is the change that assigned the label first."""
FILES = FolderName("", "")
"""Stands for a folder: files from the command line."""


class Change(NamedTuple):
    """Change of one label, or of its position in the learning order; None for no label."""

    message: int
    old: LabelPosition | None
    new: LabelPosition | None

    @property
    def before(self) -> str | None:
        return self.old.label if self.old else None

    @property
    def after(self) -> str | None:
        return self.new.label if self.new else None


class Journal:
    """Table of all changes of labels."""

    def __init__(self, connection: Connection, labels: Labels) -> None:
        self._connection = connection
        self._labels = labels

    def write(self, changes: Iterable[Change], by: By, moment: float, step: int) -> None:
        """Append an entry for each change. `step`: 0 for none."""
        self._connection.execute_many(
            "INSERT INTO journal "
            "(message, before, position_before, after, position_after, by, moment, step) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0))",
            (
                (each.message, *self._columns(each.old), *self._columns(each.new), by, moment, step)
                for each in changes
            ),
        )

    def _columns(self, place: LabelPosition | None) -> tuple[int | None, int | None]:
        """Return the number of the class, and the position."""
        if place is None:
            return None, None
        return self._labels.number(place.label), place.position

    def latest(self, limit: int = 1000) -> tuple[JournalLine, ...]:
        """Return the latest entries, newest first."""
        rows = self._connection.rows(
            """
            SELECT journal.moment, message, subject, before, after, journal.by, journal.number,
              account, folder
            FROM journal
            JOIN messages ON messages.number = message
            LEFT JOIN steps ON steps.number = step
            ORDER BY journal.number DESC LIMIT ?
            """,
            (limit,),
        )
        return tuple(self._lines(rows))

    def _lines(self, rows: Iterable[Row]) -> Iterator[JournalLine]:
        for moment, message, subject, before, after, by, number, account, folder in rows:
            source = source_of(By(by), account, folder)
            yield JournalLine(
                moment,
                message,
                subject,
                self._name(before),
                self._name(after),
                source.by,
                number,
                source.folder,
            )

    def _name(self, klass: int | None) -> str | None:
        return None if klass is None else self._labels.name(klass)

    def next_position(self) -> int:
        """Return the first unused position behind all others in the learning order."""
        used = self._connection.column(
            """
            SELECT max(position_after) FROM journal
            UNION ALL SELECT max(position) FROM labels
            UNION ALL SELECT max(position) FROM waiting_labels
            """
        )
        return max(position or 0 for position in used) + 1

    def last_entry(self) -> int:
        return self._connection.number("SELECT max(number) FROM journal")

    def entries_behind(self, entry: int) -> list[int]:
        """Return the numbers of all later entries, in order."""
        query = "SELECT number FROM journal WHERE number > ? ORDER BY number"
        return self._connection.column(query, (entry,))

    def entry_before(self, entry: int) -> int:
        """Return the last entry before all of the same step, or of the same moment."""
        row = self._connection.row(
            "SELECT step, by, moment FROM journal WHERE number = ?", (entry,)
        )
        if row is None:
            return entry
        step, by, moment = row
        if step is not None and by not in (By.UNDO, By.REDO):
            same = "SELECT min(number) - 1 FROM journal WHERE step = ? AND by = ?"
            return self._connection.number(same, (step, by))
        return self._connection.number(
            "SELECT max(number) FROM journal WHERE number < ? AND moment <> ?", (entry, moment)
        )

    def entry_mark(self, entry: int) -> list[float]:
        """Return values that differ between entries of different journals with the same number."""
        row = self._connection.row(
            "SELECT moment, message, position_after FROM journal WHERE number = ?", (entry,)
        )
        return list(row or ())

    def touches(self, entry: int, position: int) -> bool:
        """True if a later entry removed or added a label at a position up to `position`."""
        query = (
            "SELECT 1 FROM journal "
            "WHERE number > ?1 AND (position_before <= ?2 OR position_after <= ?2) LIMIT 1"
        )
        return bool(self._connection.number(query, (entry, position)))

    def labelled_by(self, by: By) -> list[int]:
        """Return the messages whose latest entry has this cause and a label, the latest first."""
        return self._connection.column(
            "SELECT message FROM journal "
            "WHERE number IN (SELECT max(number) FROM journal GROUP BY message) "
            "AND by = ? AND after IS NOT NULL ORDER BY number DESC",
            (by,),
        )


def source_of(by: By, account: str | None, folder: str | None) -> LabelSource:
    """Return the source for a cause and the folder of a step. Files belong to no folder."""
    if by is not By.FOLDER or account is None or folder is None:
        return LabelSource(by.value)
    name = FolderName(account, folder)
    return LabelSource("files") if name == FILES else LabelSource(by.value, name)
