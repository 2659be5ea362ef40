"""The user's steps: what an undo takes back and a redo does again, and from which folder a step was learned."""

from collections.abc import Sequence
from dataclasses import dataclass

from nbmail.store.files.connection import Connection, SettingsTable
from nbmail.store.labels.journal import By, LabelMove, source_of
from nbmail.store.labels.labels import LabelPosition, Labels
from nbmail.values import FolderName, StepTaken

_IGNORED = "ignored_words"
"""The setting that holds what was said of words."""


@dataclass(frozen=True, slots=True)
class UndoStep:
    """A step: its number, what it was, and the imported base before and after it where it was an import."""

    number: int
    by: str
    base_before: int | None
    base_after: int | None


class UndoSteps:
    """Steps, which the journal's lines belong to."""

    def __init__(self, connection: Connection, labels: Labels) -> None:
        self._connection = connection
        self._labels = labels

    def begin(
        self, by: By, moment: float, *, base: tuple[int, int] | None = None, folder: FolderName | None = None
    ) -> int:
        """A new step; what had been undone can't be redone any more. `base` is before and after where it changes."""
        self._connection.execute("UPDATE steps SET state = 'closed' WHERE state = 'undone'")
        return self._insert(by, moment, "done", folder, base or (None, None))

    def past(self, by: By, moment: float, *, folder: FolderName | None = None) -> int:
        """A step that was taken elsewhere, and that can't be undone here."""
        return self._insert(by, moment, "closed", folder, (None, None))

    def _insert(self, by: By, moment: float, state: str, folder: FolderName | None, base: Sequence[int | None]) -> int:
        row = (by, moment, state, *((folder.account, folder.folder) if folder else (None, None)), *base)
        columns = "by, moment, state, account, folder, base_before, base_after"
        new = f"INSERT INTO steps ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number"
        return int(self._connection.value(new, row))

    def depth(self) -> tuple[int, int]:
        found: dict[str, int] = dict(self._connection.rows("SELECT state, count(*) FROM steps GROUP BY state"))
        return found.get("done", 0), found.get("undone", 0)

    def to_undo(self) -> UndoStep | None:
        return self._next("done", "DESC")

    def to_redo(self) -> UndoStep | None:
        return self._next("undone", "ASC")

    def set_state(self, step: int, state: str) -> None:
        self._connection.execute("UPDATE steps SET state = ? WHERE number = ?", (state, step))

    def moves(self, step: int) -> list[LabelMove]:
        """What a step changed when it was done first, in that order."""
        rows = self._connection.rows(
            "SELECT message, before, position_before, after, position_after FROM journal"
            " WHERE step = ? AND by NOT IN ('undo', 'redo') ORDER BY number",
            (step,),
        )
        return [LabelMove(message, _place(*rest[:2]), _place(*rest[2:])) for message, *rest in rows]

    def figures(self, step: int) -> StepTaken | None:
        """A step in short, as it was taken first."""
        row = self._connection.row(
            "SELECT steps.by, account, folder, count(message), count(DISTINCT coalesce(after, 0)), max(after)"
            " FROM steps LEFT JOIN journal ON step = steps.number AND journal.by NOT IN ('undo', 'redo')"
            " WHERE steps.number = ? GROUP BY steps.number",
            (step,),
        )
        if row is None:
            return None
        by, account, folder, count, kinds, after = row
        label = self._labels.name(after) if kinds == 1 and after is not None else None
        return StepTaken(by, label, count, source_of(By(by), account, folder).folder)

    def folder(self, step: int) -> FolderName | None:
        """The folder that a step was learned from; None where nobody noted it."""
        row = self._connection.row("SELECT account, folder FROM steps WHERE number = ?", (step,))
        return source_of(By.FOLDER, *row).folder if row else None

    def folders(self) -> list[tuple[int, str, str]]:
        """Each step that was learned from a folder, with account and folder, in the order of the steps."""
        return self._connection.rows(
            "SELECT number, account, folder FROM steps WHERE account IS NOT NULL ORDER BY number"
        )

    def _next(self, state: str, order: str) -> UndoStep | None:
        row = self._connection.row(
            f"SELECT number, by, base_before, base_after FROM steps WHERE state = ? ORDER BY number {order} LIMIT 1",
            (state,),
        )
        return UndoStep(*row) if row else None


class IgnoredWords:
    """Words that add nothing to any score because the user said so. Each change is a step, which undo and redo reach.

    Kept line by line; in force are the lines whose step is done.
    """

    def __init__(self, connection: Connection, settings: SettingsTable, steps: UndoSteps) -> None:
        self._connection, self._settings, self._steps = connection, settings, steps

    def now(self) -> tuple[str, ...]:
        """The words that are ignored, in the order in which they were."""
        rows = self._connection.rows("SELECT number FROM steps WHERE by = ? AND state = 'done'", (By.WORDS,))
        done, words = {number for (number,) in rows}, dict[str, None]()
        for word, ignored, step in self._settings.get(_IGNORED, []):
            if step in done:
                words.pop(word, None)
                if ignored:
                    words[word] = None
        return tuple(words)

    def set(self, word: str, *, ignored: bool, moment: float) -> int:
        """Ignore a word from now on, or let it count again; the number of the step."""
        with self._connection.transaction():
            step = self._steps.begin(By.WORDS, moment)
            self._settings.set(_IGNORED, [*self._settings.get(_IGNORED, []), [word, ignored, step]])
        return step


def _place(klass: int | None, position: int | None) -> LabelPosition | None:
    return None if klass is None or position is None else LabelPosition(klass, position)
