"""The journal of every change of a label, and the steps that can be undone and redone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nbmail.store.files.connection import Connection, Row, listed
from nbmail.store.labels.labels import Labels, Place
from nbmail.store.values import By, JournalEntry

# Above every line's number.
_NO_LINE = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Line:
    """One change of one label as the journal holds it."""

    message: int
    before: Place | None
    after: Place | None


@dataclass(frozen=True, slots=True)
class UserStep:
    """A step: its number, and the imported base before and after it where it was an import."""

    number: int
    base_before: int | None
    base_after: int | None


class Journal:
    """Lines are only ever appended."""

    def __init__(self, connection: Connection, labels: Labels) -> None:
        self._connection = connection
        self._labels = labels

    def latest(self, most: int = 1000, before: int | None = None) -> tuple[JournalEntry, ...]:
        """The latest lines, newest first; of those before a line if that is given."""
        rows = self._connection.rows(
            "SELECT journal.number, moment, message, subject, before, after, by, coalesce(step, 0)"
            " FROM journal JOIN messages ON messages.number = message"
            " WHERE journal.number < ? ORDER BY journal.number DESC LIMIT ?",
            (_NO_LINE if before is None else before, most),
        )
        return tuple(self._entry(row) for row in rows)

    def labelled_by(self, by: By) -> tuple[int, ...]:
        """The messages whose label of now was given by this, the latest first."""
        rows = self._connection.rows(
            "SELECT message FROM journal WHERE number IN (SELECT max(number) FROM journal GROUP BY message)"
            " AND by = ? AND after IS NOT NULL ORDER BY number DESC",
            (by,),
        )
        return tuple(message for (message,) in rows)

    def last_line(self) -> int:
        """The number of the latest line, 0 without one."""
        return int(self._connection.value("SELECT max(number) FROM journal") or 0)

    def touches(self, line: int, position: int) -> bool:
        """Whether a line after that one took a label from, or put one to, a place up to this position."""
        found = self._connection.value(
            "SELECT 1 FROM journal WHERE number > ? AND (position_before <= ? OR position_after <= ?) LIMIT 1",
            (line, position, position),
        )
        return found is not None

    def depth(self) -> tuple[int, int]:
        """How many steps can be undone, and how many redone."""
        rows = self._connection.rows("SELECT state, count(*) FROM steps GROUP BY state")
        found: dict[str, int] = dict(rows)
        return found.get("done", 0), found.get("undone", 0)

    def begin(self, by: By, moment: float, base_before: int | None = None, base_after: int | None = None) -> int:
        """A new step; what had been undone can't be redone any more."""
        self._connection.execute("UPDATE steps SET state = 'closed' WHERE state = 'undone'")
        return self._connection.insert(
            "INSERT INTO steps (moment, by, base_before, base_after) VALUES (?, ?, ?, ?)",
            (moment, by, base_before, base_after),
        )

    def to_undo(self) -> UserStep | None:
        """The step that an undo takes back."""
        return self._step("done", "DESC")

    def to_redo(self) -> UserStep | None:
        """The step that a redo does again."""
        return self._step("undone", "ASC")

    def step(self, number: int) -> UserStep | None:
        """The step with this number."""
        row = self._connection.row("SELECT number, base_before, base_after FROM steps WHERE number = ?", (number,))
        return UserStep(*row) if row else None

    def set_state(self, step: int, state: str) -> None:
        """Note that a step is done or undone."""
        self._connection.execute("UPDATE steps SET state = ? WHERE number = ?", (state, step))

    def step_lines(self, step: int, at: int | None, most: int | None, *, backwards: bool) -> list[tuple[int, Line]]:
        """What a step changed when it was done first: the next lines behind `at`, each with its number."""
        beyond, order = ("<", "DESC") if backwards else (">", "ASC")
        rows = self._connection.rows(
            "SELECT number, message, before, position_before, after, position_after FROM journal"
            f" WHERE step = ? AND by NOT IN ('undo', 'redo') AND number {beyond} ? ORDER BY number {order} LIMIT ?",
            (step, (_NO_LINE if backwards else 0) if at is None else at, -1 if most is None else most),
        )
        return [(number, Line(message, _place(*rest[:2]), _place(*rest[2:]))) for number, message, *rest in rows]

    def changes(self, after: int, most: int) -> list[tuple[int, float, int, int, int, int]]:
        """The next lines: number, moment, step (0 without), message, its class's number and place then (0 without)."""
        return self._connection.rows(
            "SELECT number, moment, coalesce(step, 0), message, coalesce(after, 0),"
            " coalesce(position_after, 0) FROM journal WHERE number > ? ORDER BY number LIMIT ?",
            (after, most),
        )

    def touched(self, after: int, end: int, most: int | None) -> list[tuple[int, int]]:
        """The next lines behind `after` up to `end`: the number of each, and the message whose label it changed."""
        return self._connection.rows(
            "SELECT number, message FROM journal WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
            (after, end, -1 if most is None else most),
        )

    def changed_since(self, line: int, messages: Iterable[int]) -> frozenset[int]:
        """Those of the messages whose label a line after that one changed."""
        rows = self._connection.rows(
            "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM journal WHERE message = value AND number > ?)",
            (listed(messages), line),
        )
        return frozenset(message for (message,) in rows)

    def write(self, lines: Iterable[Line], by: By, moment: float, step: int | None) -> None:
        """Append lines."""
        self._connection.execute_many(
            "INSERT INTO journal (step, moment, message, before, position_before, after, position_after, by)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((step or None, moment, line.message, *_columns(line.before), *_columns(line.after), by) for line in lines),
        )

    def _step(self, state: str, order: str) -> UserStep | None:
        row = self._connection.row(
            f"SELECT number, base_before, base_after FROM steps WHERE state = ? ORDER BY number {order} LIMIT 1",
            (state,),
        )
        return UserStep(*row) if row else None

    def _entry(self, row: Row) -> JournalEntry:
        number, moment, message, subject, before, after, by, step = row
        return JournalEntry(number, moment, message, subject, self._name(before), self._name(after), by, step)

    def _name(self, klass: int | None) -> str | None:
        return None if klass is None else self._labels.name(klass)


def _place(klass: int | None, position: int | None) -> Place | None:
    return None if klass is None or position is None else Place(klass, position)


def _columns(place: Place | None) -> tuple[int | None, int | None]:
    return (place.klass, place.position) if place else (None, None)
