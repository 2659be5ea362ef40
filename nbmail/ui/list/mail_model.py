"""The list as Qt sees it: a thin layer over `MailList`, made (and numpy imported) when the first mail comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.evidence.label_source_texts import label_text, source_phrase, source_text
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import single_shot_timer
from nbmail.ui.kit.people import people_text, sender_name
from nbmail.ui.kit.phrases import moment_in_full
from nbmail.ui.kit.plain_text import plain_tip, visible
from nbmail.ui.list.list_choice import Arrangement, Column, Kind, column_name
from nbmail.values import VERDICTS, LabelSource, Rows
from nbmail.worker.protocol import Changed

if TYPE_CHECKING:
    from nbmail.ui.list.mail_list import MailList

Index = QModelIndex | QPersistentModelIndex
AFTER_LOADING = 700
"""Milliseconds of quiet before the texts are folded for searching and sorting."""
SLICE = 2000
"""Messages folded at a time: 3 ms."""
MOST_PLACED = 300
"""Newcomers of up to so many are each put in their place; of more the whole list is arranged anew."""


class MailModel(QAbstractTableModel):
    """Rows of the list. `take` brings new scores, rows and losses in without a reset.

    Signals: `counted()` when the figures of the smart lists may have changed; `arranged()` when the order has;
    `came(list)`, with messages that were not in the list before.
    """

    counted = Signal()
    arranged = Signal()
    came = Signal(object)

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.time) -> None:
        super().__init__(parent)
        self.mail: MailList | None = None
        self.arrangement = Arrangement()
        self.stale = False
        self.words: RowTexts | None = None
        self._clock = clock
        self._idle = single_shot_timer(self, AFTER_LOADING, self._prepare)

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

    # ---------------------------------------------------------------------------------------------- what comes

    def begin(self, rows: Rows) -> None:
        """Take the whole list, the one time it is asked for."""
        from nbmail.ui.list.mail_list import MailList

        self.beginResetModel()
        if self.mail is None:
            self.mail = MailList()
            self.words = RowTexts(self.mail, self._clock)
        self.mail.take_rows(rows)
        self.mail.arrange(self.arrangement)
        self.endResetModel()
        self._idle.start(AFTER_LOADING)
        self.counted.emit()

    def take(self, changed: Changed) -> None:
        """Take in what changed: rows come and go, scores are redrawn where they stand."""
        if self.mail is None:
            if changed.rows is not None:
                self.begin(changed.rows)
            return
        altered = rescored = False
        if changed.rows is not None:
            altered = self._take_rows(self.mail, changed.rows)
            self._idle.start(AFTER_LOADING)
        if changed.scores is not None:
            first, others = self.mail.take_scores(changed.scores)
            rescored = len(others) > 0
            if self.arrangement.by_score:
                self._place(self.mail, first)
        if changed.gone:
            self._remove(self.mail, self.mail.take_gone(changed.gone))
        self._redraw(altered=altered, rescored=rescored)

    def label(self, messages: Sequence[int], label: str | None) -> None:
        """Show a mark at once."""
        if self.mail is not None:
            self.mail.set_label(messages, label)
            self._redraw(altered=True)

    def arrange(self, arrangement: Arrangement) -> None:
        """Sort and choose anew."""
        self.arrangement = arrangement
        self.stale = False
        if self.mail is not None:
            with self._rearranging():
                self.mail.arrange(arrangement)
        self.arranged.emit()

    def take_found(self, words: str, messages: Sequence[int]) -> None:
        """These messages hold the words that are searched for in their text: show them, too."""
        if self.mail is not None and self.arrangement.choice.words == words:
            self.mail.take_found(words, messages)
            self.arrange(self.arrangement)

    # ------------------------------------------------------------------------------------- questions of the window

    def message_at(self, row: int) -> int:
        """The message of a row, -1 beyond the end."""
        if self.mail is None or not 0 <= row < len(self.mail):
            return -1
        return int(self.mail.messages[self.mail.order[row]])

    def row_of(self, message: int) -> int:
        """Where a message is shown, -1 where it isn't."""
        if self.mail is None:
            return -1
        found = (self.mail.order == self.mail.find([message])[0]).nonzero()[0]
        return int(found[0]) if len(found) else -1

    def score_of(self, message: int) -> tuple[float, float, str]:
        """The log-odds of a message, its chance of junk and its verdict, NaN and nothing for what isn't known."""
        mail, position = self._found(message)
        if mail is None:
            return nan, nan, ""
        return float(mail.log_odds[position]), float(mail.probabilities[position]), VERDICTS[mail.verdicts[position]]

    def source_of(self, message: int) -> tuple[str | None, LabelSource | None]:
        """The label of a message and who gave it, None twice without one."""
        mail, position = self._found(message)
        label_source = mail.label_source(position) if mail is not None else None
        return (
            mail.label_names[mail.labels[position]] if mail is not None and label_source is not None else None
        ), label_source

    def labelled(self, messages: Sequence[int]) -> tuple[int, ...]:
        """Those of the messages that have a label."""
        if self.mail is None:
            return ()
        places = self.mail.find(messages)
        return tuple(self.mail.messages[places[self.mail.labels[places] >= 0]].tolist())

    def _found(self, message: int) -> tuple[MailList | None, int]:
        """The list and where it has the message; no list where it hasn't."""
        position = int(self.mail.find([message])[0]) if self.mail is not None else -1
        return (self.mail if position >= 0 else None), position

    def count_above(self, chance: float) -> tuple[int, int]:
        """How many messages without a label are junk with a chance above this, and how many have a chance at all."""
        if self.mail is None:
            return 0, 0
        chances = self.mail.probabilities[self.mail.present & (self.mail.labels < 0)]
        # What has no chance yet is neither above nor below.
        return int((chances > chance).sum()), int((chances >= 0).sum())

    # ------------------------------------------------------------------------------------------------- inside

    def _prepare(self) -> None:
        if self.mail is not None and self.mail.prepare(SLICE):
            self._idle.start(0)

    def _redraw(self, *, altered: bool, rescored: bool = False) -> None:
        rows = self.rowCount()
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, len(Column) - 1))
        self.stale |= (altered or rescored) and self.arrangement.by_score
        if altered and self.arrangement.choice.kind == Kind.MARKED and self.mail is not None:
            self.stale = self.stale or self.mail.holds_others()
        self.counted.emit()

    def _take_rows(self, mail: MailList, rows: Rows) -> bool:
        """Whether some of them were known before.

        The newcomers of a folder that is shown may be known from another, and what leaves it may lie there still.
        """
        import numpy as np

        came, known = mail.take_rows(rows)
        self.came.emit(mail.messages[came].tolist())
        moved_in, moved_out = mail.moved(known)
        mail.selected[moved_out] = False
        self._remove(mail, moved_out)
        self._place(mail, np.concatenate([came, moved_in]))
        return len(known) > 0

    def _place(self, mail: MailList, new: Any) -> None:
        """Put these where they belong: what came, and what was shown, or left out, before it had a score."""
        if len(new) > MOST_PLACED:
            self.arrange(self.arrangement)
        elif len(new):
            with self._rearranging():
                mail.place(new)

    def _remove(self, mail: MailList, positions: Any) -> None:
        import numpy as np

        if len(positions):
            with self._rearranging():
                mail.order = mail.order[~np.isin(mail.order, positions)]

    @contextmanager
    def _rearranging(self) -> Iterator[None]:
        """Keeps Qt's own few indexes (the current row) on their messages while the order changes."""
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


