"""Choice of what the list shows: smart list, folder, search words, sort column."""

from dataclasses import dataclass
from enum import IntEnum

from nbmail.ui.texts.language import tr
from nbmail.values import FolderName


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
    """True if the first click sorts from the largest value down: newest, or likeliest spam."""
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
    """Filter: a smart list, optionally in one folder, optionally with words that must all occur."""

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
