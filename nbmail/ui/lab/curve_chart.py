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
    """Learning curve: shares by the number of marks, on a logarithmic x axis. `x_label`: what is
    counted instead.

    `lines`: name and color of each share. A point is a number with a value for each line.
    """

    def __init__(self, name: str, lines: Sequence[tuple[str, str]], x_label: str = "") -> None:
        super().__init__(190, name, x_label=x_label or tr("marks"))
        self._lines = lines
        self.points: Sequence[tuple[int, Sequence[Proportion]]] = ()

    def show_points(self, points: Sequence[tuple[int, Sequence[Proportion]]]) -> None:
        self.points = points
        texts = []
        named = tr("{labels} {counted}: {shares}")
        for count, values in points:
            shares = ", ".join(
                f"{name} {percent(value.share)}"
                for (name, _), value in zip(self._lines, values, strict=True)
            )
            texts.append(
                named.format(labels=format_count(count), counted=self._x_label, shares=shares)
            )
        self._describe(texts)

    def ends(self) -> tuple[str, str]:
        return (
            (format_count(self.points[0][0]), format_count(self.points[-1][0]))
            if self.points
            else ("", "")
        )

    def draw(self, painter: QPainter) -> None:
        if not self.points:
            return
        counts = [count for count, _ in self.points]
        shares = [values for _, values in self.points]
        span = log(counts[-1] / counts[0])
        xs = [log(count / counts[0]) / span if span else 0.5 for count in counts]
        legend = self.plot_area().left()
        for (text, color_name), values in zip(self._lines, zip(*shares, strict=True), strict=True):
            painter.setPen(QPen(color(color_name), 2))
            painter.drawPolyline(
                QPolygonF([self.point(x, each.share) for x, each in zip(xs, values, strict=True)])
            )
            for x, each in zip(xs, values, strict=True):
                self._draw_interval(painter, x, each, color_name)
            legend = self._draw_legend(painter, legend, text, color_name)
