"""Samples of parsed messages."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from nbmail.core.counting.sample import Sample
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.mail.message import Mail
from nbmail.core.senders.trusted_servers import NO_TRUST, Trust
from nbmail.core.words.tokenizer import Tokenizer, Tokens, read_tokens


def sample_of(
    mail: Mail, vocabulary: Vocabulary, trust: Trust = NO_TRUST, facts: Sequence[str] = ()
) -> Sample:
    """Return the evidence of a message. New words grow the vocabulary. `trust`, `facts`: as in
    `collect`.
    """
    words, occurrences, measures = read_tokens(
        mail, vocabulary.table, trust, facts, vocabulary.phrases
    )
    return Sample(np.frombuffer(words, np.int32), np.frombuffer(occurrences, np.int32), measures)


def known_sample_of(mail: Mail, vocabulary: Vocabulary) -> Sample:
    """Return the sample of the known words of a message. The vocabulary is not changed."""
    tokenizer = Tokenizer(phrases=vocabulary.phrases)
    words, occurrences, measures = tokenizer.read(mail)
    numbers = np.array(vocabulary.known_numbers_of(tokenizer.new_words()), np.int32)[
        np.frombuffer(words, np.int32)
    ]
    order = np.argsort(numbers)[np.count_nonzero(numbers < 0) :]
    return Sample(numbers[order], np.frombuffer(occurrences, np.int32)[order], measures)


class Joiner:
    """Turns the output of one tokenizer, in its order, into samples of a vocabulary, to which it
    adds new words.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        # Number in the vocabulary of each word of the tokenizer.
        self._numbers = array("i")

    def join(self, new_words: Sequence[str], taken: Sequence[Tokens]) -> list[Sample]:
        """Return the samples of messages. `new_words`: words that the tokenizer first met in
        them.
        """
        self._numbers.extend(self._vocabulary.numbers_of(new_words))
        theirs = np.frombuffer(b"".join(words for words, _, _ in taken), np.int32)
        occurrences = np.frombuffer(b"".join(occurrences for _, occurrences, _ in taken), np.int32)
        words = np.frombuffer(self._numbers, np.int32)[theirs]
        lengths = [len(words) // theirs.itemsize for words, _, _ in taken]
        # Sorting pairs of word and occurrences as one number takes a quarter of the time of
        # `argsort`.
        pairs = words.astype(np.int64) << 32 | occurrences
        ends = np.cumsum(lengths).tolist()
        parts = list(zip((0, *ends), ends, taken, strict=False))
        for start, end, _ in parts:
            pairs[start:end].sort()
        words = (pairs >> 32).astype(np.int32)
        occurrences = pairs.astype(np.int32)
        return [
            Sample(words[start:end], occurrences[start:end], measures)
            for start, end, (*_, measures) in parts
        ]
