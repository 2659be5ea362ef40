"""Order of the list by a column."""

from bisect import bisect_left
from collections.abc import Callable
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt

from nbmail.ui.list.contents.mail_columns import MailColumns
from nbmail.ui.list.contents.positions import Positions
from nbmail.ui.list.contents.sort_keys import KEYS, ranks, sort_key
from nbmail.ui.list.list_choice import Arrangement, Column, Kind
from nbmail.ui.list.search_words import fold

SortKey = Callable[[int], tuple[Any, ...]]
Values = npt.NDArray[Any]
_VERDICT_RANKS = np.array([1, 0, 2], np.int8)
"""Ranks of unsure, not spam and spam."""
_LAST = np.int16(0x7FFF)
"""Bit mask that turns source -1, of unlabelled messages, into the greatest number."""


class Descending(bytes):
    """Sort key in reverse order."""

    __slots__ = ()

    def __lt__(self, other: bytes) -> bool:
        return bytes.__gt__(self, other)


class MailOrder:
    """Sorts positions. Equal messages are sorted newest first."""

    def __init__(self, mail: MailColumns) -> None:
        self._mail = mail
        self._columns: dict[Column, Callable[[], Values]] = {
            Column.CHANCE: self._chances,
            Column.VERDICT: self._verdicts,
            Column.DECIDED: self._sources,
            Column.SENDER: mail.text_columns.sender_ranks,
            Column.SUBJECT: mail.text_columns.subject_ranks,
            Column.FOLDER: self._folders,
            Column.DATE: self._dates,
            Column.VERIFIED: self._verified,
            Column.SUGGESTED: self._suggested,
        }

    def all_sorted(self, arrangement: Arrangement) -> Positions:
        """Return all positions in order."""
        newest = np.argsort(-self._mail.dates, kind="stable")
        values = self._values(arrangement)[newest]
        return newest[np.argsort(values, kind="stable")]

    def insert(self, order: Positions, new: Positions, arrangement: Arrangement) -> Positions:
        """Return `order` with positions inserted at their places. The others keep their order."""
        key = self._key(arrangement)
        places = list[int]()
        placed = list[int]()
        place = 0
        for its_key, position in sorted((key(position), position) for position in new.tolist()):
            # New messages are mostly neighbours: try the place of the previous one first.
            if place < len(order) and key(int(order[place])) < its_key:
                place = bisect_left(order, its_key, lo=place, key=key)
            places.append(place)
            placed.append(position)
        return np.insert(order, places, placed)

    def _key(self, arrangement: Arrangement) -> SortKey:
        """Return a function from a position to its sort key, as in `all_sorted`.

        Ranks of all texts would cost more than the keys of a few.
        """
        dates = self._mail.dates.item
        if arrangement.column in (Column.SENDER, Column.SUBJECT):
            return self._text_key(arrangement)
        values = self._values(arrangement).item
        return lambda position: (values(position), -dates(position), position)

    def _text_key(self, arrangement: Arrangement) -> SortKey:
        dates = self._mail.dates.item
        texts = self._mail.subjects
        if arrangement.column == Column.SENDER:
            texts = self._mail.senders
        ordered = Descending if arrangement.descending else bytes

        def key(position: int) -> tuple[Any, ...]:
            return ordered(sort_key(fold(texts[position]))), -dates(position), position

        return key

    def _values(self, arrangement: Arrangement) -> Values:
        """Return a number for each position; the smallest comes first."""
        if arrangement.column == Column.DATE and arrangement.choice.kind == Kind.SORTED:
            values: Values = self._sorting_days()
        else:
            values = self._columns[arrangement.column]()
        if arrangement.descending:
            values = np.negative(values)
        if arrangement.column in (Column.CHANCE, Column.SUGGESTED):
            # Messages without a value come last in both directions.
            return np.where(np.isnan(values), np.inf, values)
        return values

    def _dates(self) -> Values:
        return self._mail.dates

    def _chances(self) -> Values:
        return self._mail.log_odds

    def _verdicts(self) -> Values:
        ranked: Values = _VERDICT_RANKS[self._mail.effective_class]
        return ranked

    def _sources(self) -> Values:
        return self._mail.label_sources & _LAST

    def _verified(self) -> Values:
        return self._mail.verified

    def _sorting_days(self) -> npt.NDArray[np.float64]:
        """Return the days of sorted messages, less their chance of spam.

        Of one day, those nearest to the spam threshold are last.
        """
        values = np.zeros(len(self._mail.messages))
        listed = sorted(self._mail.listed)
        positions = self._mail.find(listed).tolist()
        for message, position in zip(listed, positions, strict=True):
            if position >= 0:
                one = self._mail.sorted[message]
                day = date.fromtimestamp(one.moment).toordinal()
                values[position] = 2 * day - one.probability
        return values

    def _folders(self) -> Values:
        """Return the rank of each message's first folder, -1 without a folder."""
        ranked = np.append(self._folder_ranks(), -1)
        first = self._mail.folder_sets.first()
        folders: Values = ranked[first[self._mail.folders]]
        return folders

    def _suggested(self) -> Values:
        """Return the ranks of the suggested folders, NaN for messages without one."""
        by_number = np.append(np.nan, self._folder_ranks())
        suggested: Values = by_number[self._mail.suggested]
        return suggested

    def _folder_ranks(self) -> Positions:
        names = [sort_key(fold(name.folder)) for name in self._mail.folder_names]
        return ranks(np.array(names, KEYS))
