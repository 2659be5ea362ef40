"""What is said of a message without numpy, so that a process that only reads mail starts quickly: heading and evidence.

The evidence is in word numbers of the process's own; `mail_samples` makes samples of it.
"""

from email.utils import mktime_tz, parsedate_tz
from typing import NamedTuple

from nbmail.core.reading.mail import Mail
from nbmail.core.reading.tokenizer import collect
from nbmail.core.reading.word_table import new_table


class Heading(NamedTuple):
    """What a list shows of a message, and its Message-ID. `date` is what the sender says, 0 where that's nothing."""

    sender: str
    subject: str
    date: float
    size: int
    attachments: bool
    message_id: str = ""


Taken = tuple[bytes, bytes, tuple[int, ...]]
"""The evidence of a message: its word numbers, sorted, and how often each occurs, as 32-bit integers; its measures."""


class Tokenizer:
    """Takes the evidence out of messages, numbering words from 0 in the order of meeting."""

    def __init__(self) -> None:
        self._table = new_table()
        self._told = 0

    def take(self, mail: Mail) -> Taken:
        self._table.begin()
        measures = collect(mail, self._table)
        return (*self._table.take(), measures)

    def new_words(self) -> list[str]:
        """The words met since the last time, in the order of their numbers."""
        words = self._table.words_from(self._told)
        self._told += len(words)
        return words


def heading_of(mail: Mail) -> Heading:
    """What a list shows of it, and its Message-ID."""
    date, name = moment_of(mail.header("date")), "".join(mail.header("message-id").split())
    return Heading(mail.header("from"), mail.header("subject"), date, mail.size, bool(mail.files), name)


def moment_of(date: str) -> float:
    """A date header as seconds since 1970; 0.0 where it says nothing."""
    try:
        parts = parsedate_tz(date)
        return float(mktime_tz(parts)) if parts else 0.0
    except (ValueError, OverflowError, IndexError):
        return 0.0
