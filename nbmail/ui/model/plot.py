"""Pictures of shares: a field with a scale at its left, and what each kind of picture draws into it."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.layouts import max_text_width, scaled
from nbmail.ui.kit.plain_text import LEFT, RIGHT
from nbmail.ui.kit.theme import color
from nbmail.ui.model.model_texts import promise_words
from nbmail.worker.protocol.own_model import Counted, CurvePoint, ReliabilityBin

NEAR, FAR, ROOM = 14, 24, 10
"""Pixels before the words of the scale and after the field, and between any words and what they are about."""
SCALE = ((0.0, "0\u202f%"), (0.5, "50\u202f%"), (1.0, "100\u202f%"))
DOT = 3.5


class Plot(QWidget):
    """Shares from 0 to 100 % upwards; the names of the axes stand beside their ends. Has no signals of its own."""

    def __init__(self, height: int, name: str, upwards: str = "", across: str = "") -> None:
        super().__init__()
        self._upwards, self._across = upwards, across
        self.setMinimumHeight(scaled(self, height))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(name)

    def line_height(self) -> int:
        return self.fontMetrics().height()

    def above(self) -> int:
        """Room above the field, for a line of words."""
        return self.line_height() + 2 * ROOM

    def field(self) -> QRectF:
        """Where the shares are drawn."""
        near = NEAR + max_text_width(self.fontMetrics(), (words for _, words in self.scale())) + ROOM
        above, below = self.above(), self.line_height() + ROOM
        return QRectF(near, above, max(1, self.width() - near - FAR), max(1, self.height() - above - below))

    def spot(self, across: float, share: float) -> QPointF:
        """Where in the field this is: shares of its width and of its height."""
        field = self.field()
        return QPointF(field.left() + field.width() * across, field.bottom() - field.height() * share)

    def sizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), self.minimumHeight())

    def scale(self) -> Sequence[tuple[float, str]]:
        """Heights that are drawn as lines, and what stands beside them."""
        return SCALE

    def ends(self) -> tuple[str, str]:
        """What stands below the field, at either side; empty as long as there is nothing to draw."""
        return "", ""

    def draw(self, painter: QPainter) -> None:
        """Draw what there is."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, field, line = QPainter(self), self.field(), self.line_height()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for share, words in self.scale():
            height = field.bottom() - share * field.height()
            painter.setPen(QPen(color("line"), 1))
            painter.drawLine(QPointF(field.left(), height), QPointF(field.right(), height))
            painter.setPen(color("muted"))
            painter.drawText(QRectF(0, height - line, field.left() - ROOM, 2 * line), RIGHT, words)
        below = QRectF(field.left(), field.bottom() + ROOM / 2, field.width(), line + 2)
        for words, side in zip(self.ends(), (LEFT, RIGHT), strict=True):
            painter.drawText(below, side, words)
        aside = max_text_width(self.fontMetrics(), self.ends()) + ROOM
        between = below.adjusted(aside, 0, -aside, 0)
        across = self.fontMetrics().elidedText(self._across, Qt.TextElideMode.ElideRight, int(between.width()))
        painter.drawText(between, Qt.AlignmentFlag.AlignCenter, across)
        painter.drawText(QRectF(NEAR, 0, self.width(), line + ROOM), LEFT, self._upwards)
        self.draw(painter)
        painter.end()

    def _draw_range(self, painter: QPainter, across: float, counted: Counted, colour: str) -> None:
        """A share with the reach of what the true one may be."""
        painter.setPen(QPen(color(colour), 1.5))
        painter.drawLine(self.spot(across, counted.lowest), self.spot(across, counted.highest))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(colour))
        painter.drawEllipse(self.spot(across, counted.share), DOT, DOT)


class PromiseChart(Plot):
    """What was promised, to the right, and what came of it, upwards: honest is on the diagonal. Has no signals."""

    def __init__(self) -> None:
        name = tr("Promised chances of junk, and what came of them")
        super().__init__(190, name, tr("share that was junk"), tr("promised"))
        self.promises: tuple[ReliabilityBin, ...] = ()

    def show_promises(self, promises: tuple[ReliabilityBin, ...]) -> None:
        """Draw these."""
        self.promises = promises
        words = "\n".join(map(promise_words, promises))
        self.setAccessibleDescription(words)
        self.setToolTip(words)
        self.update()

    def ends(self) -> tuple[str, str]:
        return SCALE[0][1], SCALE[-1][1]

    def draw(self, painter: QPainter) -> None:
        painter.setPen(QPen(color("edge"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(self.spot(0, 0), self.spot(1, 1))
        for each in self.promises:
            self._draw_range(painter, each.promised, each.junk, "accent")


class CurveChart(Plot):
    """What more labels bring: junk caught above, good mail misjudged below. Has no signals of its own."""

    def __init__(self) -> None:
        super().__init__(190, tr("Junk caught and good mail misjudged, by the number of marks"), across=tr("marks"))
        self.points: Sequence[CurvePoint] = ()

    def show_points(self, points: Sequence[CurvePoint]) -> None:
        """Draw these."""
        self.points = points
        words = "\n".join(_point_words(each) for each in points)
        self.setAccessibleDescription(words)
        self.setToolTip(words)
        self.update()

    def ends(self) -> tuple[str, str]:
        if not self.points:
            return "", ""
        return format_count(self.points[0].labels), format_count(self.points[-1].labels)

    def draw(self, painter: QPainter) -> None:
        if not self.points:
            return
        reach = math.log(self.points[-1].labels / self.points[0].labels)
        across = [math.log(each.labels / self.points[0].labels) / reach if reach else 0.5 for each in self.points]
        legend = self.field().left()
        for shares, colour, words in (
            ([each.caught for each in self.points], "junk", tr("junk caught")),
            ([each.misjudged for each in self.points], "good", tr("good mail misjudged")),
        ):
            painter.setPen(QPen(color(colour), 2))
            painter.drawPolyline(QPolygonF([self.spot(x, each.share) for x, each in zip(across, shares, strict=True)]))
            for x, each in zip(across, shares, strict=True):
                self._draw_range(painter, x, each, colour)
            line = QRectF(legend, 0, self.width(), self.line_height() + ROOM)
            painter.drawEllipse(QPointF(line.left() + DOT, line.center().y()), DOT, DOT)
            painter.setPen(color(colour))
            painter.drawText(line.adjusted(2 * DOT + 6, 0, 0, 0), LEFT, words)
            legend += self.fontMetrics().horizontalAdvance(words) + 2 * ROOM + 2 * DOT


def _point_words(point: CurvePoint) -> str:
    text = tr("{labels} marks: {caught} of junk caught, {misjudged} of good mail misjudged")
    caught, misjudged = phrases.percent(point.caught.share), phrases.percent(point.misjudged.share)
    return text.format(labels=format_count(point.labels), caught=caught, misjudged=misjudged)
