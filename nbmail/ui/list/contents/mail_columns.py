"""Columns of the list: what is known of each message, in arrays."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.ui.list.contents.folder_sets import FolderSets
from nbmail.ui.list.contents.positions import MessagePositions, Positions, with_room
from nbmail.ui.list.contents.text_columns import TextColumns
from nbmail.values import VERDICTS, FolderName, LabelSource, Rows, Scores
from nbmail.worker.protocol.folders import FoldersSuggested

Name = TypeVar("Name")
UNSURE = VERDICTS.index("unsure")
HAM = VERDICTS.index("ham")
SPAM = VERDICTS.index("spam")
YOU = LabelSource("user")
LISTED = {
    SortedState.MOVING,
    SortedState.MOVED,
    SortedState.REHEARSED,
    SortedState.PUT_BACK,
    SortedState.CONFIRMED,
}
"""States of sorted messages that left the inbox, or would have."""


class MailColumns:
    """Arrays of equal length. A message keeps its position permanently.

    `present`: False while a message has no location. `effective_class`: the label if there is one,
    otherwise the verdict. `label_sources`: indexes into `source_names`, -1 without a label, 0 for
    the user. `folders`: numbers of `folder_sets`. `verified`: as in `Rows`. `suggested`: number of
    the suggested folder among `folder_names`, counted from 1; 0 without a suggestion. `sorted`:
    messages that arrived as spam, by number; `listed`: those that left the inbox, or would have.
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
        # All columns above, with their spare rows.
        self._columns: dict[str, npt.NDArray[Any]] = dict(vars(self))

        self.senders: list[str] = []
        self.subjects: list[str] = []
        self.text_columns = TextColumns(self.senders, self.subjects)
        self.label_names: list[str] = []
        self.source_names: list[LabelSource] = [YOU]
        self.folder_names: list[FolderName] = []
        self.spam_folders: frozenset[FolderName] = frozenset()
        self.folder_sets = FolderSets()
        self.sorted: dict[int, SortedMessage] = {}
        self.listed: frozenset[int] = frozenset()
        self._positions = MessagePositions()

    # ---------------------------------------------------------------------------------------------
    # messages

    def find(self, messages: npt.ArrayLike) -> Positions:
        """Return the positions of `messages`, -1 for unknown ones."""
        return self._positions.find(messages)

    def position_of(self, message: int) -> int:
        """Return the position of a message, -1 for an unknown one."""
        return int(self.find([message])[0])

    def _known(self, messages: npt.ArrayLike) -> Positions:
        """Return the positions of those of `messages` that are known."""
        found = self.find(messages)
        return found[found >= 0]

    def label_source(self, position: int) -> LabelSource | None:
        """Return the source of a label, or the rule that decides the verdict; None without both."""
        number = int(self.label_sources[position])
        if number >= 0:
            return self.source_names[number]
        if self.ruled[position]:
            return LabelSource("rule")
        return None

    def label_of(self, position: int) -> str:
        """Return the label of a message, or its verdict if it has none."""
        label = int(self.labels[position])
        if label >= 0:
            return self.label_names[label]
        return VERDICTS[int(self.verdicts[position])]

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
        labelled = positions[self.labels[positions] >= 0]
        return tuple(self.messages[labelled].tolist())

    def accounts_of(self, messages: Sequence[int]) -> tuple[str, ...]:
        accounts = dict[str, None]()
        for number in set(self.folders[self._known(messages)].tolist()):
            for folder in self.folder_sets.of(number):
                accounts[self.folder_names[folder].account] = None
        return tuple(accounts)

    def count_above(self, chance: float) -> tuple[int, int]:
        """Count unlabelled messages with a chance above `chance`, and all those with a chance."""
        chances = self.probabilities[self.present & (self.labels < 0)]
        # A missing chance is NaN, which is neither above nor below.
        return int((chances > chance).sum()), int((chances >= 0).sum())

    # ---------------------------------------------------------------------------------------------
    # changes

    def take_rows(self, rows: Rows) -> tuple[Positions, Positions]:
        """Store new and changed messages.

        Return the positions of those that appeared, in row order, and of the others.
        """
        positions = self.find(rows.messages)
        new = positions < 0
        first = len(self.messages)
        added = int(np.count_nonzero(new))
        positions[new] = np.arange(first, first + added)
        self._grow(added)
        self.messages[positions] = rows.messages
        self._positions.note(np.asarray(rows.messages), positions)

        appeared = ~self.present[positions]
        self._write(positions, rows)
        return positions[appeared], positions[~appeared]

    def take_scores(self, scores: Scores) -> tuple[Positions, Positions]:
        """Store new scores of known messages.

        Return the positions of those without a score before, and of changed ones.
        """
        found = self.find(scores.messages)
        known = found >= 0
        positions = found[known]
        log_odds = np.asarray(scores.log_odds)[known]
        verdicts = np.asarray(scores.verdicts)[known]
        ruled = np.zeros(len(positions), bool)
        if scores.ruled is not None:
            ruled = scores.ruled[known]

        first = np.isnan(self.log_odds[positions])
        changed = self.log_odds[positions] != log_odds
        changed |= self.verdicts[positions] != verdicts
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

    def take_suggestions(self, event: FoldersSuggested) -> None:
        # Folder -1, none, is the last entry of the table.
        numbers = [_number(self.folder_names, name) + 1 for name in event.names]
        table = np.array([*numbers, 0], np.int16)

        found = self.find(event.messages)
        known = found >= 0
        self.suggested[found[known]] = table[event.folders[known]]
        self.suggested_chances[found[known]] = event.probabilities[known]

    def take_sorted(self, messages: Iterable[SortedMessage]) -> Positions:
        """Replace the messages that were sorted. Return the positions of new ones."""
        before = self.listed
        self.sorted = {each.message: each for each in messages}
        self.listed = frozenset(
            number for number, each in self.sorted.items() if each.state in LISTED
        )
        return self._known(sorted(self.listed - before))

    def set_label(self, messages: Sequence[int], label: str | None) -> None:
        """Assign a label by the user, before the engine confirms it.

        An equal label keeps its label source.
        """
        number = -1
        source = -1
        if label is not None:
            number = _number(self.label_names, label)
            source = self.source_names.index(YOU)
        known = self._known(messages)
        positions = known[self.labels[known] != number]
        self.labels[positions] = number
        self.label_sources[positions] = source
        self._update_effective_class(positions)

    def _grow(self, count: int) -> None:
        """Append `count` rows to all columns, mostly without copying them."""
        before = len(self.senders)
        length = before + count
        for name, column in self._columns.items():
            self._columns[name] = with_room(column, length)
            setattr(self, name, self._columns[name][:length])
        self.senders += [""] * count
        self.subjects += [""] * count
        self.log_odds[before:] = np.nan
        self.probabilities[before:] = np.nan

    def _write(self, positions: Positions, rows: Rows) -> None:
        self.dates[positions] = rows.dates
        self.attachments[positions] = rows.attachments
        self.verified[positions] = rows.verified
        self.flagged[positions] = rows.flagged
        self.labels[positions] = _renumbered(rows.labels, rows.label_names, self.label_names)
        self.label_sources[positions] = _renumbered(
            rows.label_sources, rows.source_names, self.source_names
        )
        self.folders[positions] = self._set_numbers(rows)[rows.locations]
        self.spam_folders = rows.spam_folders
        self.present[positions] = True
        self._write_texts(positions, rows)
        self._update_effective_class(positions)
        self.take_scores(rows.scores)

    def _set_numbers(self, rows: Rows) -> npt.NDArray[np.int32]:
        """Return the numbers of the rows' location sets in `folder_sets`."""
        folders = [_number(self.folder_names, name) for name in rows.folder_names]
        numbers = []
        for locations in rows.location_sets:
            ours = tuple((folders[folder], unread) for folder, unread in locations)
            numbers.append(self.folder_sets.number(ours))
        return np.array(numbers, np.int32)

    def _write_texts(self, positions: Positions, rows: Rows) -> None:
        indexed = self.text_columns.count
        texts = zip(positions.tolist(), rows.senders, rows.subjects, strict=True)
        for position, sender, subject in texts:
            if self.senders[position] != sender or self.subjects[position] != subject:
                self.senders[position] = sender
                self.subjects[position] = subject
                if position < indexed:
                    self.text_columns.update(position)

    def _update_effective_class(self, positions: Positions) -> None:
        # Labels other than spam and ham leave the verdict in effect, as label -1 does, none.
        classes = {"spam": SPAM, "ham": HAM}
        numbers = [classes.get(name, -1) for name in self.label_names]
        table = np.array([*numbers, -1], np.int8)
        labelled = table[self.labels[positions]]
        self.effective_class[positions] = np.where(
            labelled >= 0, labelled, self.verdicts[positions]
        )


def _number(names: list[Name], name: Name) -> int:
    """Return the index of a name, appending a new one."""
    if name not in names:
        names.append(name)
    return names.index(name)


def _renumbered(
    numbers: npt.ArrayLike, theirs: Sequence[Name], ours: list[Name]
) -> npt.NDArray[np.int16]:
    """Convert indexes into `theirs` to indexes into `ours`; -1 stays."""
    indexes = [_number(ours, name) for name in theirs]
    table = np.array([*indexes, -1], np.int16)
    return table[np.asarray(numbers, np.int64)]
