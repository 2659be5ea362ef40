"""Words of the model."""

from enum import StrEnum
from typing import NamedTuple


class WordOrder(StrEnum):
    """Order of a list of words.

    SPAMMIEST and HAMMIEST go by weight, COMMON by the number of messages.
    """

    SPAMMIEST = "spammiest"
    HAMMIEST = "hammiest"
    STRONGEST = "strongest"
    COMMON = "common"
    SPAM = "spam"
    HAM = "ham"
    NAME = "name"


class WordFigures(NamedTuple):
    """Word with the numbers of learned messages that contain it, and its weight.

    `log_ratio` comes from the counts, `correction` from past errors, both as if the message had no
    other word; 0 while only one class is known.
    """

    word: str
    place: str
    spam: int
    ham: int
    log_ratio: float = 0.0
    correction: float = 0.0
    ignored: bool = False


class WordPage(NamedTuple):
    """Some of the `total` matching words."""

    total: int
    words: tuple[WordFigures, ...]


class WordCounts(NamedTuple):
    """Counts of a word after a mark at `moment`: learned spam and ham messages that contain it."""

    moment: float
    spam: int
    ham: int


class WordDescription(NamedTuple):
    """Word with its history. `spam_messages` and `ham_messages` are all learned messages of each
    class.

    `history` has an entry for each labelled message that contains the word, or a selection of many.
    `messages` contain the word, newest numbers first, `message_count` in total. `prior`: Beta prior
    of the word's probability.
    """

    figures: WordFigures
    spam_messages: int
    ham_messages: int
    history: tuple[WordCounts, ...] = ()
    messages: tuple[int, ...] = ()
    message_count: int = 0
    prior: tuple[float, float] = (2.0, 2.0)
