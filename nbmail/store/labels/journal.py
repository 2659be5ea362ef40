"""Append-only journal of all changes of labels, with undo steps and the source of each label."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.arrays import LongArray
from nbmail.store.files.connection import Connection, listed
from nbmail.store.labels.labels import LabelPosition, Labels
from nbmail.values import FolderName, JournalLine, LabelSource, ShortArray, SourcedLabel, StepTaken


class By(StrEnum):
    """Cause of a change. The first thirteen are undo steps. SERVER is a keyword set by another
    client.
    """

    USER = "user"
    FOLDER = "folder"
    IMPORT = "import"
    RESTORE = "travel"
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
    REPAIR = "repair"


RESTORING = frozenset({By.UNDO, By.REDO, By.RESTORE})
"""Changes that only bring back labels. Their source is the change that assigned the label first."""
FILES = FolderName("", "")
"""Stands for a folder: files from the command line."""
UNKNOWN_SOURCE = LabelSource()
"""Source of a label without a journal entry."""
_NONE = (None, None)
# SQLite takes the other columns from the row with the `max`. Only folders need their step.
_ASSIGNED = """
SELECT labels.message, by, iif(by = 'folder', coalesce(step, 0), 0), journal.moment, max(journal.number)
FROM labels JOIN journal ON journal.message = labels.message AND after = class AND position_after = position
WHERE labels.message {which} AND by NOT IN ('undo', 'redo', 'travel') GROUP BY labels.message
"""
# Message numbers per requested message, up to which a range is read instead of single rows.
_NEAR = 4


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

        def stored(place: LabelPosition | None) -> tuple[int | None, int | None]:
            return (self._labels.number(place.label), place.position) if place else _NONE

        self._connection.execute_many(
            "INSERT INTO journal (step, moment, message, before, position_before, after, "
            "position_after, by)"
            " VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?)",
            (
                (step, moment, one.message, *stored(one.old), *stored(one.new), by)
                for one in changes
            ),
        )

    def latest(self, limit: int = 1000) -> tuple[JournalLine, ...]:
        """Return the latest entries, newest first."""
        rows = self._connection.rows(
            "SELECT journal.moment, message, subject, before, after, journal.by, "
            "journal.number, account, folder"
            " FROM journal JOIN messages ON messages.number = message LEFT JOIN steps ON "
            "steps.number = step"
            " ORDER BY journal.number DESC LIMIT ?",
            (limit,),
        )
        found = list[JournalLine]()
        for moment, message, subject, *classes, by, number, account, folder in rows:
            source = source_of(By(by), account, folder)
            before, after = (
                None if klass is None else self._labels.name(klass) for klass in classes
            )
            found.append(
                JournalLine(
                    moment, message, subject, before, after, source.by, number, source.folder
                )
            )
        return tuple(found)

    def next_position(self) -> int:
        """Return the first unused position behind all others in the learning order."""
        used = self._connection.column(
            "SELECT max(position_after) FROM journal UNION ALL SELECT max(position) FROM labels"
            " UNION ALL SELECT max(position) FROM waiting_labels"
        )
        return max(position or 0 for position in used) + 1

    def last_entry(self) -> int:
        return self._connection.number("SELECT max(number) FROM journal")

    def last_moments(self, messages: Iterable[int]) -> dict[int, float]:
        """Return the time of the last change of each message, removals included."""
        latest = "SELECT message, moment, max(number) FROM journal WHERE message"
        rows = self._connection.among(latest, messages, "GROUP BY message")
        return {message: moment for message, moment, _ in rows}

    def entry_before(self, entry: int) -> int:
        """Return the number of the last entry before all that belong to this one: same step, or
        same moment.
        """
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
        """True if an entry behind this one removed or added a label at a position up to
        `position`.
        """
        query = (
            "SELECT 1 FROM journal WHERE number > ?1 AND (position_before <= ?2 OR "
            "position_after <= ?2) LIMIT 1"
        )
        return bool(self._connection.number(query, (entry, position)))

    def labelled_by(self, by: By) -> list[int]:
        """Return the messages whose latest entry has this cause and a label, the latest first."""
        return self._connection.column(
            "SELECT message FROM journal WHERE number IN (SELECT max(number) FROM journal "
            "GROUP BY message)"
            " AND by = ? AND after IS NOT NULL ORDER BY number DESC",
            (by,),
        )


class UndoStep(NamedTuple):
    """Undo step. `base_before` and `base_after`: numbers of the imported counts, if the step
    changed them.
    """

    number: int
    by: str
    base_before: int | None
    base_after: int | None


class UndoSteps:
    """Undo steps, to which journal entries belong."""

    def __init__(self, connection: Connection, labels: Labels) -> None:
        self._connection = connection
        self._labels = labels

    def begin(
        self,
        by: By,
        moment: float,
        *,
        imported: tuple[int | None, int | None] = _NONE,
        folder: FolderName | None = None,
        past: bool = False,
    ) -> int:
        """Add a step. Undone steps can't be redone any more. `imported`: counts before and after.

        `past`: a step of another home, which can't be undone here, and leaves the other steps as
        they were.
        """
        if not past:
            self._connection.execute("UPDATE steps SET state = 'closed' WHERE state = 'undone'")
        return self._connection.number(
            "INSERT INTO steps (by, moment, state, account, folder, base_before, base_after)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number",
            (by, moment, "closed" if past else "done", *(folder or _NONE), *imported),
        )

    def depth(self) -> tuple[int, int]:
        """Return the numbers of steps that can be undone and redone."""
        found: dict[str, int] = dict(
            self._connection.rows("SELECT state, count(*) FROM steps GROUP BY state")
        )
        return found.get("done", 0), found.get("undone", 0)

    def next(self, *, redo: bool = False) -> UndoStep | None:
        state, order = ("undone", "ASC") if redo else ("done", "DESC")
        row = self._connection.row(
            (
                f"SELECT number, by, base_before, base_after FROM steps WHERE state = ? ORDER BY "
                f"number {order} LIMIT 1"
            ),
            (state,),
        )
        return UndoStep(*row) if row else None

    def set_state(self, step: int, state: str) -> None:
        self._connection.execute("UPDATE steps SET state = ? WHERE number = ?", (state, step))

    def changes(self, step: int) -> list[Change]:
        """Return the changes of a step as it was done first, in order."""
        rows = self._connection.rows(
            "SELECT message, before, position_before, after, position_after FROM journal"
            " WHERE step = ? AND by NOT IN ('undo', 'redo') ORDER BY number",
            (step,),
        )

        def place(klass: int | None, position: int) -> LabelPosition | None:
            return LabelPosition(self._labels.name(klass), position) if klass else None

        return [Change(message, place(*rest[:2]), place(*rest[2:])) for message, *rest in rows]

    def figures(self, step: int, limit: int = -1) -> StepTaken | None:
        """Return a summary of a step as it was done first, None if it has more changes than `limit`
        (-1: any).
        """
        row = self._connection.row(
            "SELECT steps.by, account, folder, count(message), count(DISTINCT "
            "coalesce(after, 0)), max(after),"
            " max(message) FROM steps LEFT JOIN (SELECT step, message, after FROM journal"
            " WHERE step = ?1 AND by NOT IN ('undo', 'redo') LIMIT ?2) ON step = steps.number"
            " WHERE steps.number = ?1 GROUP BY steps.number",
            (step, limit + 1 if limit >= 0 else -1),
        )
        if row is None or 0 <= limit < row[3]:
            return None
        by, account, folder, count, kinds, after, message = row
        label = self._labels.name(after) if kinds == 1 and after is not None else None
        source = source_of(By(by), account, folder).folder
        if by == By.MOVE:
            columns = (
                "count(DISTINCT message), max(message), count(DISTINCT target), max(account), "
                "max(target)"
            )
            moves = "filed JOIN filed_steps ON move = number AND filed_steps.wanted WHERE step = ?"
            moved = self._connection.rows(f"SELECT {columns} FROM {moves}", (step,))[0]
            (count, message, targets), source = moved[:3], FolderName(*moved[3:])
            source = source if targets == 1 else None
        elif by == By.FLAG:
            columns = "count(*), max(message), max(iif(added, flag, NULL)) FROM flag_changes"
            count, message, label = self._connection.rows(
                f"SELECT {columns} WHERE step = ?", (step,)
            )[0]
        return StepTaken(by, label, count, source, message if count == 1 else 0)

    def preview(self, limit: int) -> tuple[StepTaken | None, StepTaken | None]:
        """Summarize the next steps to undo and to redo; None without one, or if it has more changes
        than `limit`.
        """
        undo = self.next()
        redo = self.next(redo=True)
        return undo and self.figures(undo.number, limit), redo and self.figures(redo.number, limit)

    def folders(self) -> list[tuple[int, str, str]]:
        """Return number, account and folder of all steps that were learned from a folder."""
        return self._connection.rows(
            "SELECT number, account, folder FROM steps WHERE account IS NOT NULL ORDER BY number"
        )


class LabelSources:
    """Source of each label: the latest entry that assigned this label at this position. Restoring
    doesn't count.
    """

    def __init__(self, connection: Connection, labels: Labels, steps: UndoSteps) -> None:
        self._connection = connection
        self._labels = labels
        self._steps = steps

    def find(self, message: int) -> SourcedLabel | None:
        """Return the label of a message with source and time; None without a label."""
        label = self._labels.of([message]).get(message)
        if label is None:
            return None
        assigned = self._connection.row(_ASSIGNED.format(which="= ?"), (message,))
        last = self._connection.row(
            "SELECT by, moment FROM journal WHERE message = ? ORDER BY number DESC LIMIT 1",
            (message,),
        )
        back = last if last and last[0] in RESTORING else ("", 0.0)
        if assigned is None:
            return SourcedLabel(label, UNKNOWN_SOURCE, 0.0, *back)
        _, by, step, moment, _ = assigned
        return SourcedLabel(label, self._folders().get(step) or LabelSource(by), moment, *back)

    def names(self) -> tuple[LabelSource, ...]:
        """Return all sources. New ones are added at the end."""
        kinds = [UNKNOWN_SOURCE, *(LabelSource(by.value) for by in By), LabelSource("files")]
        return tuple(dict.fromkeys([*kinds, *self._folders().values()]))

    def column(self, messages: LongArray, names: Sequence[LabelSource]) -> ShortArray:
        """Return the index of each message's source in `names`. `messages`: labelled, in ascending
        order.
        """
        numbers = messages.tolist()
        if not numbers:
            return np.zeros(0, np.int16)
        near = numbers[-1] - numbers[0] < _NEAR * len(numbers)
        which = "BETWEEN ? AND ?" if near else "IN (SELECT value FROM json_each(?))"
        wanted = (numbers[0], numbers[-1]) if near else (listed(numbers),)
        rows = self._connection.rows(_ASSIGNED.format(which=which), wanted)
        indexes = {label_source: index for index, label_source in enumerate(names)}
        folders = self._folders()
        kinds = {
            kind: indexes[folders.get(kind[1]) or LabelSource(kind[0])]
            for kind in {row[1:3] for row in rows}
        }
        found = {row[0]: kinds[row[1:3]] for row in rows}
        return np.array(
            [found.get(message, indexes[UNKNOWN_SOURCE]) for message in numbers], np.int16
        )

    def _folders(self) -> dict[int, LabelSource]:
        """Return the source of each step that was learned from a folder or from files."""
        return {
            step: source_of(By.FOLDER, account, folder)
            for step, account, folder in self._steps.folders()
        }


def source_of(by: By, account: str | None, folder: str | None) -> LabelSource:
    """Return the source for a cause and the folder of a step. Files belong to no folder."""
    if by is not By.FOLDER or account is None or folder is None:
        return LabelSource(by.value)
    name = FolderName(account, folder)
    return LabelSource("files") if name == FILES else LabelSource(by.value, name)
