"""Messages that other processes took apart join a vocabulary."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nbmail.cli.files import Source
from nbmail.cli.taking import Chunk
from nbmail.core.sample import Sample, Vocabulary
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


class Joiner:
    """Turns the chunks of one taker into samples of a vocabulary; new words grow it, or are dropped."""

    def __init__(self, vocabulary: Vocabulary, grow: bool) -> None:
        self._vocabulary = vocabulary
        self._grow = grow
        # What number the vocabulary has for each of the taker's, -1 for none.
        self._numbers = bytearray()

    def join(self, sources: Sequence[Source], chunk: Chunk) -> Iterator[Letter]:
        """The messages of a chunk that was made from these sources."""
        samples = self._samples(chunk)
        for message, (place, number) in enumerate(chunk.origins):
            source, sample = sources[place], next(samples)
            if chunk.identities:
                yield Letter(source, number, sample, chunk.identities[message], Head(*chunk.headings[message]))
            else:
                yield Letter(source, number, sample)

    def _samples(self, chunk: Chunk) -> Iterator[Sample]:
        table = self._vocabulary.table
        self._numbers += table.numbers_of_packed(chunk.fresh, self._grow)
        written = table.renumbered(chunk.words, chunk.occurrences, array("i", chunk.lengths), self._numbers)
        words, occurrences, lengths = (np.frombuffer(numbers, np.int32) for numbers in written)
        ends = np.cumsum(lengths).tolist()
        for start, stop, measures in zip((0, *ends), ends, chunk.measures, strict=False):
            yield Sample(words[start:stop], occurrences[start:stop], measures)
