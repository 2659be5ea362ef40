"""Messages of files taken apart a few at a time. Without numpy: see `nbmail.cli.reading`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nbmail.cli.files import Source, messages_of, unreadable
from nbmail.core.reading.mail import parse
from nbmail.core.reading.tokenized_mail import Binder, Heading, Sheaf, heading_of
from nbmail.store.mail.identity import identities


@dataclass(frozen=True, slots=True)
class Chunk:
    """Messages taken apart. `origins` are each one's source, by its place, and its number in that."""

    origins: list[tuple[int, int]]
    identities: list[tuple[bytes, bytes]]
    headings: list[Heading]
    sheaf: Sheaf


class Taker:
    """Takes messages apart. `whole` asks for identities and headings too, which only what is kept needs."""

    def __init__(self, whole: bool) -> None:
        self._whole = whole
        self._binder = Binder()

    def take(self, sources: Sequence[Source]) -> Chunk:
        """All messages of these sources."""
        origins: list[tuple[int, int]] = []
        names: list[tuple[bytes, bytes]] = []
        headings: list[Heading] = []
        for place, source in enumerate(sources):
            for number, raw in _read(source):
                mail = parse(raw)
                self._binder.add(mail)
                origins.append((place, number))
                if self._whole:
                    names.append(identities(raw))
                    headings.append(heading_of(mail))
        return Chunk(origins, names, headings, self._binder.bind())


def _read(source: Source) -> Iterator[tuple[int, bytes]]:
    try:
        yield from messages_of(source)
    except OSError as error:
        raise unreadable(source.path, error) from error
