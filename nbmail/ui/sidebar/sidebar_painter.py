"""How the entries of the sidebar are painted."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from nbmail.ui.accounts.state_texts import state_color
from nbmail.ui.kit.drawing import LEFT, RIGHT, draw_icon, fill_round
from nbmail.ui.kit.theme import color
from nbmail.ui.sidebar.sidebar_model import Index, SidebarEntry, SidebarModel
from nbmail.ui.texts.language import format_count

LEAST_WIDTH = 120
ICON = 16
DOT = 8
INDENT = 26
"""Pixels from the left of an icon or dot to the text beside it."""


class SidebarDelegate(QStyledItemDelegate):
    """Paints the entries. `drop_row`: row under dragged messages, -1 without them."""

    def __init__(self, model: SidebarModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.drop_row = -1
        self._plain = QFont(parent.font())
        self._bold = QFont(parent.font())
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._small = QFont(parent.font())
        self._small.setPointSizeF(self._small.pointSizeF() * 0.88)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(LEAST_WIDTH, self._height(index.row()))

    def _height(self, row: int) -> int:
        entry = self._model.entries[row]
        line = QFontMetrics(self._plain).height()
        small = QFontMetrics(self._small).height()
        if entry.choice is not None:
            return line + 12
        if entry.account:
            return line + small + 18
        return small + (18 if row else 8)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry = self._model.entries[index.row()]
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        if entry.choice is not None:
            self._paint_background(painter, option, is_target=index.row() == self.drop_row)
            self._paint_list(painter, option.rect.adjusted(16, 0, -16, 0), entry)
        elif entry.account:
            self._paint_account(painter, option.rect.adjusted(16, 8, -14, -4), entry)
        else:
            self._paint_heading(painter, option.rect.adjusted(16, 0, -14, -4), entry)

    def _paint_background(
        self, painter: QPainter, option: QStyleOptionViewItem, *, is_target: bool
    ) -> None:
        """Fill the ground of a line that is selected, under the mouse, or target of a drag."""
        states = QStyle.StateFlag
        selected = bool(option.state & states.State_Selected)
        hovered = bool(option.state & states.State_MouseOver)
        if not (selected or hovered or is_target):
            return

        focused = bool(option.state & states.State_HasFocus)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(color("accent") if focused else Qt.PenStyle.NoPen)
        painter.setBrush(color("chosen" if selected else "hover"))
        painter.drawRoundedRect(QRectF(option.rect).adjusted(8.5, 1.5, -8.5, -1.5), 6, 6)

    def _paint_heading(self, painter: QPainter, room: QRect, entry: SidebarEntry) -> None:
        room.setTop(room.bottom() - QFontMetrics(self._small).height())
        _write(painter, room, entry.text, self._small, "muted")

    def _paint_list(self, painter: QPainter, room: QRect, entry: SidebarEntry) -> None:
        """Paint a smart list or a folder: icon, name and number of messages."""
        is_folder = entry.icon == "folder"
        icon_color = color(entry.icon if entry.icon in ("spam", "ham", "unsure") else "muted")
        ratio = painter.device().devicePixelRatioF()
        icon = draw_icon(entry.icon, icon_color.name(), ICON, ratio)
        painter.drawPixmap(QRect(room.left(), room.center().y() - 7, ICON, ICON), icon)

        count = entry.unread if is_folder else entry.count
        number = format_count(count) if count else ""
        number_width = QFontMetrics(self._plain).horizontalAdvance(number)
        _write(painter, room, number, self._plain, "muted", flags=RIGHT)

        font = self._bold if is_folder and entry.unread else self._plain
        beside = room.adjusted(INDENT, 0, -number_width - 8, 0)
        middle = Qt.TextElideMode.ElideMiddle
        text = QFontMetrics(font).elidedText(entry.text, middle, beside.width())
        _write(painter, beside, text, font, "text")

    def _paint_account(self, painter: QPainter, room: QRect, entry: SidebarEntry) -> None:
        """Paint an account: a dot in the color of its state, its name, and its state below."""
        state = self._model.states.get(entry.account)
        line = QFontMetrics(self._bold)
        small = QFontMetrics(self._small)
        dot = QRectF(room.left() + 4, room.top() + line.height() / 2 - DOT / 2, DOT, DOT)
        fill_round(painter, dot, color(state_color(state) if state else "muted"), DOT // 2)

        left = room.left() + INDENT
        width = room.width() - INDENT
        name_room = QRect(left, room.top(), width, line.height())
        state_room = QRect(left, name_room.bottom() + 2, width, small.height())
        end = Qt.TextElideMode.ElideRight
        name = line.elidedText(entry.text, end, width)
        state_line = small.elidedText(self._model.state_line(entry.account), end, width)
        _write(painter, name_room, name, self._bold, "text")
        _write(painter, state_room, state_line, self._small, "muted")


def _write(
    painter: QPainter,
    room: QRect,
    text: str,
    font: QFont,
    color_name: str,
    *,
    flags: int = LEFT,
) -> None:
    painter.setFont(font)
    painter.setPen(color(color_name))
    painter.drawText(room, flags, text)
