"""Columns of locations: for each message the index of a set of locations, which many share."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from nbmail.values import BoolArray, IntArray, Locations, LongArray, Rows, ShortArray


class ShownLocations(NamedTuple):
    """Columns of locations at which the list shows messages, in any order.

    `folders`: numbers of the folders in the database.
    """

    messages: LongArray
    folders: LongArray
    unread: BoolArray


class LocationColumn(NamedTuple):
    """Messages in ascending order, the index of each one's locations in `sets`, and these."""

    messages: LongArray
    indexes: IntArray
    sets: tuple[Locations, ...]


def locate(shown: ShownLocations, folders: list[int]) -> LocationColumn:
    """Return each message once, with all its locations. `folders`: numbers of all folders."""
    order = np.lexsort((shown.folders, shown.messages))
    messages = shown.messages[order]
    unread = shown.unread[order]
    indexes = indexes_of(shown.folders[order], folders).astype(np.int64)

    is_first = np.ones(len(messages), bool)
    is_first[1:] = messages[1:] != messages[:-1]
    singles, found = np.unique(2 * indexes[is_first] + unread[is_first], return_inverse=True)
    sets: dict[Locations, int] = {}
    for place, single in enumerate(singles.tolist()):
        sets[((single // 2, bool(single % 2)),)] = place

    # Few messages have several locations.
    is_alone = is_first.copy()
    is_alone[:-1] &= is_first[1:]
    rows = np.cumsum(is_first) - 1
    for row, locations in _grouped(rows[~is_alone], indexes[~is_alone], unread[~is_alone]):
        found[row] = sets.setdefault(locations, len(sets))
    return LocationColumn(messages[is_first], found.astype(np.int32), tuple(sets))


def _grouped(
    rows: LongArray, folders: LongArray, unread: BoolArray
) -> Iterator[tuple[int, Locations]]:
    """Yield each row with its folders, each folder once."""
    several = dict[int, dict[int, bool]]()
    for row, folder, is_unread in zip(
        rows.tolist(), folders.tolist(), unread.tolist(), strict=True
    ):
        several.setdefault(row, {}).setdefault(folder, is_unread)
    for row, locations in several.items():
        yield row, tuple(locations.items())


def indexes_of(numbers: LongArray, known: list[int]) -> ShortArray:
    """Return the index of each number among the known ones; -1 if there is none."""
    places = np.full(max(known, default=0) + 1, -1, np.int16)
    places[known] = np.arange(len(known))
    return places[numbers]


def join_locations(chunks: Iterable[Rows]) -> tuple[IntArray, tuple[Locations, ...]]:
    """Join columns of locations, and the sets that they refer to."""
    sets: dict[Locations, int] = {}
    columns = []
    for chunk in chunks:
        table = [sets.setdefault(each, len(sets)) for each in chunk.location_sets]
        columns.append(np.array(table, np.int32)[chunk.locations])
    return np.concatenate(columns), tuple(sets)
