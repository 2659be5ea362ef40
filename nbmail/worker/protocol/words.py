"""What may be asked about single words and about what would be otherwise: commands and their results.

Words are named as the model holds them, with the place in front ("subject:free", plain for the text).
"""

from dataclasses import dataclass
from enum import StrEnum

from nbmail.worker.protocol import Command

MOST_MOVED = 500


class WordOrder(StrEnum):
    """By what a list of words is ordered. JUNKIEST and GOODEST go by weight, COMMON by the number of messages."""

    JUNKIEST = "junkiest"
    GOODEST = "goodest"
    STRONGEST = "strongest"
    COMMON = "common"
    JUNK = "junk"
    GOOD = "good"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class ListWords(Command):
    """Words of the model, `most` of them at most. Result: `WordPage`.

    `search` is a piece of the word, case ignored. `ignored` asks for the words that are ignored, in the order in which
    they were, and for no others.
    """

    search: str = ""
    order: WordOrder = WordOrder.STRONGEST
    most: int = 200
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class DescribeWord(Command):
    """All that is known of a word. Result: `WordStory`."""

    word: str


@dataclass(frozen=True, slots=True)
class SupposeWithout(Command):
    """What if this word didn't count? `message` is to be told of in any case. Nothing changes. Result: `Supposed`."""

    word: str
    message: int = -1


@dataclass(frozen=True, slots=True)
class SupposeMark(Command):
    """What if this message got this label? Nothing changes. Result: `Supposed`."""

    message: int
    label: str


@dataclass(frozen=True, slots=True)
class IgnoreWord(Command):
    """Let a word add nothing to any score from now on, or let it count again. One undo step. Result: `Marked`."""

    word: str
    ignored: bool = True


@dataclass(frozen=True, slots=True)
class ListMoved(Command):
    """Which other messages the latest mark, undo or redo moved to another verdict. Result: tuple of `Moved`."""


@dataclass(frozen=True, slots=True)
class ExplainThen(Command):
    """Why had this message its score at that moment, by the model of then? Result: `Explanation`."""

    message: int
    moment: float
    strongest: int = 12


# ------------------------------------------------------------------------------------------------ results


@dataclass(frozen=True, slots=True)
class WordFigures:
    """A word: in how many learned messages it was, and what it says.

    `log_ratio` comes from the counts, `correction` from past mistakes, both as if the word stood alone; 0 while only
    one kind of mail is known.
    """

    word: str
    place: str
    junk: int
    good: int
    log_ratio: float = 0.0
    correction: float = 0.0
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class WordPage:
    """Some words, of `total` that match."""

    total: int
    words: tuple[WordFigures, ...]


@dataclass(frozen=True, slots=True)
class WordLine:
    """How often a word had been learned after a mark: the moment, and in how many messages of either kind."""

    moment: float
    junk: int
    good: int


@dataclass(frozen=True, slots=True)
class WordStory:
    """A word with its past. `junk_messages` and `good_messages` are all that were learned of either kind.

    `history` has a line for each labelled message that holds it, thinned out where there are many. `holders` are the
    messages that hold it, the newest numbers first, of `held` in all.
    """

    figures: WordFigures
    junk_messages: int
    good_messages: int
    history: tuple[WordLine, ...] = ()
    holders: tuple[int, ...] = ()
    held: int = 0


@dataclass(frozen=True, slots=True)
class Moved:
    """A message whose verdict is another, or would be; probabilities of junk, None where none is promised."""

    message: int
    verdict_before: str
    verdict_after: str
    before: float | None = None
    after: float | None = None


@dataclass(frozen=True, slots=True)
class Supposed:
    """What would be otherwise: the messages that would get another verdict.

    Those that have a label are not among them: they show their label. `moved` holds the first `MOST_MOVED`, `count`
    says how many there are. `own` is what would become of the message that was named, None if it isn't concerned.
    """

    moved: tuple[Moved, ...]
    count: int
    own: Moved | None = None
