"""Rows of the mail list: 100,000 in a few array operations instead of 100,000 objects."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from nbmail.store.actions.filed_moves import FiledMoves
from nbmail.store.files.columns import listed
from nbmail.store.files.connection import Connection, Row
from nbmail.store.labels.label_sources import LabelSources
from nbmail.store.mail.folders import Folders
from nbmail.store.mail.location_columns import ShownLocations, indexes_of, locate
from nbmail.values import JUNK_FOLDER, LabelSource, LongArray, Rows, Scores, ShortArray

_HEADS = "number, date, sender, subject, attachments, ifnull(verified, -1) FROM messages"
_PLACES = "message, folder, uid, instr(flags, '\\Seen'), instr(flags, '\\Flagged') FROM locations"


class _Selection(NamedTuple):
    """Condition for the number of a message, and its parameters."""

    which: str
    parameters: tuple[Any, ...]


class _LabelColumns(NamedTuple):
    """Labelled messages in ascending order, indexes of their classes and of their sources."""

    messages: LongArray
    classes: ShortArray
    sources: ShortArray


class Listing:
    """Reads rows of the mail list, without scores."""

    def __init__(
        self,
        connection: Connection,
        folders: Folders,
        label_sources: LabelSources,
        filed: FiledMoves,
    ) -> None:
        self._connection = connection
        self._folders = folders
        self._label_sources = label_sources
        self._filed = filed

    def newest(self, most: int) -> Rows:
        """Return messages with a location, newest first."""
        newest = """
        IN (
          SELECT number FROM messages
          WHERE EXISTS (SELECT 1 FROM locations WHERE message = number)
          ORDER BY date DESC, number DESC LIMIT ?
        )
        """
        return self._rows(_Selection(newest, (most,)))

    def some(self, messages: Iterable[int]) -> Rows:
        """Return those of these messages that have a location."""
        if isinstance(messages, range) and messages.step == 1:
            # A range without gaps is read by one query.
            return self._rows(_Selection("BETWEEN ? AND ?", (messages.start, messages.stop - 1)))
        return self._rows(_Selection("IN (SELECT value FROM json_each(?))", (listed(messages),)))

    def _rows(self, selection: _Selection) -> Rows:
        """Join and sort three scans with numpy: SQLite's join takes three times as long."""
        heads = self._scan(_HEADS, "number", selection)
        numbers, dates, senders, subjects, attachments, verified = _turned(heads, 6)
        places, flagged = self._places(set(numbers), selection)
        sources = self._label_sources.names()
        labels = self._labels(selection, sources)

        folders = self._connection.column("SELECT number FROM folders ORDER BY number")
        located = locate(places, folders)
        heads_of = np.searchsorted(np.array(numbers, np.int64), located.messages)
        all_dates = np.array(dates, np.float64)
        order = np.lexsort((-located.messages, -all_dates[heads_of]))
        messages = located.messages[order]
        shown = heads_of[order]
        picked = shown.tolist()
        return Rows(
            messages=messages,
            dates=all_dates[shown],
            senders=tuple([senders[head] for head in picked]),
            subjects=tuple([subjects[head] for head in picked]),
            labels=_aligned(messages, labels.messages, labels.classes),
            label_sources=_aligned(messages, labels.messages, labels.sources),
            locations=located.indexes[order],
            attachments=np.array(attachments, bool)[shown],
            flagged=np.isin(messages, flagged),
            verified=np.array(verified, np.int8)[shown],
            scores=no_scores(messages),
            label_names=tuple(self._connection.column("SELECT name FROM classes ORDER BY number")),
            source_names=sources,
            folder_names=self._folders.names(),
            location_sets=located.sets,
            spam_folders=frozenset(self._folders.names(JUNK_FOLDER)),
        )

    def _places(
        self, messages: set[int], selection: _Selection
    ) -> tuple[ShownLocations, LongArray]:
        """Return all locations, where moves count as done, and the flagged messages."""
        rows = self._scan(_PLACES, "message", selection)
        moving = self._filed.shown(messages)
        if moving:
            rows = [row for row in rows if (row[1], row[2]) not in moving]
            for move in moving.values():
                if move.folder is not None and move.message in messages:
                    rows.append((move.message, move.folder, 0, move.seen, 0))
        columns = _turned(rows, 5)
        located = np.array(columns[0], np.int64)
        folders = np.array(columns[1], np.int64)
        is_seen = np.array(columns[3], bool)
        is_flagged = np.array(columns[4], bool)
        return ShownLocations(located, folders, ~is_seen), located[is_flagged]

    def _labels(self, selection: _Selection, sources: tuple[LabelSource, ...]) -> _LabelColumns:
        rows = self._scan("message, class FROM labels", "message", selection)
        columns = _turned(rows, 2)
        messages = np.array(columns[0], np.int64)
        known = self._connection.column("SELECT number FROM classes ORDER BY number")
        classes = indexes_of(np.array(columns[1], np.int64), known)
        return _LabelColumns(messages, classes, self._label_sources.column(messages, sources))

    def _scan(self, what: str, key: str, selection: _Selection) -> list[Row]:
        query = f"SELECT {what} WHERE {key} {selection.which} ORDER BY {key}"
        return self._connection.rows(query, selection.parameters)


def no_scores(messages: LongArray) -> Scores:
    unknown = np.full(len(messages), np.nan)
    return Scores(messages, unknown, unknown, np.zeros(len(messages), np.int8))


def _turned(rows: list[Row], width: int) -> list[tuple[Any, ...]]:
    """Return the columns of rows."""
    return list(zip(*rows, strict=True)) if rows else [()] * width


def _aligned(messages: LongArray, labelled: LongArray, values: ShortArray) -> ShortArray:
    """Return the value of each message; -1 for those without a label."""
    found = np.searchsorted(labelled, messages)
    is_labelled = np.append(labelled, -1)[found] == messages
    numbers = np.append(values, -1)[found]
    return np.where(is_labelled, numbers, -1).astype(np.int16)
