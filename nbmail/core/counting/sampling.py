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
    """Return the evidence of a message. New words grow the vocabulary.

    `trust`, `facts`: as in `collect`.
    """
    tokens = read_tokens(mail, vocabulary.table, trust, facts, vocabulary.phrases)
    words = np.frombuffer(tokens.words, np.int32)
    occurrences = np.frombuffer(tokens.occurrences, np.int32)
    return Sample(words, occurrences, tokens.measures)


def known_sample_of(mail: Mail, vocabulary: Vocabulary) -> Sample:
    """Return the sample of the known words of a message. The vocabulary is not changed."""
    tokenizer = Tokenizer(phrases=vocabulary.phrases)
    tokens = tokenizer.read(mail)
    known = np.array(vocabulary.known_numbers_of(tokenizer.new_words()), np.int32)
    numbers = known[np.frombuffer(tokens.words, np.int32)]
    occurrences = np.frombuffer(tokens.occurrences, np.int32)
    unknown = np.count_nonzero(numbers < 0)
    order = np.argsort(numbers)[unknown:]
    return Sample(numbers[order], occurrences[order], tokens.measures)


class Joiner:
    """Turns the output of one tokenizer, in its order, into samples of a vocabulary.

    New words are added to the vocabulary.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        # Number in the vocabulary of each word of the tokenizer.
        self._numbers = array("i")

    def join(self, new_words: Sequence[str], taken: Sequence[Tokens]) -> list[Sample]:
        """Return the samples of messages. `new_words`: words that first occur in them."""
        self._numbers.extend(self._vocabulary.numbers_of(new_words))
        numbers = np.frombuffer(self._numbers, np.int32)
        words_of_all = b"".join(tokens.words for tokens in taken)
        theirs = np.frombuffer(words_of_all, np.int32)
        occurrences_of_all = b"".join(tokens.occurrences for tokens in taken)
        times = np.frombuffer(occurrences_of_all, np.int32)
        lengths = [len(tokens.words) // theirs.itemsize for tokens in taken]
        ends = np.cumsum(lengths).tolist()
        starts = [0, *ends[:-1]]

        # Sorting pairs of word and occurrences as one number takes a quarter of the time of
        # `argsort`.
        pairs = numbers[theirs].astype(np.int64) << 32 | times
        for start, end in zip(starts, ends, strict=False):
            pairs[start:end].sort()
        words = (pairs >> 32).astype(np.int32)
        occurrences = pairs.astype(np.int32)
        return [
            Sample(words[start:end], occurrences[start:end], tokens.measures)
            for start, end, tokens in zip(starts, ends, taken, strict=False)
        ]
