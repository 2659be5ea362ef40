"""Mail to clues: its words with their places, its facts and measures.

What each family of words brings was measured with the default method online (score, then learn, message by message) on
six random halves of the SpamAssassin corpus, five orders of each, as 1-AUC % / junk missed when one good message in a
thousand is lost. Three figures stand for three situations: the mail as it is; without Received, Return-Path, Sender and
what else tells of the way and the mailbox (that corpus was collected from several, so that the way says more than
elsewhere); subjects and bodies alone. All families: 0.064 / 7.6, 0.084 / 10.8 and 0.147 / 15.0; only the words of
subject and body: 0.232 / 18.9. "Without it" at a family are the figures of all others. What was added or let go was
chosen on three of the halves and the first half by date, and on the same without the receiving side's own Received
lines; then looked at on the other halves, once all together and once for the ids of lists, where both gains stood
(0.094 / 12.4 to 0.070 / 9.2, 0.106 / 13.3 to 0.089 / 12.1). Tried and not taken, for no gain or one that turned into
loss elsewhere: three domains of each host, networks of 16 bits, how a server is called against its number, shapes of
names, subjects, dates and boundaries, the headers' order, pairs of senders' names, last words, quoted words apart,
capitals, words met twice, groups of four letters, the delay between Date and Received.
`nbmail.core.reading.word_splitting` gives two figures, by date and shuffled, of an earlier form of the method:
0.081 / 16.5 and 0.051 / 5.5 with all families.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from nbmail.core.counting.sample import Clues, Sample, Vocabulary
from nbmail.core.reading.mail import Mail
from nbmail.core.reading.tokenizer import TOKENIZER_VERSION, collect
from nbmail.core.reading.word_splitting import split_western
from nbmail.core.reading.word_table import LONGEST_WORD

__all__ = ["LONGEST_WORD", "TOKENIZER_VERSION", "gather", "sample_of"]


class _Listed:
    """The words of a message as strings."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add_text(self, text: str) -> int:
        words = split_western(text)
        self.found += words
        return len(words)

    def add_words(self, words: list[str]) -> None:
        self.found += words


def gather(mail: Mail) -> Clues:
    """All the evidence of one message."""
    words = _Listed()
    measures = collect(mail, words)
    found = Counter(words.found)
    for word in [word for word in found if len(word) > LONGEST_WORD]:
        del found[word]
    return Clues(tuple(found), tuple(found.values()), measures)


def sample_of(mail: Mail, vocabulary: Vocabulary) -> Sample:
    """The same evidence as numbers of the vocabulary, which grows; without making a string of each word."""
    table = vocabulary.table
    table.begin()
    measures = collect(mail, table)
    words, occurrences = (np.frombuffer(numbers, np.int32) for numbers in table.take())
    return Sample(words, occurrences, measures)
