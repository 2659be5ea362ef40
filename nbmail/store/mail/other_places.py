"""Messages that lie in several folders: one row of the list, which knows all of them.

Few kinds of company occur (inbox and archive, inbox and all mail), so each is kept once and rows carry its number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbmail.core.counting.sample import LongArray
from nbmail.values import OtherPlaces, Rows


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Messages by their numbers, where each was met first and whether it is unread there.

    `more` holds message, folder and unread of its further places, in the order of messages.
    """

    messages: LongArray
    folders: LongArray
    unread: Any  # bool array
    more: tuple[LongArray, LongArray, Any]


def sort_places(messages: LongArray, folders: LongArray, seen: LongArray) -> Places:
    """Tell each message's first place from its further ones. In one folder twice is there once."""
    order = np.lexsort((folders, messages))
    messages, folders, unread = messages[order], folders[order], seen[order] == 0
    new = np.ones(len(messages), bool)
    new[1:] = messages[1:] != messages[:-1]
    further = ~new
    further[1:] &= folders[1:] != folders[:-1]
    return Places(messages[new], folders[new], unread[new], (messages[further], folders[further], unread[further]))


def numbered(places: Places, indexes: Mapping[int, int]) -> tuple[Any, tuple[OtherPlaces, ...]]:
    """A column of numbers of further places, and what they stand for. `indexes` are of the folders."""
    company: dict[int, OtherPlaces] = {}
    for message, folder, unread in zip(*(column.tolist() for column in places.more), strict=True):
        company[message] = (*company.get(message, ()), (indexes[folder], unread))
    numbers: dict[OtherPlaces, int] = {(): 0}
    column = np.zeros(len(places.messages), np.int32)
    if company:
        found = [numbers.setdefault(each, len(numbers)) for each in company.values()]
        column[np.searchsorted(places.messages, np.fromiter(company, np.int64))] = found
    return column, tuple(numbers)


def renumbered(pieces: Sequence[Rows]) -> tuple[Any, tuple[OtherPlaces, ...]]:
    """The columns of pieces as one column, and what its numbers stand for."""
    numbers: dict[OtherPlaces, int] = {(): 0}
    columns = []
    for piece in pieces:
        table = [numbers.setdefault(each, len(numbers)) for each in piece.other_places]
        columns.append(np.array(table, np.int32)[piece.others])
    return np.concatenate(columns), tuple(numbers)
