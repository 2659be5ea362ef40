"""The words that a folder model met, numbered by itself.

Its tables have a row for each folder, and would be large with all words of a mailbox.
"""

from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.arrays import IntArray
from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary

_UNKNOWN = -1


class OwnWords:
    """Renumbers samples. `all_words`: the vocabulary of the samples."""

    def __init__(self, all_words: Vocabulary, known: Sequence[str] = ()) -> None:
        self.vocabulary = Vocabulary()
        self._all_words = all_words
        numbers = all_words.numbers_of(known)
        # Own number of each word of `all_words`.
        self._numbers: IntArray = np.full(max(numbers, default=-1) + 1, _UNKNOWN, np.int32)
        self._numbers[numbers] = self.vocabulary.numbers_of(known)

    def renumbered(self, sample: Sample) -> Sample:
        """Return the words of a sample with own numbers. New words are added."""
        words = sample.words
        if len(words):
            self._make_room(int(words[-1]))
        new = words[self._numbers[words] == _UNKNOWN]
        texts = map(self._all_words.word, new.tolist())
        self._numbers[new] = self.vocabulary.numbers_of(texts)
        own = self._numbers[words]
        order = np.argsort(own)
        return Sample(own[order], sample.occurrences[order], ())

    def _make_room(self, word: int) -> None:
        known = len(self._numbers)
        if word >= known:
            more = 2 * word + 1 - known
            self._numbers = np.pad(self._numbers, (0, more), constant_values=_UNKNOWN)
