"""Qt model of the list: a thin layer over `MailList`."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import nan
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

from nbmail.core.sorting.sorted_message import SortedMessage
from nbmail.ui.kit.timers import single_shot_timer
from nbmail.ui.list.contents.mail_list import MailList
from nbmail.ui.list.contents.positions import Positions
from nbmail.ui.list.list_choice import Arrangement, Column, Kind, column_name
from nbmail.ui.list.table.row_texts import RowTexts
from nbmail.ui.texts.plain_text import plain_tip
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

    # ---------------------------------------------------------------------------------------------
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
            hint = self.texts.hint(position, Column(index.column()))
            return plain_tip(hint) or None
        return None

    # ---------------------------------------------------------------------------------------------
    # changes

    def begin(self, rows: Rows) -> None:
        """Show the stored mail."""
        self.beginResetModel()
        self.loaded = True
        self.mail.take_rows(rows)
        self.mail.arrange(self.arrangement)
        self.endResetModel()
        self._idle.start(AFTER_LOADING)
        self.counted.emit()

    def take(self, changed: Changed) -> None:
        """Apply changes: insert, remove and redraw rows."""
        if not self.loaded:
            if changed.rows is not None:
                self.begin(changed.rows)
            return
        altered = False
        rescored = False
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

    def take_suggestions(self, suggested: FoldersSuggested) -> None:
        """Show suggested folders. They move no row."""
        self.mail.take_suggestions(suggested)
        self._redraw(altered=False)

    def take_sorted(self, messages: Sequence[SortedMessage]) -> None:
        """Show what was sorted automatically. New rows are inserted; others stay."""
        new = self.mail.take_sorted(messages)
        if self.arrangement.choice.kind == Kind.SORTED:
            self._place(new)
        self._redraw(altered=False)

    def label(self, messages: Sequence[int], label: str | None) -> None:
        self.mail.set_label(messages, label)
        self._redraw(altered=True)

    def arrange(self, arrangement: Arrangement) -> None:
        self.stale = False
        with self._rearranging():
            self.mail.arrange(arrangement)
        self.arranged.emit()

    # ---------------------------------------------------------------------------------------------
    # queries

    def message_at(self, row: int) -> int:
        """Return the message of a row, -1 for rows that don't exist."""
        if 0 <= row < len(self.mail):
            return int(self.mail.messages[self.mail.order[row]])
        return -1

    def row_of(self, message: int) -> int:
        """Return the row of a message, -1 if it is not shown."""
        position = self.mail.position_of(message)
        found = (self.mail.order == position).nonzero()[0]
        return int(found[0]) if len(found) else -1

    def score_of(self, message: int) -> tuple[float, float, str]:
        """Return log-odds, chance of spam and verdict of a message; NaN and "" if unknown."""
        mail = self.mail
        position = mail.position_of(message)
        if position < 0:
            return nan, nan, ""
        verdict = VERDICTS[mail.verdicts[position]]
        return float(mail.log_odds[position]), float(mail.probabilities[position]), verdict

    def source_of(self, message: int) -> tuple[str | None, LabelSource | None]:
        """Return the label of a message and its source, or a verdict and its rule.

        Both are None without them.
        """
        position = self.mail.position_of(message)
        if position < 0:
            return None, None
        label_source = self.mail.label_source(position)
        if label_source is None:
            return None, None
        return self.mail.label_of(position), label_source

    # ---------------------------------------------------------------------------------------------
    # internals

    def _prepare(self) -> None:
        if self.mail.text_columns.prepare(SLICE):
            self._idle.start(0)

    def _redraw(self, *, altered: bool, rescored: bool = False) -> None:
        """Redraw all rows. `altered`: labels or known messages changed."""
        rows = self.rowCount()
        if rows:
            last = self.index(rows - 1, len(Column) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        if (altered or rescored) and self.arrangement.by_score:
            self.stale = True
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
        """Insert new messages, and messages that had no score before, at their places."""
        if len(new) > MOST_PLACED:
            self.arrange(self.arrangement)
        elif len(new):
            with self._rearranging():
                self.mail.place(new)

    def _remove(self, positions: Positions) -> None:
        if len(positions):
            with self._rearranging():
                self.mail.remove(positions)

    @contextmanager
    def _rearranging(self) -> Iterator[None]:
        """Keep Qt's persistent indexes (the current row) on their messages."""
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        messages = [self.message_at(index.row()) for index in before]
        yield
        rows = {message: self.row_of(message) for message in set(messages)}
        after = []
        for message, index in zip(messages, before, strict=True):
            row = rows[message]
            after.append(self.index(row, index.column()) if row >= 0 else QModelIndex())
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()
