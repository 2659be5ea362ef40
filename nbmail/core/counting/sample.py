"""Features of single messages as integers, sums over many messages, and the vocabulary."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from nbmail.core.reading.authentication import NO_TRUST, Trust
from nbmail.core.reading.mail import Mail
from nbmail.core.reading.tokenizer import Tokenizer, Tokens, new_table, read_tokens, with_counts

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

Number = TypeVar("Number", np.float64, np.complex128)
"""Weights may be complex: two sums in one pass, which takes a fifth longer than one."""

MISSING = np.iinfo(np.int64).min
"""A measure that a message of `WordRows` lacks."""
_CHUNK = 1 << 18
"""Words summed at a time: with 8 bytes each they fit a second-level cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The evidence of one message.

    `words`: numbers in a vocabulary, sorted, without duplicates. `occurrences`: one number for
    each. A word begins with its place ("subject:free", "from:anna"; none for the body), and a
    categorical fact is a word too ("fact:charset=utf-8"). `measures` are the numeric facts, in the
    order of `nbmail.core.reading.tokenizer.MEASURES`.
    """

    words: IntArray
    occurrences: IntArray
    measures: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sample)
            and np.array_equal(self.words, other.words)
            and np.array_equal(self.occurrences, other.occurrences)
            and self.measures == other.measures
        )

    __hash__ = None  # type: ignore[assignment]

    def with_counts(self, counts: Mapping[int, int]) -> Sample:
        """Return this sample with other occurrences of some words; 0 removes the word."""
        words, times = with_counts(self.words.tobytes(), self.occurrences.tobytes(), counts)
        return Sample(np.frombuffer(words, np.int32), np.frombuffer(times, np.int32), self.measures)


@dataclass(frozen=True, slots=True, eq=False)
class WordRows:
    """Words of many messages in one array: message i has `words[starts[i]:starts[i + 1]]`.

    `occurrences` has one number for each word, `measures` one row for each message. Methods that
    need neither get None: each word then counts once.
    """

    words: IntArray
    starts: LongArray
    occurrences: IntArray | None = None
    measures: LongArray | None = None

    def __len__(self) -> int:
        return len(self.starts) - 1

    def without(self, words: IntArray) -> WordRows:
        if not len(words):
            return self
        kept = ~np.isin(self.words, words)
        starts = np.append(0, np.cumsum(kept))[self.starts]
        occurrences = None if self.occurrences is None else self.occurrences[kept]
        return WordRows(self.words[kept], starts, occurrences, self.measures)

    def lengths(self) -> LongArray:
        return np.diff(self.starts)

    def words_if_few(self, width: int) -> IntArray | None:
        """Return the words if weights are computed faster for them than for all `width` words."""
        return self.words if len(self.words) < width else None

    def sum(
        self, weights: npt.NDArray[Number], *, aligned: bool, times: bool = False
    ) -> npt.NDArray[Number]:
        """Return the sum of the weights of each message's words; with `times`, multiplied by their
        occurrences.

        `aligned`: `weights` has one for each of `words`. Otherwise it has one for each word number,
        and a last one, which must be 0, for all words beyond. Rows without occurrences count each
        word once.
        """
        sums = np.zeros(len(self), weights.dtype)
        first = 0
        while first < len(self):
            # The message behind the last that fits into a chunk with the first one; at least one
            # fits.
            end = int(np.searchsorted(self.starts, self.starts[first] + _CHUNK, side="right")) - 1
            part = slice(first, min(max(end, first + 1), len(self)))
            starts = self.starts[part.start : part.stop + 1]
            words = slice(int(starts[0]), int(starts[-1]))
            # One zero behind the last word: `reduceat` refuses a start at the very end, as empty
            # messages have it.
            taken = np.zeros(words.stop - words.start + 1, weights.dtype)
            if aligned:
                taken[:-1] = weights[words]
            else:
                weights.take(self.words[words], mode="clip", out=taken[:-1])
            if times and self.occurrences is not None:
                taken[:-1] *= self.occurrences[words]
            # `reduceat` gives an empty message the word it starts at.
            sums[part] = np.where(
                np.diff(starts) == 0, 0.0, np.add.reduceat(taken, starts[:-1] - starts[0])
            )
            first = part.stop
        return sums

    @classmethod
    def join(cls, rows: Sequence[IntArray]) -> WordRows:
        """Concatenate the words of single messages."""
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=starts[1:])
        words = np.concatenate(rows) if rows else np.empty(0, np.int32)
        return cls(words.astype(np.int32, copy=False), starts)

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> WordRows:
        rows = cls.join([sample.words for sample in samples])
        none = [np.empty(0, np.int32)]
        occurrences = np.concatenate([sample.occurrences for sample in samples] or none)
        width = max((len(sample.measures) for sample in samples), default=0)
        measures = np.full((len(samples), width), MISSING, np.int64)
        for place, sample in enumerate(samples):
            measures[place, : len(sample.measures)] = sample.measures
        return cls(rows.words, rows.starts, occurrences.astype(np.int32, copy=False), measures)


class Vocabulary:
    """Words numbered 0, 1, 2, … by first occurrence. `phrases`: the user's, counted in all messages
    read.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.table = new_table()
        self.phrases = tuple[str, ...]()
        self.table.numbers_of(words)

    def __len__(self) -> int:
        return len(self.table)

    def word(self, number: int) -> str:
        return self.table.word(number)

    def words_from(self, number: int) -> list[str]:
        return self.table.words_from(number)

    def numbers_of(self, words: Iterable[str]) -> list[int]:
        return self.table.numbers_of(words)

    def known_numbers_of(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of these words, -1 for new ones."""
        return self.table.known_numbers_of(words)


def sample_of(
    mail: Mail, vocabulary: Vocabulary, trust: Trust = NO_TRUST, facts: Sequence[str] = ()
) -> Sample:
    """Return the evidence of a message. New words grow the vocabulary. `trust`, `facts`: as in
    `collect`.
    """
    words, occurrences, measures = read_tokens(
        mail, vocabulary.table, trust, facts, vocabulary.phrases
    )
    return Sample(np.frombuffer(words, np.int32), np.frombuffer(occurrences, np.int32), measures)


def known_sample_of(mail: Mail, vocabulary: Vocabulary) -> Sample:
    """Return the sample of the known words of a message. The vocabulary is not changed."""
    tokenizer = Tokenizer(phrases=vocabulary.phrases)
    words, occurrences, measures = tokenizer.read(mail)
    numbers = np.array(vocabulary.known_numbers_of(tokenizer.new_words()), np.int32)[
        np.frombuffer(words, np.int32)
    ]
    order = np.argsort(numbers)[np.count_nonzero(numbers < 0) :]
    return Sample(numbers[order], np.frombuffer(occurrences, np.int32)[order], measures)


class Joiner:
    """Turns the output of one tokenizer, in its order, into samples of a vocabulary, to which it
    adds new words.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        # Number in the vocabulary of each word of the tokenizer.
        self._numbers = array("i")

    def join(self, new_words: Sequence[str], taken: Sequence[Tokens]) -> list[Sample]:
        """Return the samples of messages. `new_words`: words that the tokenizer first met in
        them.
        """
        self._numbers.extend(self._vocabulary.numbers_of(new_words))
        theirs = np.frombuffer(b"".join(words for words, _, _ in taken), np.int32)
        occurrences = np.frombuffer(b"".join(occurrences for _, occurrences, _ in taken), np.int32)
        words = np.frombuffer(self._numbers, np.int32)[theirs]
        lengths = [len(words) // theirs.itemsize for words, _, _ in taken]
        # Sorting pairs of word and occurrences as one number takes a quarter of the time of
        # `argsort`.
        pairs = words.astype(np.int64) << 32 | occurrences
        ends = np.cumsum(lengths).tolist()
        parts = list(zip((0, *ends), ends, taken, strict=False))
        for start, end, _ in parts:
            pairs[start:end].sort()
        words = (pairs >> 32).astype(np.int32)
        occurrences = pairs.astype(np.int32)
        return [
            Sample(words[start:end], occurrences[start:end], measures)
            for start, end, (*_, measures) in parts
        ]
