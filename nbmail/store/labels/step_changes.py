"""Lists that the user edits, each change an undo step."""

from collections.abc import Sequence

from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import Json, SettingsTable
from nbmail.store.labels.journal import By
from nbmail.store.labels.undo_steps import UndoSteps

_SETTINGS = {By.WORDS: "ignored_words", By.PHRASES: "phrases", By.RULE: "sender_rules"}
"""Setting of each list, with all its changes: name, value and undo step."""


class StepChanges:
    """Values by name. The changes of all steps apply that are done, not undone."""

    def __init__(
        self, connection: Connection, settings: SettingsTable, steps: UndoSteps, by: By
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._steps = steps
        self._by = by
        self._name = _SETTINGS[by]

    def _current(self) -> dict[str, str | bool]:
        """Return the latest value of each name, in the order of its change."""
        changes: list[tuple[str, str | bool, int]] = self._settings.get(self._name, [])
        done = self._connection.column_among(
            "SELECT number FROM steps WHERE state = 'done' AND number",
            [step for _, _, step in changes],
        )
        values = dict[str, str | bool]()
        for name, value, step in changes:
            if step in done:
                values.pop(name, None)
                values[name] = value
        return values

    def _add(self, changes: Sequence[tuple[str, str | bool]], moment: float, step: int = 0) -> int:
        """Store changes. Return the number of the step, a new one unless `step` is given."""
        with self._connection.transaction():
            step = step or self._steps.begin(self._by, moment)
            stored: list[Json] = list(self._settings.get(self._name, []))
            for name, value in changes:
                stored.append([name, value, step])
            self._settings.set(self._name, stored)
        return step


class WordList(StepChanges):
    """Ignored words, or phrases."""

    def now(self) -> tuple[str, ...]:
        """Return the words in the list, in the order in which they were added."""
        return tuple(word for word, is_listed in self._current().items() if is_listed)

    def set(self, *words: str, added: bool = True, moment: float = 0.0, step: int = 0) -> int:
        """Add words, or remove them.

        Return the number of the step, a new one unless `step` is given.
        """
        return self._add([(word, added) for word in words], moment, step)
