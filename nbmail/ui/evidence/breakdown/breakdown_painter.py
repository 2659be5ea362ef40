"""How the lines of the score breakdown are painted."""

import math

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from nbmail.ui.evidence.breakdown.breakdown_lines import BreakdownLine, Group, LineKind, line_cells
from nbmail.ui.evidence.breakdown.breakdown_model import BreakdownModel, Detail, Index
from nbmail.ui.kit.drawing import LEFT, RIGHT, fill_round
from nbmail.ui.kit.theme import color

PLACE_SHARE = 0.4
"""Share of the place in the width of a word that is too long."""
INDENT = 16
FADED = 0.4
"""Opacity of outdated reasons."""
PALE = 0.45
"""Opacity of bars that are no sum of words."""
HEADS = (LineKind.GROUP, LineKind.SUM)
ELIDED = Qt.TextElideMode.ElideRight


class LinePainter(QStyledItemDelegate):
    """Painter of the lines. `faded`: the reasons are outdated."""

    def __init__(self, table: QTableView, model: BreakdownModel) -> None:
        super().__init__(table)
        self._table = table
        self._model = model
        self.faded = False
        self._plain = QFont(table.font())
        self._bold = QFont(table.font())
        self._bold.setWeight(QFont.Weight.DemiBold)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = self._model.lines[index.row()]
        detail = Detail(index.column())
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.setOpacity(FADED if self.faded else 1.0)
        is_current = index.row() == self._table.currentIndex().row()
        if is_current and self._table.hasFocus():
            painter.fillRect(option.rect, color("chosen"))
        self._paint_rule(painter, option.rect, line)
        if detail == Detail.WORD:
            self._paint_word(painter, option.rect, line)
        elif detail != Detail.BAR:
            self._paint_number(painter, option.rect, line, detail)
        elif self._model.expanded:
            self._paint_cascade(painter, option.rect, line)
        else:
            self._paint_bar(painter, option.rect, line)

    def _paint_rule(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        """Paint a rule above groups and above the sum."""
        if line.kind in HEADS:
            rule = color("muted" if line.kind is LineKind.SUM else "line")
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, rule)

    def _paint_number(
        self, painter: QPainter, rect: QRect, line: BreakdownLine, detail: Detail
    ) -> None:
        is_amount = detail == Detail.ADDS
        painter.setFont(self._bold if line.kind in HEADS else self._plain)
        painter.setPen(color(_amount_color(line) if is_amount else "muted"))
        painter.drawText(rect.adjusted(0, 0, -12, 0), RIGHT, line_cells(line)[detail])

    # ---------------------------------------------------------------------------------------------
    # words

    def _paint_word(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        """Paint the text of a line, and the place of a word behind it."""
        is_inner = self._model.expanded and line.kind in (LineKind.WORD, LineKind.WEAKER)
        room = rect.adjusted(INDENT * (2 if is_inner else 1), 0, -6, 0)
        is_strong = self._is_strong(line)
        font = self._bold if is_strong else self._plain
        measure = QFontMetrics(font)
        text = self._shown_text(line)
        place = self._shown_place(line)
        place_width = self._place_width(room.width(), measure, text, place)
        text = measure.elidedText(text, ELIDED, room.width() - place_width)
        painter.setFont(font)
        painter.setPen(color("text" if is_strong or line.kind is LineKind.WORD else "muted"))
        painter.drawText(room, LEFT, text)
        if place:
            beside = room.adjusted(measure.horizontalAdvance(text) + 8, 0, 0, 0)
            self._paint_place(painter, beside, place)

    def _paint_place(self, painter: QPainter, room: QRect, place: str) -> None:
        painter.setFont(self._plain)
        painter.setPen(color("muted"))
        shown = QFontMetrics(self._plain).elidedText(place, ELIDED, room.width())
        painter.drawText(room, LEFT, shown)

    def _is_strong(self, line: BreakdownLine) -> bool:
        return line.kind in HEADS or (line.kind is LineKind.WORD and not self._model.expanded)

    def _shown_text(self, line: BreakdownLine) -> str:
        if line.kind is not LineKind.GROUP:
            return line.text
        return f"{'▸' if line.group in self._model.folded else '▾'} {line.text}"

    def _shown_place(self, line: BreakdownLine) -> str:
        """Return the place of a word, "" where the heading of its group names it."""
        if self._model.expanded and line.group in (Group.SUBJECT, Group.LAYOUT):
            return ""
        return line.place

    @staticmethod
    def _place_width(room: int, measure: QFontMetrics, text: str, place: str) -> int:
        """Return the width for the place: all that the word leaves, but at least its share."""
        if not place:
            return 0
        left = room - measure.horizontalAdvance(text) - 10
        wanted = measure.horizontalAdvance(place) + 10
        return min(max(round(PLACE_SHARE * room), left), wanted)

    # ---------------------------------------------------------------------------------------------
    # bars

    def _paint_bar(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        """Paint a bar from the middle towards spam or good mail."""
        middle = rect.center().x()
        painter.fillRect(middle, rect.top(), 1, rect.height(), color("line"))
        share = min(1.0, abs(line.adds) / self._model.reach)
        length = (rect.width() / 2 - 6) * share
        left = middle + 1.0 if line.adds > 0 else middle - length
        bar = QRectF(left, rect.center().y() - 4.5, max(2.0, length), 10)
        self._fill(painter, bar, line)
        if abs(line.adds) > self._model.reach:
            self._paint_cut(painter, bar, line)

    @staticmethod
    def _paint_cut(painter: QPainter, bar: QRectF, line: BreakdownLine) -> None:
        """Paint gaps near the end of a bar that is too long.

        All weaker words together may exceed the strongest word.
        """
        first = bar.right() - 9 if line.adds > 0 else bar.left() + 4
        for gap in (first, first + 4):
            painter.fillRect(QRectF(gap, bar.top() - 1, 2, bar.height() + 2), color("base"))

    def _paint_cascade(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        """Paint a bar from the sum of all lines above to the sum including this line."""
        low, high = self._model.ends
        inner = rect.adjusted(6, 0, -6, 0)

        def across(amount: float) -> float:
            return inner.left() + inner.width() * (amount - low) / (high - low)

        painter.fillRect(round(across(0)), rect.top(), 1, rect.height(), color("line"))
        if not math.isnan(self._model.spam_from):
            threshold = QColor(color("spam"))
            threshold.setAlphaF(0.35)
            left = round(across(self._model.spam_from)) - 1
            painter.fillRect(left, rect.top(), 2, rect.height(), threshold)

        first, last = sorted((across(line.start), across(line.start + line.adds)))
        thickness = 10 if line.kind in HEADS else 6
        top = rect.center().y() - thickness / 2
        bar = QRectF(first, top, max(2.0, last - first), thickness)
        self._fill(painter, bar, line)

    def _fill(self, painter: QPainter, bar: QRectF, line: BreakdownLine) -> None:
        if not line.adds:
            return
        fill = QColor(color("spam" if line.adds > 0 else "ham"))
        is_word = line.kind in (LineKind.WORD, *HEADS)
        if not is_word or (self._model.expanded and line.kind is LineKind.WORD):
            fill.setAlphaF(PALE)
        fill_round(painter, bar, fill, 2)


def _amount_color(line: BreakdownLine) -> str:
    if line.kind is LineKind.SUM:
        return "text"
    if line.adds > 0:
        return "spam"
    if line.adds < 0:
        return "ham"
    return "muted"
