"""Chart of shares by the number of learned messages."""

from collections.abc import Sequence
from math import log

from PySide6.QtGui import QPainter, QPen, QPolygonF

from nbmail.core.evaluation.proportion import Proportion
from nbmail.ui.kit.chart import Chart
from nbmail.ui.kit.theme import color
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.number_texts import percent


class CurveChart(Chart):
    """Shares by the number of marks, on a logarithmic x axis.

    `x_label`: counted things instead of marks. `lines`: name and color of each share. A point is a
    number with a value for each line.
    """

    def __init__(self, name: str, lines: Sequence[tuple[str, str]], x_label: str = "") -> None:
        super().__init__(190, name, x_label=x_label or tr("marks"))
        self._lines = lines
        self.points: Sequence[tuple[int, Sequence[Proportion]]] = ()

    def show_points(self, points: Sequence[tuple[int, Sequence[Proportion]]]) -> None:
        self.points = points
        self._describe([self._point_text(count, values) for count, values in points])

    def _point_text(self, count: int, values: Sequence[Proportion]) -> str:
        shares = [
            f"{name} {percent(value.share)}"
            for (name, _), value in zip(self._lines, values, strict=True)
        ]
        text = tr("{labels} {counted}: {shares}")
        return text.format(
            labels=format_count(count), counted=self._x_label, shares=", ".join(shares)
        )

    def ends(self) -> tuple[str, str]:
        if not self.points:
            return "", ""
        first, _ = self.points[0]
        last, _ = self.points[-1]
        return format_count(first), format_count(last)

    def draw(self, painter: QPainter) -> None:
        xs = self._positions()
        legend = self.plot_area().left()
        for number, (name, color_name) in enumerate(self._lines if self.points else ()):
            shares = [values[number] for _, values in self.points]
            self._draw_line(painter, xs, shares, color_name)
            legend = self._draw_legend(painter, legend, name, color_name)

    def _positions(self) -> list[float]:
        """Return the positions of the points on the x axis, from 0 to 1."""
        if not self.points:
            return []
        counts = [count for count, _ in self.points]
        span = log(counts[-1] / counts[0])
        if not span:
            return [0.5 for _ in counts]
        return [log(count / counts[0]) / span for count in counts]

    def _draw_line(
        self, painter: QPainter, xs: list[float], shares: Sequence[Proportion], color_name: str
    ) -> None:
        """Draw a line through all points, and the interval of each."""
        painter.setPen(QPen(color(color_name), 2))
        points = [self.point(x, each.share) for x, each in zip(xs, shares, strict=True)]
        painter.drawPolyline(QPolygonF(points))
        for x, each in zip(xs, shares, strict=True):
            self._draw_interval(painter, x, each, color_name)
