"""What may be asked by somebody who reads mail: words in texts, read and unread, attachments, the source.

Attachments are counted from 0, in the order of `MessageText.attachments`.
"""

from dataclasses import dataclass
from pathlib import Path

from nbmail.worker.protocol import Command, Explanation, MessageText


@dataclass(frozen=True, slots=True)
class FindText(Command):
    """Which messages hold all these words? Those in quotes stand one behind the other, the last may go on.

    Looked for in texts, subjects, names of people and of attachments, without regard to case and accents. Result: the
    messages, in no order. Texts that nobody has looked through yet are read meanwhile; what is found by then is
    `Progress.so_far`.
    """

    words: str


@dataclass(frozen=True, slots=True)
class MarkRead(Command):
    """Mark these messages as read or unread, on their servers too. Result: the messages that were not so before."""

    messages: tuple[int, ...]
    read: bool = True


@dataclass(frozen=True, slots=True)
class SaveAttachment(Command):
    """Write an attachment over this file, or to one that is gone at the next start. Result: `SavedAttachment`."""

    message: int
    number: int
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class ReadSource(Command):
    """All headers of a message and its bytes as they came. Result: `MessageSource`."""

    message: int


@dataclass(frozen=True, slots=True)
class JudgeMail(Command):
    """What would be said of this raw message, which lies in no mailbox? Nothing is kept. Result: `JudgedMail`."""

    raw: bytes


# ------------------------------------------------------------------------------------------------ results


@dataclass(frozen=True, slots=True)
class JudgedMail:
    """The message to read, numbered 0 unless it lies in a mailbox too, and why it has its score."""

    text: MessageText
    why: Explanation


@dataclass(frozen=True, slots=True)
class SavedAttachment:
    """An attachment that is on the disk. `runs` says that its first bytes are those of a program, whatever its name."""

    path: Path
    runs: bool = False


@dataclass(frozen=True, slots=True)
class MessageSource:
    """A message, or its first part where it isn't `whole`: headers decoded, in their order, and the text as it came."""

    message: int
    headers: tuple[tuple[str, str], ...]
    text: str
    whole: bool = True
