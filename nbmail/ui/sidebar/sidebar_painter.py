"""How the entries of the sidebar are painted."""

from PySide6.QtCore import (
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QPainter,
)
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from nbmail.ui.accounts.state_texts import state_color
from nbmail.ui.kit.drawing import draw_icon, fill_round
from nbmail.ui.kit.painted_text import LEFT, RIGHT
from nbmail.ui.kit.theme import color
from nbmail.ui.sidebar.sidebar_model import Index, SidebarEntry, SidebarModel
from nbmail.ui.texts.language import format_count


class SidebarDelegate(QStyledItemDelegate):
    """Paints the entries."""

    def __init__(self, model: SidebarModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.drop_row = -1
        self._plain = QFont(parent.font())
        self._bold = QFont(parent.font())
        self._small = QFont(parent.font())
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._small.setPointSizeF(self._small.pointSizeF() * 0.88)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = QFontMetrics(self._plain).height()
        small = QFontMetrics(self._small).height()
        entry = self._model.entries[index.row()]
        if entry.choice is not None:
            return QSize(120, line + 12)
        return QSize(
            120, line + small + 18 if entry.account else small + (18 if index.row() else 8)
        )

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry = self._model.entries[index.row()]
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        if entry.choice is None and entry.account:
            self._paint_account(painter, option.rect.adjusted(16, 8, -14, -4), entry)
            return
        if entry.choice is None:
            room = option.rect.adjusted(16, 0, -14, -4)
            room.setTop(room.bottom() - QFontMetrics(self._small).height())
            _write(painter, room, entry.text, (self._small, "muted"))
            return
        over = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver
        if option.state & over or index.row() == self.drop_row:
            selected = bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
            painter.setPen(color("accent") if focused else Qt.PenStyle.NoPen)
            painter.setBrush(color("chosen" if selected else "hover"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(8.5, 1.5, -8.5, -1.5), 6, 6)
        self._paint_line(painter, option.rect.adjusted(16, 0, -16, 0), entry)

    def _paint_line(self, painter: QPainter, rect: QRect, entry: SidebarEntry) -> None:
        icon_color = color(entry.icon if entry.icon in ("spam", "ham", "unsure") else "muted")
        icon = draw_icon(entry.icon, icon_color.name(), 16, painter.device().devicePixelRatioF())
        painter.drawPixmap(QRect(rect.left(), rect.center().y() - 7, 16, 16), icon)
        count = entry.unread if entry.icon == "folder" else entry.count
        number = format_count(count) if count else ""
        room = rect.adjusted(26, 0, -QFontMetrics(self._plain).horizontalAdvance(number) - 8, 0)
        font = self._bold if entry.icon == "folder" and entry.unread else self._plain
        text = QFontMetrics(font).elidedText(entry.text, Qt.TextElideMode.ElideMiddle, room.width())
        _write(painter, room, text, (font, "text"))
        _write(painter, rect, number, (self._plain, "muted"), RIGHT)

    def _paint_account(self, painter: QPainter, inner: QRect, entry: SidebarEntry) -> None:
        state = self._model.states.get(entry.account)
        line = QFontMetrics(self._bold)
        small = QFontMetrics(self._small)
        dot = QRectF(inner.left() + 4, inner.top() + line.height() / 2 - 4, 8, 8)
        fill_round(painter, dot, color(state_color(state) if state is not None else "muted"), 4)
        name = QRect(inner.left() + 26, inner.top(), inner.width() - 26, line.height())
        below = QRect(name.left(), name.bottom() + 2, name.width(), small.height())
        end = Qt.TextElideMode.ElideRight
        width = name.width()
        _write(painter, name, line.elidedText(entry.text, end, width), (self._bold, "text"))
        text = small.elidedText(self._model.state_line(entry.account), end, width)
        _write(painter, below, text, (self._small, "muted"))


def _write(
    painter: QPainter, area: QRect, text: str, style: tuple[QFont, str], flags: int = LEFT
) -> None:
    painter.setFont(style[0])
    painter.setPen(color(style[1]))
    painter.drawText(area, flags, text)
