"""Messages taken apart a few at a time, in word numbers of their own. Without numpy: see `nbmail.cli.reading`."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice

from nbmail.cli.files import Source, messages_of, unreadable
from nbmail.core.collecting import LONGEST_WORD, Choices, collect
from nbmail.core.dates import moment_of
from nbmail.core.mail import Mail, parse
from nbmail.store.identity import identify

# Sender, subject, date, size, whether there are files: what a list shows of a message.
Heading = tuple[str, str, float, int, bool]


@dataclass(slots=True)
class Chunk:
    """Messages taken apart. `origins` are each one's source, by its place, and its number in that.

    `fresh` are words not sent before but those too long to be kept, whose places among all not sent before are `long`;
    `words` lie end to end, as often as they occur, `lengths` of them a message.
    """

    origins: list[tuple[int, int]] = field(default_factory=list)
    identities: list[bytes] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    measures: list[tuple[int, ...]] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)
    long: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    words: bytes = b""


class Taker:
    """Takes messages apart, numbering words from 0 in the order of meeting.

    `whole` asks for identities and headings too, which only what is kept needs.
    """

    def __init__(self, verdict_headers: bool, pairs: bool, whole: bool) -> None:
        self._choices = Choices(verdict_headers, pairs)
        self._whole = whole
        self._numbers = defaultdict[str, int](count().__next__)

    def take(self, sources: Sequence[Source]) -> Chunk:
        """All messages of these sources."""
        known, chunk = len(self._numbers), Chunk()
        # Counting is left to one sort of numbers, which is faster than a dictionary of words for each message.
        numbers: list[int] = []
        for place, source in enumerate(sources):
            for number, raw in _read(source):
                mail = parse(raw)
                words, measures = collect(mail, self._choices)
                numbers += map(self._numbers.__getitem__, words)
                chunk.origins.append((place, number))
                chunk.lengths.append(len(words))
                chunk.measures.append(measures)
                if self._whole:
                    chunk.identities.append(identify(raw))
                    chunk.headings.append(_heading(mail))
        fresh = list(islice(reversed(self._numbers), len(self._numbers) - known))[::-1]
        chunk.fresh = [word for word in fresh if len(word) <= LONGEST_WORD]
        if len(chunk.fresh) < len(fresh):
            chunk.long = [place for place, word in enumerate(fresh) if len(word) > LONGEST_WORD]
        chunk.words = array("i", numbers).tobytes()
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
