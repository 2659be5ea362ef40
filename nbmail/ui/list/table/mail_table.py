"""Table of the messages with its own selection.

Qt's selection queries every row, which takes 0.8 s for Ctrl+A with 200,000 rows. This selection is
one array of booleans in `MailList`. Qt's own selection holds only the current row, which screen
readers follow.
"""

from dataclasses import replace

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTableView

from nbmail.ui.kit.focus import MAIL_TABLE
from nbmail.ui.kit.table_style import style_table
from nbmail.ui.list.list_choice import Column, starts_descending
from nbmail.ui.list.message_drag import start_drag
from nbmail.ui.list.table.column_header import ColumnHeader
from nbmail.ui.list.table.empty_list import EmptyList
from nbmail.ui.list.table.mail_model import MailModel
from nbmail.ui.list.table.row_painter import RowPainter
from nbmail.ui.texts.language import tr

Index = QModelIndex | QPersistentModelIndex
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


class MailTable(QTableView):
    """The list of messages.

    Signals: `current_message_changed(int)`, -1 for none, also when the user chooses the message
    that was current by default. `selection_changed()`. `page_requested(int)` when the space bar
    requests the next page of the message (1) or the previous page (-1). `verdict_clicked()` on the
    current row. `elsewhere`: button of an empty list for another one.
    """

    current_message_changed = Signal(int)
    selection_changed = Signal()
    page_requested = Signal(int)
    verdict_clicked = Signal()

    def __init__(self, model: MailModel) -> None:
        super().__init__()
        self.mails = model
        self.is_chosen = False
        """True if the user has chosen the current message, False if it is current by default."""
        self._anchor = -1
        self._pressed = QModelIndex()
        self._pressed_at: QPoint | None = None
        self._keeps_selection = False
        self._empty_list = EmptyList(self.viewport())
        self.elsewhere = self._empty_list.button
        self.row_painter = RowPainter(model, self)
        self.header = ColumnHeader(self)
        self.setHorizontalHeader(self.header)
        self.setModel(model)
        self.setItemDelegate(self.row_painter)
        self._set_style()
        self.header.set_widths()
        self.header.show_order(Column.DATE, descending=True)
        self.header.sort_requested.connect(self.sort_by)

    def _set_style(self) -> None:
        self.setObjectName(MAIL_TABLE)
        self.setAccessibleName(tr("Messages"))
        style_table(self)
        # The current row shows the keyboard focus: no ring around the table.
        self.setProperty("lines", False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.verticalHeader().setDefaultSectionSize(self.row_painter.row_height())

    def sort_by(self, section: int) -> None:
        """Sort by a column, in the other direction if it is the sort column already."""
        column = Column(section)
        now = self.mails.arrangement
        descending = starts_descending(column)
        if column == now.column:
            descending = not now.descending
        self.header.show_order(section, descending=descending)
        self.mails.arrange(replace(now, column=column, descending=descending))
        self._anchor = self.currentIndex().row()
        self.scrollToTop()

    def set_empty_text(self, text: str, offer: str = "") -> None:
        """Show a text in place of rows; `offer`: text of the button below it."""
        if not offer and self.elsewhere.hasFocus():
            self.setFocus()
        self._empty_list.show_text(text, offer)
        self.setAccessibleDescription(text)

    # ---------------------------------------------------------------------------------------------
    # current message

    def current_message(self) -> int:
        """Return the message under the cursor, -1 for none."""
        return self.mails.message_at(self.currentIndex().row())

    def go_to(
        self, row: int, *, extend: bool = False, keep: bool = False, chosen: bool = True
    ) -> None:
        """Make a row current, and select it alone.

        `chosen`: by the user. `extend`: select all from the anchor. `keep`: keep the selection.
        """
        last = self.mails.rowCount() - 1
        if last < 0:
            return
        row = max(0, min(row, last))
        if not keep:
            self._select(row, extend=extend)

        before = self.current_message()
        message = self.mails.message_at(row)
        was_chosen = self.is_chosen and message == before
        self.is_chosen = chosen or was_chosen
        self.setCurrentIndex(self.mails.index(row, Column.SUBJECT))
        if message == before and chosen and not was_chosen:
            self.current_message_changed.emit(message)

    def step(self, rows: int) -> None:
        self.go_to(self.currentIndex().row() + rows)

    def go_to_message(self, message: int, *, chosen: bool = True) -> None:
        row = self.mails.row_of(message)
        if row >= 0:
            self.go_to(row, chosen=chosen)

    # ---------------------------------------------------------------------------------------------
    # selection

    def selected_messages(self) -> tuple[int, ...]:
        return self.mails.mail.selection()

    def select_all(self) -> None:
        self._select_rows(slice(None))

    def _select(self, row: int, *, extend: bool) -> None:
        if not extend or self._anchor < 0:
            self._anchor = row
        anchor = min(self._anchor, self.mails.rowCount() - 1)
        low, high = sorted((anchor, row))
        self._select_rows(slice(low, high + 1))

    def _select_rows(self, rows: slice) -> None:
        mail = self.mails.mail
        mail.selected[:] = False
        mail.selected[mail.order[rows]] = True
        self._report_selection()

    def _toggle(self, row: int) -> None:
        mail = self.mails.mail
        position = mail.order[row]
        mail.selected[position] = not mail.selected[position]
        self._anchor = row
        self._report_selection()

    def _is_selected(self, row: int) -> bool:
        mail = self.mails.mail
        return bool(mail.selected[mail.order[row]])

    def _report_selection(self) -> None:
        self.viewport().update()
        self.selection_changed.emit()

    # ---------------------------------------------------------------------------------------------
    # mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        row = self.rowAt(point.y())
        if row < 0:
            return
        button = event.button()
        keys = event.modifiers()
        is_plain = button == Qt.MouseButton.LeftButton and keys == Qt.KeyboardModifier.NoModifier
        self._pressed = self.indexAt(point) if is_plain else QModelIndex()
        self._pressed_at = point if is_plain else None
        # Several selected messages can be dragged.
        self._keeps_selection = is_plain and self._is_selected(row)

        is_on_selected = button == Qt.MouseButton.RightButton and self._is_selected(row)
        if keys & CONTROL:
            self._toggle(row)
            self.go_to(row, keep=True)
        elif self._keeps_selection or is_on_selected:
            self.go_to(row, keep=True)
        else:
            self.go_to(row, extend=bool(keys & SHIFT))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        pressed = self._pressed
        self._pressed = QModelIndex()
        if self._keeps_selection and self._pressed_at is not None:
            self.go_to(self.rowAt(self._pressed_at.y()))
        self._pressed_at = None
        released = self.indexAt(event.position().toPoint())
        if pressed.column() == Column.VERDICT and released == pressed:
            self.verdict_clicked.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        row = self.rowAt(point.y())
        self._show_pointer(point)
        if self._is_dragged(point):
            self._pressed = QModelIndex()
            self._pressed_at = None
            start_drag(self, self.selected_messages())
        elif event.buttons() & Qt.MouseButton.LeftButton and row >= 0 and not self._keeps_selection:
            self.go_to(row, extend=True)
        elif row != self.row_painter.hovered:
            self.row_painter.hovered = row
            self.viewport().update()

    def _show_pointer(self, point: QPoint) -> None:
        shapes = Qt.CursorShape
        is_clickable = self.indexAt(point).column() == Column.VERDICT
        self.viewport().setCursor(shapes.PointingHandCursor if is_clickable else shapes.ArrowCursor)

    def _is_dragged(self, point: QPoint) -> bool:
        """True once selected rows are dragged anywhere, or another row sideways.

        Up and down, the mouse extends the selection.
        """
        if self._pressed_at is None:
            return False
        way = point - self._pressed_at
        is_drag = self._keeps_selection or abs(way.x()) > abs(way.y())
        return is_drag and way.manhattanLength() >= QApplication.startDragDistance()

    # ---------------------------------------------------------------------------------------------
    # keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        with_shift = bool(event.modifiers() & SHIFT)
        target = self._key_target(event.key())
        if target is not None:
            self.go_to(target, extend=with_shift)
        elif event.key() == Qt.Key.Key_Space:
            self.page_requested.emit(-1 if with_shift else 1)
        else:
            event.ignore()

    def _key_target(self, key: int) -> int | None:
        """Return the row to which a key moves, None for other keys."""
        row = self.currentIndex().row()
        visible = self.viewport().height() // self.verticalHeader().defaultSectionSize()
        page = max(1, visible - 1)
        keys = Qt.Key
        targets: dict[int, int] = {
            keys.Key_Down: row + 1,
            keys.Key_Up: row - 1,
            keys.Key_PageDown: row + page,
            keys.Key_PageUp: row - page,
            keys.Key_Home: 0,
            keys.Key_End: self.mails.rowCount() - 1,
        }
        return targets.get(key)

    # ---------------------------------------------------------------------------------------------
    # Qt's other handlers

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        self.current_message_changed.emit(self.mails.message_at(current.row()))

    def paintEvent(self, event: QPaintEvent) -> None:
        # Read here: rows inserted above move the current row without a signal.
        self.row_painter.focused = self.currentIndex().row()
        self.row_painter.keyboard = self.hasFocus()
        super().paintEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.row_painter.hovered = -1
            self.viewport().update()
        elif event.type() == QEvent.Type.Resize:
            self.header.make_room()
            self._empty_list.fit()
        return super().viewportEvent(event)
