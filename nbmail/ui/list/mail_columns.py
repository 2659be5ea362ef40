"""What is known of each message of the list, column by column in numpy. No Qt."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nbmail.ui.list.search_words import fold
from nbmail.values import VERDICTS, FolderName, LabelSource, Rows, Scores

Positions = npt.NDArray[np.int64]
FolderSet = tuple[tuple[int, bool], ...]
UNSURE, GOOD, JUNK = (VERDICTS.index(name) for name in ("unsure", "good", "junk"))
YOU = LabelSource("user")
SPARE = 1024
"""Rows to spare at least, beside a quarter of what there is. What is not used yet takes no memory."""
WIDTH = 24
LONGEST = 400
"""Characters of a text that count: more than any screen shows."""
KEYS = WIDTH // 8 + 1
"""Numbers a text."""
_KEYS = np.dtype((np.uint64, (KEYS,)))


class MailColumns:
    """Arrays of one length. A message keeps its position in them for good; `present` says that it lies somewhere.

    `effective_class`: the label if there is one, otherwise the verdict. `label_sources`: indexes into `source_names`,
    -1 without a label, 0 for the user. `folders` are numbers of `folder_sets`.

    Each column is named here with its type; an instance has an array of it.
    """

    messages: Any = np.int64
    dates: Any = np.float64
    labels: Any = np.int16
    label_sources: Any = np.int16
    folders: Any = np.int32
    attachments: Any = np.bool_
    log_odds: Any = np.float64
    probabilities: Any = np.float64
    verdicts: Any = np.int8
    effective_class: Any = np.int8
    present: Any = np.bool_
    selected: Any = np.bool_
    sender_keys: Any = _KEYS
    subject_keys: Any = _KEYS

    def __init__(self) -> None:
        self._whole = {name: np.zeros(0, getattr(MailColumns, name)) for name in MailColumns.__annotations__}
        self._positions = np.full(SPARE, -1, np.int32)
        self.senders: list[str] = []
        self.subjects: list[str] = []
        self._texts: list[str] = []
        self.label_names: list[str] = []
        self.source_names: list[LabelSource] = [YOU]
        self.folder_names: list[FolderName] = []
        self.folder_sets = FolderSets()
        self._grow(0)

    def find(self, messages: Any) -> Positions:
        """Where these messages stand in the arrays, -1 for those not known."""
        # The store counts messages from 1 on: what stands at 0 is that of none.
        numbers = np.asarray(messages, np.int64)
        known = (numbers > 0) & (numbers < len(self._positions))
        return self._positions[np.where(known, numbers, 0)].astype(np.int64)

    def label_source(self, position: int) -> LabelSource | None:
        """Who gave a message its label, None for one without."""
        number = int(self.label_sources[position])
        return self.source_names[number] if number >= 0 else None

    # ------------------------------------------------------------------------------------------ what comes in

    def take_rows(self, rows: Rows) -> tuple[Positions, Positions]:
        """Take new and altered messages in. Returns the positions of those that came or came back, and of the others.

        Those that came are in the order in which they stand in the rows.
        """
        positions = self.find(rows.messages)
        new, first = positions < 0, len(self.messages)
        positions[new] = np.arange(first, first + np.count_nonzero(new))
        self._grow(len(positions[new]))
        self._note_positions(np.asarray(rows.messages), positions)
        came = ~self.present[positions]
        self._write(positions, rows)
        return positions[came], positions[~came]

    def take_scores(self, scores: Scores) -> tuple[Positions, Positions]:
        """Take new scores in. Returns the positions of those that had none before, and of the others.

        Those of messages that aren't known are passed over.
        """
        found = self.find(scores.messages)
        known = found >= 0
        positions = found[known]
        first = np.isnan(self.log_odds[positions])
        for name in ("log_odds", "probabilities", "verdicts"):
            getattr(self, name)[positions] = np.asarray(getattr(scores, name))[known]
        self._update_standing(positions)
        return positions[first], positions[~first]

    def take_gone(self, messages: Sequence[int]) -> Positions:
        """These lie nowhere any more. Returns their positions."""
        found = self.find(messages)
        positions = found[found >= 0]
        self.present[positions] = False
        self.selected[positions] = False
        return positions

    def set_label(self, messages: Sequence[int], label: str | None) -> None:
        """The user has just said so: shown at once, confirmed by the engine a moment later.

        Who says again what is said already has changed nothing: that label stays with whoever gave it.
        """
        number = -1 if label is None else _number(self.label_names, label)
        found = self.find(messages)
        positions = found[(found >= 0) & (self.labels[found] != number)]
        self.labels[positions] = number
        self.label_sources[positions] = -1 if label is None else 0
        self._update_standing(positions)

    def _grow(self, count: int) -> None:
        """Make all columns longer by so many rows, mostly without copying them."""
        length = len(self.senders) + count
        for name, whole in self._whole.items():
            if length > len(whole):
                larger = np.zeros(length + length // 4 + SPARE, getattr(MailColumns, name))
                larger[: len(whole)] = whole
                self._whole[name] = larger
            setattr(self, name, self._whole[name][:length])
        self.senders.extend([""] * count)
        self.subjects.extend([""] * count)
        self.log_odds[length - count :] = self.probabilities[length - count :] = np.nan

    def _note_positions(self, messages: Any, positions: Positions) -> None:
        length = int(messages.max(initial=0)) + 1
        if length > len(self._positions):
            more = np.full(length + length // 4 - len(self._positions), -1, np.int32)
            self._positions = np.concatenate([self._positions, more])
        self._positions[messages] = positions
        self.messages[positions] = messages

    def _write(self, positions: Positions, rows: Rows) -> None:
        self.dates[positions] = rows.dates
        self.attachments[positions] = rows.attachments
        self.labels[positions] = _renumbered(rows.labels, rows.label_names, self.label_names)
        self.label_sources[positions] = self._numbered_sources(rows)
        self.folders[positions] = self._numbered_folders(rows)
        self.present[positions] = True
        self._write_texts(positions, rows)
        self._update_standing(positions)
        self.take_scores(rows.scores)

    def _write_texts(self, positions: Positions, rows: Rows) -> None:
        for position, sender, subject in zip(positions.tolist(), rows.senders, rows.subjects, strict=True):
            if self.senders[position] != sender or self.subjects[position] != subject:
                self.senders[position], self.subjects[position] = sender, subject
                if position < len(self._texts):
                    self._fold(position, position + 1)

    def _numbered_sources(self, rows: Rows) -> Any:
        if rows.label_sources is None:
            return np.where(np.asarray(rows.labels) >= 0, _number(self.source_names, LabelSource()), -1)
        return _renumbered(rows.label_sources, rows.source_names, self.source_names)

    def _numbered_folders(self, rows: Rows) -> Any:
        """The number of each message's set of folders. Each combination that occurs is looked at once."""
        ours = [_number(self.folder_names, name) for name in rows.folder_names]
        others = np.zeros(len(rows.messages), np.int64) if rows.others is None else np.asarray(rows.others, np.int64)
        firsts = np.asarray(rows.folders, np.int64) * 2 + rows.unread
        kinds, which = np.unique(firsts * len(rows.other_places) + others, return_inverse=True)
        numbers = []
        for kind in kinds.tolist():
            first, other = divmod(kind, len(rows.other_places))
            places = ((first // 2, bool(first % 2)), *rows.other_places[other])
            numbers.append(self.folder_sets.number(tuple((ours[folder], unread) for folder, unread in places)))
        return np.array(numbers, np.int32)[which]

    def _update_standing(self, positions: Positions) -> None:
        # A label of a class of one's own says neither junk nor good: there the verdict stands.
        table = np.array([*({"junk": JUNK, "good": GOOD}.get(name, -1) for name in self.label_names), -1], np.int8)
        said = table[self.labels[positions]]
        self.effective_class[positions] = np.where(said >= 0, said, self.verdicts[positions])

    # ---------------------------------------------------------------------------------------- comparable texts

    def prepare(self, most: int) -> bool:
        """Fold the texts of some more messages, ahead of the first search or sort. Whether there is more to do."""
        done = len(self._texts)
        upto = min(done + most, len(self.messages))
        if upto > done:
            self._fold(done, upto)
        return upto < len(self.messages)

    def _fold(self, first: int, end: int) -> None:
        senders = [fold(text) for text in self.senders[first:end]]
        subjects = [fold(text) for text in self.subjects[first:end]]
        self._texts[first:end] = [f"{sender}\n{subject}" for sender, subject in zip(senders, subjects, strict=True)]
        self.sender_keys[first:end] = sort_keys(senders)
        self.subject_keys[first:end] = sort_keys(subjects)


class FolderSets:
    """Sets by number: folders, with whether a message is unread in each; the one where it was met first stands first.

    Number 0 is the empty set.
    """

    def __init__(self) -> None:
        self._numbers: dict[FolderSet, int] = {}
        self._sets: list[dict[int, bool]] = []
        self.number(())

    def number(self, folders: FolderSet) -> int:
        """The number of a set, a new one for a new set."""
        if folders not in self._numbers:
            self._numbers[folders] = len(self._sets)
            self._sets.append(dict(folders))
        return self._numbers[folders]

    def of(self, number: int) -> dict[int, bool]:
        """The folders of a set, with whether a message is unread there."""
        return self._sets[number]

    def first(self) -> Any:
        """For each set the folder that stands first, -1 for none."""
        return np.array([next(iter(each), -1) for each in self._sets])

    def holding(self, folder: int) -> Any:
        """For each set whether it holds the folder."""
        return np.array([folder in each for each in self._sets], bool)

    def unread_in(self, folder: int | None) -> Any:
        """For each set whether a message is unread in that folder; without one, in the folder that stands first."""
        if folder is None:
            return np.array([next(iter(each.values()), False) for each in self._sets], bool)
        return np.array([each.get(folder, False) for each in self._sets], bool)

    def count(self, numbers: Any, size: int) -> tuple[Any, Any]:
        """How many messages with these numbers lie in each of so many folders, and how many are unread there."""
        held, unread = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for times, folders in zip(np.bincount(numbers, minlength=len(self._sets)), self._sets, strict=True):
            for folder, is_unread in folders.items():
                held[folder] += times
                unread[folder] += times if is_unread else 0
        return held, unread


def _number(names: list[Any], name: Any) -> int:
    """Where a name stands among these, at their end if it is new."""
    if name not in names:
        names.append(name)
    return names.index(name)


def _renumbered(numbers: Any, theirs: Sequence[Any], ours: list[Any]) -> Any:
    """Indexes into their names as indexes into ours; -1 stays."""
    table = np.array([*(_number(ours, name) for name in theirs), -1], np.int16)
    return table[np.asarray(numbers, np.int64)]


KeyArray = npt.NDArray[np.uint64]
_ANSWER = re.compile(r"(?:(?:re|aw|sv|fwd?|wg|tr)\s*(?:\[\d+\])?:\s*)+")


def sort_text(folded: str) -> str:
    """What a folded text sorts by: no accents, no "Re:", nothing that isn't a letter or a digit in front."""
    folded = folded[:LONGEST]
    if "  " in folded or not folded.isprintable():
        folded = " ".join(folded.split())
    if not folded.isascii():
        folded = "".join(each for each in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(each))
    answer = _ANSWER.match(folded)
    return (folded[answer.end() :] if answer else folded).lstrip(" \t\"'([<«„“”‘’*-")


class Backwards(str):
    """A text that sorts the other way round."""

    __slots__ = ()

    def __lt__(self, other: str) -> bool:
        return str.__gt__(self, other)


def sort_keys(folded: Sequence[str]) -> KeyArray:
    """The first bytes of each text as numbers, most significant first, then a number for its whole."""
    texts = [sort_text(text) for text in folded]
    keys = np.empty((len(texts), KEYS), np.uint64)
    cut = [text.encode("utf-8", "surrogatepass")[:WIDTH] for text in texts]
    keys[:, :-1] = np.array(cut, f"S{WIDTH}").view(">u8").reshape(len(cut), KEYS - 1)
    keys[:, -1] = np.array([hash(text) for text in texts], np.int64).view(np.uint64)
    return keys


def ranks(keys: KeyArray, folded: Callable[[int], str]) -> npt.NDArray[np.int64]:
    """The place of each text among all; equal texts share theirs. `folded` gives a text by its place in the keys.

    Mail repeats itself: each text is sorted once, however many messages bear it.
    """
    _, which = np.unique(keys[:, -1], return_inverse=True)
    bearer = np.empty(int(which.max(initial=-1)) + 1, np.int64)
    bearer[which] = np.arange(len(keys))
    beginnings = keys[bearer, :-1]
    order = np.lexsort(beginnings.T[::-1])
    alike = np.flatnonzero((beginnings[order[1:]] == beginnings[order[:-1]]).all(axis=1))
    for run in np.split(alike, np.flatnonzero(np.diff(alike) > 1) + 1):
        if len(run):
            tied = slice(run[0], run[-1] + 2)
            order[tied] = sorted(order[tied].tolist(), key=lambda text: sort_text(folded(int(bearer[text]))))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[which]
