"""Which messages the list shows, and in what order. No Qt.

`order` holds the positions of those shown, top first. It changes only when asked: new scores alone never move a row
under the user's hands.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nbmail.ui.list.list_choice import Arrangement, Choice, Column, Kind
from nbmail.ui.list.mail_columns import (
    GOOD,
    JUNK,
    UNSURE,
    Backwards,
    MailColumns,
    Positions,
    ranks,
    sort_keys,
    sort_text,
)
from nbmail.ui.list.search_words import fold, search_words
from nbmail.values import FolderName, Rows

_STANDING = {Kind.UNSURE: UNSURE, Kind.GOOD: GOOD, Kind.JUNK: JUNK}
_VERDICT_ORDER = np.array([1, 0, 2], np.int8)
_LAST = np.int16(0x7FFF)
"""Makes -1, for what nobody gave a label, the greatest of all numbers of givers and leaves the others as they are."""
_ALL = slice(None)


class MailList(MailColumns):
    """The messages with their order and the selection."""

    def __init__(self) -> None:
        super().__init__()
        self.order: Positions = np.zeros(0, np.int64)
        self.arrangement = Arrangement()
        self._ranks: dict[Column, Any] = {}
        self._found: tuple[str, Positions] = "", np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self.order)

    def take_rows(self, rows: Rows) -> tuple[Positions, Positions]:
        """Take new and altered messages in, without changing the order."""
        self._ranks.clear()
        return super().take_rows(rows)

    def arrange(self, arrangement: Arrangement) -> None:
        """Show these, in this order. What another choice showed is not selected any more: it may be far off."""
        if arrangement.choice != self.arrangement.choice:
            self.selected[:] = False
        self.arrangement = arrangement
        newest = np.argsort(-self.dates, kind="stable")
        values = self._sort_values()
        order = newest[np.argsort(values[newest], kind="stable")]
        mask = self.mask(arrangement.choice)
        self.order = order[mask[order]]
        # What can't be seen is not selected: a key would mark it unseen.
        self.selected &= mask

    # ---------------------------------------------------------------------------------------------- what is shown

    def mask(self, choice: Choice, among: Any = _ALL) -> Any:
        """Which of all positions, or of these, a choice holds."""
        chosen = self.present[among].copy()
        folder = None if choice.folder is None else self._folder_number(choice.folder)
        if choice.kind in _STANDING:
            chosen &= self.effective_class[among] == _STANDING[choice.kind]
        elif choice.kind == Kind.UNREAD:
            chosen &= self.folder_sets.unread_in(folder)[self.folders[among]]
        elif choice.kind == Kind.MARKED:
            chosen &= self.labels[among] >= 0
        if folder is not None:
            chosen &= self.folder_sets.holding(folder)[self.folders[among]]
        return self._with_words(chosen, choice.words, among)

    def _folder_number(self, folder: FolderName) -> int:
        """The number of a folder, -1 for one that no message was ever seen in."""
        return self.folder_names.index(folder) if folder in self.folder_names else -1

    def unread(self, position: int) -> bool:
        """Whether a message is unread in the folder that is shown; else where it was met first."""
        folders, shown = self.folder_sets.of(self.folders[position]), self.arrangement.choice.folder
        first = next(iter(folders.values()), False)
        return first if shown is None else folders.get(self._folder_number(shown), first)

    def _with_words(self, chosen: Any, words: str, among: Any) -> Any:
        needles = search_words(words)
        if not needles:
            return chosen
        self.prepare(len(self.messages))
        left = np.flatnonzero(chosen)
        places = left if among is _ALL else among[left]
        texts, matching = self._texts, places.tolist()
        for needle in needles:
            matching = [place for place in matching if needle in texts[place]]
        found = np.zeros(len(chosen), bool)
        found[left] = np.isin(places, matching)
        if self._found[0] == words:
            found[left] |= np.isin(self.messages[places], self._found[1])
        return found

    def take_found(self, words: str, messages: Sequence[int]) -> None:
        """These messages hold the words somewhere in their text."""
        self._found = words, np.array(messages, np.int64)

    def holds_others(self) -> bool:
        """Whether what is chosen holds other messages by now than those that are shown."""
        mask = self.mask(self.arrangement.choice)
        return len(np.flatnonzero(mask)) != len(self.order) or not bool(mask[self.order].all())

    def moved(self, known: Positions) -> tuple[Positions, Positions]:
        """Which of these, known before, have come into the folder that is shown, and which have left it."""
        folder = self.arrangement.choice.folder
        if folder is None or not len(known):
            return known[:0], known[:0]
        shown = np.zeros(len(self.messages), bool)
        shown[self.order] = True
        lies, shown = self.mask(Choice(folder=folder), known), shown[known]
        return known[lies & ~shown], known[shown & ~lies]

    # ------------------------------------------------------------------------------------------------- the order

    def place(self, positions: Positions) -> None:
        """Put these messages where they belong in the order shown, or leave them out. No other row moves."""
        chosen = self.mask(self.arrangement.choice, positions)
        self.selected[positions[~chosen]] = False
        self.order = self.order[~np.isin(self.order, positions)]
        key, places, placed, place = self._key(), list[int](), list[int](), 0
        for its_key, position in sorted((key(position), position) for position in positions[chosen].tolist()):
            # Newcomers mostly stand together: look at the place of the one before first.
            if place < len(self.order) and key(int(self.order[place])) < its_key:
                place = bisect_left(self.order, its_key, lo=place, key=key)
            places.append(place)
            placed.append(position)
        self.order = np.insert(self.order, places, placed)

    def _key(self) -> Callable[[int], tuple[Any, ...]]:
        """What one position is sorted by, as in `arrange`. Texts are compared themselves: ranks cost more than that."""
        dates = self.dates.item
        if self.arrangement.column in (Column.SENDER, Column.SUBJECT):
            texts = self.senders if self.arrangement.column == Column.SENDER else self.subjects
            ordered = Backwards if self.arrangement.descending else str
            return lambda position: (ordered(sort_text(fold(texts[position]))), -dates(position), position)
        values = self._sort_values().item
        return lambda position: (values(position), -dates(position), position)

    def _sort_values(self) -> Any:
        """A number for each message; what has the smallest is shown first."""
        column, descending = self.arrangement.column, self.arrangement.descending
        values = self.dates
        if column in (Column.SENDER, Column.SUBJECT):
            values = self._text_ranks(column)
        elif column == Column.FOLDER:
            values = self._folder_ranks()[self.folder_sets.first()[self.folders]]
        elif column == Column.VERDICT:
            values = _VERDICT_ORDER[self.effective_class]
        elif column == Column.DECIDED:
            values = self.label_sources & _LAST
        elif column == Column.CHANCE:
            # What has no score yet stands last, whichever way the rest is sorted.
            values = np.where(np.isnan(self.log_odds), -np.inf if descending else np.inf, self.log_odds)
        return np.negative(values) if descending else values

    def _text_ranks(self, column: Column) -> Any:
        if column not in self._ranks:
            self.prepare(len(self.messages))
            sender = column == Column.SENDER
            keys, texts = (self.sender_keys, self.senders) if sender else (self.subject_keys, self.subjects)
            self._ranks[column] = ranks(keys, lambda position: fold(texts[position]))
        return self._ranks[column]

    def _folder_ranks(self) -> Any:
        names = [fold(name.folder) for name in self.folder_names]
        return np.append(ranks(sort_keys(names), names.__getitem__), -1)

    # ------------------------------------------------------------------------------------------------- figures

    def count_kinds(self, folder: FolderName | None) -> tuple[int, ...]:
        return tuple(int(np.count_nonzero(self.mask(Choice(kind, folder)))) for kind in Kind)

    def count_folders(self) -> dict[FolderName, tuple[int, int]]:
        held, unread = self.folder_sets.count(self.folders[self.present], len(self.folder_names))
        return {name: (int(held[i]), int(unread[i])) for i, name in enumerate(self.folder_names)}

    def count_chosen(self) -> int:
        """How many messages are selected and shown."""
        return int(np.count_nonzero(self.selected[self.order]))

    def unlabelled(self) -> int:
        return int(np.count_nonzero(self.present & (self.labels < 0)))

    def undecided(self) -> list[int]:
        """The messages that nobody has labelled and nbmail is unsure of, newest first."""
        here = np.flatnonzero(self.mask(Choice(Kind.UNSURE)) & (self.labels < 0))
        found: list[int] = self.messages[here[np.argsort(-self.dates[here], kind="stable")]].tolist()
        return found

    def chosen(self) -> tuple[int, ...]:
        """The selected messages that are shown, top first."""
        return tuple(self.messages[self.order[self.selected[self.order]]].tolist())
