"""Lists that the user edits, each change an undo step: ignored words, phrases, and rules for
senders.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from nbmail.core.mail.addresses import author_in
from nbmail.store.files.connection import Connection, Json, SettingsTable, listed
from nbmail.store.labels.journal import By, UndoSteps
from nbmail.values import SenderRule

_LISTS = {By.WORDS: "ignored_words", By.PHRASES: "phrases", By.RULE: "sender_rules"}
"""Settings with all changes of a list: word and whether it was added, or sender and class or "";
and undo step.
"""
_DONE = "SELECT number FROM steps WHERE state = 'done' AND number"


class StepChanges:
    """Setting with the user's changes of a list, each part of an undo step. The changes of all done
    steps apply.
    """

    def __init__(
        self, connection: Connection, settings: SettingsTable, steps: UndoSteps, by: By
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._steps = steps
        self._by = by

    def _done(self) -> dict[str, Any]:
        """Return the latest value of each name, in the order of its change."""
        changes: list[list[Any]] = self._settings.get(_LISTS[self._by], [])
        done = self._connection.column_among(_DONE, [step for *_, step in changes])
        values = dict[str, Any]()
        for name, value, step in changes:
            if step in done:
                values.pop(name, None)
                values[name] = value
        return values

    def _add(self, changes: Iterable[tuple[str, str | bool]], moment: float, step: int = 0) -> int:
        """Store changes. Return the number of the step, a new one unless `step` is given."""
        with self._connection.transaction():
            step = step or self._steps.begin(self._by, moment)
            before: list[Json] = self._settings.get(name := _LISTS[self._by], [])
            self._settings.set(name, [*before, *((*change, step) for change in changes)])
        return step


class WordList(StepChanges):
    """Words that the user ignores, or phrases."""

    def now(self) -> tuple[str, ...]:
        """Return the words in the list, in the order in which they were added."""
        return tuple(word for word, is_listed in self._done().items() if is_listed)

    def set(self, *words: str, added: bool = True, moment: float = 0.0, step: int = 0) -> int:
        """Add words, or remove them. Return the number of the step, a new one unless `step` is
        given.
        """
        return self._add([(word, added) for word in words], moment, step)


class SenderRules(StepChanges):
    """Rules: mail of a sender is always spam, or never. They decide the verdict; the model learns
    nothing.
    """

    def now(self) -> tuple[SenderRule, ...]:
        """List the user's rules about senders, by sender."""
        return tuple(
            SenderRule(sender, verdict)
            for sender, verdict in sorted(self._done().items())
            if verdict
        )

    def set(self, rule: SenderRule, *, moment: float) -> int:
        """Set a rule, or remove it with an empty verdict. Return the number of the step."""
        return self._add([(rule.sender.lower(), rule.verdict)], moment)

    def matches(self, messages: Iterable[int] | None = None) -> dict[int, str]:
        """Return the verdicts that rules decide. Not spam requires a verified sender: anybody can
        write a name.
        """
        rules = {rule.sender: rule.verdict for rule in self.now()}
        if not rules:
            return {}
        some = "" if messages is None else "number IN (SELECT value FROM json_each(?)) AND"
        contained = " OR ".join(["instr(lower(sender), ?)"] * len(rules))
        rows = self._connection.rows(
            f"SELECT number, sender, verified FROM messages WHERE {some} ({contained})",
            (*(() if messages is None else (listed(messages),)), *rules),
        )
        found = (
            (number, _verdict(author_in(sender), rules), verified)
            for number, sender, verified in rows
        )
        return {
            number: verdict
            for number, verdict, verified in found
            if verdict and (verdict != "ham" or verified)
        }


def _verdict(address: str, rules: Mapping[str, str]) -> str:
    """Return the verdict of the rule for an address, otherwise for its domain or the nearest one
    above.
    """
    domain = address.rpartition("@")[2]
    parts = domain.split(".") if domain else []
    names = (address, *(".".join(parts[place:]) for place in range(len(parts))))
    return next((rules[name] for name in names if name in rules), "")
