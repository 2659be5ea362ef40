"""The columns of the list: their order, their names, and what they are for."""

from enum import IntEnum

from nbmail.ui.kit.language import tr


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
