"""Numbered words, in compiled code or plain Python."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import count, islice, repeat

from nbmail.core.compiled import compiled
from nbmail.core.mail.links import Link, Target
from nbmail.core.words.header_words import HEADER_PLACES, HEADER_READERS, header_words
from nbmail.core.words.splitting import (
    BYTE_MAP,
    split_western,
)

# Longer ones are numbers of messages and encoded data, which never come back. A bound of 20 gives
# the same figures.
LONGEST_WORD = 40
WORDTABLE_VERSION = 6

wordtable = compiled("wordtable", WORDTABLE_VERSION)
"""`wordtable.c`, where it was compiled: what `PlainTable` does, many times faster."""


def new_table() -> PlainTable:
    """Return an empty table; the compiled one has the methods of the plain one."""
    if wordtable is None:
        return PlainTable()
    table: PlainTable = wordtable.WordTable(BYTE_MAP, LONGEST_WORD, HEADER_READERS, HEADER_PLACES)
    return table


class PlainTable:
    """Words numbered 0, 1, 2, … by first occurrence, and those of one message at a time."""

    def __init__(self) -> None:
        self._words: list[str] = []
        # Numbering takes one dictionary look-up for each word. The list of words is updated when it
        # is read.
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

    def known_numbers_of(self, words: Iterable[str]) -> list[int]:
        return list(map(self._numbers.get, words, repeat(-1)))

    def begin(self) -> None:
        """Begin a message: drop the words that were added and not taken."""
        self._met.clear()

    def add_text(self, text: str) -> int:
        """Add the words of a text of characters below U+0100.

        Return their number, long ones included.
        """
        words = split_western(text)
        self.add_words(words)
        return len(words)

    def add_words(self, words: Sequence[str]) -> None:
        if max(map(len, words), default=0) > LONGEST_WORD:
            words = [word for word in words if len(word) <= LONGEST_WORD]
        self._met += map(self._numbers.__getitem__, words)

    def add_links(self, links: list[Link], read_target: Callable[[str], Target]) -> int:
        """Add hosts, domains and first path words of link targets.

        Return the number of different hosts.
        """
        hosts: set[str] = set()
        for link in links:
            target = read_target(link.target)
            hosts.add(target.host)
            self.add_words(target.words)
            if link.kind == "elsewhere":
                self.add_words(("link:elsewhere",))
        return len(hosts)

    def add_headers(self, headers: Sequence[tuple[str, str]]) -> None:
        self.add_words(header_words(headers))

    def take(self) -> tuple[bytes, bytes]:
        """Return the sorted numbers of the added words, and their occurrences.

        Both are 32-bit integers.
        """
        found = sorted(Counter(self._met).items())
        self._met.clear()
        numbers = array("i", [number for number, _ in found])
        occurrences = array("i", [times for _, times in found])
        return numbers.tobytes(), occurrences.tobytes()

    def _all(self) -> list[str]:
        unlisted = len(self._numbers) - len(self._words)
        if unlisted:
            self._words += reversed(list(islice(reversed(self._numbers), unlisted)))
        return self._words
