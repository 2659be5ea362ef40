"""Which words belong together: a number for each word of a growing vocabulary, found from the word's text once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nbmail.core.counting.sample import IntArray, Vocabulary

NONE = -1


class Groups:
    """Words in named groups; `name_of` gives a word's group, None for a word in none."""

    def __init__(self, vocabulary: Vocabulary, name_of: Callable[[str], str | None]) -> None:
        self._vocabulary = vocabulary
        self._name_of = name_of
        self._numbers: dict[str, int] = {}
        self._known = 0
        self._groups: IntArray = np.empty(0, np.int32)
        self._members: IntArray = np.empty(0, np.int32)

    def members(self) -> IntArray:
        """The numbers of all words that are in a group, in rising order."""
        self._keep_up()
        return self._members

    def of(self, words: IntArray) -> IntArray:
        """The group of each of these words of the vocabulary, `NONE` for a word in none."""
        self._keep_up()
        return self._groups[words]

    def _keep_up(self) -> None:
        if self._known == len(self._vocabulary):
            return
        words = self._vocabulary.words_from(self._known)
        end = self._known + len(words)
        if end > len(self._groups):
            self._groups = np.append(self._groups, np.full(max(end, 2 * len(self._groups)), NONE, np.int32))
        found = np.array([self._number(word) for word in words], np.int32)
        self._groups[self._known : end] = found
        members = (np.flatnonzero(found != NONE) + self._known).astype(np.int32)
        if len(members):
            self._members = np.append(self._members, members)
        self._known = end

    def _number(self, word: str) -> int:
        name = self._name_of(word)
        return NONE if name is None else self._numbers.setdefault(name, len(self._numbers))


def fact_of(word: str) -> str | None:
    """The name of the categorical fact that the word states, None for a word of text."""
    return word.partition("=")[0] if word.startswith("fact:") else None
