"""Base class of charts: a plot area with labelled axes."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from nbmail.core.evaluation.proportion import Proportion
from nbmail.ui.kit.drawing import LEFT, RIGHT
from nbmail.ui.kit.sizes import max_text_width, scaled
from nbmail.ui.kit.theme import color

LEFT_MARGIN = 14
"""Pixels left of the scale."""
RIGHT_MARGIN = 24
"""Pixels right of the plot area."""
GAP = 10
"""Pixels between texts and what they label."""
SCALE = ((0.0, "0\u202f%"), (0.5, "50\u202f%"), (1.0, "100\u202f%"))
DOT = 3.5


class Chart(QWidget):
    """Plot area with a vertical scale of shares. The axes are labelled at their ends."""

    def __init__(self, height: int, name: str, y_label: str = "", x_label: str = "") -> None:
        super().__init__()
        self._y_label = y_label
        self._x_label = x_label
        self.setMinimumHeight(scaled(self, height))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(name)

    def line_height(self) -> int:
        return self.fontMetrics().height()

    def space_above(self) -> int:
        return self.line_height() + 2 * GAP

    def plot_area(self) -> QRectF:
        scale = (text for _, text in self.scale())
        left = LEFT_MARGIN + max_text_width(self.fontMetrics(), scale) + GAP
        above = self.space_above()
        below = self.line_height() + GAP
        width = max(1, self.width() - left - RIGHT_MARGIN)
        height = max(1, self.height() - above - below)
        return QRectF(left, above, width, height)

    def point(self, x: float, share: float) -> QPointF:
        """Return the position of a point.

        `x` and `share` are fractions of the width and height of the plot area.
        """
        area = self.plot_area()
        across = area.left() + area.width() * x
        down = area.bottom() - area.height() * share
        return QPointF(across, down)

    def sizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), self.minimumHeight())

    def scale(self) -> Sequence[tuple[float, str]]:
        """Return the lines of the vertical scale: share and label."""
        return SCALE

    def ends(self) -> tuple[str, str]:
        """Return the labels of both ends of the x axis, empty without data."""
        return "", ""

    def draw(self, painter: QPainter) -> None:
        """Draw the data."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_scale(painter)
        self._draw_x_axis(painter)
        above = QRectF(LEFT_MARGIN, 0, self.width(), self.line_height() + GAP)
        painter.drawText(above, LEFT, self._y_label)
        self.draw(painter)
        painter.end()

    def _draw_scale(self, painter: QPainter) -> None:
        area = self.plot_area()
        line = self.line_height()
        for share, text in self.scale():
            y = area.bottom() - share * area.height()
            painter.setPen(QPen(color("line"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(color("muted"))
            painter.drawText(QRectF(0, y - line, area.left() - GAP, 2 * line), RIGHT, text)

    def _draw_x_axis(self, painter: QPainter) -> None:
        """Draw the labels of both ends, and the name of the axis between them."""
        area = self.plot_area()
        below = QRectF(area.left(), area.bottom() + GAP / 2, area.width(), self.line_height() + 2)
        first, last = self.ends()
        painter.drawText(below, LEFT, first)
        painter.drawText(below, RIGHT, last)
        used = max_text_width(self.fontMetrics(), (first, last)) + GAP
        between = below.adjusted(used, 0, -used, 0)
        end = Qt.TextElideMode.ElideRight
        label = self.fontMetrics().elidedText(self._x_label, end, int(between.width()))
        painter.drawText(between, Qt.AlignmentFlag.AlignCenter, label)

    def _draw_interval(
        self, painter: QPainter, x: float, counted: Proportion, color_name: str
    ) -> None:
        painter.setPen(QPen(color(color_name), 1.5))
        painter.drawLine(self.point(x, counted.lowest), self.point(x, counted.highest))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(color_name))
        painter.drawEllipse(self.point(x, counted.share), DOT, DOT)

    def _draw_legend(self, painter: QPainter, left: float, text: str, color_name: str) -> float:
        """Draw the name of a line above the plot area, and return where the next name begins."""
        line = QRectF(left, 0, self.width(), self.line_height() + GAP)
        painter.setBrush(color(color_name))
        painter.setPen(color(color_name))
        painter.drawEllipse(QPointF(line.left() + DOT, line.center().y()), DOT, DOT)
        painter.drawText(line.adjusted(2 * DOT + 6, 0, 0, 0), LEFT, text)
        return left + self.fontMetrics().horizontalAdvance(text) + 2 * GAP + 2 * DOT

    def _describe(self, texts: Sequence[str]) -> None:
        """Set the accessible description and the tooltip, and repaint."""
        text = "\n".join(texts)
        self.setAccessibleDescription(text)
        self.setToolTip(text)
        self.update()
