"""Which messages the list shows, in what order, and the columns they are shown in."""

from dataclasses import dataclass
from enum import IntEnum

from nbmail.ui.kit.language import tr
from nbmail.values import FolderName


class Column(IntEnum):
    """The columns from left to right."""

    CHANCE = 0
    VERDICT = 1
    DECIDED = 2
    SENDER = 3
    SUBJECT = 4
    FOLDER = 5
    DATE = 6


def column_name(column: Column) -> str:
    """What stands above it."""
    return {
        Column.CHANCE: tr("Chance of junk"),
        Column.VERDICT: tr("Verdict"),
        Column.DECIDED: tr("Decided by"),
        Column.SENDER: tr("From"),
        Column.SUBJECT: tr("Subject"),
        Column.FOLDER: tr("Folder"),
        Column.DATE: tr("Date"),
    }[column]


def starts_descending(column: Column) -> bool:
    """Whether the first click on it shows the largest first: what is newest, and what is most likely junk."""
    return column in (Column.CHANCE, Column.DATE)


class Kind(IntEnum):
    """The smart lists."""

    ALL = 0
    UNSURE = 1
    JUNK = 2
    GOOD = 3
    UNREAD = 4
    MARKED = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """A smart list, perhaps of one folder only, perhaps with words that each must occur, in its head or in its text."""

    kind: Kind = Kind.ALL
    folder: FolderName | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A choice and the column it is sorted by; equal messages stand newest first."""

    choice: Choice = Choice()
    column: Column = Column.DATE
    descending: bool = True

    @property
    def by_score(self) -> bool:
        """Whether other scores would make it another list."""
        sorts = self.column in (Column.CHANCE, Column.VERDICT, Column.DECIDED)
        return sorts or self.choice.kind in (Kind.UNSURE, Kind.JUNK, Kind.GOOD)
