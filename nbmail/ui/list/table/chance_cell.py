"""Cell with the chance of spam: a bar, if it has room, and the percentage."""

from math import isnan, nan

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter

from nbmail.ui.kit.drawing import fill_round
from nbmail.ui.kit.theme import color
from nbmail.ui.list.table.cell_writer import CellWriter
from nbmail.ui.texts.number_texts import percent

BAR_WIDTH = 66
BAR_HEIGHT = 6
RADIUS = 3
GAP = 8
"""Pixels between bar and text."""
MARGIN = 6
FULL_LEAN = 10
"""Log-odds of a full bar while scores are not calibrated."""


class ChanceCell:
    """Paints chances. `spam_from`: chance from which a message is spam, NaN if unknown."""

    def __init__(self, writer: CellWriter) -> None:
        self._writer = writer
        self._widest = writer.metrics().horizontalAdvance(percent(1))
        self.spam_from = nan

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        text: str,
        *,
        chance: float,
        log_odds: float,
        verdict: str,
    ) -> None:
        """Paint `text` and its bar. `chance` and `log_odds`: NaN if unknown."""
        top = rect.center().y() - BAR_HEIGHT / 2 + 0.5
        bar = QRectF(rect.left(), top, BAR_WIDTH, BAR_HEIGHT)
        is_calibrated = not isnan(chance)
        has_bar = is_calibrated or (log_odds != 0 and not isnan(log_odds))
        if has_bar and self._has_room(rect, text):
            left = rect.left() + BAR_WIDTH + GAP
            if is_calibrated:
                self._paint_chance(painter, bar, chance, verdict)
            else:
                self._paint_lean(painter, bar, log_odds)
        else:
            left = rect.left()

        width = rect.right() - left - MARGIN
        room = QRect(left, rect.top(), width, rect.height())
        self._writer.write(painter, room, text, "text" if is_calibrated else "muted")

    def _has_room(self, rect: QRect, text: str) -> bool:
        """True if the bar leaves room for the text, and for every percentage of other rows."""
        widest = max(self._widest, self._writer.metrics().horizontalAdvance(text))
        return BAR_WIDTH + GAP + widest + MARGIN <= rect.right() - rect.left()

    def _paint_chance(self, painter: QPainter, bar: QRectF, chance: float, verdict: str) -> None:
        fill_round(painter, bar, color("track"), RADIUS)
        width = max(BAR_HEIGHT, bar.width() * chance)
        part = QRectF(bar.left(), bar.top(), width, bar.height())
        fill_round(painter, part, color(verdict), RADIUS)
        if not isnan(self.spam_from):
            _paint_tick(painter, bar, bar.left() + bar.width() * self.spam_from)

    def _paint_lean(self, painter: QPainter, bar: QRectF, log_odds: float) -> None:
        """Paint an uncalibrated score as a bar from the middle to its side."""
        fill_round(painter, bar, color("track"), RADIUS)
        middle = bar.center().x()
        reach = bar.width() / 2 * min(1.0, abs(log_odds) / FULL_LEAN)
        left = middle if log_odds > 0 else middle - reach
        part = QRectF(left, bar.top(), max(1.5, reach), bar.height())
        fill_round(painter, part, color("spam" if log_odds > 0 else "ham"), 0)
        _paint_tick(painter, bar, middle)


def _paint_tick(painter: QPainter, bar: QRectF, place: float) -> None:
    tick = QRectF(place - 0.5, bar.top() - 3, 1, bar.height() + 6)
    painter.fillRect(tick, color("muted"))
