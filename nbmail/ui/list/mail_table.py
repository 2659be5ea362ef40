"""Table of the messages with its own selection, and the header of its columns.

Qt's selection queries every row, which takes 0.8 s for Ctrl+A with 200,000 rows. This selection is
one array of booleans in `MailList`. Qt's own selection holds only the current row, which screen
readers follow.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QDrag, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QMenu,
    QTableView,
    QWidget,
)

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.focus import MAIL_TABLE
from nbmail.ui.kit.labels import wrapping_label
from nbmail.ui.kit.sizes import header_width, scaled
from nbmail.ui.kit.text_table import style_table
from nbmail.ui.list.list_choice import DRAGGED, Column, column_name, starts_descending
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.list.row_painter import RowPainter
from nbmail.ui.texts.language import tr

Index = QModelIndex | QPersistentModelIndex
WIDTHS = {
    Column.CHANCE: (100, 90),
    Column.VERDICT: (74, 38),
    Column.DECIDED: (110, 0),
    Column.SENDER: (190, 0),
    Column.SUBJECT: (320, 0),
    Column.FOLDER: (110, 0),
    Column.DATE: (110, 24),
    Column.VERIFIED: (80, 0),
    Column.SUGGESTED: (180, 0),
}
"""Pixels for text, which scale with the font, and pixels for drawings next to the text."""
NARROW = {Column.DATE: 700, Column.DECIDED: 860, Column.SUGGESTED: 960, Column.FOLDER: 1150}
"""Width of the table in pixels below which a column is hidden."""
ALWAYS = {Column.SENDER, Column.SUBJECT}
OPTIONAL = {Column.VERIFIED}
"""Columns that are hidden until the user shows them."""
MARGIN = 20
SPACING = 4
"""Pixels beside and between the text and the button of an empty list."""
LEAST_SENDER = 90
LEAST_SUBJECT = 200
"""Minimum width of the sender, and the width of the subject before the sender shrinks, in
pixels.
"""


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
        self._anchor = -1
        self._pressed = QModelIndex()
        self._pressed_at: QPoint | None = None
        self._keeps_selection = False
        self._empty = wrapping_label(kind="muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.elsewhere = quiet_button("")
        parts = (self._empty, (self.elsewhere, Qt.AlignmentFlag.AlignHCenter))
        self.viewport().setLayout(
            layouts.column(None, *parts, None, spacing=SPACING, margins=(MARGIN, 0, MARGIN, 0))
        )
        self.set_empty_text("")
        self.is_chosen = False
        """True if the user has chosen the current message, False if it is current by default."""
        self.row_painter = RowPainter(model, self)
        self.header = ColumnHeader(self)
        self.setHorizontalHeader(self.header)
        self.setModel(model)
        self.setItemDelegate(self.row_painter)
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
        self.header.set_widths()
        self.header.show_order(Column.DATE, descending=True)
        self.header.sort_requested.connect(self.sort_by)

    def sort_by(self, section: int) -> None:
        column = Column(section)
        now = self.mails.arrangement
        descending = not now.descending if column == now.column else starts_descending(column)
        self.header.show_order(section, descending=descending)
        self.mails.arrange(replace(now, column=column, descending=descending))
        self._anchor = self.currentIndex().row()
        self.scrollToTop()

    def set_empty_text(self, text: str, offer: str = "") -> None:
        """Show a text in place of rows; `offer`: text of the button below it."""
        self._empty.setText(text)
        self.elsewhere.setText(offer)
        self._empty.setVisible(bool(text))
        if not offer and self.elsewhere.hasFocus():
            self.setFocus()
        self._fit_button()
        self.setAccessibleDescription(text)

    def _fit_button(self) -> None:
        """Show the button of an empty list if there is room for it. The header of the list has it
        as well.
        """
        text = self._empty.heightForWidth(self.viewport().width() - 2 * MARGIN)
        has_room = text + SPACING + self.elsewhere.sizeHint().height() <= self.viewport().height()
        self.elsewhere.setVisible(bool(self.elsewhere.text()) and has_room)

    # ------------------------------------------------------------------------------------------------
    # selection

    def current_message(self) -> int:
        """Return the message under the cursor, -1 for none."""
        return self.mails.message_at(self.currentIndex().row())

    def selected_messages(self) -> tuple[int, ...]:
        return self.mails.mail.selection()

    def go_to(
        self, row: int, *, extend: bool = False, keep: bool = False, chosen: bool = True
    ) -> None:
        """Make a row current. `chosen`: by the user. `extend`: select all from the anchor. `keep`:
        the selection.
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

    def select_all(self) -> None:
        self._select_rows(slice(None))

    def _select(self, row: int, *, extend: bool) -> None:
        if not extend or self._anchor < 0:
            self._anchor = row
        low, high = sorted((min(self._anchor, self.mails.rowCount() - 1), row))
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

    def _report_selection(self) -> None:
        self.viewport().update()
        self.selection_changed.emit()

    # ----------------------------------------------------------------------------------------------
    # Qt's handlers

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        self.current_message_changed.emit(self.mails.message_at(current.row()))

    def paintEvent(self, event: QPaintEvent) -> None:
        # Read here: rows inserted above move the current row without a signal.
        self.row_painter.focused = self.currentIndex().row()
        self.row_painter.keyboard = self.hasFocus()
        super().paintEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(_point(event).y())
        if row < 0:
            return
        keys = event.modifiers()
        plain = (
            event.button() == Qt.MouseButton.LeftButton and keys == Qt.KeyboardModifier.NoModifier
        )
        self._pressed = self.indexAt(_point(event)) if plain else QModelIndex()
        self._pressed_at = _point(event) if plain else None
        self._keeps_selection = plain and self._is_selected(row)
        if self._keeps_selection:
            # Several selected messages can be dragged.
            self.go_to(row, keep=True)
        elif keys & Qt.KeyboardModifier.ControlModifier:
            self._toggle(row)
            self.go_to(row, keep=True)
        elif event.button() == Qt.MouseButton.RightButton and self._is_selected(row):
            self.go_to(row, keep=True)
        else:
            self.go_to(row, extend=bool(keys & Qt.KeyboardModifier.ShiftModifier))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        pressed = self._pressed
        self._pressed = QModelIndex()
        if self._keeps_selection and self._pressed_at is not None:
            self.go_to(self.rowAt(self._pressed_at.y()))
        self._pressed_at = None
        if pressed.column() == Column.VERDICT and self.indexAt(_point(event)) == pressed:
            self.verdict_clicked.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(_point(event).y())
        clickable = self.indexAt(_point(event)).column() == Column.VERDICT
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if clickable else Qt.CursorShape.ArrowCursor
        )
        if self._is_dragged(_point(event)):
            self._pressed = QModelIndex()
            self._pressed_at = None
            start_drag(self, self.selected_messages())
        elif event.buttons() & Qt.MouseButton.LeftButton and row >= 0 and not self._keeps_selection:
            self.go_to(row, extend=True)
        elif row != self.row_painter.hovered:
            self.row_painter.hovered = row
            self.viewport().update()

    def _is_dragged(self, point: QPoint) -> bool:
        """True once selected rows are dragged anywhere, or a row sideways: up and down it extends
        the selection.
        """
        if self._pressed_at is None:
            return False
        way = point - self._pressed_at
        sideways = self._keeps_selection or abs(way.x()) > abs(way.y())
        return sideways and way.manhattanLength() >= QApplication.startDragDistance()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        key = Qt.Key
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
            self.page_requested.emit(
                -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            )
        else:
            event.ignore()

    def _is_selected(self, row: int) -> bool:
        mail = self.mails.mail
        return bool(mail.selected[mail.order[row]])

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.row_painter.hovered = -1
            self.viewport().update()
        elif event.type() == QEvent.Type.Resize:
            self.header.make_room()
            self._fit_button()
        return super().viewportEvent(event)


