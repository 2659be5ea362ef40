"""Columns of the mail list: 100,000 rows in a few array operations instead of 100,000 objects."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from nbmail.store.files.connection import Connection, Row, listed
from nbmail.store.labels.journal import LabelSources
from nbmail.store.mail.filed_moves import FiledMoves
from nbmail.store.mail.folders import Folders
from nbmail.values import JUNK_FOLDER, IntArray, Locations, LongArray, Rows, Scores, ShortArray


class Listing:
    """Rows of the mail list, without scores."""

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
        newest = (
            "IN (SELECT number FROM messages WHERE EXISTS (SELECT 1 FROM locations WHERE "
            "message = number)"
            " ORDER BY date DESC, number DESC LIMIT ?)"
        )
        return self._columns(newest, (most,))

    def some(self, messages: Iterable[int]) -> Rows:
        """Return those of these messages that have a location. A range without gaps is read by one
        query.
        """
        if isinstance(messages, range) and messages.step == 1:
            return self._columns("BETWEEN ? AND ?", (messages.start, messages.stop - 1))
        return self._columns("IN (SELECT value FROM json_each(?))", (listed(messages),))

    def _columns(self, which: str, parameters: tuple[Any, ...]) -> Rows:
        """Join and sort three scans with numpy: SQLite's join takes three times as long."""
        columns = "number, date, sender, subject, attachments, ifnull(verified, -1) FROM messages"
        heads = self._scan(columns, "number", which, parameters)
        places, flagged = self._places({row[0] for row in heads}, which, parameters)
        labels = self._scan("message, class FROM labels", "message", which, parameters)
        labelled, classes = (np.array(column, np.int64) for column in _turned(labels, 2))
        label_sources = self._label_sources.names()
        numbers, written, senders, subjects, attachments, verified = _turned(heads, 6)
        known = self._connection.column("SELECT number FROM folders ORDER BY number")
        known_classes = self._connection.column("SELECT number FROM classes ORDER BY number")
        placed, locations, location_sets = _located(places, known)
        shown = np.searchsorted(numbers, placed)
        dates = np.array(written, np.float64)[shown]
        order = np.lexsort((-placed, -dates))
        picked = shown[order].tolist()
        messages = placed[order]
        return Rows(
            messages=messages,
            dates=dates[order],
            senders=tuple([senders[one] for one in picked]),
            subjects=tuple([subjects[one] for one in picked]),
            labels=_aligned(messages, labelled, _indexes(classes, known_classes)),
            label_sources=_aligned(
                messages, labelled, self._label_sources.column(labelled, label_sources)
            ),
            locations=locations[order],
            attachments=np.array(attachments, bool)[shown][order],
            flagged=np.isin(messages, flagged),
            verified=np.array(verified, np.int8)[shown][order],
            scores=no_scores(messages),
            label_names=tuple(self._connection.column("SELECT name FROM classes ORDER BY number")),
            source_names=label_sources,
            folder_names=self._folders.names(),
            location_sets=location_sets,
            spam_folders=frozenset(self._folders.names(JUNK_FOLDER)),
        )

    def _places(
        self, messages: set[int], which: str, parameters: tuple[Any, ...]
    ) -> tuple[list[Row], list[int]]:
        """Return message, folder and read flag of all locations (moves count as done), and the
        flagged messages.
        """
        what = (
            "message, folder, uid, instr(flags, '\\Seen'), instr(flags, '\\Flagged') FROM locations"
        )
        rows = self._scan(what, "message", which, parameters)
        if moving := self._filed.shown(messages):
            shown = [(each.message, each.folder, 0, each.seen, 0) for each in moving.values()]
            rows = [row for row in rows if (row[1], row[2]) not in moving]
            rows += [row for row in shown if row[0] in messages and row[1] is not None]
        flagged = [row[0] for row in rows if row[4]]
        return [(message, folder, seen) for message, folder, _, seen, _ in rows], flagged

    def _scan(self, what: str, key: str, which: str, parameters: tuple[Any, ...]) -> list[Row]:
        return self._connection.rows(
            f"SELECT {what} WHERE {key} {which} ORDER BY {key}", parameters
        )


def no_scores(messages: LongArray) -> Scores:
    unknown = np.full(len(messages), np.nan)
    return Scores(messages, unknown, unknown, np.zeros(len(messages), np.int8))


def _turned(rows: list[Row], width: int) -> list[tuple[Any, ...]]:
    return list(zip(*rows, strict=True)) if rows else [()] * width


def _aligned(messages: LongArray, labelled: LongArray, values: ShortArray) -> ShortArray:
    """Return the value of each message; -1 for those without a label."""
    found = np.searchsorted(labelled, messages)
    hit = np.append(labelled, -1)[found] == messages
    return np.where(hit, np.append(values, -1)[found], -1).astype(np.int16)


def _indexes(numbers: LongArray, known: list[int]) -> ShortArray:
    """Return the index of each number among the known ones; -1 if there is none."""
    places = np.full(max(known, default=0) + 1, -1, np.int16)
    places[known] = np.arange(len(known))
    return places[numbers]


def _located(
    places: list[Row], known: list[int]
) -> tuple[LongArray, IntArray, tuple[Locations, ...]]:
    """Return each message once, indexes of its locations, and these locations. `known`: numbers of
    the folders.
    """
    messages, folders, seen = (np.array(column, np.int64) for column in _turned(places, 3))
    order = np.lexsort((folders, messages))
    messages = messages[order]
    unread = seen[order] == 0
    folders = _indexes(folders[order], known).astype(np.int64)
    new = np.ones(len(messages), bool)
    new[1:] = messages[1:] != messages[:-1]
    singles, numbers = np.unique(2 * folders[new] + unread[new], return_inverse=True)
    sets: dict[Locations, int] = {
        ((one // 2, bool(one % 2)),): place for place, one in enumerate(singles.tolist())
    }
    # Few messages have several locations.
    alone = new.copy()
    several = dict[int, dict[int, bool]]()
    alone[:-1] &= new[1:]
    columns = (np.cumsum(new)[~alone] - 1, folders[~alone], unread[~alone])
    for message, folder, is_unread in zip(*(column.tolist() for column in columns), strict=True):
        several.setdefault(message, {}).setdefault(folder, is_unread)
    for message, locations in several.items():
        numbers[message] = sets.setdefault(tuple(locations.items()), len(sets))
    return messages[new], numbers.astype(np.int32), tuple(sets)


def join_locations(chunks: Sequence[Rows]) -> tuple[IntArray, tuple[Locations, ...]]:
    """Join columns of locations, and the sets that they refer to."""
    sets: dict[Locations, int] = {}
    columns = []
    for chunk in chunks:
        table = [sets.setdefault(each, len(sets)) for each in chunk.location_sets]
        columns.append(np.array(table, np.int32)[chunk.locations])
    return np.concatenate(columns), tuple(sets)
