"""Painter of the rows of the list."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from nbmail.ui.kit.drawing import draw_icon, fill_round
from nbmail.ui.kit.theme import color
from nbmail.ui.list.list_choice import Column
from nbmail.ui.list.table.cell_writer import CellWriter
from nbmail.ui.list.table.chance_cell import ChanceCell
from nbmail.ui.list.table.mail_model import MailModel
from nbmail.ui.list.table.row_texts import PENDING
from nbmail.ui.list.table.verdict_cell import VerdictCell
from nbmail.values import VERDICTS

INSET = 16
SMALL_ICON = 14
DOT = 7
"""Diameter of the dot of unread messages in pixels."""
FOCUS_WIDTH = 3


class RowPainter(QStyledItemDelegate):
    """Paints the rows of the mail table.

    `hovered` and `focused`: rows, -1 for none. `keyboard`: True if the table has the focus.
    """

    def __init__(self, model: MailModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.hovered = -1
        self.focused = -1
        self.keyboard = False
        self._writer = CellWriter(parent.font())
        self.chance_cell = ChanceCell(self._writer)
        self._verdict_cell = VerdictCell(self._writer)

    def row_height(self) -> int:
        return self._writer.height + 12

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(120, self.row_height())

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row = index.row()
        column = Column(index.column())
        position = int(self._model.mail.order[row])
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        self._paint_background(painter, option.rect, row, position)
        if row == self.focused and column == 0:
            self._paint_focus(painter, option.rect)
        self._paint_cell(painter, option.rect, position, column)

    def _paint_background(self, painter: QPainter, rect: QRect, row: int, position: int) -> None:
        if self._model.mail.selected[position]:
            painter.fillRect(rect, color("chosen" if self.keyboard else "idle"))
        elif row == self.hovered:
            painter.fillRect(rect, color("hover"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color("line"))

    def _paint_focus(self, painter: QPainter, rect: QRect) -> None:
        edge = color("accent" if self.keyboard else "muted")
        painter.fillRect(rect.left(), rect.top(), FOCUS_WIDTH, rect.height() - 1, edge)

    def _paint_cell(self, painter: QPainter, rect: QRect, position: int, column: Column) -> None:
        inner = rect.adjusted(INSET, 0, 0, 0)
        match column:
            case Column.CHANCE:
                self._paint_chance(painter, inner, position)
            case Column.VERDICT:
                self._paint_verdict(painter, inner, position)
            case Column.SUBJECT:
                self._paint_subject(painter, inner, position)
            case Column.SENDER:
                self._paint_sender(painter, inner, position)
            case _:
                self._paint_other(painter, inner, position, column)

    def _paint_chance(self, painter: QPainter, rect: QRect, position: int) -> None:
        mail = self._model.mail
        self.chance_cell.paint(
            painter,
            rect,
            self._model.texts.chance(position),
            chance=float(mail.probabilities[position]),
            log_odds=float(mail.log_odds[position]),
            verdict=VERDICTS[mail.verdicts[position]],
        )

    def _paint_verdict(self, painter: QPainter, rect: QRect, position: int) -> None:
        mail = self._model.mail
        if not mail.has_class(position):
            self._writer.write(painter, rect, PENDING, "muted")
            return
        verdict = VERDICTS[mail.effective_class[position]]
        label_source = int(mail.label_sources[position])
        text = self._model.texts.verdict(position)
        self._verdict_cell.paint(painter, rect, text, verdict, label_source)

    def _paint_subject(self, painter: QPainter, rect: QRect, position: int) -> None:
        mail = self._model.mail
        room = rect.adjusted(0, 0, -4, 0)
        if mail.attachments[position]:
            _paint_icon_at_end(painter, room, "attachment", "muted")
        if mail.flagged[position]:
            _paint_icon_at_end(painter, room, "flag", "unsure")
        text = self._model.texts.text(position, Column.SUBJECT)
        color_name = "text" if mail.subjects[position] else "muted"
        self._writer.write(painter, room, text, color_name, bold=mail.unread(position))

    def _paint_sender(self, painter: QPainter, rect: QRect, position: int) -> None:
        is_unread = self._model.mail.unread(position)
        if is_unread:
            left = rect.left() - INSET + 4
            dot = QRectF(left, rect.center().y() - 3, DOT, DOT)
            fill_round(painter, dot, color("accent"), DOT / 2)
        text = self._model.texts.text(position, Column.SENDER)
        room = rect.adjusted(0, 0, -4, 0)
        self._writer.write(painter, room, text, "text", bold=is_unread)

    def _paint_other(self, painter: QPainter, rect: QRect, position: int, column: Column) -> None:
        by_user = column == Column.DECIDED and self._model.mail.label_sources[position] == 0
        text = self._model.texts.text(position, column)
        room = rect.adjusted(0, 0, -4, 0)
        self._writer.write(painter, room, text, "text" if by_user else "muted")


def _paint_icon_at_end(painter: QPainter, room: QRect, name: str, color_name: str) -> None:
    """Paint an icon at the right end of `room`, and take it from the room."""
    ratio = painter.device().devicePixelRatioF()
    icon = draw_icon(name, color(color_name).name(), SMALL_ICON, ratio)
    painter.drawPixmap(room.right() - SMALL_ICON, room.center().y() - SMALL_ICON // 2, icon)
    room.setRight(room.right() - SMALL_ICON - 6)
