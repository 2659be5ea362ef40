"""The user's steps in short, to be named before they are taken back, and the folders that some were learned from."""

from __future__ import annotations

import json

from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.labels.labels import Labels
from nbmail.store.values import FILES, By, StepFigures

# Settings with the number of a step behind this name its folder. Homes of earlier versions have none.
_NAME = "folder_of_step:"


class Steps:
    """Looks at steps, which the journal writes, and keeps beside them which folder they were learned from."""

    def __init__(self, connection: Connection, labels: Labels, settings: SettingsTable) -> None:
        self._connection = connection
        self._labels = labels
        self._settings = settings
        self._folders: dict[int, tuple[str, str]] | None = None

    def length(self, step: int) -> int:
        """How many changes a step made when it was done first."""
        return int(
            self._connection.value(
                "SELECT count(*) FROM journal WHERE step = ? AND by NOT IN ('undo', 'redo')", (step,)
            )
        )

    def messages_since(self, line: int) -> int:
        """Of how many messages the label was changed after this line of the journal."""
        return int(self._connection.value("SELECT count(DISTINCT message) FROM journal WHERE number > ?", (line,)))

    def figures(self, step: int) -> StepFigures | None:
        """A step in short, as it was taken first."""
        row = self._connection.row(
            "SELECT steps.by, count(message), count(DISTINCT coalesce(after, 0)), max(after), min(message) FROM steps"
            " LEFT JOIN journal ON step = steps.number AND journal.by NOT IN ('undo', 'redo') WHERE steps.number = ?"
            " GROUP BY steps.number",
            (step,),
        )
        if row is None:
            return None
        by, count, kinds, after, first = row
        one_kind = kinds == 1 and after is not None
        return StepFigures(By(by), count, self._labels.name(after) if one_kind else None, first)

    def note_folder(self, step: int, folder: tuple[str, str] = FILES) -> None:
        """What the step learns lies in this folder of an account. Joins a transaction under way."""
        if not step or self.folder(step) == folder:
            return
        # A number that is rolled back is given to another step.
        self._connection.when_rolled_back(self._forget)
        self._settings.set(f"{_NAME}{step}", folder)
        self._known()[step] = folder

    def folder(self, step: int) -> tuple[str, str] | None:
        """The folder that a step was learned from; None where nobody noted it."""
        return self._known().get(step)

    def folders(self) -> tuple[tuple[str, str], ...]:
        """All of them, each once, in the order of the first step of each."""
        return tuple(dict.fromkeys(self._known().values()))

    def _known(self) -> dict[int, tuple[str, str]]:
        if self._folders is None:
            rows = self._connection.rows(
                "SELECT CAST(substr(name, ?) AS INTEGER), value FROM settings WHERE name GLOB ? ORDER BY 1",
                (len(_NAME) + 1, f"{_NAME}*"),
            )
            self._folders = {step: tuple(json.loads(value)) for step, value in rows}
        return self._folders

    def _forget(self) -> None:
        self._folders = None
