"""Messages taken apart a few at a time, in word numbers of their own. Without numpy: see `nbmail.cli.reading`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from nbmail.cli.files import Source, messages_of, unreadable
from nbmail.core.collecting import Choices, collect
from nbmail.core.dates import moment_of
from nbmail.core.mail import Mail, parse
from nbmail.core.tables import new_table
from nbmail.store.identity import identities

# Sender, subject, date, size, whether there are files: what a list shows of a message.
Heading = tuple[str, str, float, int, bool]
NUMBER_BYTES = 4


@dataclass(slots=True)
class Chunk:
    """Messages taken apart. `origins` are each one's source, by its place, and its number in that.

    `fresh` are the words not sent before, packed by a table. `words` are numbers end to end, a message's sorted and
    each once, and `occurrences` stand beside them, both as 32-bit integers; a message has `lengths` of them.
    """

    origins: list[tuple[int, int]] = field(default_factory=list)
    identities: list[tuple[bytes, bytes]] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    measures: list[tuple[int, ...]] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    words: bytes = b""
    occurrences: bytes = b""
    fresh: Any = None


class Taker:
    """Takes messages apart, numbering words from 0 in the order of meeting.

    `whole` asks for identities and headings too, which only what is kept needs.
    """

    def __init__(self, verdict_headers: bool, pairs: bool, whole: bool) -> None:
        self._choices = Choices(verdict_headers, pairs)
        self._whole = whole
        self._table = new_table()

    def take(self, sources: Sequence[Source]) -> Chunk:
        """All messages of these sources."""
        table, chunk = self._table, Chunk()
        known = len(table)
        taken: list[tuple[bytes, bytes]] = []
        for place, source in enumerate(sources):
            for number, raw in _read(source):
                mail = parse(raw)
                table.begin()
                chunk.measures.append(collect(mail, self._choices, table))
                taken.append(table.take())
                chunk.origins.append((place, number))
                if self._whole:
                    chunk.identities.append(identities(raw))
                    chunk.headings.append(_heading(mail))
        chunk.lengths = [len(words) // NUMBER_BYTES for words, _ in taken]
        chunk.words = b"".join(words for words, _ in taken)
        chunk.occurrences = b"".join(occurrences for _, occurrences in taken)
        chunk.fresh = table.packed_from(known)
        return chunk


def _read(source: Source) -> Iterator[tuple[int, bytes]]:
    try:
        yield from messages_of(source)
    except OSError as error:
        raise unreadable(source.path, error) from error


def _heading(mail: Mail) -> Heading:
    return (
        mail.header("from"),
        mail.header("subject"),
        moment_of(mail.header("date")),
        mail.size,
        bool(mail.files),
    )
