"""A line of chances over time, to look at and to walk along with the keyboard.

It goes in steps: between two marks nothing is learned, so the chance stays.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF

from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.theme import color
from nbmail.ui.model.plot import DOT, ROOM, Plot
from nbmail.ui.window.notices import announce

BIG_DOT = 5.0


class TraceChart(Plot):
    """Chance over time; the current point's figure is written above. Has no signals of its own."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(170, tr("Chance of junk over time. Left and right go from mark to mark."))
        self._clock = clock
        self.points: tuple[tuple[float, float], ...] = ()
        self.current = -1
        self._end = 0.0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_trace(self, points: Sequence[tuple[float, float]]) -> None:
        """Draw these points, (moment, chance), oldest first; the latest is current."""
        self.points = tuple(points)
        self._end = max(self._clock(), *(moment for moment, _ in points)) if points else 0.0
        self.go_to(len(self.points) - 1)

    def go_to(self, place: int) -> None:
        self.current = max(0, min(place, len(self.points) - 1)) if self.points else -1
        self.setAccessibleDescription(self.words())
        self.update()

    def words(self) -> str:
        """The current point: when, and which chance."""
        if self.current < 0:
            return ""
        moment, chance = self.points[self.current]
        return tr("{when}: {chance} junk").format(
            when=phrases.date_text(moment, self._clock()), chance=phrases.percent(chance)
        )

    def spots(self) -> list[QPointF]:
        first = self.points[0][0] if self.points else 0.0
        span = self._end - first
        return [self.spot((moment - first) / span if span else 0.5, chance) for moment, chance in self.points]

    def ends(self) -> tuple[str, str]:
        return (phrases.date_text(self.points[0][0], self._clock()), tr("now")) if self.points else ("", "")

    def draw(self, painter: QPainter) -> None:
        if not self.points:
            return
        spots = self.spots()
        painter.setPen(QPen(color("accent"), 2))
        painter.drawPolyline(QPolygonF(_steps(spots, self.field().right())))
        painter.setPen(Qt.PenStyle.NoPen)
        for place, spot in enumerate(spots):
            painter.setBrush(color("junk" if self.points[place][1] >= 0.5 else "good"))
            size = BIG_DOT if place == self.current else DOT
            painter.drawEllipse(spot, size, size)
        self._paint_current(painter, spots[self.current])

    def _paint_current(self, painter: QPainter, spot: QPointF) -> None:
        if self.hasFocus():
            painter.setPen(QPen(color("accent"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(spot, BIG_DOT + 3, BIG_DOT + 3)
        words = self.words()
        width = painter.fontMetrics().horizontalAdvance(words) + 4
        left = max(4.0, min(spot.x() - width / 2, self.width() - width - 4.0))
        painter.setPen(color("text"))
        painter.drawText(QRectF(left, 2, width, self.line_height() + ROOM), Qt.AlignmentFlag.AlignCenter, words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        left, right = self.current - 1, self.current + 1
        keys = Qt.Key
        targets = {keys.Key_Left: left, keys.Key_Right: right, keys.Key_Home: 0, keys.Key_End: len(self.points)}
        target = targets.get(keys(event.key()))
        if target is None:
            super().keyPressEvent(event)
            return
        self.go_to(target)
        announce(self, self.words())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        spots = self.spots()
        if spots:
            x = event.position().x()
            self.go_to(min(range(len(spots)), key=lambda place: abs(spots[place].x() - x)))


def _steps(spots: Sequence[QPointF], end: float) -> list[QPointF]:
    """Each height is kept until the next spot, the last one until the end."""
    line = []
    for place, spot in enumerate(spots):
        line += [spot, QPointF(spots[place + 1].x() if place + 1 < len(spots) else end, spot.y())]
    return line
