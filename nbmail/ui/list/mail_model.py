"""The list as a Qt model: a thin layer over `MailList`, and the texts of its cells."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isnan, nan
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.evidence.reason_texts import label_text, source_phrase, source_text
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.list.list_choice import Arrangement, Column, Kind, column_name
from nbmail.ui.list.mail_columns import Positions, store_suggestions
from nbmail.ui.list.mail_list import MailList
from nbmail.ui.sorting.sorting_texts import result_text
from nbmail.ui.texts.date_texts import date_text, moment_in_full
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import lean_text, verdict_text
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.people import people_text, sender_cell, sender_name
from nbmail.ui.texts.plain_text import plain_tip, subject_cell, visible
from nbmail.values import VERDICTS, LabelSource, Rows
from nbmail.worker.protocol.events import Changed
from nbmail.worker.protocol.folders import FoldersSuggested

Index = QModelIndex | QPersistentModelIndex
AFTER_LOADING = 700
"""Idle milliseconds before the texts are folded for search and sort."""
SLICE = 2000
"""Messages folded at a time, which takes 4 ms."""
MOST_PLACED = 300
"""Maximum number of new messages that are inserted one by one. More of them sort the list again."""
PENDING = "…"
"""Text of a cell that waits for the first score of its message."""
LONGEST = 400
"""Characters of a subject that are read: more than any screen shows; a subject may have a
million.
"""


class MailModel(QAbstractTableModel):
    """Rows of the list. `take` applies new scores, new rows and removals without a reset.

    Signals: `counted()` when the counts of the smart lists may have changed. `arranged()` when the
    order has changed. `arrived(list)` with messages that were not in the list before.
    """

    counted = Signal()
    arranged = Signal()
    arrived = Signal(object)

    def __init__(
        self, parent: QObject | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(parent)
        self.mail = MailList()
        self.loaded = False
        self.stale = False
        self.texts = RowTexts(self.mail, clock)
        self._idle = single_shot_timer(self, AFTER_LOADING, self._prepare)

    @property
    def arrangement(self) -> Arrangement:
        return self.mail.arrangement

    # -----------------------------------------------------------------------------------------------
    # Qt's queries

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.mail)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return column_name(Column(section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        position = int(self.mail.order[index.row()])
        if role == Qt.ItemDataRole.DisplayRole:
            return self.texts.text(position, Column(index.column()))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.texts.accessible_text(position)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self.texts.hint(position, Column(index.column())) or "") or None
        return None

    # ---------------------------------------------------------------------------------------------------
    # changes

    def begin(self, rows: Rows) -> None:
        self.beginResetModel()
        self.loaded = True
        self.mail.take_rows(rows)
        self.mail.arrange(self.arrangement)
        self.endResetModel()
        self._idle.start(AFTER_LOADING)
        self.counted.emit()

    def take(self, changed: Changed | FoldersSuggested) -> None:
        """Apply changes: insert, remove and redraw rows. Suggested folders move no row."""
        if isinstance(changed, FoldersSuggested):
            store_suggestions(self.mail, changed)
            self._redraw(altered=False)
            return
        if not self.loaded:
            if changed.rows is not None:
                self.begin(changed.rows)
            return
        altered = rescored = False
        if changed.rows is not None:
            altered = self._take_rows(changed.rows)
            self._idle.start(AFTER_LOADING)
        if changed.scores is not None:
            first, others = self.mail.take_scores(changed.scores)
            rescored = len(others) > 0
            if self.arrangement.by_score:
                self._place(first)
        if changed.gone:
            self._remove(self.mail.take_gone(changed.gone))
        self._redraw(altered=altered, rescored=rescored)

    def label(self, messages: Sequence[int], label: str | None) -> None:
        self.mail.set_label(messages, label)
        self._redraw(altered=True)

    def arrange(self, arrangement: Arrangement) -> None:
        self.stale = False
        with self._rearranging():
            self.mail.arrange(arrangement)
        self.arranged.emit()

    def take_sorted(self, messages: Sequence[SortedMessage]) -> None:
        """Show what was sorted automatically. New rows are inserted; others stay."""
        new = self.mail.take_sorted(messages)
        if self.arrangement.choice.kind == Kind.SORTED:
            self._place(new)
        self._redraw(altered=False)

    def take_found(self, words: str, messages: Sequence[int]) -> None:
        if self.arrangement.choice.words == words:
            self.mail.take_found(words, messages)
            self.arrange(self.arrangement)

    # ---------------------------------------------------------------------------------------------------
    # queries

    def message_at(self, row: int) -> int:
        return int(self.mail.messages[self.mail.order[row]]) if 0 <= row < len(self.mail) else -1

    def row_of(self, message: int) -> int:
        found = (self.mail.order == self.mail.position_of(message)).nonzero()[0]
        return int(found[0]) if len(found) else -1

    def score_of(self, message: int) -> tuple[float, float, str]:
        """Return log-odds, chance of spam and verdict of a message; NaN and "" if unknown."""
        mail = self.mail
        position = self.mail.position_of(message)
        if position < 0:
            return nan, nan, ""
        return (
            float(mail.log_odds[position]),
            float(mail.probabilities[position]),
            VERDICTS[mail.verdicts[position]],
        )

    def source_of(self, message: int) -> tuple[str | None, LabelSource | None]:
        """Return the label of a message and its source, or a rule and its verdict; both None
        without them.
        """
        mail = self.mail
        position = self.mail.position_of(message)
        label_source = mail.label_source(position) if position >= 0 else None
        return (mail.label_of(position) if label_source is not None else None), label_source

    # -------------------------------------------------------------------------------------------------
    # internals

    def _prepare(self) -> None:
        if self.mail.prepare(SLICE):
            self._idle.start(0)

    def _redraw(self, *, altered: bool, rescored: bool = False) -> None:
        rows = self.rowCount()
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, len(Column) - 1))
        self.stale |= (altered or rescored) and self.arrangement.by_score
        if altered and self.arrangement.choice.kind == Kind.MARKED:
            self.stale = self.stale or self.mail.holds_others()
        self.counted.emit()

    def _take_rows(self, rows: Rows) -> bool:
        """Apply new and changed rows. True if some of the messages were known before.

        A message that enters the shown folder may be known from another folder, and may still exist
        after it leaves.
        """
        mail = self.mail
        appeared, known = mail.take_rows(rows)
        self.arrived.emit(mail.messages[appeared].tolist())
        moved_in, moved_out = mail.moved(known)
        mail.selected[moved_out] = False
        self._remove(moved_out)
        self._place(np.concatenate([appeared, moved_in]))
        return len(known) > 0

    def _place(self, new: Positions) -> None:
        """Insert new messages, and messages that had no score before, at their place."""
        if len(new) > MOST_PLACED:
            self.arrange(self.arrangement)
        elif len(new):
            with self._rearranging():
                self.mail.place(new)

    def _remove(self, positions: Positions) -> None:
        if len(positions):
            with self._rearranging():
                self.mail.order = self.mail.order[~np.isin(self.mail.order, positions)]

    @contextmanager
    def _rearranging(self) -> Iterator[None]:
        """Keep Qt's persistent indexes (the current row) on their messages while the order
        changes.
        """
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        messages = [self.message_at(index.row()) for index in before]
        yield
        rows = {message: self.row_of(message) for message in set(messages)}
        after = [
            self.index(rows[message], index.column()) if rows[message] >= 0 else QModelIndex()
            for message, index in zip(messages, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()


class RowTexts:
    """Texts of the list's cells, by position."""

    def __init__(self, mail: MailList, clock: Callable[[], float]) -> None:
        self.mail = mail
        self._clock = clock
        self._dates: dict[float, str] = {}
        self._hour = 0

    def text(self, position: int, column: Column) -> str:
        mail = self.mail
        if column == Column.SENDER:
            return sender_cell(mail.senders[position])
        if column == Column.SUBJECT:
            return subject_cell(mail.subjects[position])
        if column == Column.DATE:
            return self._date(float(mail.dates[position]))
        if column == Column.VERIFIED:
            return ("–", tr("No"), tr("✓ Yes"))[int(mail.verified[position]) + 1]
        others = {
            Column.CHANCE: self.chance,
            Column.VERDICT: self.verdict,
            Column.FOLDER: self._folder,
        }
        others[Column.SUGGESTED] = self._suggested
        return others.get(column, self._decided)(position)

    def chance(self, position: int) -> str:
        """Return the probability, or the tendency while the score is not calibrated."""
        probability = float(self.mail.probabilities[position])
        if isnan(self.mail.log_odds[position]):
            return PENDING
        if isnan(probability):
            return lean_text(float(self.mail.log_odds[position]))
        return percent(probability)

    def verdict(self, position: int) -> str:
        """Return the label if the message has one, otherwise the verdict; "…" before the first
        score.
        """
        if not self.mail.has_class(position):
            return PENDING
        return verdict_text(self.mail.label_of(position))

    def _folder(self, position: int) -> str:
        folders = self.mail.folder_sets.of(self.mail.folders[position])
        return ", ".join(folder_name(self.mail.folder_names[folder]) for folder in folders)

    def _suggested(self, position: int) -> str:
        number = int(self.mail.suggested[position])
        if not number:
            return ""
        chance = percent(float(self.mail.suggested_chances[position]))
        return f"{folder_name(self.mail.folder_names[number - 1])}  {chance}"

    def _decided(self, position: int) -> str:
        label_source = self.mail.label_source(position)
        if label_source is not None:
            return source_text(label_source)
        if not self.mail.has_class(position):
            return PENDING
        done = self.mail.sorted.get(int(self.mail.messages[position]))
        if done is not None and done.state in (SortedState.MOVING, SortedState.MOVED):
            return tr("nbmail, filed") if done.target else tr("nbmail, moved")
        if done is not None and done.state is SortedState.REHEARSED:
            return tr("rehearsed")
        return tr("nbmail") if self.mail.verdicts[position] else tr("undecided")

    def accessible_text(self, position: int) -> str:
        mail = self.mail
        label_source = self.mail.label_source(position)
        who = source_phrase(label_source) if label_source is not None else self._decided(position)
        decided = label_source is not None or mail.verdicts[position]
        chance = self.chance(position)
        parts = (
            tr("selected") if mail.selected[position] else "",
            tr("unread") if mail.unread(position) else "",
            tr("flagged") if mail.flagged[position] else "",
            self.verdict(position),
            chance
            if isnan(mail.probabilities[position])
            else tr("{chance} chance of spam").format(chance=chance),
            tr("decided by {who}").format(who=who) if decided else "",
            tr("from {sender}").format(sender=sender_name(mail.senders[position])),
            visible(mail.subjects[position], LONGEST) or tr("no subject"),
            tr("with attachments") if mail.attachments[position] else "",
            self._date(float(mail.dates[position])),
            tr("suggested folder {folder}").format(folder=self._suggested(position))
            if mail.suggested[position]
            else "",
        )
        return ", ".join(part for part in parts if part)

    def hint(self, position: int, column: Column) -> str | None:
        if column == Column.CHANCE and isnan(self.mail.probabilities[position]):
            pending = isnan(self.mail.log_odds[position])
            more_marks = tr("Mark more messages to get a chance of spam.")
            return tr("nbmail has not scored this message yet.") if pending else more_marks
        if column == Column.SENDER:
            return people_text(self.mail.senders[position])
        label_source = self.mail.label_source(position)
        if column in (Column.VERDICT, Column.DECIDED) and label_source is not None:
            return tr("{said}. nbmail's current verdict: {verdict}.").format(
                said=label_text(self.mail.label_of(position), label_source),
                verdict=verdict_text(VERDICTS[int(self.mail.verdicts[position])]).lower(),
            )
        done = self.mail.sorted.get(int(self.mail.messages[position]))
        if column == Column.DECIDED and done is not None:
            return result_text(done)
        if column in (
            Column.SUBJECT,
            Column.FOLDER,
            Column.DECIDED,
            Column.VERIFIED,
            Column.SUGGESTED,
        ):
            return self.text(position, column)
        return moment_in_full(float(self.mail.dates[position])) if column == Column.DATE else None

    def _date(self, moment: float) -> str:
        now = self._clock()
        if int(now // 3600) != self._hour or len(self._dates) > 5000:
            self._hour = int(now // 3600)
            self._dates.clear()
        text = self._dates.get(moment)
        if text is None:
            text = self._dates[moment] = date_text(moment, now)
        return text
