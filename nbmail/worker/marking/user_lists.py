"""Ignored words, phrases and rules for senders, as undo steps."""

from collections.abc import Sequence

from nbmail.core.words.phrases import phrase_of
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.labels.marks import LabelChanges
from nbmail.values import SenderRule
from nbmail.worker.engine.jobs import JobSteps
from nbmail.worker.marking.undoable_changes import UndoableChanges
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol.marks import Marked


class UserLists:
    """Changes the lists of the user that count for scores and verdicts."""

    def __init__(self, updates: Updates, changes: UndoableChanges) -> None:
        self._store = updates.store
        self._clock = updates.around.clock
        self._changes = changes

    def ignore_words(self, words: Sequence[str], *, ignored: bool = True) -> JobSteps[Marked]:
        """Exclude words from all scores, or include them again. One undo step."""

        def change() -> int:
            return self._store.ignored_words.set(*words, added=ignored, moment=self._clock())

        return self._changes.run(lambda: LabelChanges(step=change(), base=True))

    def set_phrase(self, phrase: str, *, used: bool = True) -> JobSteps[Marked]:
        """Count a phrase like a word in all stored mail, or no longer. One undo step.

        `phrase`: two words or more.
        """
        words = phrase_of(phrase)
        phrases = self._store.phrases
        if not words:
            raise KnownError(ErrorCode.BAD_INPUT, phrase)
        if (words in phrases.now()) == used:
            return Marked((), None)

        def change() -> int:
            return phrases.set(words, added=used, moment=self._clock())

        return (yield from self._changes.run(lambda: LabelChanges(step=change(), base=True)))

    def set_rule(self, rule: SenderRule) -> JobSteps[Marked]:
        """Let a rule decide the verdicts on a sender, or remove it. One undo step.

        The model learns nothing from a rule.
        """

        def change() -> int:
            return self._store.sender_rules.set(rule, moment=self._clock())

        return self._changes.run(lambda: LabelChanges(step=change(), base=True))
