"""Mail that lies in no mailbox: a file that was dropped on the window, or named when the program was started."""

from dataclasses import dataclass

from nbmail.worker.protocol import Command, Explanation, MessageText


@dataclass(frozen=True, slots=True)
class JudgeMail(Command):
    """What would be said of this raw message? Nothing of it is kept. Result: `JudgedMail`."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class JudgedMail:
    """The message to read, and why it has its score. `known` is its number where it lies in a mailbox, too, else 0."""

    text: MessageText
    why: Explanation
    known: int = 0
