"""The dry run of moving: what the marks given so far would have moved, shown before moving is turned on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from nbmail.ui.accounts.sidebar import folder_name
from nbmail.ui.kit.language import grouped, tr
from nbmail.ui.kit.letter_sizes import grown, heading_width, room_for, widest
from nbmail.ui.kit.plain_text import plain_label, plain_tip
from nbmail.ui.past.lines_table import CELL_ROOM, ROW_ROOM
from nbmail.worker.protocol import PlannedMove

MOST_SHOWN = 500


class MovesDialog(QDialog):
    """Lists the moves and asks; `decide` hears whether to turn moving on. Signals: those of every dialog."""

    def __init__(self, parent: QWidget, moves: Sequence[PlannedMove], decide: Callable[[bool], None]) -> None:
        super().__init__(parent)
        self._decide = decide
        self.setWindowTitle(tr("Move mail on the server?"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.sentence = plain_label(moves_words(len(moves)))
        self.sentence.setProperty("title", True)
        self.note = plain_label(_note_words(len(moves)))
        self.note.setProperty("muted", True)
        for label in (self.sentence, self.note):
            label.setWordWrap(True)
        self.table = _make_table(moves[:MOST_SHOWN])
        self.table.setMinimumHeight(min(grown(self, 220), room_for(self).height() // 3))
        self.table.setVisible(bool(moves))
        self._lay_out()
        self.setMinimumWidth(min(grown(self, 760 if moves else 480), room_for(self).width()))

    def _lay_out(self) -> None:
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        self.buttons.button(kinds.Ok).setText(tr("Turn moving on"))
        self.buttons.button(kinds.Cancel).setText(tr("Leave it off"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 22, 24, 18)
        column.setSpacing(12)
        column.addWidget(self.sentence)
        column.addWidget(self.table, 1)
        column.addWidget(self.note)
        column.addWidget(self.buttons)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Not before: with a style sheet Qt leaves the other button out of the tab order for good.
        self.buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)

    def done(self, result: int) -> None:
        super().done(result)
        self._decide(result == QDialog.DialogCode.Accepted)


def moves_words(count: int) -> str:
    """What the dry run found."""
    if count == 0:
        return tr("None of your marks so far would have moved a message.")
    if count == 1:
        return tr("With moving on, your marks so far would have moved this message:")
    return tr("With moving on, your marks so far would have moved these {n} messages:").format(n=grouped(count))


def _note_words(count: int) -> str:
    more = tr("Only the latest {n} are shown.").format(n=grouped(MOST_SHOWN)) + " " if count > MOST_SHOWN else ""
    return more + tr(
        "From now on, what you mark as junk goes to the junk folder, and what you mark as not junk comes back to the "
        "inbox. What is marked already stays where it is, and Undo moves back."
    )


def _make_table(moves: Sequence[PlannedMove]) -> QTableWidget:
    names = (tr("From"), tr("Subject"), tr("Lies in"), tr("Goes to"))
    table = QTableWidget(len(moves), len(names))
    table.setHorizontalHeaderLabels(names)
    table.setAccessibleName(tr("What would be moved"))
    table.setProperty("lines", True)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + ROW_ROOM)
    for row, move in enumerate(moves):
        for column, text in enumerate(_cells(move)):
            item = QTableWidgetItem(text)
            item.setToolTip(plain_tip(f"{text} ({move.folder.account})" if column > 1 else text))
            table.setItem(row, column, item)
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
    for column, width in ((0, 170), (2, 100), (3, 110)):
        words = widest(table.fontMetrics(), (_cells(move)[column] for move in moves)) + CELL_ROOM
        table.setColumnWidth(column, max(width, heading_width(table, column), min(words, grown(table, width))))
    return table


def _cells(move: PlannedMove) -> tuple[str, str, str, str]:
    goes = tr("Inbox") if move.target == "inbox" else tr("Junk folder")
    return move.sender, move.subject or tr("(no subject)"), folder_name(move.folder), goes
