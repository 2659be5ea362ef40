"""Messages taken apart a few at a time, in word numbers of their own, and how they join a vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from nbmail.cli_files import Source, messages_of, unreadable
from nbmail.core.mail import parse
from nbmail.core.sample import IntArray, LongArray, Sample, Vocabulary
from nbmail.core.words import Choices, gather
from nbmail.store.identity import identify
from nbmail.store.values import Head
from nbmail.worker.taking import head_of

# A message's place among some, a word's number and its occurrences share 64 bits while they are sorted.
_PLACE, _WORD = np.uint64(57), np.uint64(25)
_AT_ONCE = 128
_NO_HEAD = Head("", "", 0.0, 0)
_NONE: IntArray = np.empty(0, np.int32)


@dataclass(slots=True)
class Chunk:
    """Messages taken apart. `origins` are each one's source, by its place, and its number in that.

    `fresh` are words not sent before; `words` and `occurrences` lie end to end, `lengths` of them a message.
    """

    origins: list[tuple[int, int]] = field(default_factory=list)
    identities: list[bytes] = field(default_factory=list)
    heads: list[Head] = field(default_factory=list)
    measures: list[tuple[int, ...]] = field(default_factory=list)
    fresh: list[str] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    words: IntArray = field(default_factory=lambda: _NONE)
    occurrences: IntArray = field(default_factory=lambda: _NONE)


@dataclass(frozen=True, slots=True)
class Letter:
    """A message taken apart. Identity and head are there if they were asked for."""

    source: Source
    sample: Sample
    identity: bytes = b""
    head: Head = _NO_HEAD


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
        words: list[int] = []
        occurrences: list[int] = []
        for place, source in enumerate(sources):
            for number, raw in _read(source):
                mail = parse(raw)
                clues = gather(mail, self._choices)
                words += self._vocabulary.numbers_of(clues.words)
                occurrences += clues.occurrences
                chunk.origins.append((place, number))
                chunk.lengths.append(len(clues.words))
                chunk.measures.append(clues.measures)
                if self._whole:
                    chunk.identities.append(identify(raw))
                    chunk.heads.append(head_of(mail, 0.0, mail.size))
        chunk.fresh = self._vocabulary.words_from(known)
        chunk.words, chunk.occurrences = np.array(words, np.int32), np.array(occurrences, np.int32)
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
            source = sources[place] if number == sources[place].number else replace(sources[place], number=number)
            if chunk.identities:
                yield Letter(source, next(samples), chunk.identities[message], chunk.heads[message])
            else:
                yield Letter(source, next(samples))

    def _samples(self, chunk: Chunk) -> Iterator[Sample]:
        number = self._vocabulary.numbers_of if self._grow else self._vocabulary.known_numbers_of
        self._numbers = np.concatenate([self._numbers, np.array(number(chunk.fresh), np.int64)])
        words = self._numbers[chunk.words]
        ends = np.cumsum([0, *chunk.lengths])
        for first in range(0, len(chunk.lengths), _AT_ONCE):
            last = min(first + _AT_ONCE, len(chunk.lengths))
            part = slice(ends[first], ends[last])
            places = np.repeat(np.arange(last - first), chunk.lengths[first:last])
            rows = _sorted_rows(places, words[part], chunk.occurrences[part], last - first)
            for (row, occurrences), measures in zip(rows, chunk.measures[first:last], strict=True):
                yield Sample(row, occurrences, measures)


def _sorted_rows(
    places: LongArray, words: LongArray, occurrences: IntArray, count: int
) -> Iterator[tuple[IntArray, IntArray]]:
    known = words >= 0
    places, words, occurrences = places[known], words[known], occurrences[known]
    keys = (places.astype(np.uint64) << _PLACE) | (words.astype(np.uint64) << _WORD) | occurrences.astype(np.uint64)
    keys.sort()
    ends = np.searchsorted(keys >> _PLACE, np.arange(1, count, dtype=np.uint64))
    sorted_words = ((keys >> _WORD) & np.uint64(0xFFFFFFFF)).astype(np.int32)
    sorted_occurrences = (keys & np.uint64((1 << 25) - 1)).astype(np.int32)
    return zip(np.split(sorted_words, ends), np.split(sorted_occurrences, ends), strict=True)


def _read(source: Source) -> Iterator[tuple[int, bytes]]:
    try:
        yield from messages_of(source)
    except OSError as error:
        raise unreadable(source.path, error) from error
