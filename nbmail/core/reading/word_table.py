"""The table of words that a vocabulary, or a process that reads mail, works on: compiled, or in plain Python.

Without numpy, so that such a process starts quickly.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import count, islice, repeat
from typing import Any, TypeAlias

from nbmail.core.compiled import compiled
from nbmail.core.reading.word_splitting import FOLDING, split_western

# Longer ones are numbers of messages and encoded data, which never come back. A bound of 20 gives the same figures.
LONGEST_WORD = 40
WORDTABLE_VERSION = 3

wordtable = compiled("wordtable", WORDTABLE_VERSION)
"""`wordtable.c`, where it was compiled: what `PlainTable` does, many times faster.

Found once: a process and those it forks need one kind of table, since each understands only its own packed words.
"""

Buffer: TypeAlias = "bytes | bytearray | array[int]"


def new_table() -> PlainTable:
    """An empty table; the compiled one has the methods of the plain one."""
    if wordtable is None:
        return PlainTable()
    table: PlainTable = wordtable.WordTable(FOLDING, LONGEST_WORD)
    return table


class PlainTable:
    """Words numbered 0, 1, 2, … in the order of first meeting; and the numbered words of one message at a time."""

    def __init__(self) -> None:
        self._words: list[str] = []
        # Numbering is one dictionary look-up in C a word, also for new ones; the list of words catches up when asked.
        self._numbers = defaultdict[str, int](count().__next__)
        self._met: list[int] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def word(self, number: int) -> str:
        return self._all()[number]

    def words_from(self, number: int) -> list[str]:
        return self._all()[number:]

    def numbers_of(self, words: Iterable[str]) -> list[int]:
        return list(map(self._numbers.__getitem__, words))

    def packed_from(self, number: int) -> Any:
        """All words from this number on, for `numbers_of_packed` of another table."""
        return self.words_from(number)

    def numbers_of_packed(self, packed: Any, growing: bool) -> bytes:
        """The numbers of words from another table, as 32-bit integers; new words get new ones, or -1."""
        if not isinstance(packed, list):
            raise TypeError("words packed by another kind of table")
        return array("i", self.numbers_of(packed) if growing else map(self._numbers.get, packed, repeat(-1))).tobytes()

    def begin(self) -> None:
        """Begin a message: what was met before and not taken is forgotten."""
        self._met.clear()

    def add_text(self, text: str) -> int:
        """Meet the words of a text of characters below U+0100; how many they are, long ones included."""
        words = split_western(text)
        self.add_words(words)
        return len(words)

    def add_words(self, words: Sequence[str]) -> None:
        """Meet these words, except for those that are too long."""
        if max(map(len, words), default=0) > LONGEST_WORD:
            words = [word for word in words if len(word) <= LONGEST_WORD]
        self._met += map(self._numbers.__getitem__, words)

    def take(self) -> tuple[bytes, bytes]:
        """The numbers met, sorted and each once, and how often: both as 32-bit integers."""
        found = sorted(Counter(self._met).items())
        self._met.clear()
        numbers, occurrences = array("i", [number for number, _ in found]), array("i", [times for _, times in found])
        return numbers.tobytes(), occurrences.tobytes()

    def renumbered(
        self, words: bytes, occurrences: bytes, lengths: Buffer, numbers: Buffer
    ) -> tuple[bytes, bytes, bytes]:
        """Rows of another table's numbers and their occurrences in the numbers it has here, sorted anew.

        `lengths` are how many stand in each row, `numbers` what each number is here, all as 32-bit integers; what is
        -1 is left out. Words, occurrences and lengths again.
        """
        here = memoryview(numbers).cast("B").cast("i")
        met = zip(map(here.__getitem__, memoryview(words).cast("i")), memoryview(occurrences).cast("i"), strict=True)
        found: list[int] = []
        kept = array("i")
        for length in memoryview(lengths).cast("B").cast("i"):
            # Number and occurrences share an integer: whole numbers are sorted faster than pairs.
            row = sorted([number << 32 | times for number, times in islice(met, length) if number >= 0])
            found += row
            kept.append(len(row))
        columns = array("i", [both >> 32 for both in found]), array("i", [both & 0xFFFFFFFF for both in found])
        return columns[0].tobytes(), columns[1].tobytes(), kept.tobytes()

    def _all(self) -> list[str]:
        unlisted = len(self._numbers) - len(self._words)
        if unlisted:
            self._words += reversed(list(islice(reversed(self._numbers), unlisted)))
        return self._words
