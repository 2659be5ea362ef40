"""Looking at a model file before anything of it is taken, and taking out what was taken in."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nbmail.exchange import OWN, SUFFIXES
from nbmail.worker.protocol import Command

# Passed on to the window, which may not look into the room they come from.
__all__ = ["OWN", "SUFFIXES", "Agreement", "DoubtfulWord", "DropImports", "ImportReport", "PreviewImport"]


@dataclass(frozen=True, slots=True)
class PreviewImport(Command):
    """What would importing this file bring? A format may be named. Result: `ImportReport`."""

    path: Path
    format: str = ""


@dataclass(frozen=True, slots=True)
class DropImports(Command):
    """Take out all that was imported and learn from the labels alone. An undoable step. Result: if there was any."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a file alone would have judged the messages that the user has labelled: how many rightly, of how many."""

    junk_right: int
    junk: int
    good_right: int
    good: int


class DoubtfulWord(NamedTuple):
    """A word of a model file with its weight after an import, in log-odds.

    `junk` and `good`: messages with the word in the file. `own_junk` and `own_good`: labelled messages here.
    """

    word: str
    weight: float
    junk: int
    good: int
    own_junk: int
    own_good: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What a model file holds. `ours` of its `words` are words of ours too, `known` of them stand in the mail here.

    `kept` are words that only that filter has. `classes` are names and numbers of messages, `parts` what the filter
    sorts into and which class each is taken for, where these are others. `dropped` says what is not taken, and how
    much of it: "dates" (when words were last met), "zero" (words without a count), "foreign" (words that only that
    filter has), "magnets" (its rules), "robx" (what bogoutil worked out) and "reckoned" (numbers of messages that had
    to be told from those of words). With `counted` it was imported before or exported from here, with `other_method`
    only its counts would be taken. `doubtful`: the strongest of the `doubtful_words`, senders and hosts first. No
    labelled message contains these words, or their weight contradicts the labels.
    """

    path: Path
    format: str
    classes: tuple[tuple[str, int], ...]
    parts: tuple[tuple[str, str], ...]
    words: int
    ours: int
    kept: int
    known: int
    dropped: tuple[tuple[str, int], ...]
    agreement: Agreement
    counted: bool
    other_method: bool
    doubtful: tuple[DoubtfulWord, ...] = ()
    doubtful_words: int = 0
