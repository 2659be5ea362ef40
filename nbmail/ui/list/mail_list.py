"""All messages of the list, column by column in numpy, and the order in which they are shown. No Qt.

A message keeps its position in the arrays for good; `order` holds the positions of those shown, top first. The order
changes only when asked: new scores alone never move a row under the user's hands.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nbmail.ui.list.columns import Column
from nbmail.ui.list.comparable_text import KEYS, Backwards, fold, ranks, sort_keys, sort_text
from nbmail.ui.list.growing_arrays import GrowingColumns
from nbmail.ui.list.list_choice import Arrangement, Choice, Kind
from nbmail.ui.list.other_folders import OtherFolders
from nbmail.worker.protocol import VERDICTS, FolderName, Giver, Rows, Scores

Positions = npt.NDArray[np.int64]
UNSURE, GOOD, JUNK = (VERDICTS.index(name) for name in ("unsure", "good", "junk"))
YOU = Giver("user")
_VERDICT_ORDER = (1, 0, 2)
# Makes -1, for what nobody gave a label, the greatest of all numbers of givers and leaves the others as they are.
_LAST = np.int16(0x7FFF)
_COLUMNS = {
    "messages": np.int64,
    "dates": np.float64,
    "labels": np.int16,
    "givers": np.int16,
    "folders": np.int16,
    "others": np.int32,
    "unread": np.bool_,
    "attachments": np.bool_,
    "log_odds": np.float64,
    "probabilities": np.float64,
    "verdicts": np.int8,
    "standing": np.int8,
    "present": np.bool_,
    "selected": np.bool_,
    "by_number": np.int64,
    "sender_keys": (np.uint64, KEYS),
    "subject_keys": (np.uint64, KEYS),
}
_ALL = slice(None)


class MailList:
    """Columns, order, selection. `standing` is the label where there is one, else the verdict.

    `givers` are indexes into `giver_names`: who gave the label, -1 without one, 0 for the user.
    `by_number` holds the positions in the order of their messages' numbers. `folders` and `unread` are those of the
    place where a message was met first, `others` a number of `other_folders`, where its further ones are.
    """

    messages: Any
    dates: Any
    labels: Any
    givers: Any
    folders: Any
    others: Any
    unread: Any
    attachments: Any
    log_odds: Any
    probabilities: Any
    verdicts: Any
    standing: Any
    present: Any
    selected: Any
    by_number: Any
    sender_keys: Any
    subject_keys: Any

    def __init__(self) -> None:
        self._columns = GrowingColumns(_COLUMNS)
        self._grow(0)
        self.senders: list[str] = []
        self.subjects: list[str] = []
        self.label_names: list[str] = []
        self.giver_names: list[Giver] = [YOU]
        self.folder_names: list[FolderName] = []
        self.other_folders = OtherFolders()
        self.order: Positions = np.zeros(0, np.int64)
        self.arrangement = Arrangement()
        self._texts: list[str] = []
        self._ranks: dict[Column, Any] = {}

    def __len__(self) -> int:
        """How many are shown."""
        return len(self.order)

    # ------------------------------------------------------------------------------------------ what comes in

    def find(self, messages: Any) -> Positions:
        """Where these messages stand in the arrays, -1 for those not known."""
        wanted = np.asarray(messages, np.int64)
        if len(self.messages) == 0:
            return np.full(len(wanted), -1, np.int64)
        places = np.minimum(np.searchsorted(self.messages, wanted, sorter=self.by_number), len(self.messages) - 1)
        found = self.by_number[places]
        return np.where(self.messages[found] == wanted, found, -1)

    def take_rows(self, rows: Rows) -> tuple[Positions, Positions]:
        """Take new and altered messages in. Returns the positions of the new and of those known before."""
        found = self.find(rows.messages)
        new = np.flatnonzero(found < 0)
        old = np.flatnonzero(found >= 0)
        returning = found[old][~self.present[found[old]]]
        first = len(self.messages)
        self._grow(len(new))
        found[new] = np.arange(first, first + len(new))
        self.messages[first:] = np.asarray(rows.messages)[new]
        self._sort_in(first)
        self._write(found, rows)
        added = np.concatenate([found[new], returning])
        return added, np.setdiff1d(found[old], returning)

    def take_scores(self, scores: Scores) -> Positions:
        """Take new scores of known messages in. Returns their positions."""
        found = self.find(scores.messages)
        known = found >= 0
        places = found[known]
        self.log_odds[places] = np.asarray(scores.log_odds)[known]
        self.probabilities[places] = np.asarray(scores.probabilities)[known]
        self.verdicts[places] = np.asarray(scores.verdicts)[known]
        self._settle(places)
        return places

    def take_gone(self, messages: Sequence[int]) -> Positions:
        """These have no place any more. Returns their positions."""
        found = self.find(messages)
        places = found[found >= 0]
        self.present[places] = False
        self.selected[places] = False
        return places

    def set_label(self, messages: Sequence[int], label: str | None) -> Positions:
        """The user has just said so: shown at once, confirmed by the engine a moment later.

        Who says again what is said already has changed nothing: that label stays with whoever gave it.
        """
        number = -1 if label is None else self._number(self.label_names, label)
        found = self.find(messages)
        places: Positions = found[(found >= 0) & (self.labels[found] != number)]
        self.labels[places] = number
        self.givers[places] = -1 if label is None else 0
        self._settle(places)
        return places

    def _grow(self, count: int) -> None:
        for name, column in self._columns.extend(count).items():
            setattr(self, name, column)
        if count:
            self.senders.extend([""] * count)
            self.subjects.extend([""] * count)
            self.log_odds[-count:] = self.probabilities[-count:] = np.nan

    def _sort_in(self, first: int) -> None:
        """Bring the positions from this one on into the order by number. New mail mostly has the highest numbers."""
        new = first + np.argsort(self.messages[first:], kind="stable")
        known = self.by_number[:first]
        if first and len(new) and self.messages[new[0]] < self.messages[known[-1]]:
            between = np.searchsorted(self.messages[:first], self.messages[new], sorter=known)
            self.by_number[:] = np.insert(known, between, new)
        else:
            self.by_number[first:] = new

    def _write(self, places: Positions, rows: Rows) -> None:
        for name in ("dates", "unread", "attachments"):
            getattr(self, name)[places] = getattr(rows, name)
        self.labels[places] = self._renumbered(rows.labels, rows.label_names, self.label_names)
        self.givers[places] = self._numbered_givers(rows)
        self.folders[places] = self._renumbered(rows.folders, rows.folder_names, self.folder_names)
        self.others[places] = self._numbered_others(rows)
        self.present[places] = True
        self._write_texts(places, rows)
        self._settle(places)
        self.take_scores(rows.scores)

    def _write_texts(self, places: Positions, rows: Rows) -> None:
        self._ranks.clear()
        for place, sender, subject in zip(places.tolist(), rows.senders, rows.subjects, strict=True):
            if self.senders[place] != sender or self.subjects[place] != subject:
                self.senders[place], self.subjects[place] = sender, subject
                if place < len(self._texts):
                    self._texts[place] = fold(f"{sender}\n{subject}")
                    self.sender_keys[place] = sort_keys([fold(sender)])
                    self.subject_keys[place] = sort_keys([fold(subject)])

    def _renumbered(self, numbers: Any, theirs: Sequence[Any], ours: list[Any]) -> Any:
        table = np.array([*(self._number(ours, name) for name in theirs), -1], np.int16)
        return table[np.asarray(numbers, np.int64)]

    def _numbered_givers(self, rows: Rows) -> Any:
        if rows.givers is None:
            return np.where(np.asarray(rows.labels) >= 0, self._number(self.giver_names, Giver()), -1)
        return self._renumbered(rows.givers, rows.giver_names, self.giver_names)

    def _numbered_others(self, rows: Rows) -> Any:
        if rows.others is None:
            return 0
        ours = [self._number(self.folder_names, name) for name in rows.folder_names]
        table = [
            self.other_folders.number(tuple((ours[folder], unread) for folder, unread in each))
            for each in rows.other_places
        ]
        return np.array(table, np.int32)[rows.others]

    @staticmethod
    def _number(names: list[Any], name: Any) -> int:
        if name not in names:
            names.append(name)
        return names.index(name)

    def _settle(self, places: Positions) -> None:
        table = np.array([*(JUNK if name == "junk" else GOOD for name in self.label_names), UNSURE], np.int8)
        labels = self.labels[places]
        self.standing[places] = np.where(labels >= 0, table[labels], self.verdicts[places])

    # --------------------------------------------------------------------------------------- order and choice

    def prepare(self, most: int) -> bool:
        """Fold the texts of some more messages, ahead of the first search or sort. Whether there is more to do."""
        done = len(self._texts)
        upto = min(done + most, len(self.messages))
        if upto > done:
            senders = [fold(text) for text in self.senders[done:upto]]
            subjects = [fold(text) for text in self.subjects[done:upto]]
            self._texts.extend(f"{sender}\n{subject}" for sender, subject in zip(senders, subjects, strict=True))
            self.sender_keys[done:upto] = sort_keys(senders)
            self.subject_keys[done:upto] = sort_keys(subjects)
        return upto < len(self.messages)

    def arrange(self, arrangement: Arrangement) -> None:
        """Show these, in this order."""
        self.arrangement = arrangement
        newest = np.argsort(-self.dates, kind="stable")
        values = self._values(arrangement.column)
        values = self._turned(values)
        order = newest[np.argsort(values[newest], kind="stable")]
        mask = self.mask(arrangement.choice)
        self.order = order[mask[order]]

    def mask(self, choice: Choice, among: Any = _ALL) -> Any:
        """Which of all positions, or of these, a choice holds."""
        chosen = self.present[among].copy()
        if choice.kind in (Kind.UNSURE, Kind.GOOD, Kind.JUNK):
            chosen &= self.standing[among] == {Kind.UNSURE: UNSURE, Kind.GOOD: GOOD, Kind.JUNK: JUNK}[choice.kind]
        elif choice.kind == Kind.UNREAD:
            chosen &= self._unread_in(choice.folder, among)
        elif choice.kind == Kind.MARKED:
            chosen &= self.labels[among] >= 0
        if choice.folder is not None:
            chosen &= self._lies_in(choice.folder, among)
        return self._with_words(chosen, choice.words, among)

    def _lies_in(self, folder: FolderName, among: Any) -> Any:
        number = self._number(self.folder_names, folder)
        first = self.folders[among] == number
        if not self.other_folders:
            return first
        return first | self.other_folders.holding(number)[self.others[among]]

    def _unread_in(self, folder: FolderName | None, among: Any) -> Any:
        """Whether each is unread in that folder; without one, or where it doesn't lie there, where it was met first."""
        first = self.unread[among]
        if folder is None or not self.other_folders:
            return first
        number, others = self._number(self.folder_names, folder), self.others[among]
        return np.where(self.other_folders.holding(number)[others], self.other_folders.unread_in(number)[others], first)

    def crossed(self, known: Positions) -> tuple[Positions, Positions]:
        """Which of these, known before, the folder that is shown has won, and which it has lost."""
        choice = self.arrangement.choice
        if choice.folder is None or not len(known):
            return known[:0], known[:0]
        shown = np.zeros(len(self.messages), bool)
        shown[self.order] = True
        lies, shown = self._lies_in(choice.folder, known), shown[known]
        return known[lies & ~shown], known[shown & ~lies]

    def _with_words(self, chosen: Any, words: str, among: Any) -> Any:
        needles = fold(words).split()
        if not needles:
            return chosen
        self.prepare(len(self.messages))
        left = np.flatnonzero(chosen)
        places = (left if among is _ALL else among[left]).tolist()
        texts = self._texts
        kept = [all(needle in texts[place] for needle in needles) for place in places]
        found = np.zeros(len(chosen), bool)
        found[left[kept]] = True
        return found

    def place_new(self, positions: Positions) -> list[tuple[int, int]]:
        """Where each new message belongs in the order shown: (place, position) pairs, without changing the order.

        Those the choice leaves out are missing. Found by bisection, so that no other row moves.
        """
        chosen = positions[self.mask(self.arrangement.choice, positions)]
        key = self._key()
        pairs, place = [], 0
        for its_key, position in sorted((key(position), position) for position in chosen.tolist()):
            # Newcomers mostly stand together: look at the place of the one before first.
            if place < len(self.order) and key(int(self.order[place])) < its_key:
                place = bisect_left(self.order, its_key, lo=place, key=key)
            pairs.append((place, position))
        return pairs

    def _key(self) -> Callable[[int], tuple[Any, ...]]:
        """What one position is sorted by: the same as in `arrange`, without reading all the others."""
        column, turn, dates = self.arrangement.column, -1 if self.arrangement.descending else 1, self.dates.item
        if column in (Column.SENDER, Column.SUBJECT):
            self.prepare(len(self.messages))
            texts = self.senders if column == Column.SENDER else self.subjects
            ordered = str if turn > 0 else Backwards
            return lambda position: (ordered(sort_text(fold(texts[position]))), -dates(position), position)
        read = self._reader(column)

        def key(position: int) -> tuple[float, ...]:
            value = read(position)
            return (math.inf if math.isnan(value) else turn * value, -dates(position), position)

        return key

    def _reader(self, column: Column) -> Callable[[int], float]:
        if column == Column.FOLDER:
            names = self._folder_ranks().tolist()
            return lambda position: float(names[self.folders[position]])
        if column == Column.VERDICT:
            return lambda position: _VERDICT_ORDER[self.standing[position]]
        if column == Column.DECIDED:
            return lambda position: int(self.givers[position] & _LAST)
        values: Any = self.log_odds if column == Column.CHANCE else self.dates
        return values.item  # type: ignore[no-any-return]

    def _turned(self, values: Any) -> Any:
        signed = np.negative(values) if self.arrangement.descending else values
        # What has no value stands last, whichever way the rest is sorted.
        return np.where(np.isnan(signed), np.inf, signed) if signed.dtype.kind == "f" else signed

    def _values(self, column: Column) -> Any:
        if column in (Column.SENDER, Column.SUBJECT, Column.FOLDER):
            return self._ranked(column)
        if column == Column.CHANCE:
            return self.log_odds
        if column == Column.VERDICT:
            return np.array(_VERDICT_ORDER, np.int8)[self.standing]
        if column == Column.DECIDED:
            return self.givers & _LAST
        return self.dates

    def _ranked(self, column: Column) -> Any:
        if column not in self._ranks:
            if column == Column.FOLDER:
                self._ranks[column] = self._folder_ranks()[self.folders]
            else:
                self.prepare(len(self.messages))
                sender = column == Column.SENDER
                keys, texts = (self.sender_keys, self.senders) if sender else (self.subject_keys, self.subjects)
                self._ranks[column] = ranks(keys, lambda position: fold(texts[position]))
        return self._ranks[column]

    def _folder_ranks(self) -> Any:
        names = [fold(name.folder) for name in self.folder_names]
        return np.append(ranks(sort_keys(names), names.__getitem__), -1)

    def giver(self, position: int) -> Giver | None:
        """Who gave a message its label, None for one without."""
        number = int(self.givers[position])
        return self.giver_names[number] if number >= 0 else None

    # ------------------------------------------------------------------------------------------------- figures

    def count_kinds(self, folder: FolderName | None) -> tuple[int, ...]:
        """How many messages each smart list holds."""
        return tuple(int(np.count_nonzero(self.mask(Choice(kind, folder)))) for kind in Kind)

    def count_folders(self) -> dict[FolderName, tuple[int, int]]:
        """For each folder how many messages it holds, and how many of them are unread."""
        size = len(self.folder_names)
        held = np.bincount(self.folders[self.present], minlength=size)
        unread = np.bincount(self.folders[self.present & self.unread], minlength=size)
        if self.other_folders:
            more = self.other_folders.count(self.others[self.present], size)
            held, unread = held + more[0], unread + more[1]
        return {name: (int(held[i]), int(unread[i])) for i, name in enumerate(self.folder_names)}

    def count_chosen(self) -> int:
        """How many messages are selected and shown."""
        return int(np.count_nonzero(self.selected[self.order]))

    def chosen(self) -> tuple[int, ...]:
        """The selected messages that are shown, top first."""
        return tuple(self.messages[self.order[self.selected[self.order]]].tolist())
