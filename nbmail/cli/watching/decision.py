"""Decision about one message, as `nbmail watch` prints it."""

from typing import NamedTuple

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.text.terminal_text import printable

_ACTIONS = {
    SortedState.MOVING: "moving",
    SortedState.MOVED: "moved",
    SortedState.REHEARSED: "would be moved",
    SortedState.STAYED: "stays",
}


class Decision(NamedTuple):
    """Decision about one message, and the action taken."""

    message: int
    account: str
    sender: str
    subject: str
    verdict: str
    probability: float | None
    reasons: tuple[tuple[str, float], ...]
    action: str = ""

    @property
    def text(self) -> str:
        """One line: line breaks and control characters of strangers are escaped."""
        chance = "     -"
        if self.probability is not None:
            chance = f"{100 * self.probability:5.1f}%"
        words = [f"{'+' if amount > 0 else '-'}{word}" for word, amount in self.reasons]
        about = f"{self.sender}: {self.subject}"
        line = f"{chance}  {self.verdict:6}  {about}  [{' '.join(words)}]  {self.action}"
        return printable(line)


def decision_of(found: SortedMessage) -> Decision:
    """Return the decision about a message that was sorted without one, or before."""
    return Decision(
        message=found.message,
        account=found.account,
        sender=found.sender,
        subject=found.subject,
        verdict="folder" if found.target else "spam",
        probability=found.probability,
        reasons=(),
        action=action_text(found),
    )


def action_text(found: SortedMessage | None) -> str:
    """Return what sorting does with a message.

    It stays unless it was spam or filed when it arrived.
    """
    if found is None or found.state is SortedState.NEW:
        return "stays"
    text = _ACTIONS.get(found.state, str(found.state))
    if found.reason:
        return f"{text}: {found.reason}"
    if found.target:
        return f"{text} to {found.target}"
    return text
