"""Messages taken apart a few at a time, in word numbers of their own: what a process hands to another.

Without numpy, so that a process that only reads mail starts quickly. `mail_samples` makes samples of them.
"""

from dataclasses import dataclass
from email.utils import mktime_tz, parsedate_tz
from typing import Any, NamedTuple

from nbmail.core.reading.mail import Mail
from nbmail.core.reading.tokenizer import collect
from nbmail.core.reading.word_table import new_table

_NUMBER_BYTES = 4


class Heading(NamedTuple):
    """What a list shows of a message, and its Message-ID. `date` is what the sender says, 0 where that's nothing."""

    sender: str
    subject: str
    date: float
    size: int
    attachments: bool
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class TokenizedMail:
    """The evidence of some messages.

    `fresh` are the words not handed over before, packed by a table. `words` are numbers end to end, a message's sorted
    and each once, and `occurrences` stand beside them, both as 32-bit integers; a message has `lengths` of them.
    """

    lengths: list[int]
    words: bytes
    occurrences: bytes
    measures: list[tuple[int, ...]]
    fresh: Any


class Tokenizer:
    """Takes the evidence out of messages, numbering words from 0 in the order of meeting."""

    def __init__(self) -> None:
        self._table = new_table()
        self._handed_over = 0
        self._taken: list[tuple[bytes, bytes]] = []
        self._measures: list[tuple[int, ...]] = []

    def add(self, mail: Mail) -> None:
        self._table.begin()
        self._measures.append(collect(mail, self._table))
        self._taken.append(self._table.take())

    def take(self) -> TokenizedMail:
        """All that was added since the last time."""
        taken, self._taken = self._taken, []
        measures, self._measures = self._measures, []
        fresh, self._handed_over = self._table.packed_from(self._handed_over), len(self._table)
        return TokenizedMail(
            lengths=[len(words) // _NUMBER_BYTES for words, _ in taken],
            words=b"".join(words for words, _ in taken),
            occurrences=b"".join(occurrences for _, occurrences in taken),
            measures=measures,
            fresh=fresh,
        )


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
