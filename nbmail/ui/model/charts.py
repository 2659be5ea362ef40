"""Charts: reliability, learning curve, chance over time, and the posteriors of a word."""

from collections.abc import Sequence
from math import exp, log, log1p, sqrt
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from nbmail.core.evaluation.proportion import Proportion
from nbmail.ui.kit.painted_text import LEFT, RIGHT
from nbmail.ui.kit.sizes import max_text_width, scaled
from nbmail.ui.kit.theme import color
from nbmail.ui.model.model_texts import reliability_text
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.number_texts import exact_percent, number_text, percent
from nbmail.worker.protocol.quality import ReliabilityBin
from nbmail.worker.protocol.words import WordDescription

LEFT_MARGIN = 14
RIGHT_MARGIN = 24
GAP = 10
"""Pixels left of the scale, right of the plot area, and between texts and what they label."""
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
        left = (
            LEFT_MARGIN
            + max_text_width(self.fontMetrics(), (text for _, text in self.scale()))
            + GAP
        )
        above = self.space_above()
        below = self.line_height() + GAP
        return QRectF(
            left,
            above,
            max(1, self.width() - left - RIGHT_MARGIN),
            max(1, self.height() - above - below),
        )

    def point(self, x: float, share: float) -> QPointF:
        """Return the position of a point. `x` and `share` are fractions of the width and height of
        the plot area.
        """
        area = self.plot_area()
        return QPointF(area.left() + area.width() * x, area.bottom() - area.height() * share)

    def sizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), self.minimumHeight())

    def scale(self) -> Sequence[tuple[float, str]]:
        return SCALE

    def ends(self) -> tuple[str, str]:
        """Return the labels of both ends of the x axis, empty without data."""
        return "", ""

    def draw(self, painter: QPainter) -> None:
        """Draw the data."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = self.plot_area()
        line = self.line_height()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for share, text in self.scale():
            y = area.bottom() - share * area.height()
            painter.setPen(QPen(color("line"), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(color("muted"))
            painter.drawText(QRectF(0, y - line, area.left() - GAP, 2 * line), RIGHT, text)
        below = QRectF(area.left(), area.bottom() + GAP / 2, area.width(), line + 2)
        for text, side in zip(self.ends(), (LEFT, RIGHT), strict=True):
            painter.drawText(below, side, text)
        used = max_text_width(self.fontMetrics(), self.ends()) + GAP
        between = below.adjusted(used, 0, -used, 0)
        label = self.fontMetrics().elidedText(
            self._x_label, Qt.TextElideMode.ElideRight, int(between.width())
        )
        painter.drawText(between, Qt.AlignmentFlag.AlignCenter, label)
        painter.drawText(QRectF(LEFT_MARGIN, 0, self.width(), line + GAP), LEFT, self._y_label)
        self.draw(painter)
        painter.end()

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


class ReliabilityChart(Chart):
    """Predicted chance of spam on the x axis, actual share of spam on the y axis. The diagonal is
    perfect.
    """

    def __init__(self) -> None:
        name = tr("Predicted chance of spam and actual share")
        super().__init__(190, name, tr("actual share of spam"), tr("predicted"))
        self.bins: tuple[ReliabilityBin, ...] = ()

    def show_bins(self, bins: tuple[ReliabilityBin, ...]) -> None:
        self.bins = bins
        self._describe([reliability_text(each) for each in bins])

    def ends(self) -> tuple[str, str]:
        return SCALE[0][1], SCALE[-1][1]

    def draw(self, painter: QPainter) -> None:
        painter.setPen(QPen(color("edge"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(self.point(0, 0), self.point(1, 1))
        for each in self.bins:
            self._draw_interval(painter, each.predicted, each.spam, "accent")


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


ENDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper ends of the x axis: the first that is at least `REACH` standard deviations above both
means.
"""
REACH = 4.0
POINTS = 200


class Beta(NamedTuple):
    """Beta distribution of a probability."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    @property
    def deviation(self) -> float:
        total = self.a + self.b
        return sqrt(self.a * self.b / (total + 1)) / total

    def after(self, with_word: int, messages: int) -> "Beta":
        """Return the posterior after so many messages, of which some contain the word."""
        return Beta(self.a + with_word, self.b + max(0, messages - with_word))


def curve(beta: Beta, end: float) -> list[tuple[float, float]]:
    """Return points of a density between 0 and `end`, its highest point at 1. They are dense where
    the density is.
    """
    near = (
        beta.mean + REACH * beta.deviation * (2 * place / POINTS - 1) for place in range(POINTS + 1)
    )
    far = (end * (place + 0.5) / POINTS for place in range(POINTS))
    shares = sorted(share for share in (*near, *far) if 0 < share < end)
    logs = [(beta.a - 1) * log(share) + (beta.b - 1) * log1p(-share) for share in shares]
    return [(share, exp(each - max(logs))) for share, each in zip(shares, logs, strict=True)]


class PosteriorChart(Chart):
    """Densities of the word's probability in spam, in good mail, and before any mark, each at its
    own height.
    """

    def __init__(self) -> None:
        label = tr("probability in a message: mean ± standard deviation")
        super().__init__(130, tr("Probability of the word by the learned messages"), x_label=label)
        self.curves: tuple[tuple[str, str, Beta], ...] = ()
        self.end = 1.0

    def show_word(self, story: WordDescription) -> None:
        """Show the posteriors after the learned messages. Without any, the chart is hidden."""
        prior = Beta(*story.prior)
        figures = story.figures
        spam = prior.after(figures.spam, story.spam_messages)
        ham = prior.after(figures.ham, story.ham_messages)
        prior_text = f"{tr('prior')}: Beta({number_text(prior.a)}; {number_text(prior.b)})"
        spam_text, ham_text = (
            f"{name}: {percent(beta.mean)} ± {percent(beta.deviation)}"
            for name, beta in ((tr("in spam"), spam), (tr("in good mail"), ham))
        )
        self.curves = (
            (prior_text, "muted", prior),
            (spam_text, "spam", spam),
            (ham_text, "ham", ham),
        )
        highest = max(each.mean + REACH * each.deviation for each in (spam, ham))
        self.end = next((end for end in ENDS if end >= highest), 1.0)
        self.setVisible(story.spam_messages + story.ham_messages > 0)
        self._describe([text for text, _, _ in self.curves])

    def scale(self) -> Sequence[tuple[float, str]]:
        return ((0.0, ""),)

    def ends(self) -> tuple[str, str]:
        return exact_percent(0.0), exact_percent(self.end)

    def draw(self, painter: QPainter) -> None:
        legend = self.plot_area().left()
        for text, color_name, beta in self.curves:
            painter.setPen(QPen(color(color_name), 2))
            painter.drawPolyline(
                QPolygonF([self.point(x / self.end, y) for x, y in curve(beta, self.end)])
            )
            legend = self._draw_legend(painter, legend, text, color_name)
