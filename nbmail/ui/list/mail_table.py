"""The mail table: Qt's table view with its own selection.

Qt's selection asks every row of a million whether it may be selected (4 s for Ctrl+A); ours is one array of booleans
beside the mail. Qt's own is left with a single row, the current one, which is what screen readers follow.
"""

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QByteArray, QEvent, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView

from nbmail.ui.kit.language import tr
from nbmail.ui.kit.sizes import header_width, scaled
from nbmail.ui.kit.text_table import style_table
from nbmail.ui.list.list_choice import Column, column_name, starts_descending
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
        style_table(self)
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


WIDTHS = {
    Column.CHANCE: (80, 90),
    Column.VERDICT: (74, 38),
    Column.DECIDED: (110, 0),
    Column.SENDER: (190, 0),
    Column.SUBJECT: (320, 0),
    Column.FOLDER: (110, 0),
    Column.DATE: (110, 24),
}
"""Pixels for what is written, which grow with the letters, and for what is drawn beside it."""
NARROW = {Column.DATE: 700, Column.DECIDED: 860, Column.FOLDER: 1150}
"""Columns that give way to the subject where the table is narrower than this."""
ALWAYS = {Column.SENDER, Column.SUBJECT}
LEAST_SENDER, LEAST_SUBJECT = 90, 200
"""Pixels that are left of the sender for the subject, and what the subject is to have."""


class ColumnHeader(QHeaderView):
    """Columns can be moved, and hidden by a menu. Signals: `sort_asked(int)`, with the column that was clicked."""

    sort_asked = Signal(int)

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self._shrinking = False
        self.unwanted: set[Column] = set()
        self._wished = {Column.CHANCE: 0, Column.SENDER: 0}
        self.setMinimumSectionSize(48)
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.sectionClicked.connect(self.sort_asked)
        self.sectionResized.connect(self._note_width)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)

    def shape(self) -> None:
        """Give each column its width, once there are columns."""
        for column, (written, drawn) in WIDTHS.items():
            self.resizeSection(column, max(scaled(self._table, written) + drawn, header_width(self._table, column)))
        self._wished = {column: self.sectionSize(column) for column in self._wished}
        self.setSectionResizeMode(Column.SUBJECT, QHeaderView.ResizeMode.Stretch)
        self.setSortIndicatorShown(True)

    def show_order(self, column: int, *, descending: bool) -> None:
        self.setSortIndicator(column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)

    def menu(self) -> QMenu:
        """Which columns are shown. The sender and the subject always are."""
        menu = QMenu(self)
        for column in Column:
            if column not in ALWAYS:
                action = menu.addAction(column_name(column))
                action.setCheckable(True)
                action.setChecked(column not in self.unwanted)
                action.toggled.connect(lambda on, column=column: self.hide_columns(self.unwanted ^ {column}))
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def hide_columns(self, columns: Iterable[int]) -> None:
        """Hide these, and show all others that there is room for."""
        self.unwanted = {Column(each) for each in columns if each in set(Column) - ALWAYS}
        self.make_room()

    def restore(self, state: QByteArray) -> None:
        """Put the columns where they stood and as wide as they were; what makes no sense is passed over."""
        sorted_by, order = self.sortIndicatorSection(), self.sortIndicatorOrder()
        if self.restoreState(state):
            self.setSortIndicator(sorted_by, order)
            shown = {column: self.sectionSize(column) for column in self._wished}
            self._wished |= {column: width for column, width in shown.items() if width}
            self.make_room()

    def make_room(self) -> None:
        """Where the table is narrow some columns give way, then the sender and the bars, to the subject."""
        width = self._table.viewport().width()
        for column in set(Column) - ALWAYS:
            self.setSectionHidden(column, width < scaled(self._table, NARROW.get(column, 0)) or column in self.unwanted)
        chance = 0 if self.isSectionHidden(Column.CHANCE) else self._wished[Column.CHANCE]
        others = sum(self.sectionSize(each) for each in set(Column) - ALWAYS - {Column.CHANCE})
        spare = width - chance - others - scaled(self._table, LEAST_SUBJECT) - LEAST_SENDER
        self._shrinking = True
        if chance:
            drawn = 0 if spare >= 0 else WIDTHS[Column.CHANCE][1]
            self.resizeSection(Column.CHANCE, max(chance - drawn, header_width(self._table, Column.CHANCE)))
        self.resizeSection(Column.SENDER, min(self._wished[Column.SENDER], LEAST_SENDER + max(0, spare)))
        self._shrinking = False

    def _open_menu(self, place: QPoint) -> None:
        self.menu().popup(self.mapToGlobal(place))

    def _note_width(self, section: int, before: int, width: int) -> None:
        """What the user makes of a column that gives way is what it goes back to where there is room again."""
        if section in self._wished and width and not self._shrinking:
            self._wished[Column(section)] = width
