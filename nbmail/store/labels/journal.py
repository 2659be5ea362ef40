"""The journal of every change of a label. Lines are only ever appended, so that any moment can be told again."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from nbmail.store.files.connection import Connection, Row
from nbmail.store.labels.labels import LabelPosition, Labels
from nbmail.values import FolderName, JournalLine, LabelSource


class By(StrEnum):
    """Who changed something. The first six are steps a user can undo; SERVER (another client's keyword) is not."""

    USER = "user"
    FOLDER = "folder"
    IMPORT = "import"
    RESTORE = "travel"
    START = "start"
    WORDS = "words"
    SERVER = "server"
    UNDO = "undo"
    REDO = "redo"
    REPAIR = "repair"


RESTORING = frozenset({By.UNDO, By.REDO, By.RESTORE})
"""Changes that only bring back labels. Their source is the change that assigned the label first."""

FILES = FolderName("", "")
"""In place of a folder: files that were handed in."""


@dataclass(frozen=True, slots=True)
class LabelMove:
    """One label that changed, with its places in the order; None is no label."""

    message: int
    before: LabelPosition | None
    after: LabelPosition | None

    @property
    def is_new_label(self) -> bool:
        return (self.before and self.before.klass) != (self.after and self.after.klass)


class Journal:
    """What changed, when, and by whom."""

    def __init__(self, connection: Connection, labels: Labels) -> None:
        self._connection = connection
        self._labels = labels

    def write(self, moves: Iterable[LabelMove], by: By, moment: float, step: int | None) -> None:
        """Append a line for each."""
        self._connection.execute_many(
            "INSERT INTO journal (step, moment, message, before, position_before, after, position_after, by)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((step or None, moment, one.message, *_columns(one.before), *_columns(one.after), by) for one in moves),
        )

    def latest(self, most: int = 1000) -> tuple[JournalLine, ...]:
        """The latest lines, newest first."""
        rows = self._connection.rows(
            "SELECT journal.moment, message, subject, before, after, journal.by, journal.number, account, folder"
            " FROM journal JOIN messages ON messages.number = message LEFT JOIN steps ON steps.number = step"
            " ORDER BY journal.number DESC LIMIT ?",
            (most,),
        )
        return tuple(self._line(row) for row in rows)

    def next_position(self) -> int:
        """The first place in the order of labels that was never given: behind all others."""
        given = (
            "SELECT max(position_after) FROM journal UNION ALL SELECT max(position) FROM labels"
            " UNION ALL SELECT max(position) FROM waiting_labels"
        )
        return max(position or 0 for (position,) in self._connection.rows(given)) + 1

    def last_entry(self) -> int:
        return int(self._connection.value("SELECT max(number) FROM journal") or 0)

    def last_moments(self, messages: Iterable[int]) -> dict[int, float]:
        """When the labels of these messages changed last, those taken away too."""
        latest = "SELECT message, moment, max(number) FROM journal WHERE message"
        rows = self._connection.among(latest, messages, "GROUP BY message")
        return {message: moment for message, moment, _ in rows}

    def entry_before(self, line: int) -> int:
        """The number of the last line before all that came with this one: in its step, or at its moment."""
        row = self._connection.row("SELECT step, by, moment FROM journal WHERE number = ?", (line,))
        if row is None:
            return line
        step, by, moment = row
        if step is not None and by not in (By.UNDO, By.REDO):
            first = self._connection.value("SELECT min(number) FROM journal WHERE step = ? AND by = ?", (step, by))
        else:
            others = "SELECT max(number) FROM journal WHERE number < ? AND moment <> ?"
            first = int(self._connection.value(others, (line, moment)) or 0) + 1
        return int(first) - 1

    def steps_around(self, line: int) -> tuple[int, int]:
        """The last step that was taken up to this line and the first behind it; a far one where there is none."""
        taken = "by NOT IN ('undo', 'redo') AND step IS NOT NULL"
        before = self._connection.value(f"SELECT max(step) FROM journal WHERE number <= ? AND {taken}", (line,))
        after = self._connection.value(f"SELECT min(step) FROM journal WHERE number > ? AND {taken}", (line,))
        return int(before or 0), int(after or 1 << 62)

    def entry_mark(self, line: int) -> list[float]:
        """What tells a line from one of another journal that has the same number; nothing where there is no line."""
        row = self._connection.row("SELECT moment, message, position_after FROM journal WHERE number = ?", (line,))
        return list(row or ())

    def touches(self, line: int, position: int) -> bool:
        """Whether a line after that one took a label from, or put one to, a place up to this position."""
        found = self._connection.value(
            "SELECT 1 FROM journal WHERE number > ? AND (position_before <= ? OR position_after <= ?) LIMIT 1",
            (line, position, position),
        )
        return found is not None

    def labelled_by(self, by: By) -> tuple[int, ...]:
        """The messages whose label of now was given by this, the latest first."""
        rows = self._connection.rows(
            "SELECT message FROM journal WHERE number IN (SELECT max(number) FROM journal GROUP BY message)"
            " AND by = ? AND after IS NOT NULL ORDER BY number DESC",
            (by,),
        )
        return tuple(message for (message,) in rows)

    def changes(self, after: int, most: int) -> list[Row]:
        """The next lines: number, moment, step (0 without), message, its class's number and place then (0 without)."""
        return self._connection.rows(
            "SELECT number, moment, coalesce(step, 0), message, coalesce(after, 0),"
            " coalesce(position_after, 0) FROM journal WHERE number > ? ORDER BY number LIMIT ?",
            (after, most),
        )

    def _line(self, row: Row) -> JournalLine:
        moment, message, subject, before, after, by, number, account, folder = row
        label_source = source_of(By(by), account, folder)
        before, after = (None if klass is None else self._labels.name(klass) for klass in (before, after))
        return JournalLine(moment, message, subject, before, after, label_source.by, number, label_source.folder)


def source_of(by: By, account: str | None, folder: str | None) -> LabelSource:
    """Who gave a label. Files that were handed in lie in no folder of an account."""
    if by is not By.FOLDER or account is None or folder is None:
        return LabelSource(by.value)
    name = FolderName(account, folder)
    return LabelSource("files") if name == FILES else LabelSource(by.value, name)


def _columns(place: LabelPosition | None) -> tuple[int | None, int | None]:
    return (place.klass, place.position) if place else (None, None)
