"""Families of the words of a vocabulary, by number."""

import numpy as np
import numpy.typing as npt

from nbmail.core.counting.arrays import IntArray
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.words.families import UNSEEN, family_mark

FamilyArray = npt.NDArray[np.int8]


class WordFamilies:
    """The family of each word, or `UNSEEN`, as the vocabulary grows."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._table: FamilyArray = np.zeros(0, np.int8)
        self._known = 0

    def up_to(self, width: int) -> FamilyArray:
        """Return the family of each number below `width`, and maybe of more."""
        if self._known < min(width, len(self._vocabulary)):
            self._read(width)
        elif len(self._table) < width:
            self._grow(width)
        return self._table

    def shown_among(self, words: IntArray) -> int:
        """Return how many of these words are shown."""
        marks = self.up_to(int(words.max(initial=-1)) + 1)[words]
        return len(words) - int(np.count_nonzero(marks == UNSEEN))

    def _read(self, width: int) -> None:
        found = list(map(family_mark, self._vocabulary.words_from(self._known)))
        end = self._known + len(found)
        self._grow(max(width, end))
        self._table[self._known : end] = found
        self._known = end

    def _grow(self, width: int) -> None:
        more = width - len(self._table)
        if more > 0:
            self._table = np.pad(self._table, (0, more + len(self._table) // 2))
