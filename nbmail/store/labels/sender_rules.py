"""Rules: mail of a sender is always spam, or never."""

from collections.abc import Iterable, Mapping

from nbmail.core.mail.addresses import author_in
from nbmail.store.files.columns import listed
from nbmail.store.files.connection import Row
from nbmail.store.labels.step_changes import StepChanges
from nbmail.values import HAM, SenderRule


class SenderRules(StepChanges):
    """Rules by sender, each change an undo step.

    They decide the verdict; the model learns nothing.
    """

    def now(self) -> tuple[SenderRule, ...]:
        """List the user's rules about senders, by sender."""
        rules = sorted(self._current().items())
        return tuple(SenderRule(sender, str(verdict)) for sender, verdict in rules if verdict)

    def set(self, rule: SenderRule, *, moment: float) -> int:
        """Set a rule, or remove it with an empty verdict. Return the number of the step."""
        return self._add([(rule.sender.lower(), rule.verdict)], moment)

    def matches(self, messages: Iterable[int] | None = None) -> dict[int, str]:
        """Return the verdicts that rules decide, by message; None for all messages.

        Not spam requires a verified sender: anybody can write a name.
        """
        rules = {rule.sender: rule.verdict for rule in self.now()}
        found = dict[int, str]()
        if rules:
            for number, sender, is_verified in self._messages_from(rules, messages):
                verdict = _verdict(author_in(sender), rules)
                if verdict and (verdict != HAM or is_verified):
                    found[number] = verdict
        return found

    def _messages_from(self, senders: Iterable[str], messages: Iterable[int] | None) -> list[Row]:
        """Return number, sender and verification of messages that may be from the senders."""
        names = list(senders)
        contained = " OR ".join(["instr(lower(sender), ?)"] * len(names))
        query = f"SELECT number, sender, verified FROM messages WHERE ({contained})"
        if messages is None:
            return self._connection.rows(query, names)
        return self._connection.rows(
            f"{query} AND number IN (SELECT value FROM json_each(?))", [*names, listed(messages)]
        )


def _verdict(address: str, rules: Mapping[str, str]) -> str:
    """Return the verdict of the rule for an address, or for its domain or the nearest one above."""
    if address in rules:
        return rules[address]
    domain = address.rpartition("@")[2]
    while domain:
        if domain in rules:
            return rules[domain]
        domain = domain.partition(".")[2]
    return ""
