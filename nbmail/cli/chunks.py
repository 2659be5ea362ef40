"""Messages that were taken apart, as the command line speaks of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nbmail.cli.files import Source
from nbmail.cli.taking import Chunk
from nbmail.core.counting.sample import Sample
from nbmail.core.reading.vocabulary_joining import Joiner
from nbmail.store.values import Head

_NO_HEAD = Head("", "", 0.0, 0)


@dataclass(frozen=True, slots=True)
class Letter:
    """A message taken apart, and its number in its mail file. Identities and head are there if they were asked for."""

    source: Source
    number: int
    sample: Sample
    identities: tuple[bytes, bytes] = (b"", b"")
    head: Head = _NO_HEAD

    @property
    def name(self) -> str:
        """How the command line speaks of it."""
        return f"{self.source.path}:{self.number}" if self.number else str(self.source.path)


def letters_of(sources: Sequence[Source], chunk: Chunk, joiner: Joiner) -> Iterator[Letter]:
    """The messages of a chunk that was made from these sources."""
    samples = joiner.join(chunk.sheaf)
    for message, (place, number) in enumerate(chunk.origins):
        source, sample = sources[place], next(samples)
        if chunk.identities:
            yield Letter(source, number, sample, chunk.identities[message], Head(*chunk.headings[message]))
        else:
            yield Letter(source, number, sample)
