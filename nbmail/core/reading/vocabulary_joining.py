"""Messages that another process took apart join a vocabulary."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np

from nbmail.core.counting.sample import Sample, Vocabulary
from nbmail.core.reading.tokenized_mail import Sheaf


class Joiner:
    """Turns the sheaves of one binder, in their order, into samples of a vocabulary; new words grow it or are dropped.

    A vocabulary grows exactly as if it had met the messages itself.
    """

    def __init__(self, vocabulary: Vocabulary, *, grow: bool) -> None:
        self._vocabulary = vocabulary
        self._grow = grow
        # What number the vocabulary has for each of the binder's, -1 for none.
        self._numbers = bytearray()

    def join(self, sheaf: Sheaf) -> Iterator[Sample]:
        """The messages of a sheaf."""
        table = self._vocabulary.table
        self._numbers += table.numbers_of_packed(sheaf.fresh, self._grow)
        written = table.renumbered(sheaf.words, sheaf.occurrences, array("i", sheaf.lengths), self._numbers)
        words, occurrences, lengths = (np.frombuffer(numbers, np.int32) for numbers in written)
        ends = np.cumsum(lengths).tolist()
        for start, stop, measures in zip((0, *ends), ends, sheaf.measures, strict=False):
            yield Sample(words[start:stop], occurrences[start:stop], measures)
