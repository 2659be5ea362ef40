"""Messages that other processes took apart join a vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nbmail.cli.files import Source
from nbmail.cli.taking import Chunk
from nbmail.core.sample import LongArray, Sample, Vocabulary
from nbmail.store.values import Head

_NO_HEAD = Head("", "", 0.0, 0)


@dataclass(frozen=True, slots=True)
class Letter:
    """A message taken apart, and its number in its mail file. Identity and head are there if they were asked for."""

    source: Source
    number: int
    sample: Sample
    identity: bytes = b""
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
        self._numbers: LongArray = np.empty(0, np.int64)

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
        known = self._vocabulary.numbers_of if self._grow else self._vocabulary.known_numbers_of
        fresh = np.full(len(chunk.fresh) + len(chunk.long), -1, np.int64)
        fresh[np.delete(np.arange(len(fresh)), chunk.long)] = known(chunk.fresh)
        self._numbers = np.concatenate([self._numbers, fresh])
        words = self._numbers[np.frombuffer(chunk.words, np.int32)]
        keys = np.repeat(np.arange(len(chunk.lengths)) << 32, chunk.lengths)
        keys |= words
        keys = keys[words >= 0]
        keys.sort()
        begins = np.empty(len(keys) + 1, np.bool_)
        begins[0] = begins[-1] = True
        np.not_equal(keys[1:], keys[:-1], out=begins[1:-1])
        first = np.flatnonzero(begins)
        occurrences = np.diff(first).astype(np.int32)
        first = first[:-1]
        found = keys[first]
        rows = (found & 0xFFFFFFFF).astype(np.int32)
        ends = np.searchsorted(found, np.arange(len(chunk.lengths) + 1) << 32).tolist()
        for start, stop, measures in zip(ends, ends[1:], chunk.measures, strict=False):
            yield Sample(rows[start:stop], occurrences[start:stop], measures)
