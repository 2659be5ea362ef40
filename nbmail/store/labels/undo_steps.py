"""Undo steps, to which journal entries, moves and changed flags belong."""

from typing import NamedTuple

from nbmail.store.files.connection import Connection
from nbmail.store.labels.journal import By, Change, source_of
from nbmail.store.labels.labels import LabelPosition, Labels
from nbmail.values import FolderName, StepTaken

# A step as it was done first: without the entries of its undo.
_FIRST = "FROM journal WHERE step = ?1 AND by NOT IN ('undo', 'redo')"
_SUMMARY = f"""
SELECT steps.by, account, folder, count(message), count(DISTINCT coalesce(after, 0)), max(after),
  max(message)
FROM steps
LEFT JOIN (SELECT step, message, after {_FIRST} LIMIT ?2) ON step = steps.number
WHERE steps.number = ?1 GROUP BY steps.number
"""
_MOVES = """
SELECT count(DISTINCT message), max(message), count(DISTINCT target), max(account), max(target)
FROM filed JOIN filed_steps ON move = number AND filed_steps.wanted WHERE step = ?
"""
_FLAGS = """
SELECT count(*), max(message), max(iif(added, flag, NULL)) FROM flag_changes WHERE step = ?
"""


class UndoStep(NamedTuple):
    """Undo step.

    `base_before`, `base_after`: numbers of the imported counts, if the step changed them.
    """

    number: int
    by: str
    base_before: int | None
    base_after: int | None


class UndoSteps:
    """Table of undo steps."""

    def __init__(self, connection: Connection, labels: Labels) -> None:
        self._connection = connection
        self._labels = labels

    def begin(
        self,
        by: By,
        moment: float,
        *,
        imported: tuple[int | None, int | None] = (None, None),
        folder: FolderName | None = None,
        past: bool = False,
    ) -> int:
        """Add a step. Undone steps can't be redone any more. `imported`: counts before and after.

        `past`: a step of another home, which can't be undone here, and leaves the other steps
        unchanged.
        """
        if not past:
            self._connection.execute("UPDATE steps SET state = 'closed' WHERE state = 'undone'")
        state = "closed" if past else "done"
        origin = folder or (None, None)
        return self._connection.number(
            "INSERT INTO steps (by, moment, state, account, folder, base_before, base_after) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number",
            (by, moment, state, *origin, *imported),
        )

    def depth(self) -> tuple[int, int]:
        """Return the numbers of steps that can be undone and redone."""
        rows = self._connection.rows("SELECT state, count(*) FROM steps GROUP BY state")
        found: dict[str, int] = dict(rows)
        return found.get("done", 0), found.get("undone", 0)

    def next_undo(self) -> UndoStep | None:
        return self._next("state = 'done' ORDER BY number DESC")

    def next_redo(self) -> UndoStep | None:
        return self._next("state = 'undone' ORDER BY number")

    def _next(self, which: str) -> UndoStep | None:
        row = self._connection.row(
            f"SELECT number, by, base_before, base_after FROM steps WHERE {which} LIMIT 1"
        )
        return UndoStep(*row) if row else None

    def set_state(self, step: int, state: str) -> None:
        self._connection.execute("UPDATE steps SET state = ? WHERE number = ?", (state, step))

    def changes(self, step: int) -> list[Change]:
        """Return the changes of a step as it was done first, in order."""
        rows = self._connection.rows(
            f"SELECT message, before, position_before, after, position_after {_FIRST} "
            "ORDER BY number",
            (step,),
        )
        return [
            Change(message, self._place(before, position_before), self._place(after, position))
            for message, before, position_before, after, position in rows
        ]

    def _place(self, klass: int | None, position: int) -> LabelPosition | None:
        return LabelPosition(self._labels.name(klass), position) if klass else None

    def figures(self, step: int, limit: int = -1) -> StepTaken | None:
        """Return a summary of a step as it was done first.

        None if the step has more changes than `limit` (-1: any).
        """
        row = self._connection.row(_SUMMARY, (step, limit + 1 if limit >= 0 else -1))
        if row is None:
            return None
        by, account, folder, messages, kinds, after, message = row
        if 0 <= limit < messages:
            return None
        if by == By.FLAG:
            return self._flags(step)
        label = self._labels.name(after) if kinds == 1 and after is not None else None
        if by == By.MOVE:
            return self._moves(step, label)
        source = source_of(By(by), account, folder).folder
        return StepTaken(by, label, messages, source, message if messages == 1 else 0)

    def _moves(self, step: int, label: str | None) -> StepTaken:
        row = self._connection.rows(_MOVES, (step,))[0]
        messages, message, targets, account, target = row
        folder = FolderName(account, target) if targets == 1 else None
        return StepTaken(By.MOVE, label, messages, folder, message if messages == 1 else 0)

    def _flags(self, step: int) -> StepTaken:
        messages, message, flag = self._connection.rows(_FLAGS, (step,))[0]
        return StepTaken(By.FLAG, flag, messages, None, message if messages == 1 else 0)

    def preview(self, limit: int) -> tuple[StepTaken | None, StepTaken | None]:
        """Summarize the next steps to undo and to redo.

        None without one, or if it has more changes than `limit`.
        """
        undo = self.next_undo()
        redo = self.next_redo()
        return (
            self.figures(undo.number, limit) if undo else None,
            self.figures(redo.number, limit) if redo else None,
        )

    def folders(self) -> list[tuple[int, str, str]]:
        """Return number, account and folder of all steps that were learned from a folder."""
        return self._connection.rows(
            "SELECT number, account, folder FROM steps WHERE account IS NOT NULL ORDER BY number"
        )
