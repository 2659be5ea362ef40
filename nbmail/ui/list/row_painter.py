"""How a row looks. Painted by hand: a table of a million rows needs every cell in a few microseconds."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from nbmail.ui.kit.icons import draw_icon, draw_pill
from nbmail.ui.kit.mirror import Mirror
from nbmail.ui.kit.theme import Shades
from nbmail.ui.list.columns import Column
from nbmail.ui.list.mail_model import MailModel

INSET = 16
BAR_WIDTH = 66
BAR_HEIGHT = 6
ICON = 16
OUTLINE = 1.5
NAMES = ("unsure", "good", "junk")


class MailDelegate(QStyledItemDelegate):
    """Paints the cells of the mail table. Has no signals of its own."""

    def __init__(self, model: MailModel, shades: Shades, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.hovered = -1
        self.focused = -1
        self.keyboard = False
        self.wear(shades)
        self._painters: dict[int, Callable[[QPainter, QRect, int], None]] = {
            Column.CHANCE: self._paint_chance,
            Column.VERDICT: self._paint_verdict,
            Column.DECIDED: self._paint_decided,
            Column.SENDER: self._paint_sender,
            Column.SUBJECT: self._paint_subject,
            Column.FOLDER: self._paint_muted(Column.FOLDER),
            Column.DATE: self._paint_muted(Column.DATE),
        }

    def wear(self, shades: Shades) -> None:
        """Take on the colours of a theme and the fonts of the list."""
        self.shades = shades
        font = self._widget_font()
        self._plain, self._bold = QFont(font), QFont(font)
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._measures = {False: QFontMetrics(self._plain), True: QFontMetrics(self._bold)}
        self._colours = {name: QColor(getattr(shades, name)) for name in ("text", "muted", "line", "track", "accent")}
        self._tints = [(QColor(getattr(shades, name)), QColor(getattr(shades, name + "_soft"))) for name in NAMES]
        self._outlines = [_half(colour).name(QColor.NameFormat.HexArgb) for colour, _ in self._tints]
        self._chosen, self._idle, self._hover = (QColor(each) for each in (shades.chosen, shades.idle, shades.hover))

    def _widget_font(self) -> QFont:
        parent = self.parent()
        return parent.font() if isinstance(parent, QWidget) else QFont()

    def row_height(self) -> int:
        """One line of text with room to breathe."""
        return self._measures[True].height() + 14

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, self.row_height())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        mail, words = self._model.mail, self._model.words
        if mail is None or words is None:
            return
        row, rect = index.row(), option.rect
        self._words = words
        self._mirror = Mirror(rect, option.direction == Qt.LayoutDirection.RightToLeft)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        position = int(mail.order[row])
        if mail.selected[position]:
            painter.fillRect(rect, self._chosen if self.keyboard else self._idle)
        elif row == self.hovered:
            painter.fillRect(rect, self._hover)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, self._colours["line"])
        if row == self.focused and index.column() == 0:
            edge = self._mirror.area(QRect(rect.left(), rect.top(), 3, rect.height() - 1))
            painter.fillRect(edge, self._colours["accent" if self.keyboard else "muted"])
        self._painters[index.column()](painter, rect, position)

    # -------------------------------------------------------------------------------------------------- cells

    def _paint_chance(self, painter: QPainter, rect: QRect, position: int) -> None:
        mail = self._model.mail
        assert mail is not None
        bar = QRectF(rect.left() + INSET, rect.center().y() - BAR_HEIGHT / 2 + 0.5, BAR_WIDTH, BAR_HEIGHT)
        probability = float(mail.probabilities[position])
        known = not isnan(probability)
        tint = self._tints[int(mail.verdicts[position])][0]
        if known:
            self._paint_bar(painter, bar, probability, tint)
        elif mail.log_odds[position] and not isnan(mail.log_odds[position]):
            self._paint_lean(painter, bar, float(mail.log_odds[position]))
        else:
            bar.setWidth(-8)
        colour = self._colours["text"] if known else self._colours["muted"]
        left = int(bar.right()) + 8
        text = self._words.chance(position)
        self._write(painter, QRect(left, rect.top(), rect.right() - left - 6, rect.height()), text, colour)

    def _paint_bar(self, painter: QPainter, bar: QRectF, share: float, colour: QColor) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colours["track"])
        painter.drawRoundedRect(self._mirror.shape(bar), 3, 3)
        painter.setBrush(colour)
        part = QRectF(bar.left(), bar.top(), max(BAR_HEIGHT, bar.width() * share), bar.height())
        painter.drawRoundedRect(self._mirror.shape(part), 3, 3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_lean(self, painter: QPainter, bar: QRectF, log_odds: float) -> None:
        """Before percentages can be promised: which way, and roughly how far, out from the middle."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(self._colours["track"])
        painter.drawRoundedRect(self._mirror.shape(bar), 3, 3)
        reach = bar.width() / 2 * min(1.0, abs(log_odds) / 10)
        left = bar.center().x() - (reach if log_odds < 0 else 0)
        painter.setBrush(self._tints[2 if log_odds > 0 else 1][0])
        painter.drawRect(self._mirror.shape(QRectF(left, bar.top(), max(1.5, reach), bar.height())))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        middle = QRectF(bar.center().x() - 0.5, bar.top() - 3, 1, bar.height() + 6)
        painter.fillRect(self._mirror.shape(middle), self._colours["muted"])

    def _paint_verdict(self, painter: QPainter, rect: QRect, position: int) -> None:
        mail = self._model.mail
        assert mail is not None
        standing = int(mail.standing[position])
        colour = self._tints[standing][0]
        text = self._words.verdict(position)
        learned, mine = mail.givers[position] >= 0, mail.givers[position] == 0
        measure = self._measures[bool(mine)]
        width = min(ICON + 6 + measure.horizontalAdvance(text) + 16, rect.width() - 8)
        height = measure.height() + 7
        pill = QRectF(rect.left() + INSET - 8, rect.center().y() - height // 2, width, height)
        if learned:
            self._paint_pill(painter, pill, standing, filled=bool(mine))
        icon = draw_icon(NAMES[standing], colour.name(), ICON, painter.device().devicePixelRatioF())
        top = int(pill.center().y() - ICON / 2)
        painter.drawPixmap(self._mirror.area(QRect(rect.left() + INSET, top, ICON, ICON)), icon)
        left = rect.left() + INSET + ICON + 5
        self._write(painter, QRect(left, rect.top(), rect.right() - left, rect.height()), text, colour, bold=bool(mine))

    def _paint_pill(self, painter: QPainter, pill: QRectF, standing: int, *, filled: bool) -> None:
        """Filled for what the user said, an outline for what was learned otherwise."""
        if not filled:
            ratio = painter.device().devicePixelRatioF()
            outline = draw_pill(round(pill.width()), round(pill.height()), OUTLINE, self._outlines[standing], ratio)
            painter.drawPixmap(self._mirror.shape(pill).topLeft(), outline)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._tints[standing][1])
        painter.drawRoundedRect(self._mirror.shape(pill), pill.height() / 2, pill.height() / 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_decided(self, painter: QPainter, rect: QRect, position: int) -> None:
        mail = self._model.mail
        assert mail is not None
        colour = self._colours["text"] if mail.givers[position] == 0 else self._colours["muted"]
        self._write(painter, _inner(rect), self._words.text(position, Column.DECIDED), colour)

    def _paint_sender(self, painter: QPainter, rect: QRect, position: int) -> None:
        mail = self._model.mail
        assert mail is not None
        unread = self._words.unread(position)
        inner = _inner(rect)
        if unread:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._colours["accent"])
            painter.drawEllipse(self._mirror.shape(QRectF(rect.left() + 4, rect.center().y() - 3, 7, 7)))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._write(painter, inner, self._words.text(position, Column.SENDER), self._colours["text"], bold=unread)

    def _paint_subject(self, painter: QPainter, rect: QRect, position: int) -> None:
        mail = self._model.mail
        assert mail is not None
        inner = _inner(rect)
        if mail.attachments[position]:
            ratio = painter.device().devicePixelRatioF()
            icon = draw_icon("attachment", self._colours["muted"].name(), 14, ratio)
            painter.drawPixmap(self._mirror.area(QRect(inner.right() - 14, inner.center().y() - 7, 14, 14)), icon)
            inner.setRight(inner.right() - 20)
        text = self._words.text(position, Column.SUBJECT)
        colour = self._colours["text"] if mail.subjects[position] else self._colours["muted"]
        self._write(painter, inner, text, colour, bold=self._words.unread(position))

    def _paint_muted(self, column: Column) -> Callable[[QPainter, QRect, int], None]:
        def paint(painter: QPainter, rect: QRect, position: int) -> None:
            self._write(painter, _inner(rect), self._words.text(position, column), self._colours["muted"])

        return paint

    def _write(self, painter: QPainter, rect: QRect, text: str, colour: QColor, *, bold: bool = False) -> None:
        measure = self._measures[bold]
        # Longer than any screen: eliding looks at every letter, and a subject may have a million.
        text = text[:400] if len(text) > 400 else text
        if measure.horizontalAdvance(text) > rect.width():
            text = measure.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(self._bold if bold else self._plain)
        painter.setPen(colour)
        painter.drawText(self._mirror.area(rect), self._mirror.near, text)


def _inner(rect: QRect) -> QRect:
    return rect.adjusted(INSET, 0, -4, 0)


def _half(colour: QColor) -> QColor:
    """The colour, half transparent."""
    return QColor(colour.red(), colour.green(), colour.blue(), 128)
