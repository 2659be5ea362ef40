"""Which messages the list shows, and in what order."""

from dataclasses import dataclass
from enum import IntEnum

from nbmail.ui.list.columns import Column
from nbmail.values import FolderName


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
