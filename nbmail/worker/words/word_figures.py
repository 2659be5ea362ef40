"""Figures of single words of the model."""

import numpy as np

from nbmail.core.counting.arrays import IntArray
from nbmail.core.explaining.explaining import word_parts
from nbmail.core.scoring.model import Model
from nbmail.core.words.word_places import place_of
from nbmail.errors import ErrorCode, KnownError
from nbmail.values import HAM, SPAM
from nbmail.worker.protocol.words import WordFigures


def number_of(model: Model, word: str) -> int:
    """Return the number of a word. Raises NOT_FOUND for an unknown one."""
    (number,) = model.vocabulary.known_numbers_of([word])
    if number < 0:
        raise KnownError(ErrorCode.NOT_FOUND, word)
    return number


def figures_of(model: Model, number: int) -> WordFigures:
    """Return counts and weight of a word."""
    word = model.vocabulary.word(number)
    ratios, corrections = word_parts(model, np.array([number], np.int32))
    return WordFigures(
        word,
        place_of(word),
        _count(messages_with_words(model, SPAM), number),
        _count(messages_with_words(model, HAM), number),
        float(ratios[0]),
        float(corrections[0]),
        bool(number in model.ignored),
    )


def messages_with_words(model: Model, label: str) -> IntArray:
    """Return for each word the number of learned messages of a class that contain it."""
    row = model.counts.row(label)
    if row is None:
        return np.zeros(model.counts.width, np.int32)
    documents: IntArray = model.counts.documents[row]
    return documents


def _count(messages: IntArray, number: int) -> int:
    """Return the count of a word, 0 for words that came after the counts."""
    return int(messages[number]) if number < len(messages) else 0
