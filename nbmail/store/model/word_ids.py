"""Array of word ids: the evidence of all messages, for scoring in one pass.

A copy of data in the database. Most of it is in a file that is mapped into memory. Newer messages
are in memory until the file is written again.
"""

from __future__ import annotations

import logging
import mmap
from collections.abc import Generator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nbmail.chunks import drain
from nbmail.core.counting.arrays import LongArray
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.word_rows import MISSING, WordRows
from nbmail.errors import KnownError
from nbmail.store.model.array_file import AnyArray, Arrays, GrowingArray, map_file, parse, writing

_log = logging.getLogger(__name__)

_COLUMNS = {"ids": "<i4", "times": "<i4", "measures": "<i8"}
# The file is written again if this many messages, and this part of all, are in memory only.
_MANY = 2000
_PART = 10


class _Column:
    """Column whose first values are in the file and the others in memory."""

    def __init__(self, kind: npt.DTypeLike) -> None:
        self.mapped: AnyArray = np.zeros(0, kind)
        self.recent = GrowingArray(kind)
        self.border = 0
        """Number of values in the file."""

    def __len__(self) -> int:
        return self.border + len(self.recent)

    def map(self, stored: AnyArray) -> None:
        """Use these values of the file. Only later ones stay in memory."""
        others = GrowingArray(stored.dtype)
        others.append(self.part(len(stored), len(self)))
        self.mapped = stored
        self.recent = others
        self.border = len(stored)

    def part(self, first: int, last: int) -> AnyArray:
        """Return the values from `first` to `last` (excluded)."""
        begin = max(first - self.border, 0)
        end = max(last - self.border, 0)
        recent = self.recent.numbers[begin:end]
        if first >= self.border:
            return recent
        stored = self.mapped[first : min(last, self.border)]
        return np.concatenate([stored, recent]) if len(recent) else stored


class WordIds:
    """Evidence of all messages, ordered by number. `stamp`: revision of the samples."""

    def __init__(self, path: Path, stamp: int) -> None:
        self.stamp = stamp
        self.path = path
        self._mapped: mmap.mmap | bytes | None = None
        self.clear()

    def __len__(self) -> int:
        return len(self._messages)

    @property
    def messages(self) -> LongArray:
        """Message numbers in ascending order, read-only."""
        return self._messages.numbers

    def clear(self) -> None:
        self._columns = {name: _Column(kind) for name, kind in _COLUMNS.items()}
        self._messages = GrowingArray(np.int64)
        self._starts = GrowingArray(np.int64)
        self._starts.append(np.zeros(1, np.int64))
        self._width = 0
        self._in_file = 0
        self._mapped = None

    def load(self) -> Generator[None, None, bool]:
        """Load the file. False, without any message, if it doesn't fit. Yields in between."""
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
        """Append messages, whose numbers must be higher than all others."""
        if not messages:
            return
        rows = WordRows.of(samples)
        assert rows.occurrences is not None and rows.measures is not None
        if not len(self):
            self._width = rows.measures.shape[1]
        size = len(self._columns["ids"])
        self._columns["ids"].recent.append(rows.words)
        self._columns["times"].recent.append(rows.occurrences)
        self._columns["measures"].recent.append(self._fitted(rows.measures))
        self._messages.append(np.array(messages, np.int64))
        self._starts.append(size + rows.starts[1:])

    def _fitted(self, measures: LongArray) -> LongArray:
        """Return the measures with as many columns as those before, row by row."""
        missing = max(0, self._width - measures.shape[1])
        padded = np.pad(measures, ((0, 0), (0, missing)), constant_values=MISSING)
        return padded[:, : self._width].ravel()

    def rows(self, first: int, last: int, *, whole: bool = False) -> WordRows:
        """Return the evidence of messages by index, `last` excluded.

        `whole`: also occurrences and measures.
        """
        starts = self._starts.numbers[first : last + 1]
        words = self._part("ids", starts[0], starts[-1])
        if not whole:
            return WordRows(words, starts - starts[0])
        times = self._part("times", starts[0], starts[-1])
        measures = self._part("measures", first * self._width, last * self._width)
        table = measures.reshape(last - first, self._width)
        return WordRows(words, starts - starts[0], times, table)

    def pick(self, places: LongArray, *, whole: bool = False) -> WordRows:
        """Return the evidence of messages by indexes in any order."""
        starts = self._starts.numbers
        spans = [(int(starts[place]), int(starts[place + 1])) for place in places]
        words = WordRows.join([self._part("ids", first, last) for first, last in spans])
        if not whole:
            return words
        times = WordRows.join([self._part("times", first, last) for first, last in spans]).words
        wide = []
        for place in places:
            wide.append(self._part("measures", place * self._width, (place + 1) * self._width))
        measures = np.array(wide, np.int64).reshape(len(places), self._width)
        return WordRows(words.words, words.starts, times, measures)

    def places(self, messages: Sequence[int] | LongArray) -> LongArray:
        """Return the indexes of messages; -1 for unknown ones."""
        wanted = np.asarray(messages, np.int64)
        if not len(self):
            return np.full(len(wanted), -1, np.int64)
        found = np.searchsorted(self.messages, wanted)
        nearest = np.minimum(found, len(self) - 1)
        return np.where(self.messages[nearest] == wanted, found, -1)

    @property
    def is_behind(self) -> bool:
        recent = len(self) - self._in_file
        return recent > _MANY and recent * _PART > len(self)

    def write_file(self) -> Generator[None, None, None]:
        """Write the file in chunks. If the disk refuses, nothing changes."""
        arrays = {name: [column.part(0, len(column))] for name, column in self._columns.items()}
        arrays["messages"] = [self.messages]
        arrays["starts"] = [self._starts.numbers]
        about = {"stamp": self.stamp, "width": self._width}
        try:
            yield from writing(self.path, about, arrays)
        except KnownError as error:
            _log.info("the copy of all word ids stays in memory: %s", error)
            return
        self._mapped = map_file(self.path)
        found = drain(parse(self._mapped or b"", checked=False))
        if found is not None:
            self._take_up(found)

    def become(self, other: WordIds) -> None:
        """Adopt the content of another copy with newer samples."""
        self.stamp = other.stamp
        self._width = other._width
        self._in_file = other._in_file
        self._mapped = other._mapped
        self._columns = other._columns
        self._messages = other._messages
        self._starts = other._starts

    def rest(self) -> None:
        """Release memory that the system can read again: 60 MB for 100,000 messages."""
        if isinstance(self._mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            self._mapped.madvise(mmap.MADV_DONTNEED)

    def _part(self, name: str, first: int, last: int) -> AnyArray:
        return self._columns[name].part(int(first), int(last))

    def _take_up(self, found: Arrays) -> None:
        """Use the columns of the file."""
        self._in_file = len(found.arrays["messages"])
        for name, column in self._columns.items():
            column.map(found.arrays[name])