def heading_of(model: MailModel, message: int) -> tuple[str, str, float]:
    """Sender, subject and moment of a message, nothing for what isn't in the list."""
    mail = model.mail
    position = int(mail.find([message])[0]) if mail is not None else -1
    if mail is None or position < 0:
        return "", "", 0.0
    return mail.senders[position], mail.subjects[position], float(mail.dates[position])


if TYPE_CHECKING:
    from nbmail.ui.list.mail_list import MailList


LONGEST = 400
"""Characters of a subject that are looked at: more than any screen shows, and a subject may have a million."""


class RowTexts:
    """Words for the messages of one list, by position."""

    def __init__(self, mail: MailList, clock: Callable[[], float]) -> None:
        self.mail = mail
        self._clock = clock
        self._dates: dict[float, str] = {}
        self._today = 0

    def text(self, position: int, column: Column) -> str:
        """What a cell says."""
        mail = self.mail
        if column == Column.SENDER:
            return sender_name(mail.senders[position]) or tr("(no sender)")
        if column == Column.SUBJECT:
            return " ".join(visible(mail.subjects[position], LONGEST).split()) or tr("(no subject)")
        if column == Column.DATE:
            return self._date(float(mail.dates[position]))
        others = {Column.CHANCE: self.chance, Column.VERDICT: self.verdict, Column.FOLDER: self._folder}
        return others.get(column, self._decided)(position)

    def chance(self, position: int) -> str:
        """The probability, or which way the words lean while none can be promised."""
        probability = float(self.mail.probabilities[position])
        if isnan(probability):
            return phrases.lean_text(float(self.mail.log_odds[position]))
        return phrases.percent(probability)

    def verdict(self, position: int) -> str:
        """The label if the message has one, else the verdict."""
        label = int(self.mail.labels[position])
        name = self.mail.label_names[label] if label >= 0 else VERDICTS[int(self.mail.verdicts[position])]
        return phrases.verdict_text(name)

    def _folder(self, position: int) -> str:
        folders = self.mail.folder_sets.of(self.mail.folders[position])
        return ", ".join(folder_name(self.mail.folder_names[folder]) for folder in folders)

    def _decided(self, position: int) -> str:
        label_source = self.mail.label_source(position)
        if label_source is not None:
            return source_text(label_source)
        return tr("nbmail") if self.mail.verdicts[position] else tr("nobody yet")

    def spoken(self, position: int) -> str:
        """The whole row as a sentence, for a screen reader."""
        mail, label_source = self.mail, self.mail.label_source(position)
        who = source_phrase(label_source) if label_source is not None else self._decided(position)
        parts = (
            tr("selected") if mail.selected[position] else "",
            tr("unread") if mail.unread(position) else "",
            self.verdict(position),
            tr("chance of junk {chance}").format(chance=self.chance(position)),
            tr("decided by {who}").format(who=who),
            tr("from {sender}").format(sender=sender_name(mail.senders[position])),
            visible(mail.subjects[position], LONGEST) or tr("no subject"),
            self._date(float(mail.dates[position])),
        )
        return ", ".join(part for part in parts if part)

    def hint(self, position: int, column: Column) -> str | None:
        """What a tooltip adds."""
        if column == Column.CHANCE and isnan(self.mail.probabilities[position]):
            return tr("A percentage follows once enough of your marks have been checked.")
        if column == Column.SENDER:
            return people_text(self.mail.senders[position])
        label_source = self.mail.label_source(position)
        if column in (Column.VERDICT, Column.DECIDED) and label_source is not None:
            return tr("{said}. By itself nbmail would say {verdict}.").format(
                said=label_text(self.mail.label_names[self.mail.labels[position]], label_source),
                verdict=phrases.verdict_text(VERDICTS[int(self.mail.verdicts[position])]).lower(),
            )
        if column in (Column.SUBJECT, Column.FOLDER):
            return self.text(position, column)
        if column == Column.DATE:
            return moment_in_full(float(self.mail.dates[position]))
        return None

    def _date(self, moment: float) -> str:
        now = self._clock()
        if int(now // 3600) != self._today or len(self._dates) > 5000:
            self._today = int(now // 3600)
            self._dates.clear()
        words = self._dates.get(moment)
        if words is None:
            words = self._dates[moment] = phrases.date_text(moment, now)
        return words
