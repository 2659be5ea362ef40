"""The messages of the list, column by column in numpy. No Qt."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nbmail.ui.list.list_choice import fold
from nbmail.values import VERDICTS, FolderName, LabelSource, Locations, Rows, Scores
from nbmail.worker.protocol.folders import FoldersSuggested

Positions = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Name = TypeVar("Name")
UNSURE, HAM, SPAM = (VERDICTS.index(name) for name in ("unsure", "ham", "spam"))
YOU = LabelSource("user")
SPARE = 1024
"""Minimum number of spare rows. Another quarter of the rows is spare; unused rows take no
memory.
"""
LONGEST = 400
"""Characters of a text that are compared, more than any screen shows."""
KEY_BYTES = 48
"""UTF-8 bytes of a sort key. Texts with an equal key keep the order by date."""
_ADDRESS = re.compile(r"[^\s<>()\",;:@]++@[^\s<>()\",;:@]++")
_ANSWER = re.compile(r"(?:(?:re|aw|sv|fwd?|wg|tr)\s*(?:\[\d+\])?:\s*)+")


class MailColumns:
    """Arrays of equal length. A message keeps its position permanently; `present` is False while it
    has no location.

    `effective_class`: the label if there is one, otherwise the verdict. `label_sources`: indexes
    into `source_names`, -1 without a label, 0 for the user. `folders`: numbers of `folder_sets`.
    `verified`: as in `Rows`. `addresses`: numbers of the senders. `suggested`: number of the
    suggested folder among `folder_names`, counted from 1; 0 without a suggestion.
    """

    def __init__(self) -> None:
        self.messages = np.zeros(0, np.int64)
        self.dates = np.zeros(0, np.float64)
        self.labels = np.zeros(0, np.int16)
        self.label_sources = np.zeros(0, np.int16)
        self.folders = np.zeros(0, np.int32)
        self.attachments = np.zeros(0, np.bool_)
        self.verified = np.zeros(0, np.int8)
        self.flagged = np.zeros(0, np.bool_)
        self.ruled = np.zeros(0, np.bool_)
        self.log_odds = np.zeros(0, np.float64)
        self.probabilities = np.zeros(0, np.float64)
        self.verdicts = np.zeros(0, np.int8)
        self.effective_class = np.zeros(0, np.int8)
        self.suggested = np.zeros(0, np.int16)
        self.suggested_chances = np.zeros(0, np.float64)
        self.present = np.zeros(0, np.bool_)
        self.selected = np.zeros(0, np.bool_)
        self.sender_keys = np.zeros(0, f"S{KEY_BYTES}")
        self.subject_keys = np.zeros(0, f"S{KEY_BYTES}")
        self.addresses = np.zeros(0, np.int32)
        self._columns: dict[str, npt.NDArray[Any]] = dict(vars(self))
        self._addresses: dict[str, int] = {}
        self._positions = np.full(SPARE, -1, np.int32)
        self.senders: list[str] = []
        self.subjects: list[str] = []
        self._texts: list[str] = []
        self.label_names: list[str] = []
        self.source_names: list[LabelSource] = [YOU]
        self.folder_names: list[FolderName] = []
        self.spam_folders: frozenset[FolderName] = frozenset()
        self.folder_sets = FolderSets()

    def find(self, messages: npt.ArrayLike) -> Positions:
        """Return the positions of `messages`, -1 for unknown ones."""
        # Message numbers start at 1: position 0 of the table belongs to no message.
        numbers = np.asarray(messages, np.int64)
        known = (numbers > 0) & (numbers < len(self._positions))
        return self._positions[np.where(known, numbers, 0)].astype(np.int64)

    def position_of(self, message: int) -> int:
        """Return the position of a message, -1 for an unknown one."""
        return int(self.find([message])[0])

    def _known(self, messages: npt.ArrayLike) -> Positions:
        """Return the positions of those of `messages` that are known."""
        found = self.find(messages)
        return found[found >= 0]

    def label_source(self, position: int) -> LabelSource | None:
        """Return the source of a message's label, or the rule that decides its verdict; None
        without both.
        """
        number = int(self.label_sources[position])
        if number >= 0:
            return self.source_names[number]
        return LabelSource("rule") if self.ruled[position] else None

    def label_of(self, position: int) -> str:
        label = int(self.labels[position])
        return self.label_names[label] if label >= 0 else VERDICTS[int(self.verdicts[position])]

    def has_class(self, position: int) -> bool:
        return bool(self.labels[position] >= 0 or not np.isnan(self.log_odds[position]))

    def heading_of(self, message: int) -> tuple[str, str, float]:
        """Return sender, subject and date of a message; "" and 0.0 for an unknown message."""
        position = self.position_of(message)
        if position < 0:
            return "", "", 0.0
        return self.senders[position], self.subjects[position], float(self.dates[position])

    def labelled(self, messages: Sequence[int]) -> tuple[int, ...]:
        positions = self._known(messages)
        return tuple(self.messages[positions[self.labels[positions] >= 0]].tolist())

    def accounts_of(self, messages: Sequence[int]) -> tuple[str, ...]:
        sets = set(self.folders[self._known(messages)].tolist())
        return tuple(
            {
                self.folder_names[folder].account: None
                for each in sets
                for folder in self.folder_sets.of(each)
            }
        )

    def count_above(self, chance: float) -> tuple[int, int]:
        """Count unlabelled messages with a chance of spam above `chance`, and all unlabelled ones
        with a chance.
        """
        chances = self.probabilities[self.present & (self.labels < 0)]
        # A missing chance is NaN, which is neither above nor below.
        return int((chances > chance).sum()), int((chances >= 0).sum())

    # ---------------------------------------------------------------------------------------------------
    # changes

    def take_rows(self, rows: Rows) -> tuple[Positions, Positions]:
        """Store new and changed messages. Return the positions of those that appeared, in row
        order, and of others.
        """
        positions = self.find(rows.messages)
        new = positions < 0
        first = len(self.messages)
        positions[new] = np.arange(first, first + np.count_nonzero(new))
        self._grow(len(positions[new]))
        self._note_positions(np.asarray(rows.messages), positions)
        appeared = ~self.present[positions]
        self.spam_folders = rows.spam_folders
        self._write(positions, rows)
        return positions[appeared], positions[~appeared]

    def take_scores(self, scores: Scores) -> tuple[Positions, Positions]:
        """Store new scores of known messages. Return positions of those without one before, and of
        changed ones.
        """
        found = self.find(scores.messages)
        known = found >= 0
        positions = found[known]
        first = np.isnan(self.log_odds[positions])
        log_odds = np.asarray(scores.log_odds)[known]
        verdicts = np.asarray(scores.verdicts)[known]
        ruled = np.zeros(len(positions), bool) if scores.ruled is None else scores.ruled[known]
        changed = (self.log_odds[positions] != log_odds) | (self.verdicts[positions] != verdicts)
        changed |= self.ruled[positions] != ruled
        self.log_odds[positions] = log_odds
        self.probabilities[positions] = np.asarray(scores.probabilities)[known]
        self.verdicts[positions] = verdicts
        self.ruled[positions] = ruled
        self._update_effective_class(positions)
        return positions[first], positions[~first & changed]

    def take_gone(self, messages: Sequence[int]) -> Positions:
        positions = self._known(messages)
        self.present[positions] = False
        self.selected[positions] = False
        return positions

    def set_label(self, messages: Sequence[int], label: str | None) -> None:
        """Assign a label by the user, before the engine confirms it. An equal label keeps its label
        source.
        """
        number = -1 if label is None else _number(self.label_names, label)
        known = self._known(messages)
        positions = known[self.labels[known] != number]
        self.labels[positions] = number
        self.label_sources[positions] = -1 if label is None else 0
        self._update_effective_class(positions)

    def _grow(self, count: int) -> None:
        """Append `count` rows to all columns, mostly without copying them."""
        length = len(self.senders) + count
        for name, column in self._columns.items():
            if length > len(column):
                larger = np.zeros(length + length // 4 + SPARE, column.dtype)
                larger[: len(column)] = column
                self._columns[name] = larger
            setattr(self, name, self._columns[name][:length])
        self.senders.extend([""] * count)
        self.subjects.extend([""] * count)
        self.log_odds[length - count :] = self.probabilities[length - count :] = np.nan

    def _note_positions(self, messages: npt.NDArray[np.int64], positions: Positions) -> None:
        length = int(messages.max(initial=0)) + 1
        if length > len(self._positions):
            more = np.full(length + length // 4 - len(self._positions), -1, np.int32)
            self._positions = np.concatenate([self._positions, more])
        self._positions[messages] = positions
        self.messages[positions] = messages

    def _write(self, positions: Positions, rows: Rows) -> None:
        self.dates[positions] = rows.dates
        self.attachments[positions] = rows.attachments
        self.verified[positions] = rows.verified
        self.flagged[positions] = rows.flagged
        self.labels[positions] = _renumbered(rows.labels, rows.label_names, self.label_names)
        self.label_sources[positions] = _renumbered(
            rows.label_sources, rows.source_names, self.source_names
        )
        ours = [_number(self.folder_names, name) for name in rows.folder_names]
        sets = (
            tuple((ours[folder], unread) for folder, unread in each) for each in rows.location_sets
        )
        self.folders[positions] = np.array([*map(self.folder_sets.number, sets)], np.int32)[
            rows.locations
        ]
        self.present[positions] = True
        for position, sender, subject in zip(
            positions.tolist(), rows.senders, rows.subjects, strict=True
        ):
            if self.senders[position] != sender or self.subjects[position] != subject:
                self.senders[position] = sender
                self.subjects[position] = subject
                if position < len(self._texts):
                    self._fold(position, position + 1)
        self._update_effective_class(positions)
        self.take_scores(rows.scores)

    def _in_spam_folder(self, places: Positions | slice) -> Mask:
        """Return for each position whether the message is in spam folders only."""
        spam = {
            number for number, name in enumerate(self.folder_names) if name in self.spam_folders
        }
        return self.folder_sets.inside(spam)[self.folders[places]]

    def _update_effective_class(self, positions: Positions) -> None:
        # Labels other than spam and ham leave the verdict in effect.
        table = np.array(
            [*({"spam": SPAM, "ham": HAM}.get(name, -1) for name in self.label_names), -1],
            np.int8,
        )
        labelled = table[self.labels[positions]]
        self.effective_class[positions] = np.where(
            labelled >= 0, labelled, self.verdicts[positions]
        )

    # -------------------------------------------------------------------------------------------
    # comparable texts

    def prepare(self, limit: int) -> bool:
        """Fold the texts of at most `limit` more messages for search and sort. True if some
        remain.
        """
        done = len(self._texts)
        end = min(done + limit, len(self.messages))
        if end > done:
            self._fold(done, end)
        return end < len(self.messages)

    def _fold(self, first: int, end: int) -> None:
        senders = [fold(text) for text in self.senders[first:end]]
        subjects = [fold(text) for text in self.subjects[first:end]]
        self._texts[first:end] = [
            f"{sender}\n{subject}" for sender, subject in zip(senders, subjects, strict=True)
        ]
        self.sender_keys[first:end] = [sort_key(text) for text in senders]
        self.subject_keys[first:end] = [sort_key(text) for text in subjects]
        known = self._addresses
        self.addresses[first:end] = [
            known.setdefault(_address_in(text), len(known)) for text in senders
        ]

    def _first_from_sender(self) -> Mask:
        """Return for each position whether the message is the earliest one from its sender."""
        self.prepare(len(self.messages))
        earliest = np.full(len(self._addresses), np.inf)
        np.minimum.at(earliest, self.addresses, self.dates)
        return np.asarray(self.dates <= earliest[self.addresses], bool)


def store_suggestions(mail: MailColumns, event: FoldersSuggested) -> None:
    found = mail.find(event.messages)
    table = np.array([*(_number(mail.folder_names, name) + 1 for name in event.names), 0], np.int16)
    known = found >= 0
    mail.suggested[found[known]] = table[event.folders[known]]
    mail.suggested_chances[found[known]] = event.probabilities[known]


class FolderSets:
    """Numbered sets of folders with their unread state, the first known location first. Number 0 is
    the empty set.
    """

    def __init__(self) -> None:
        self._numbers: dict[Locations, int] = {}
        self._sets: list[dict[int, bool]] = []
        self.number(())

    def number(self, folders: Locations) -> int:
        """Return the number of a set, adding the set if it is new."""
        if folders not in self._numbers:
            self._numbers[folders] = len(self._sets)
            self._sets.append(dict(folders))
        return self._numbers[folders]

    def of(self, number: int) -> dict[int, bool]:
        """Return the folders of a set; True for those in which the message is unread."""
        return self._sets[number]

    def first(self) -> Positions:
        """Return the first folder of each set, -1 for the empty set."""
        return np.array([next(iter(each), -1) for each in self._sets], np.int64)

    def holding(self, folder: int) -> Mask:
        """Return for each set whether it contains `folder`."""
        return np.array([folder in each for each in self._sets], bool)

    def inside(self, folders: Collection[int]) -> Mask:
        """Return for each set whether all its folders are among `folders`; False for the empty
        set.
        """
        return np.array(
            [bool(each) and all(one in folders for one in each) for each in self._sets], bool
        )

    def unread_in(self, folder: int | None) -> Mask:
        """Return for each set whether a message is unread in `folder`; None means its first
        folder.
        """
        if folder is None:
            return np.array([next(iter(each.values()), False) for each in self._sets], bool)
        return np.array([each.get(folder, False) for each in self._sets], bool)

    def count(self, numbers: npt.NDArray[np.int32], size: int) -> tuple[Positions, Positions]:
        """Count messages with these set numbers, and the unread ones, in each of `size` folders."""
        held = np.zeros(size, np.int64)
        unread = np.zeros(size, np.int64)
        for times, folders in zip(
            np.bincount(numbers, minlength=len(self._sets)), self._sets, strict=True
        ):
            for folder, is_unread in folders.items():
                held[folder] += times
                unread[folder] += times if is_unread else 0
        return held, unread


def _address_in(sender: str) -> str:
    """Return the last address of a folded sender, or all of a sender without one."""
    found = _ADDRESS.findall(sender[:LONGEST])
    return str(found[-1]) if found else sender


def sort_text(folded: str) -> str:
    """Return the part of a folded text that is sorted: without accents, "Re:", and leading
    punctuation.
    """
    folded = folded[:LONGEST]
    if "  " in folded or not folded.isprintable():
        folded = " ".join(folded.split())
    if not folded.isascii():
        folded = "".join(
            each
            for each in unicodedata.normalize("NFKD", folded)
            if not unicodedata.combining(each)
        )
    answer = _ANSWER.match(folded)
    return (folded[answer.end() :] if answer else folded).lstrip(" \t\"'([<«„“”‘’*-")


def sort_key(folded: str) -> bytes:
    """Return the first bytes of the sort text. UTF-8 sorts like the text itself."""
    return sort_text(folded).encode("utf-8", "surrogatepass")[:KEY_BYTES]


def ranks(keys: npt.NDArray[np.bytes_]) -> Positions:
    """Return the rank of each key, equal for equal keys. 200,000 keys sort in 20 ms as numbers, in
    80 ms as texts.
    """
    columns = keys.view(">u8").reshape(len(keys), KEY_BYTES // 8).T
    order = np.lexsort(columns[::-1])
    ordered = keys[order]
    rank = np.zeros(len(keys), np.int64)
    rank[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return rank


def _number(names: list[Name], name: Name) -> int:
    if name not in names:
        names.append(name)
    return names.index(name)


def _renumbered(
    numbers: npt.ArrayLike, theirs: Sequence[Name], ours: list[Name]
) -> npt.NDArray[np.int16]:
    """Convert indexes into `theirs` to indexes into `ours`; -1 stays."""
    table = np.array([*(_number(ours, name) for name in theirs), -1], np.int16)
    return table[np.asarray(numbers, np.int64)]
