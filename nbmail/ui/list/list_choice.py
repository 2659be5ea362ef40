"""Choice of messages and columns in the list; the searched words, and their places in a text."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from nbmail.text.search_query import read_query
from nbmail.ui.texts.language import tr
from nbmail.values import FolderName

DRAGGED = "application/x-nbmail-messages"
"""Format of dragged messages: their numbers, separated by commas."""


class Column(IntEnum):
    """Columns from left to right. The suggested folder is to the left of the date."""

    CHANCE = 0
    VERDICT = 1
    DECIDED = 2
    SENDER = 3
    SUBJECT = 4
    FOLDER = 5
    DATE = 6
    VERIFIED = 7
    SUGGESTED = 8


def column_name(column: Column) -> str:
    return {
        Column.CHANCE: tr("Chance of spam"),
        Column.VERDICT: tr("Verdict"),
        Column.DECIDED: tr("Decided by"),
        Column.SENDER: tr("From"),
        Column.SUBJECT: tr("Subject"),
        Column.FOLDER: tr("Folder"),
        Column.DATE: tr("Date"),
        Column.VERIFIED: tr("Verified"),
        Column.SUGGESTED: tr("Suggested folder"),
    }[column]


def starts_descending(column: Column) -> bool:
    """True if the first click sorts the column from the largest value down: newest, or most likely
    spam.
    """
    return column in (Column.CHANCE, Column.DATE, Column.VERIFIED)


class Kind(IntEnum):
    """Smart lists."""

    ALL = 0
    UNSURE = 1
    SPAM = 2
    HAM = 3
    UNREAD = 4
    MARKED = 5
    SORTED = 6
    FIRST = 7


USUAL = tuple(kind for kind in Kind if kind != Kind.FIRST)
"""Smart lists that the sidebar always has."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Filter: a smart list, optionally in one folder only, optionally with words that must all
    occur.
    """

    kind: Kind = Kind.ALL
    folder: FolderName | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Filter and sort column. Equal messages are sorted newest first."""

    choice: Choice = Choice()
    column: Column = Column.DATE
    descending: bool = True

    @property
    def by_score(self) -> bool:
        """True if new scores would change the content or the order."""
        sorts = self.column in (Column.CHANCE, Column.VERDICT, Column.DECIDED)
        return sorts or self.choice.kind in (Kind.UNSURE, Kind.SPAM, Kind.HAM)


SPACELESS = "\u0e00"
"""First letter of the scripts without spaces between words. Their words match anywhere."""


def fold(text: str) -> str:
    """Return the text in one case. Accents stay."""
    return text.casefold()


def search_words(text: str) -> list[str]:
    """Return the folded words and phrases of a query that a message shows."""
    query = read_query(text)
    return [
        fold(each) for each in (*query.words, *query.senders, *query.recipients, *query.subjects)
    ]


def found_places(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Return start and end of each match. Up to five other characters may separate the words of a
    phrase.
    """
    patterns = [pattern for each in words if (pattern := _pattern(each))]
    if not patterns:
        return
    folded, places = _folded_with_places(text)
    for found in re.finditer("|".join(patterns), folded):
        end = places[found.end() - 1] + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        yield places[found.start()], end


def _pattern(phrase: str) -> str:
    words = re.findall(r"\w+", "".join(map(_folded, phrase)))
    if not words:
        return ""
    beginning = r"(?<!\w)" if words[0][0] < SPACELESS else ""
    return beginning + r"[^\w]{1,5}".join(map(re.escape, words))


def _folded_with_places(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded text and the origin of each letter: folding turns some letters into two or
    none.
    """
    if text.isascii():
        return text.lower(), range(len(text))
    chunks = [_folded(letter) for letter in text]
    return "".join(chunks), [place for place, chunk in enumerate(chunks) for _ in chunk]


@lru_cache(4096)
def _folded(letter: str) -> str:
    letters = unicodedata.normalize("NFKD", letter.casefold())
    return unicodedata.normalize(
        "NFC", "".join(each for each in letters if not unicodedata.combining(each))
    )
