"""Messages taken apart a few at a time, in word numbers of their own, and how they join a vocabulary."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from nbmail.cli_files import Source, messages_of, unreadable
from nbmail.core.mail import parse
from nbmail.core.sample import LongArray, Sample, Vocabulary
from nbmail.core.words import LONGEST_WORD, Choices, collect
from nbmail.store.identity import identify
from nbmail.store.values import Head
from nbmail.worker.taking import head_of

_NO_HEAD = Head("", "", 0.0, 0)


@dataclass(slots=True)
class Chunk:
    """Messages taken apart. `origins` are each one's source, by its place, and its number in that.

    `fresh` are words not sent before; `words` lie end to end, as often as they occur, `lengths` of them a message.
    """

    origins: list[tuple[int, int]] = field(default_factory=list)
    identities: list[bytes] = field(default_factory=list)
    heads: list[Head] = field(default_factory=list)
    measures: list[tuple[int, ...]] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    words: bytes = b""


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


class Taker:
    """Takes messages apart, numbering words from 0 in the order of meeting.

    `whole` asks for identities and heads too, which only what is kept needs.
    """

    def __init__(self, verdict_headers: bool, pairs: bool, whole: bool) -> None:
        self._choices = Choices(verdict_headers, pairs)
        self._whole = whole
        self._vocabulary = Vocabulary()

    def take(self, sources: Sequence[Source]) -> Chunk:
        """All messages of these sources."""
        known, chunk = len(self._vocabulary), Chunk()
        # Counting is left to one sort of numbers, which is faster than a dictionary of words for each message.
        numbers: list[int] = []
        for place, source in enumerate(sources):
            for number, raw in _read(source):
                mail = parse(raw)
                words, measures = collect(mail, self._choices)
                numbers += self._vocabulary.numbers_of(words)
                chunk.origins.append((place, number))
                chunk.lengths.append(len(words))
                chunk.measures.append(measures)
                if self._whole:
                    chunk.identities.append(identify(raw))
                    chunk.heads.append(head_of(mail, 0.0, mail.size))
        chunk.fresh = self._vocabulary.words_from(known)
        chunk.words = array("i", numbers).tobytes()
        return chunk


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
                yield Letter(source, number, sample, chunk.identities[message], chunk.heads[message])
            else:
                yield Letter(source, number, sample)

    def _samples(self, chunk: Chunk) -> Iterator[Sample]:
        fresh = [word if len(word) <= LONGEST_WORD else "" for word in chunk.fresh]
        if self._grow:
            self._vocabulary.numbers_of(filter(None, fresh))
        self._numbers = np.concatenate([self._numbers, np.array(self._vocabulary.known_numbers_of(fresh), np.int64)])
        words = self._numbers[np.frombuffer(chunk.words, np.int32)]
        places = np.repeat(np.arange(len(chunk.lengths)), chunk.lengths)[words >= 0]
        keys = (places << 32) | words[words >= 0]
        keys.sort()
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        occurrences = np.diff(first, append=len(keys)).astype(np.int32)
        found = keys[first]
        rows = (found & 0xFFFFFFFF).astype(np.int32)
        ends = np.searchsorted(found, np.arange(len(chunk.lengths) + 1) << 32).tolist()
        for start, stop, measures in zip(ends, ends[1:], chunk.measures, strict=False):
            yield Sample(rows[start:stop], occurrences[start:stop], measures)


def _read(source: Source) -> Iterator[tuple[int, bytes]]:
    try:
        yield from messages_of(source)
    except OSError as error:
        raise unreadable(source.path, error) from error
