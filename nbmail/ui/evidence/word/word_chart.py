"""Chart of a word's counts over time."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from nbmail.ui.kit.chart import GAP, Chart
from nbmail.ui.kit.theme import color
from nbmail.ui.texts.date_texts import date_text, moment_text
from nbmail.ui.texts.language import tr, tr_count
from nbmail.worker.protocol.words import WordCounts


class WordChart(Chart):
    """Learned messages with the word over time: spam above the axis, good mail below."""

    def __init__(self) -> None:
        super().__init__(110, "")
        self._lines: tuple[WordCounts, ...] = ()

    def show_history(self, lines: tuple[WordCounts, ...]) -> None:
        """Show a history. Less than two lines hide the chart."""
        self._lines = lines
        self.setVisible(len(lines) > 1)
        first = moment_text(lines[0].moment) if lines else ""
        last = moment_text(lines[-1].moment) if lines else ""
        text = tr("Learned between {first} and {last}").format(first=first, last=last)
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.update()

    def space_above(self) -> int:
        return GAP

    def scale(self) -> Sequence[tuple[float, str]]:
        spam = self._lines[-1].spam if self._lines else 0
        ham = self._lines[-1].ham if self._lines else 0
        return (
            (0.0, tr_count("%n not spam", "%n not spam", ham)),
            (1.0, tr_count("%n spam", "%n spam", spam)),
        )

    def ends(self) -> tuple[str, str]:
        if not self._lines:
            return super().ends()
        now = time.time()
        first = date_text(self._lines[0].moment, now)
        return first, date_text(self._lines[-1].moment, now)

    def draw(self, painter: QPainter) -> None:
        lines = self._lines
        if len(lines) < 2:
            return
        most_spam = max(1, lines[-1].spam)
        most_ham = max(1, lines[-1].ham)
        height = most_spam + most_ham
        zero = most_ham / height
        began = lines[0].moment
        span = (lines[-1].moment - began) or 1.0

        for line, following in zip(lines, (*lines[1:], lines[-1]), strict=True):
            left = (line.moment - began) / span
            right = (following.moment - began) / span
            self._fill(painter, left, right, (zero, zero + line.spam / height), "spam")
            self._fill(painter, left, right, (zero, zero - line.ham / height), "ham")
        painter.setPen(QPen(color("line"), 1))
        painter.drawLine(self.point(0, zero), self.point(1, zero))

    def _fill(
        self,
        painter: QPainter,
        left: float,
        right: float,
        heights: tuple[float, float],
        color_name: str,
    ) -> None:
        """Fill a rectangle from the axis to a height."""
        axis, end = heights
        bar = QRectF(self.point(left, end), self.point(right, axis)).normalized()
        painter.fillRect(bar.adjusted(0, 0, 1, 0), color(color_name))
