"""Filter, order and selection of the mail list. No Qt.

`order` holds the positions of the shown messages, top first. It changes only on request: new scores
alone never move a row.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.text.search_query import SearchQuery, read_query
from nbmail.ui.list.list_choice import USUAL, Arrangement, Choice, Column, Kind, fold
from nbmail.ui.list.mail_columns import (
    HAM,
    SPAM,
    UNSURE,
    MailColumns,
    Mask,
    Positions,
    ranks,
    sort_key,
)
from nbmail.values import FolderName, Rows

_CLASSES = {Kind.UNSURE: UNSURE, Kind.HAM: HAM, Kind.SPAM: SPAM}
_VERDICT_ORDER = np.array([1, 0, 2], np.int8)
LISTED = {
    *(SortedState.MOVING, SortedState.MOVED, SortedState.REHEARSED),
    *(SortedState.PUT_BACK, SortedState.CONFIRMED),
}
"""States of sorted messages that left the inbox, or would have."""
_LAST = np.int16(0x7FFF)
"""Bit mask that turns the source -1 of unlabelled messages into the greatest number and keeps the
others.
"""


class Descending(bytes):
    """Sort key in reverse order."""

    __slots__ = ()

    def __lt__(self, other: bytes) -> bool:
        return bytes.__gt__(self, other)


class MailList(MailColumns):
    """The messages with their order and selection."""

    def __init__(self) -> None:
        super().__init__()
        self.order: Positions = np.zeros(0, np.int64)
        self.arrangement = Arrangement()
        self._ranks: dict[Column, Positions] = {}
        self._found = "", np.zeros(0, np.int64)
        self.sorted: dict[int, SortedMessage] = {}
        """Messages that arrived as spam, by number."""
        self._listed: frozenset[int] = frozenset()
        """Those of them that left the inbox, or would have."""

    def __len__(self) -> int:
        return len(self.order)

    def take_rows(self, rows: Rows) -> tuple[Positions, Positions]:
        """Store new and changed messages without changing the order."""
        self._ranks.clear()
        return super().take_rows(rows)

    def arrange(self, arrangement: Arrangement) -> None:
        """Filter and sort. Another choice clears the selection."""
        if arrangement.choice != self.arrangement.choice:
            self.selected[:] = False
        self.arrangement = arrangement
        newest = np.argsort(-self.dates, kind="stable")
        order = newest[np.argsort(self._sort_values()[newest], kind="stable")]
        mask = self.mask(arrangement.choice)
        self.order = order[mask[order]]
        # Hidden messages are never selected: a key would mark them unnoticed.
        self.selected &= mask

    # --------------------------------------------------------------------------------------------------
    # filters

    def mask(self, choice: Choice, among: Positions | None = None) -> Mask:
        """Return for each position, or each of `among`, whether the choice contains it.

        Mail in spam folders belongs to the smart lists of spam and of sorted mail, and to no other.
        """
        places: Positions | slice = slice(None) if among is None else among
        chosen = self.present[places].copy()
        folder = None if choice.folder is None else self._folder_number(choice.folder)
        if choice.kind in _CLASSES:
            chosen &= self.effective_class[places] == _CLASSES[choice.kind]
            chosen &= (self.labels[places] >= 0) | ~np.isnan(self.log_odds[places])
        elif choice.kind == Kind.MARKED:
            chosen &= self.labels[places] >= 0
        elif choice.kind == Kind.SORTED:
            chosen &= np.isin(self.messages[places], list(self._listed))
        elif choice.kind == Kind.UNREAD:
            chosen &= self.folder_sets.unread_in(folder)[self.folders[places]]
        elif choice.kind == Kind.FIRST:
            chosen &= self._first_from_sender()[places]
        if folder is not None:
            chosen &= self.folder_sets.holding(folder)[self.folders[places]]
        elif choice.kind == Kind.SPAM:
            chosen |= self.present[places] & self._in_spam_folder(places)
        elif choice.kind != Kind.SORTED:
            chosen &= ~self._in_spam_folder(places)
        query = read_query(choice.words)
        if query.unread:
            chosen &= self.folder_sets.unread_in(folder)[self.folders[places]]
        return (
            chosen
            if query == SearchQuery()
            else self._with_words(chosen, query, choice.words, among)
        )

    def _folder_number(self, folder: FolderName) -> int:
        """Return the number of a folder, -1 for a folder without messages so far."""
        return self.folder_names.index(folder) if folder in self.folder_names else -1

    def unread(self, position: int) -> bool:
        """True if a message is unread in the shown folder, or otherwise in its first folder."""
        folders = self.folder_sets.of(self.folders[position])
        shown = self.arrangement.choice.folder
        first = next(iter(folders.values()), False)
        return first if shown is None else folders.get(self._folder_number(shown), first)

    def _with_words(
        self, chosen: Mask, query: SearchQuery, words: str, among: Positions | None
    ) -> Mask:
        self.prepare(len(self.messages))
        places: Positions | slice = slice(None) if among is None else among
        dates = self.dates[places]
        chosen &= (dates < query.before) & (dates >= query.after)
        if query.attachment:
            chosen &= self.attachments[places]
        if query.verified:
            chosen &= self.verified[places] == 1
        if query.first:
            chosen &= self._first_from_sender()[places]
        left = np.flatnonzero(chosen)
        matching = self._matching(left if among is None else among[left], query, words)
        chosen[left] = np.isin(left if among is None else among[left], matching)
        return chosen

    def _matching(self, places: Positions, query: SearchQuery, words: str) -> list[int]:
        """Return the positions that match. Words may be in sender, subject or text, recipients are
        in the text only.
        """
        texts = self._texts
        matching = list[int]() if query.recipients else places.tolist()
        # The name of a suggested folder filters as well.
        names = (
            ["", *(fold(name.folder) for name in self.folder_names)] if self.suggested.any() else []
        )
        for needle in map(fold, query.words):
            named = {number for number, name in enumerate(names) if needle in name}
            matching = [
                place
                for place in matching
                if needle in texts[place] or self.suggested[place] in named
            ]
        if self._found[0] == words:
            matching += places[np.isin(self.messages[places], self._found[1])].tolist()
        for needle in map(fold, query.senders):
            matching = [place for place in matching if needle in texts[place].partition("\n")[0]]
        for needle in map(fold, query.subjects):
            matching = [place for place in matching if needle in texts[place].partition("\n")[2]]
        return matching

    def take_found(self, words: str, messages: Sequence[int]) -> None:
        self._found = words, np.array(messages, np.int64)

    def take_sorted(self, messages: Iterable[SortedMessage]) -> Positions:
        """Replace the messages that were sorted. Return the positions of new ones."""
        before = self._listed
        self.sorted = {each.message: each for each in messages}
        self._listed = frozenset(
            number for number, each in self.sorted.items() if each.state in LISTED
        )
        return self._known(sorted(self._listed - before))

    def holds_others(self) -> bool:
        mask = self.mask(self.arrangement.choice)
        return len(np.flatnonzero(mask)) != len(self.order) or not bool(mask[self.order].all())

    def moved(self, known: Positions) -> tuple[Positions, Positions]:
        """Return which known messages entered the shown folder, and which left it.

        Messages also leave a smart list when they move into a spam folder, and return to the list
        of all mail.
        """
        kind = self.arrangement.choice.kind
        folder = self.arrangement.choice.folder
        if not len(known) or (folder is None and kind in (Kind.SPAM, Kind.SORTED)):
            return known[:0], known[:0]
        shown = np.zeros(len(self.messages), bool)
        shown[self.order] = True
        inside = self.mask(Choice(folder=folder), known)
        was_shown = shown[known]
        # New scores and labels alone insert no row into the other smart lists.
        enters = folder is not None or kind == Kind.ALL
        return known[inside & ~was_shown & enters], known[was_shown & ~inside]

    # ----------------------------------------------------------------------------------------------------
    # order

    def place(self, positions: Positions) -> None:
        """Insert messages at their place in the shown order, or leave them out. No other row
        moves.
        """
        chosen = self.mask(self.arrangement.choice, positions)
        self.selected[positions[~chosen]] = False
        self.order = self.order[~np.isin(self.order, positions)]
        key = self._key()
        places = list[int]()
        placed = list[int]()
        place = 0
        for its_key, position in sorted(
            (key(position), position) for position in positions[chosen].tolist()
        ):
            # New messages are mostly neighbours: try the place of the previous one first.
            if place < len(self.order) and key(int(self.order[place])) < its_key:
                place = bisect_left(self.order, its_key, lo=place, key=key)
            places.append(place)
            placed.append(position)
        self.order = np.insert(self.order, places, placed)

    def _key(self) -> Callable[[int], tuple[Any, ...]]:
        """Return a function from a position to its sort key, as in `arrange`. Ranks of all texts
        would cost more.
        """
        dates = self.dates.item
        column = self.arrangement.column
        if column in (Column.SENDER, Column.SUBJECT):
            texts = self.senders if column == Column.SENDER else self.subjects
            ordered = Descending if self.arrangement.descending else bytes
            return lambda position: (
                ordered(sort_key(fold(texts[position]))),
                -dates(position),
                position,
            )
        values = self._sort_values().item
        return lambda position: (values(position), -dates(position), position)

    def _sort_values(self) -> npt.NDArray[Any]:
        """Return a number for each position; the smallest comes first."""
        column = self.arrangement.column
        descending = self.arrangement.descending
        by_day = column == Column.DATE and self.arrangement.choice.kind == Kind.SORTED
        values: npt.NDArray[Any] = self._sorting_days() if by_day else self.dates
        if column in (Column.SENDER, Column.SUBJECT):
            values = self._text_ranks(column)
        elif column == Column.SUGGESTED:
            # Messages without a suggestion come last in both directions.
            ranks = np.append(-1, self._folder_ranks()[:-1])[self.suggested].astype(np.float64)
            values = np.where(self.suggested > 0, ranks, -np.inf if descending else np.inf)
        elif column == Column.FOLDER:
            values = self._folder_ranks()[self.folder_sets.first()[self.folders]]
        elif column == Column.VERDICT:
            values = _VERDICT_ORDER[self.effective_class]
        elif column == Column.DECIDED:
            values = self.label_sources & _LAST
        elif column == Column.VERIFIED:
            values = self.verified
        elif column == Column.CHANCE:
            # Messages without a score come last in both directions.
            values = np.where(
                np.isnan(self.log_odds), -np.inf if descending else np.inf, self.log_odds
            )
        return np.negative(values) if descending else values

    def _sorting_days(self) -> npt.NDArray[np.float64]:
        """Return values that order sorted messages by day, and those of a day nearest to the spam
        threshold last.
        """
        values = np.zeros(len(self.messages))
        listed = sorted(self._listed)
        for message, position in zip(listed, self.find(listed).tolist(), strict=True):
            if position >= 0:
                one = self.sorted[message]
                values[position] = 2 * date.fromtimestamp(one.moment).toordinal() - one.probability
        return values

    def _text_ranks(self, column: Column) -> Positions:
        if column not in self._ranks:
            self.prepare(len(self.messages))
            self._ranks[column] = ranks(
                self.sender_keys if column == Column.SENDER else self.subject_keys
            )
        return self._ranks[column]

    def _folder_ranks(self) -> Positions:
        keys = np.array(
            [sort_key(fold(name.folder)) for name in self.folder_names], self.sender_keys.dtype
        )
        return np.append(ranks(keys), -1)

    # --------------------------------------------------------------------------------------------------
    # figures

    def count_kinds(
        self, folder: FolderName | None, kinds: Iterable[Kind] = USUAL
    ) -> dict[Kind, int]:
        return {kind: int(np.count_nonzero(self.mask(Choice(kind, folder)))) for kind in kinds}

    def count_folders(self) -> dict[FolderName, tuple[int, int]]:
        """Count the messages, and the unread ones, of each folder. Spam folders have no unread
        count.
        """
        held, unread = self.folder_sets.count(self.folders[self.present], len(self.folder_names))
        return {
            name: (int(held[i]), 0 if name in self.spam_folders else int(unread[i]))
            for i, name in enumerate(self.folder_names)
        }

    def count_selected(self) -> int:
        return int(np.count_nonzero(self.selected[self.order]))

    def unlabelled(self) -> int:
        return int(np.count_nonzero(self.present & (self.labels < 0)))

    def undecided(self) -> list[int]:
        """Return the unlabelled messages with the verdict unsure, newest first."""
        here = np.flatnonzero(self.mask(Choice(Kind.UNSURE)) & (self.labels < 0))
        found: list[int] = self.messages[
            here[np.argsort(-self.dates[here], kind="stable")]
        ].tolist()
        return found

    def selection(self) -> tuple[int, ...]:
        """Return the selected messages that are shown, top first."""
        return tuple(self.messages[self.order[self.selected[self.order]]].tolist())
