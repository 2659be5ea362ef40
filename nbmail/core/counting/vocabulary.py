"""The vocabulary: numbered words."""

from __future__ import annotations

from collections.abc import Iterable

from nbmail.core.words.word_table import new_table


class Vocabulary:
    """Words numbered 0, 1, 2, … by first occurrence.

    `phrases`: the user's, counted in all messages read.
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
