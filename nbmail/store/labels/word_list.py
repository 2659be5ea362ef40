"""Words that the user ignores, and phrases."""

from nbmail.store.labels.step_changes import StepChanges


class WordList(StepChanges):
    """List of words, each change an undo step."""

    def now(self) -> tuple[str, ...]:
        """Return the words in the list, in the order in which they were added."""
        return tuple(word for word, is_listed in self._current().items() if is_listed)

    def set(self, *words: str, added: bool = True, moment: float = 0.0, step: int = 0) -> int:
        """Add words, or remove them.

        Return the number of the step, a new one unless `step` is given.
        """
        return self._add([(word, added) for word in words], moment, step)
