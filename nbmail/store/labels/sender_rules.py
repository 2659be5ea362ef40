"""Rules of the user about senders: always junk, or never. A rule decides the verdict and teaches the model nothing."""

from collections.abc import Iterable, Mapping

from nbmail.core.reading.header_words import author_in
from nbmail.store.files.connection import Connection, SettingsTable, listed
from nbmail.store.labels.journal import By, UndoSteps
from nbmail.values import SenderRule

_RULES = "sender_rules"
"""Setting with all changes of rules: sender, class or "", and undo step."""
GOOD = "good"


class SenderRules:
    """Each change is an undo step; the changes of all steps that are done apply."""

    def __init__(self, connection: Connection, settings: SettingsTable, steps: UndoSteps) -> None:
        self._connection, self._settings, self._steps = connection, settings, steps

    def now(self) -> tuple[SenderRule, ...]:
        """Return the rules by sender."""
        rows = self._connection.rows("SELECT number FROM steps WHERE by = ? AND state = 'done'", (By.RULE,))
        done, rules = {number for (number,) in rows}, dict[str, str]()
        for sender, verdict, step in self._settings.get(_RULES, []):
            if step in done:
                rules[sender] = verdict
        return tuple(SenderRule(sender, verdict) for sender, verdict in sorted(rules.items()) if verdict)

    def set(self, rule: SenderRule, *, moment: float) -> int:
        """Set a rule, or remove it with an empty verdict. Return the number of the step."""
        with self._connection.transaction():
            step = self._steps.begin(By.RULE, moment)
            self._settings.set(_RULES, [*self._settings.get(_RULES, []), [rule.sender.lower(), rule.verdict, step]])
        return step

    def matches(self, messages: Iterable[int] | None = None) -> dict[int, str]:
        """Return the verdicts that rules decide, of all messages or of some.

        A rule for not junk counts only where the mail server verified the sender: anybody can write a name.
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
        found = ((number, _verdict(author_in(sender), rules), verified) for number, sender, verified in rows)
        return {number: verdict for number, verdict, verified in found if verdict and (verdict != GOOD or verified)}


def _verdict(address: str, rules: Mapping[str, str]) -> str:
    """Return the verdict of the rule for an address, otherwise for its domain or the nearest one above."""
    domain = address.rpartition("@")[2]
    parts = domain.split(".") if domain else []
    names = (address, *(".".join(parts[place:]) for place in range(len(parts))))
    return next((rules[name] for name in names if name in rules), "")
