"""The array of word ids: all messages' evidence end to end, mapped into memory, to be scored in one pass.

It is only a copy of what the database holds. `words.ids` holds the word ids, `words.times` and `words.measures` what
some methods want beside them; `words.messages` and `words.starts` say whose they are. `words.head` is written last
and carries lengths and checksums, so that what a crash, a full disk or an older database left behind is seen at the
next opening, and the copy made anew.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Generator, Sequence
from pathlib import Path

import numpy as np

from nbmail.core.counting.sample import MISSING, LongArray, Sample, WordRows
from nbmail.store.files.array_file import Column, open_bytes, put

_MAGIC = b"nbwords1"
_HEAD = struct.Struct("<8s4q5I")  # magic, stamp, messages, words, measures a message, a checksum for each column
_SEAL = struct.Struct("<I")  # checksum of the head


class WordShelf:
    """The evidence of all messages, in the order of their numbers. `stamp` tells databases apart."""

    def __init__(self, folder: Path, stamp: int = 0) -> None:
        self._head = open_bytes(folder / "words.head")
        self._stamp = stamp
        self._ids = Column(folder / "words.ids", "<i4")
        self._times = Column(folder / "words.times", "<i4")
        self._measures = Column(folder / "words.measures", "<i8")
        self._messages = Column(folder / "words.messages", "<i8")
        self._starts = Column(folder / "words.starts", "<i8")
        self._columns = (self._ids, self._times, self._measures, self._messages, self._starts)
        self._width = 0

    def __len__(self) -> int:
        """How many messages are on it."""
        return len(self._messages)

    @property
    def messages(self) -> LongArray:
        """The messages' numbers, rising. Not to be written to."""
        return self._messages.numbers

    def load(self) -> Generator[None, None, bool]:
        """Take up what the files hold, piece by piece; False, with an empty shelf, where they are not whole."""
        head = self._read_head()
        whole = head is not None
        if head is not None:
            messages, words, self._width, *checksums = head
            sizes = (words, words, messages * self._width, messages, messages + 1)
            for column, size, checksum in zip(self._columns, sizes, checksums, strict=True):
                whole = whole and (yield from column.load(size, checksum))
        if not whole:
            self.clear()
        return whole

    def clear(self) -> None:
        """Start anew with nothing on it."""
        for column in self._columns:
            column.clear()
        self._starts.append(np.zeros(1, np.int64))
        self._width = 0
        self._write_head()

    def append(self, messages: Sequence[int], samples: Sequence[Sample]) -> None:
        """Put messages with higher numbers than all before behind them."""
        if not messages:
            return
        rows = WordRows.of(samples)
        assert rows.occurrences is not None and rows.measures is not None
        if not len(self):
            self._width = rows.measures.shape[1]
        size = len(self._ids)
        self._ids.append(rows.words)
        self._times.append(rows.occurrences)
        self._measures.append(_as_wide(rows.measures, self._width).ravel())
        self._messages.append(np.array(messages, np.int64))
        self._starts.append(size + rows.starts[1:])
        self._write_head()

    def rows(self, first: int, last: int, *, whole: bool = False) -> WordRows:
        """The evidence of messages `first` to `last` (not included), counted by place; `whole` beyond its words."""
        starts = self._starts.numbers[first : last + 1]
        words = self._ids.numbers[starts[0] : starts[-1]]
        if not whole:
            return WordRows(words, starts - starts[0])
        measures = self._measures.numbers.reshape(len(self), self._width)[first:last]
        return WordRows(words, starts - starts[0], self._times.numbers[starts[0] : starts[-1]], measures)

    def pick(self, places: LongArray, *, whole: bool = False) -> WordRows:
        """The same of the messages at these places."""
        starts = self._starts.numbers
        spans = [slice(starts[place], starts[place + 1]) for place in places]
        words = WordRows.join([self._ids.numbers[span] for span in spans])
        if not whole:
            return words
        times = WordRows.join([self._times.numbers[span] for span in spans]).words
        measures = self._measures.numbers.reshape(len(self), self._width)[places]
        return WordRows(words.words, words.starts, times, measures)

    def places(self, messages: Sequence[int] | LongArray) -> LongArray:
        """Where these messages stand; -1 for one that is not on it."""
        wanted = np.asarray(messages, np.int64)
        if not len(self):
            return np.full(len(wanted), -1, np.int64)
        found = np.searchsorted(self.messages, wanted)
        return np.where(self.messages[np.minimum(found, len(self) - 1)] == wanted, found, -1)

    def rest(self) -> None:
        """Hold no more memory than needed until the next look."""
        for column in self._columns:
            column.rest()

    def close(self) -> None:
        """Let go of the files."""
        for column in self._columns:
            column.close()
        self._head.close()

    def _write_head(self) -> None:
        """Only when every column is on the disk: else the files end where they last were whole."""
        if not all(column.on_disk for column in self._columns):
            return
        checksums = [column.checksum for column in self._columns]
        head = _HEAD.pack(_MAGIC, self._stamp, len(self), len(self._ids), self._width, *checksums)
        try:
            put(self._head, 0, head + _SEAL.pack(zlib.crc32(head)))
        except OSError:
            self._ids.on_disk = False

    def _read_head(self) -> tuple[int, ...] | None:
        self._head.seek(0)
        found = self._head.read(_HEAD.size + _SEAL.size)
        if len(found) < _HEAD.size + _SEAL.size or _SEAL.pack(zlib.crc32(found[: _HEAD.size])) != found[_HEAD.size :]:
            return None
        magic, stamp, *rest = _HEAD.unpack(found[: _HEAD.size])
        return tuple(rest) if (magic, stamp) == (_MAGIC, self._stamp) else None


def _as_wide(measures: LongArray, width: int) -> LongArray:
    missing = width - measures.shape[1]
    return np.pad(measures, ((0, 0), (0, missing)), constant_values=MISSING) if missing > 0 else measures[:, :width]
