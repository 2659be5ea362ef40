"""Painter of the rows of the mail list."""

from functools import lru_cache
from math import isnan, nan

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from nbmail.ui.kit.drawing import draw_icon, draw_pill, fill_round
from nbmail.ui.kit.painted_text import LEFT
from nbmail.ui.kit.theme import color
from nbmail.ui.list.list_choice import Column
from nbmail.ui.list.mail_model import LONGEST, PENDING, MailModel
from nbmail.ui.texts.number_texts import percent

INSET = 16
BAR_WIDTH = 66
BAR_HEIGHT = 6
MARGIN = 6
ICON = 16
OUTLINE = 1.5
FULL_LEAN = 10
"""Log-odds of a full bar while scores are not calibrated."""
NAMES = ("unsure", "ham", "spam")


class RowPainter(QStyledItemDelegate):
    """Paints the cells of the mail table. `spam_from`: chance from which a message is spam, NaN if
    unknown.
    """

    def __init__(self, model: MailModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self.hovered = self.focused = -1
        self.spam_from = nan
        self.keyboard = False
        self._plain = QFont(parent.font())
        self._bold = QFont(self._plain)
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._measures = {False: QFontMetrics(self._plain), True: QFontMetrics(self._bold)}
        self._elided = lru_cache(maxsize=1024)(self._elide)
        self._widest = self._measures[False].horizontalAdvance(percent(1))

    def row_height(self) -> int:
        return self._measures[True].height() + 12

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
        mail = self._model.mail
        row = index.row()
        column = index.column()
        rect = option.rect
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        position = int(mail.order[row])
        if mail.selected[position]:
            painter.fillRect(rect, color("chosen" if self.keyboard else "idle"))
        elif row == self.hovered:
            painter.fillRect(rect, color("hover"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color("line"))
        if row == self.focused and column == 0:
            edge = color("accent" if self.keyboard else "muted")
            painter.fillRect(rect.left(), rect.top(), 3, rect.height() - 1, edge)
        self._paint_cell(painter, rect, position, column)

    def _paint_cell(self, painter: QPainter, rect: QRect, position: int, column: int) -> None:
        texts = self._model.texts
        mail = self._model.mail
        inner = rect.adjusted(INSET, 0, -4, 0)
        if column == Column.CHANCE:
            self._paint_chance(painter, rect, position)
        elif column == Column.VERDICT:
            self._paint_verdict(painter, rect, position)
        elif column == Column.SUBJECT:
            self._paint_subject(painter, inner, position)
        elif column == Column.SENDER:
            unread = mail.unread(position)
            if unread:
                dot = QRectF(rect.left() + 4, rect.center().y() - 3, 7, 7)
                fill_round(painter, dot, color("accent"), 3.5)
            self._write(painter, inner, texts.text(position, Column.SENDER), "text", bold=unread)
        else:
            mine = column == Column.DECIDED and mail.label_sources[position] == 0
            self._write(
                painter, inner, texts.text(position, Column(column)), "text" if mine else "muted"
            )

    def _paint_chance(self, painter: QPainter, rect: QRect, position: int) -> None:
        mail = self._model.mail
        text = self._model.texts.chance(position)
        bar = QRectF(
            rect.left() + INSET, rect.center().y() - BAR_HEIGHT / 2 + 0.5, BAR_WIDTH, BAR_HEIGHT
        )
        chance = float(mail.probabilities[position])
        log_odds = float(mail.log_odds[position])
        known = not isnan(chance)
        left = int(bar.right()) + 8
        if (
            left + max(self._widest, self._measures[False].horizontalAdvance(text)) + MARGIN
            > rect.right()
        ):
            left = int(bar.left())
        elif known:
            fill_round(painter, bar, color("track"), 3)
            part = QRectF(
                bar.left(), bar.top(), max(BAR_HEIGHT, bar.width() * chance), bar.height()
            )
            fill_round(painter, part, color(NAMES[mail.verdicts[position]]), 3)
            if not isnan(self.spam_from):
                line = QRectF(
                    bar.left() + bar.width() * self.spam_from - 0.5,
                    bar.top() - 3,
                    1,
                    bar.height() + 6,
                )
                painter.fillRect(line, color("muted"))
        elif log_odds and not isnan(log_odds):
            self._paint_lean(painter, bar, log_odds)
        else:
            left = int(bar.left())
        room = QRect(left, rect.top(), rect.right() - left - MARGIN, rect.height())
        self._write(painter, room, text, "text" if known else "muted")

    def _paint_lean(self, painter: QPainter, bar: QRectF, log_odds: float) -> None:
        """Paint an uncalibrated score as a bar from the middle to its side."""
        fill_round(painter, bar, color("track"), 3)
        reach = bar.width() / 2 * min(1.0, abs(log_odds) / FULL_LEAN)
        left = bar.center().x() - (reach if log_odds < 0 else 0)
        side = color("spam" if log_odds > 0 else "ham")
        fill_round(painter, QRectF(left, bar.top(), max(1.5, reach), bar.height()), side, 0)
        painter.fillRect(
            QRectF(bar.center().x() - 0.5, bar.top() - 3, 1, bar.height() + 6), color("muted")
        )

    def _paint_verdict(self, painter: QPainter, rect: QRect, position: int) -> None:
        """Paint a filled pill for a label by the user, an outline for a label from another
        source.
        """
        mail = self._model.mail
        if not mail.has_class(position):
            self._write(painter, rect.adjusted(INSET, 0, 0, 0), PENDING, "muted")
            return
        effective_class = NAMES[mail.effective_class[position]]
        label_source = int(mail.label_sources[position])
        text = self._model.texts.verdict(position)
        measure = self._measures[label_source == 0]
        width = min(ICON + 6 + measure.horizontalAdvance(text) + 16, rect.width() - 8)
        height = measure.height() + 7
        pill = QRectF(rect.left() + INSET - 8, rect.center().y() - height // 2, width, height)
        ratio = painter.device().devicePixelRatioF()
        if label_source == 0:
            fill_round(painter, pill, color(f"{effective_class}_soft"), height / 2)
        elif label_source > 0:
            half_transparent = f"#80{color(effective_class).name()[1:]}"
            painter.drawPixmap(
                pill.topLeft(),
                draw_pill(round(width), round(height), OUTLINE, half_transparent, ratio),
            )
        icon = draw_icon(effective_class, color(effective_class).name(), ICON, ratio)
        painter.drawPixmap(rect.left() + INSET, int(pill.center().y() - ICON / 2), icon)
        self._write(
            painter,
            rect.adjusted(INSET + ICON + 5, 0, 0, 0),
            text,
            effective_class,
            bold=label_source == 0,
        )

    def _paint_subject(self, painter: QPainter, inner: QRect, position: int) -> None:
        mail = self._model.mail
        drawn = (("attachment", "muted", mail.attachments), ("flag", "unsure", mail.flagged))
        for name, shade in ((name, shade) for name, shade, shown in drawn if shown[position]):
            icon = draw_icon(name, color(shade).name(), 14, painter.device().devicePixelRatioF())
            painter.drawPixmap(inner.right() - 14, inner.center().y() - 7, icon)
            inner.setRight(inner.right() - 20)
        text = self._model.texts.text(position, Column.SUBJECT)
        colour = "text" if mail.subjects[position] else "muted"
        self._write(painter, inner, text, colour, bold=mail.unread(position))

    def _write(
        self, painter: QPainter, rect: QRect, text: str, colour: str, *, bold: bool = False
    ) -> None:
        painter.setFont(self._bold if bold else self._plain)
        painter.setPen(color(colour))
        painter.drawText(rect, LEFT, self._elided(text, rect.width(), bold))

    def _elide(self, text: str, width: int, bold: bool) -> str:
        # Eliding measures every letter.
        return self._measures[bold].elidedText(text[:LONGEST], Qt.TextElideMode.ElideRight, width)
