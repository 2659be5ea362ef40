"""Samples of mail, its words numbered by a vocabulary: read here, or taken apart by another process."""

from array import array
from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.sample import Sample, Vocabulary
from nbmail.core.reading.mail import Mail
from nbmail.core.reading.tokenized_mail import Taken, Tokenizer
from nbmail.core.reading.tokenizer import collect


def sample_of(mail: Mail, vocabulary: Vocabulary) -> Sample:
    """The evidence of a message. New words grow the vocabulary; none is made a string."""
    table = vocabulary.table
    table.begin()
    measures = collect(mail, table)
    words, occurrences = (np.frombuffer(numbers, np.int32) for numbers in table.take())
    return Sample(words, occurrences, measures)


def known_sample_of(mail: Mail, vocabulary: Vocabulary) -> Sample:
    """What a message says in words that are known. The vocabulary stays as it is."""
    tokenizer = Tokenizer()
    words, occurrences, measures = tokenizer.take(mail)
    numbers = np.array(vocabulary.known_numbers_of(tokenizer.new_words()), np.int32)[np.frombuffer(words, np.int32)]
    order = np.argsort(numbers)[np.count_nonzero(numbers < 0) :]
    return Sample(numbers[order], np.frombuffer(occurrences, np.int32)[order], measures)


class Joiner:
    """Turns what one tokenizer took, in its order, into samples of a vocabulary, which grows as if it had read them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        # What number the vocabulary has for each of the tokenizer's.
        self._numbers = array("i")

    def join(self, new_words: Sequence[str], taken: Sequence[Taken]) -> list[Sample]:
        """The samples of these messages, after which the tokenizer told these words."""
        self._numbers.extend(self._vocabulary.numbers_of(new_words))
        theirs = np.frombuffer(b"".join(words for words, _, _ in taken), np.int32)
        occurrences = np.frombuffer(b"".join(occurrences for _, occurrences, _ in taken), np.int32)
        words = np.frombuffer(self._numbers, np.int32)[theirs]
        lengths = [len(words) // theirs.itemsize for words, _, _ in taken]
        # All rows are sorted at once: row after row, and in each by the numbers that words have here.
        order = np.argsort(np.repeat(np.arange(len(taken)) << 32, lengths) | words)
        words, occurrences, ends = words[order], occurrences[order], np.cumsum(lengths).tolist()
        parts = zip((0, *ends), ends, taken, strict=False)
        return [Sample(words[start:end], occurrences[start:end], measures) for start, end, (*_, measures) in parts]
