"""The list as Qt sees it: a thin layer over `MailList`, made (and numpy imported) when the first mail comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from math import nan
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from nbmail.ui.kit.plain_text import plain_tip
from nbmail.ui.list.columns import Column, column_name
from nbmail.ui.list.list_choice import Arrangement, Kind
from nbmail.ui.list.row_texts import RowWords
from nbmail.worker.protocol import VERDICTS, Changed, Giver, Rows

if TYPE_CHECKING:
    from nbmail.ui.list.mail_list import MailList

Index = QModelIndex | QPersistentModelIndex
AFTER_LOADING = 700
"""Milliseconds of quiet before the texts are folded for searching and sorting."""
SLICE = 2000
"""Messages folded at a time: 3 ms."""
MOST_RUNS = 6
"""Up to so many places rows are inserted one run after the other; beyond, all in one change of the layout."""
MOST_SINGLE = 300
"""Beyond this many newcomers at once the whole list is arranged anew; below, each is put in its place."""


class MailModel(QAbstractTableModel):
    """Rows of the list. `changed` brings new scores, rows and losses in without a reset.

    Signals: `counted()` when the figures of the smart lists may have changed; `arranged()` when the order has.
    """

    counted = Signal()
    arranged = Signal()

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self.mail: MailList | None = None
        self.arrangement = Arrangement()
        self.stale = False
        self.words: RowWords | None = None
        self._clock = clock
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.timeout.connect(self._prepare)

    # ------------------------------------------------------------------------------------------ Qt's questions

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or self.mail is None else len(self.mail)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return column_name(Column(section))
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.mail is None or self.words is None or not index.isValid():
            return None
        position = int(self.mail.order[index.row()])
        if role == Qt.ItemDataRole.DisplayRole:
            return self.words.text(position, Column(index.column()))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.words.spoken(position)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self.words.hint(position, Column(index.column())) or "") or None
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        descending = order == Qt.SortOrder.DescendingOrder
        self.arrange(Arrangement(self.arrangement.choice, Column(column), descending))

    # ---------------------------------------------------------------------------------------------- what comes

    def begin(self, rows: Rows) -> None:
        """Take the whole list, the one time it is asked for."""
        from nbmail.ui.list.mail_list import MailList

        self.beginResetModel()
        if self.mail is None:
            self.mail = MailList()
            self.words = RowWords(self.mail, self._clock)
        self.mail.take_rows(rows)
        self.mail.arrange(self.arrangement)
        self.endResetModel()
        self._idle.start(AFTER_LOADING)
        self.counted.emit()

    def take(self, changed: Changed) -> None:
        """Take in what changed: rows come and go one by one, scores are redrawn where they stand."""
        if self.mail is None:
            if changed.rows is not None:
                self.begin(changed.rows)
            return
        if changed.rows is not None:
            self._take_rows(changed.rows)
            self._idle.start(AFTER_LOADING)
        if changed.scores is not None:
            self.mail.take_scores(changed.scores)
        if changed.gone:
            self._remove(self.mail.take_gone(changed.gone))
        self._redraw()

    def _take_rows(self, rows: Rows) -> None:
        """The newcomers of a folder that is shown may be known from another, and what leaves it may lie there still."""
        import numpy as np

        assert self.mail is not None
        new, known = self.mail.take_rows(rows)
        won, lost = self.mail.crossed(known)
        self.mail.selected[lost] = False
        self._remove(lost)
        self._show_new(np.concatenate([new, won]))

    def label(self, messages: Sequence[int], label: str | None) -> None:
        """Show a mark at once."""
        if self.mail is not None:
            self.mail.set_label(messages, label)
            self._redraw()

    def arrange(self, arrangement: Arrangement) -> None:
        """Sort and choose anew."""
        self.arrangement = arrangement
        self.stale = False
        if self.mail is not None:
            with _Rearranging(self):
                self.mail.arrange(arrangement)
        self.arranged.emit()

    def row_of(self, message: int) -> int:
        """Where a message is shown, -1 where it isn't."""
        if self.mail is None:
            return -1
        found = (self.mail.order == self.mail.find([message])[0]).nonzero()[0]
        return int(found[0]) if len(found) else -1

    def score_of(self, message: int) -> tuple[float, float, str]:
        """The log-odds of a message, its chance of junk and its verdict, NaN and nothing for what isn't known."""
        place = int(self.mail.find([message])[0]) if self.mail is not None else -1
        if self.mail is None or place < 0:
            return nan, nan, ""
        verdict = VERDICTS[int(self.mail.verdicts[place])]
        return float(self.mail.log_odds[place]), float(self.mail.probabilities[place]), verdict

    def giver_of(self, message: int) -> tuple[str | None, Giver | None]:
        """The label of a message and who gave it, None twice without one."""
        place = int(self.mail.find([message])[0]) if self.mail is not None else -1
        giver = self.mail.giver(place) if self.mail is not None and place >= 0 else None
        if self.mail is None or giver is None:
            return None, None
        return self.mail.label_names[self.mail.labels[place]], giver

    def count_above(self, chance: float) -> tuple[int, int]:
        """How many messages without a label are junk with a chance above this, and how many have a chance at all."""
        if self.mail is None:
            return 0, 0
        chances = self.mail.probabilities[self.mail.present & (self.mail.labels < 0)]
        # What has no chance yet is neither above nor below.
        return int((chances > chance).sum()), int((chances >= 0).sum())

    def message_at(self, row: int) -> int:
        """The message of a row, -1 beyond the end."""
        if self.mail is None or not 0 <= row < len(self.mail):
            return -1
        return int(self.mail.messages[self.mail.order[row]])

    def _prepare(self) -> None:
        if self.mail is not None and self.mail.prepare(SLICE):
            self._idle.start(0)

    def _redraw(self) -> None:
        rows = self.rowCount()
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, len(Column) - 1))
        self.stale = self._depends_on_scores()
        self.counted.emit()

    def _depends_on_scores(self) -> bool:
        by_score = self.arrangement.column in (Column.CHANCE, Column.VERDICT, Column.DECIDED)
        return by_score or self.arrangement.choice.kind in (Kind.UNSURE, Kind.JUNK, Kind.GOOD, Kind.MARKED)

    def _show_new(self, positions: Any) -> None:
        import numpy as np

        assert self.mail is not None
        if len(positions) > MOST_SINGLE:
            self.arrange(self.arrangement)
            return
        runs = _runs(self.mail.place_new(positions))
        if len(runs) > MOST_RUNS:
            places = [place for place, run in runs for _ in run]
            with _Rearranging(self):
                self.mail.order = np.insert(self.mail.order, places, [each for _, run in runs for each in run])
            return
        done = 0
        for place, run in runs:
            first = place + done
            self.beginInsertRows(QModelIndex(), first, first + len(run) - 1)
            self.mail.order = np.insert(self.mail.order, first, run)
            self.endInsertRows()
            done += len(run)

    def _remove(self, positions: Any) -> None:
        import numpy as np

        assert self.mail is not None
        rows = np.flatnonzero(np.isin(self.mail.order, positions))
        if len(rows) > MOST_SINGLE:
            self.arrange(self.arrangement)
            return
        for row in rows[::-1].tolist():
            self.beginRemoveRows(QModelIndex(), row, row)
            self.mail.order = np.delete(self.mail.order, row)
            self.endRemoveRows()


def _runs(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, list[int]]]:
    """Newcomers that go to the same place, together."""
    return [(place, [pair[1] for pair in group]) for place, group in groupby(pairs, key=lambda pair: pair[0])]


class _Rearranging:
    """Keeps Qt's own few indexes (the current row) on their messages while the order changes."""

    def __init__(self, model: MailModel) -> None:
        self._model = model

    def __enter__(self) -> None:
        model = self._model
        model.layoutAboutToBeChanged.emit()
        self._before = model.persistentIndexList()
        self._messages = [model.message_at(index.row()) for index in self._before]

    def __exit__(self, *_: object) -> None:
        model = self._model
        rows = {message: model.row_of(message) for message in set(self._messages)}
        after = [
            model.index(rows[message], index.column()) if rows[message] >= 0 else QModelIndex()
            for message, index in zip(self._messages, self._before, strict=True)
        ]
        model.changePersistentIndexList(self._before, after)
        model.layoutChanged.emit()
