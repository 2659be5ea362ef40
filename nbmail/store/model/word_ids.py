"""The array of word ids: all messages' evidence end to end, to be scored in one pass.

It is only a copy of what the database holds. The most of it lies in a file that is mapped into memory; what came since
that was written stays in memory until there is time to write the file anew.
"""

from __future__ import annotations

import logging
import mmap
from collections.abc import Generator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nbmail.chunks import drain
from nbmail.core.counting.sample import MISSING, LongArray, Sample, WordRows
from nbmail.errors import KnownError
from nbmail.store.files.array_file import AnyArray, Arrays, GrowingArray, map_file, parse, writing

_log = logging.getLogger(__name__)

_COLUMNS = {"ids": "<i4", "times": "<i4", "measures": "<i8"}
# The file is written anew where this many messages, and this part of all, are in memory only.
_MANY, _PART = 2000, 10


class _Column:
    """Numbers of which the first are in the file and the others in memory."""

    def __init__(self, kind: npt.DTypeLike) -> None:
        self.mapped: AnyArray = np.zeros(0, kind)
        self.recent = GrowingArray(kind)
        self.border = 0
        """How many are in the file."""

    def __len__(self) -> int:
        return self.border + len(self.recent)

    def map(self, stored: AnyArray) -> None:
        """The file holds these; only what is behind them stays in memory."""
        others = GrowingArray(stored.dtype)
        others.append(self.part(len(stored), len(self)))
        self.mapped, self.recent, self.border = stored, others, len(stored)

    def part(self, first: int, last: int) -> AnyArray:
        """The numbers `first` to `last` (not included)."""
        recent = self.recent.numbers[max(first - self.border, 0) : max(last - self.border, 0)]
        if first >= self.border:
            return recent
        stored = self.mapped[first : min(last, self.border)]
        return np.concatenate([stored, recent]) if len(recent) else stored


class WordIds:
    """The evidence of all messages, in the order of their numbers. `stamp` tells what made the samples."""

    def __init__(self, path: Path, stamp: int) -> None:
        self.stamp = stamp
        self.path = path
        self._mapped: mmap.mmap | None = None
        self.clear()

    def __len__(self) -> int:
        return len(self._messages)

    @property
    def messages(self) -> LongArray:
        """The messages' numbers, rising. Not to be written to."""
        return self._messages.numbers

    def clear(self) -> None:
        """Start anew with nothing in it."""
        self._columns = {name: _Column(kind) for name, kind in _COLUMNS.items()}
        self._messages, self._starts = GrowingArray(np.int64), GrowingArray(np.int64)
        self._starts.append(np.zeros(1, np.int64))
        self._width = self._in_file = 0
        self._mapped = None

    def load(self) -> Generator[None, None, bool]:
        """Take up what the file holds, piece by piece; False, with nothing in it, where that doesn't fit."""
        self.clear()
        self._mapped = map_file(self.path)
        found = yield from parse(self._mapped or b"")
        if found is None or found.about["stamp"] != self.stamp:
            return False
        self._width = found.about["width"]
        self._messages.append(found.arrays["messages"])
        self._starts.append(found.arrays["starts"][1:])
        self._take_up(found)
        return True

    def append(self, messages: Sequence[int], samples: Sequence[Sample]) -> None:
        """Put messages with higher numbers than all before behind them."""
        if not messages:
            return
        rows = WordRows.of(samples)
        assert rows.occurrences is not None and rows.measures is not None
        if not len(self):
            self._width = rows.measures.shape[1]
        size = len(self._columns["ids"])
        more_of_each: tuple[AnyArray, ...] = (
            rows.words,
            rows.occurrences,
            _as_wide(rows.measures, self._width).ravel(),
        )
        for column, more in zip(self._columns.values(), more_of_each, strict=True):
            column.recent.append(more)
        self._messages.append(np.array(messages, np.int64))
        self._starts.append(size + rows.starts[1:])

    def rows(self, first: int, last: int, *, whole: bool = False) -> WordRows:
        """The evidence of messages `first` to `last` (not included), counted by place; `whole` beyond its words."""
        starts = self._starts.numbers[first : last + 1]
        words = self._part("ids", starts[0], starts[-1])
        if not whole:
            return WordRows(words, starts - starts[0])
        measures = self._part("measures", first * self._width, last * self._width).reshape(last - first, self._width)
        return WordRows(words, starts - starts[0], self._part("times", starts[0], starts[-1]), measures)

    def pick(self, places: LongArray, *, whole: bool = False) -> WordRows:
        """The evidence of the messages at these places."""
        starts = self._starts.numbers
        spans = [(int(starts[place]), int(starts[place + 1])) for place in places]
        words = WordRows.join([self._part("ids", *span) for span in spans])
        if not whole:
            return words
        times = WordRows.join([self._part("times", *span) for span in spans]).words
        wide = [self._part("measures", place * self._width, (place + 1) * self._width) for place in places]
        measures = np.array(wide, np.int64).reshape(len(places), self._width)
        return WordRows(words.words, words.starts, times, measures)

    def places(self, messages: Sequence[int] | LongArray) -> LongArray:
        """Where these messages stand; -1 for one that it doesn't hold."""
        wanted = np.asarray(messages, np.int64)
        if not len(self):
            return np.full(len(wanted), -1, np.int64)
        found = np.searchsorted(self.messages, wanted)
        return np.where(self.messages[np.minimum(found, len(self) - 1)] == wanted, found, -1)

    @property
    def is_behind(self) -> bool:
        """Whether so much is in memory only that the file should be written anew."""
        recent = len(self) - self._in_file
        return recent > _MANY and recent * _PART > len(self)

    def write_file(self) -> Generator[None, None, None]:
        """Write the file. Where the disk refuses that, all stays as it is."""
        arrays = {name: [column.part(0, len(column))] for name, column in self._columns.items()}
        arrays |= {"messages": [self.messages], "starts": [self._starts.numbers]}
        try:
            yield from writing(self.path, {"stamp": self.stamp, "width": self._width}, arrays)
        except KnownError as error:
            _log.info("the copy of all word ids stays in memory: %s", error)
            return
        self._mapped = map_file(self.path)
        found = drain(parse(self._mapped or b"", checked=False))
        if found is not None:
            self._take_up(found)

    def become(self, other: WordIds) -> None:
        """Take over what another copy of the messages holds, made of other samples."""
        self.stamp, self._width, self._in_file, self._mapped = other.stamp, other._width, other._in_file, other._mapped
        self._columns, self._messages, self._starts = other._columns, other._messages, other._starts

    def rest(self) -> None:
        """Hold no memory that the system can read again from the file: 60 MB for 100,000 messages."""
        if self._mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            self._mapped.madvise(mmap.MADV_DONTNEED)

    def _part(self, name: str, first: int, last: int) -> AnyArray:
        return self._columns[name].part(int(first), int(last))

    def _take_up(self, found: Arrays) -> None:
        """From now on this much is in the file."""
        self._in_file = len(found.arrays["messages"])
        for name, column in self._columns.items():
            column.map(found.arrays[name])


def _as_wide(measures: LongArray, width: int) -> LongArray:
    missing = width - measures.shape[1]
    return np.pad(measures, ((0, 0), (0, missing)), constant_values=MISSING) if missing > 0 else measures[:, :width]