def start_drag(source: QWidget, messages: Sequence[int]) -> None:
    data = QMimeData()
    drag = QDrag(source)
    data.setData(DRAGGED, b",".join(b"%d" % message for message in messages))
    drag.setMimeData(data)
    drag.exec(Qt.DropAction.MoveAction)


def _point(event: QMouseEvent) -> QPoint:
    return event.position().toPoint()


class ColumnHeader(QHeaderView):
    """Header with movable columns and a menu that hides them. Signals: `sort_requested(int)` with
    the clicked column.

    `unwanted`: columns that the user has hidden, or has not shown. `empty`: columns that no message
    has a text for.
    """

    sort_requested = Signal(int)

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self._shrinking = False
        self.unwanted = set(OPTIONAL)
        self.empty = {Column.SUGGESTED}
        self._wanted_widths = {Column.CHANCE: 0, Column.SENDER: 0}
        self.setMinimumSectionSize(48)
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.sectionClicked.connect(self.sort_requested)
        self.sectionResized.connect(self._note_width)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(
            lambda place: self.menu().popup(self.mapToGlobal(place))
        )

    def set_widths(self) -> None:
        for column, (text, drawn) in WIDTHS.items():
            self.resizeSection(
                column, max(scaled(self._table, text) + drawn, header_width(self._table, column))
            )
        self._wanted_widths = {column: self.sectionSize(column) for column in self._wanted_widths}
        self.moveSection(self.visualIndex(Column.SUGGESTED), self.visualIndex(Column.DATE))
        self.setSectionResizeMode(Column.SUBJECT, QHeaderView.ResizeMode.Stretch)
        self.make_room()
        self.setSortIndicatorShown(True)

    def show_order(self, column: int, *, descending: bool) -> None:
        self.setSortIndicator(
            column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        )

    def menu(self) -> QMenu:
        """Return a menu that shows and hides columns. Sender and subject are always shown."""
        menu = QMenu(self)
        for column in Column:
            if column not in ALWAYS:
                action = menu.addAction(column_name(column))
                action.setCheckable(True)
                action.setChecked(column not in self.unwanted)
                action.toggled.connect(
                    lambda on, column=column: self.hide_columns(self.unwanted ^ {column})
                )
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def hide_columns(self, columns: Iterable[int]) -> None:
        self.unwanted = {Column(each) for each in columns if each in set(Column) - ALWAYS}
        self.make_room()

    def restore(self, state: QByteArray) -> None:
        """Restore order and widths of the columns, at least those of their headings. Invalid states
        are ignored.
        """
        sorted_by = self.sortIndicatorSection()
        order = self.sortIndicatorOrder()
        if self.restoreState(state):
            self.setSortIndicator(sorted_by, order)
            for column in Column:
                # The stored widths may be those of another language.
                self.setSectionHidden(column, False)
                self.resizeSection(
                    column, max(self.sectionSize(column), header_width(self._table, column))
                )
            self._wanted_widths = {
                column: self.sectionSize(column) for column in self._wanted_widths
            }
            self.make_room()

    def make_room(self) -> None:
        """Hide columns of a narrow table, then shrink the sender and drop the bars, in favour of
        the subject.
        """
        width = self._table.viewport().width()
        for column in set(Column) - ALWAYS:
            hidden = (
                width < scaled(self._table, NARROW.get(column, 0))
                or column in self.unwanted | self.empty
            )
            self.setSectionHidden(column, hidden)
        chance = 0 if self.isSectionHidden(Column.CHANCE) else self._wanted_widths[Column.CHANCE]
        others = sum(self.sectionSize(each) for each in set(Column) - ALWAYS - {Column.CHANCE})
        spare = width - chance - others - scaled(self._table, LEAST_SUBJECT) - LEAST_SENDER
        self._shrinking = True
        if chance:
            drawn = 0 if spare >= 0 else WIDTHS[Column.CHANCE][1]
            self.resizeSection(
                Column.CHANCE, max(chance - drawn, header_width(self._table, Column.CHANCE))
            )
        if chance and spare < 0:
            # Sender and subject share the room of the bars.
            spare = (spare + chance - self.sectionSize(Column.CHANCE)) // 2
        self.resizeSection(
            Column.SENDER, min(self._wanted_widths[Column.SENDER], LEAST_SENDER + max(0, spare))
        )
        self._shrinking = False

    def _note_width(self, section: int, before: int, width: int) -> None:
        """Remember a width set by the user, to return to it when there is room again."""
        if section in self._wanted_widths and width and not self._shrinking:
            self._wanted_widths[Column(section)] = width
