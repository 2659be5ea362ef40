"""Samples of mail, its words numbered by a vocabulary: read here, or taken apart by another process."""

from array import array
from collections.abc import Iterator

import numpy as np

from nbmail.core.counting.sample import Sample, Vocabulary
from nbmail.core.reading.mail import Mail
from nbmail.core.reading.tokenized_mail import TokenizedMail
from nbmail.core.reading.tokenizer import collect


def sample_of(mail: Mail, vocabulary: Vocabulary) -> Sample:
    """The evidence of a message. New words grow the vocabulary; none is made a string."""
    table = vocabulary.table
    table.begin()
    measures = collect(mail, table)
    words, occurrences = (np.frombuffer(numbers, np.int32) for numbers in table.take())
    return Sample(words, occurrences, measures)


class Joiner:
    """Turns what one tokenizer took apart, in its order, into samples of a vocabulary.

    New words grow the vocabulary, exactly as if it had met the messages itself, or are dropped.
    """

    def __init__(self, vocabulary: Vocabulary, *, grow: bool) -> None:
        self._vocabulary = vocabulary
        self._grow = grow
        # What number the vocabulary has for each of the tokenizer's, -1 for none.
        self._numbers = bytearray()

    def join(self, mail: TokenizedMail) -> Iterator[Sample]:
        """The samples of these messages."""
        table = self._vocabulary.table
        self._numbers += table.numbers_of_packed(mail.fresh, self._grow)
        written = table.renumbered(mail.words, mail.occurrences, array("i", mail.lengths), self._numbers)
        words, occurrences, lengths = (np.frombuffer(numbers, np.int32) for numbers in written)
        ends = np.cumsum(lengths).tolist()
        for start, stop, measures in zip((0, *ends), ends, mail.measures, strict=False):
            yield Sample(words[start:stop], occurrences[start:stop], measures)
