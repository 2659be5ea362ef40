"""The mail table: Qt's table view with its own selection.

Qt's selection asks every row of a million whether it may be selected (4 s for Ctrl+A); ours is one array of booleans
beside the mail. Qt's own is left with a single row, the current one, which is what screen readers follow.
"""

from dataclasses import replace

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractItemView, QTableView

from nbmail.ui.kit.language import tr
from nbmail.ui.kit.lines_table import shape_table
from nbmail.ui.list.column_header import ColumnHeader
from nbmail.ui.list.list_choice import Column, starts_descending
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.list.row_painter import MailDelegate

Index = QModelIndex | QPersistentModelIndex


class MailTable(QTableView):
    """The list of messages.

    Signals: `stepped(int)`, the message now current (-1 for none); `picked()`, the selection changed;
    `page_turned(int)`, the space bar asks for the next page of the message (1), or the one before (-1);
    `verdict_clicked()`, that of the current message.
    """

    stepped = Signal(int)
    picked = Signal()
    page_turned = Signal(int)
    verdict_clicked = Signal()

    def __init__(self, model: MailModel) -> None:
        super().__init__()
        self.mails = model
        self._anchor = -1
        self._pressed = QModelIndex()
        self._note = ""
        self.row_painter = MailDelegate(model, self)
        self.heads = ColumnHeader(self)
        self.setHorizontalHeader(self.heads)
        self.setModel(model)
        self.setItemDelegate(self.row_painter)
        self.setAccessibleName(tr("Messages"))
        shape_table(self)
        # The current row shows where the keyboard is: no ring around the table.
        self.setProperty("lines", False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.verticalHeader().setDefaultSectionSize(self.row_painter.row_height())
        self.heads.shape()
        self.heads.show_order(Column.DATE, descending=True)
        self.heads.sort_asked.connect(self.sort_by)

    def sort_by(self, section: int) -> None:
        """Sort by a column; once more turns it round."""
        column = Column(section)
        now = self.mails.arrangement
        descending = not now.descending if column == now.column else starts_descending(column)
        self.heads.show_order(section, descending=descending)
        self.mails.arrange(replace(now, column=column, descending=descending))
        # Another order is asked for to see what comes first in it.
        self._anchor = self.currentIndex().row()
        self.scrollToTop()

    def say(self, note: str) -> None:
        """What to read where there is no message to show."""
        self._note = note
        self.setAccessibleDescription(note)
        self.viewport().update()

    # ------------------------------------------------------------------------------------------------ selection

    def current_message(self) -> int:
        """The message under the cursor, -1 for none."""
        return self.mails.message_at(self.currentIndex().row())

    def chosen_messages(self) -> tuple[int, ...]:
        return self.mails.mail.chosen() if self.mails.mail is not None else ()

    def go_to(self, row: int, *, extend: bool = False, keep: bool = False) -> None:
        """Make a row current. `extend` selects all from the anchor to it, `keep` leaves the selection alone."""
        last = self.mails.rowCount() - 1
        if last < 0:
            return
        row = max(0, min(row, last))
        if not keep:
            self._choose(row, extend=extend)
        self.setCurrentIndex(self.mails.index(row, Column.SUBJECT))

    def step(self, rows: int) -> None:
        self.go_to(self.currentIndex().row() + rows)

    def go_to_message(self, message: int) -> None:
        row = self.mails.row_of(message)
        if row >= 0:
            self.go_to(row)

    def choose_all(self) -> None:
        self._choose_rows(slice(None))

    def _choose(self, row: int, *, extend: bool) -> None:
        if not extend or self._anchor < 0:
            self._anchor = row
        low, high = sorted((min(self._anchor, self.mails.rowCount() - 1), row))
        self._choose_rows(slice(low, high + 1))

    def _choose_rows(self, rows: slice) -> None:
        mail = self.mails.mail
        if mail is not None:
            mail.selected[:] = False
            mail.selected[mail.order[rows]] = True
            self._announce()

    def _toggle(self, row: int) -> None:
        mail = self.mails.mail
        assert mail is not None
        position = mail.order[row]
        mail.selected[position] = not mail.selected[position]
        self._anchor = row
        self._announce()

    def _announce(self) -> None:
        self.viewport().update()
        self.picked.emit()

    # ---------------------------------------------------------------------------------------------- Qt's handlers

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        self.stepped.emit(self.mails.message_at(current.row()))

    def paintEvent(self, event: QPaintEvent) -> None:
        # Looked up now: rows that came in above have moved the current one without a word.
        self.row_painter.focused = self.currentIndex().row()
        self.row_painter.keyboard = self.hasFocus()
        super().paintEvent(event)
        if self._note and not self.mails.rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            where = self.viewport().rect().adjusted(20, 0, -20, 0)
            painter.drawText(where, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self._note)
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(_place(event).y())
        if row < 0:
            return
        keys = event.modifiers()
        plain = event.button() == Qt.MouseButton.LeftButton and keys == Qt.KeyboardModifier.NoModifier
        self._pressed = self.indexAt(_place(event)) if plain else QModelIndex()
        if keys & Qt.KeyboardModifier.ControlModifier:
            self._toggle(row)
            self.go_to(row, keep=True)
        elif event.button() == Qt.MouseButton.RightButton and self._is_chosen(row):
            self.go_to(row, keep=True)
        else:
            self.go_to(row, extend=bool(keys & Qt.KeyboardModifier.ShiftModifier))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        pressed, self._pressed = self._pressed, QModelIndex()
        if pressed.column() == Column.VERDICT and self.indexAt(_place(event)) == pressed:
            self.verdict_clicked.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(_place(event).y())
        leads = self.indexAt(_place(event)).column() == Column.VERDICT
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)
        if event.buttons() & Qt.MouseButton.LeftButton and row >= 0:
            self.go_to(row, extend=True)
        elif row != self.row_painter.hovered:
            self.row_painter.hovered = row
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, key = self.currentIndex().row(), Qt.Key
        page = max(1, self.viewport().height() // self.verticalHeader().defaultSectionSize() - 1)
        targets = {
            key.Key_Down: row + 1,
            key.Key_Up: row - 1,
            key.Key_PageDown: row + page,
            key.Key_PageUp: row - page,
            key.Key_Home: 0,
            key.Key_End: self.mails.rowCount() - 1,
        }
        if event.key() in targets:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.go_to(targets[Qt.Key(event.key())], extend=extend)
        elif event.key() == key.Key_Space:
            self.page_turned.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            event.ignore()

    def _is_chosen(self, row: int) -> bool:
        mail = self.mails.mail
        return mail is not None and bool(mail.selected[mail.order[row]])

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.row_painter.hovered = -1
            self.viewport().update()
        elif event.type() == QEvent.Type.Resize:
            self.heads.make_room()
        return super().viewportEvent(event)


def _place(event: QMouseEvent) -> QPoint:
    return event.position().toPoint()
