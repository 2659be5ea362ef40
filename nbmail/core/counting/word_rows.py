"""Words of many messages in one array, and sums over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import IntArray, LongArray
from nbmail.core.counting.sample import Sample
from nbmail.values import BoolArray

Number = TypeVar("Number", np.float64, np.complex128)
"""Weights may be complex: two sums in one pass, which takes a fifth longer than one."""

MISSING = np.iinfo(np.int64).min
"""A measure that a message of `WordRows` lacks."""
_CHUNK = 1 << 18
"""Words summed at a time: with 8 bytes each they fit a second-level cache."""


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
        return self.at(~np.isin(self.words, words))

    def at(self, kept: BoolArray) -> WordRows:
        """Return the same messages with only the words at these places."""
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
        """Return the sum of the weights of each message's words.

        `aligned`: `weights` has one for each of `words`. Otherwise it has one for each word number,
        and a last one, which must be 0, for all words beyond. `times`: multiply by occurrences.
        Rows without occurrences count each word once.
        """
        sums = np.zeros(len(self), weights.dtype)
        for part in self._chunks():
            starts = self.starts[part.start : part.stop + 1]
            taken = self._weights_of(starts, weights, aligned=aligned, times=times)
            found = np.add.reduceat(taken, starts[:-1] - starts[0])
            # `reduceat` gives an empty message the word it starts at.
            is_empty = np.diff(starts) == 0
            sums[part] = np.where(is_empty, 0.0, found)
        return sums

    def _chunks(self) -> Iterator[slice]:
        """Yield slices of messages with up to `_CHUNK` words, each of at least one message."""
        first = 0
        while first < len(self):
            most = self.starts[first] + _CHUNK
            # The message behind the last that fits.
            end = int(np.searchsorted(self.starts, most, side="right")) - 1
            stop = min(max(end, first + 1), len(self))
            yield slice(first, stop)
            first = stop

    def _weights_of(
        self, starts: LongArray, weights: npt.NDArray[Number], *, aligned: bool, times: bool
    ) -> npt.NDArray[Number]:
        """Return the weights of the words of some messages, and a zero behind the last.

        `reduceat` refuses a start at the very end, as empty messages have it.
        """
        words = slice(int(starts[0]), int(starts[-1]))
        taken = np.zeros(words.stop - words.start + 1, weights.dtype)
        if aligned:
            taken[:-1] = weights[words]
        else:
            weights.take(self.words[words], mode="clip", out=taken[:-1])
        if times and self.occurrences is not None:
            taken[:-1] *= self.occurrences[words]
        return taken

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
        nothing = [np.empty(0, np.int32)]
        occurrences = np.concatenate([sample.occurrences for sample in samples] or nothing)

        width = max((len(sample.measures) for sample in samples), default=0)
        measures = np.full((len(samples), width), MISSING, np.int64)
        for place, sample in enumerate(samples):
            measures[place, : len(sample.measures)] = sample.measures
        return cls(rows.words, rows.starts, occurrences.astype(np.int32, copy=False), measures)
