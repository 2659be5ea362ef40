"""Words that add nothing to any score because the user said so. Each change is a step, which undo and redo reach."""

from nbmail.store.files.connection import Connection
from nbmail.store.files.settings_table import SettingsTable
from nbmail.store.labels.journal import By
from nbmail.store.labels.undo_steps import UndoSteps

_NAME = "ignored_words"


class IgnoredWords:
    """What the user said of single words, line by line; in force are the lines whose step is done."""

    def __init__(self, connection: Connection, settings: SettingsTable, steps: UndoSteps) -> None:
        self._connection, self._settings, self._steps = connection, settings, steps

    def now(self) -> tuple[str, ...]:
        """The words that are ignored, in the order in which they were."""
        rows = self._connection.rows("SELECT number FROM steps WHERE by = ? AND state = 'done'", (By.WORDS,))
        done, words = {number for (number,) in rows}, dict[str, None]()
        for word, ignored, step in self._settings.get(_NAME, []):
            if step in done:
                words.pop(word, None)
                if ignored:
                    words[word] = None
        return tuple(words)

    def set(self, word: str, *, ignored: bool, moment: float) -> int:
        """Ignore a word from now on, or let it count again; the number of the step."""
        with self._connection.transaction():
            step = self._steps.begin(By.WORDS, moment)
            self._settings.set(_NAME, [*self._settings.get(_NAME, []), [word, ignored, step]])
        return step
