"""A line of chances over time, to look at and to walk along with the keyboard.

It goes in steps: between two marks nothing is learned, so the chance stays.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.letter_sizes import grown, widest
from nbmail.ui.kit.plain_text import LEFT, RIGHT
from nbmail.ui.kit.theme import Shades
from nbmail.ui.window.notices import announce

NEAR, FAR, ROOM = 14, 24, 10
"""Pixels before the words of the scale and after the line, and between any words and what they are about."""
DOT, BIG_DOT = 3.0, 5.0
SCALE = ((0.0, "0\u202f%"), (0.5, "50\u202f%"), (1.0, "100\u202f%"))


class TraceChart(QWidget):
    """Chance over time; the current point's figure is written above. Has no signals of its own."""

    def __init__(self, shades: Callable[[], Shades], clock: Callable[[], float]) -> None:
        super().__init__()
        self._shades, self._clock = shades, clock
        self.points: tuple[tuple[float, float], ...] = ()
        self.current = -1
        self._end = 0.0
        self.setMinimumHeight(grown(self, 170))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Chance of junk over time. Left and right go from mark to mark."))

    def show_trace(self, points: Sequence[tuple[float, float]]) -> None:
        """Draw these points, (moment, chance), oldest first; the latest is current."""
        self.points = tuple(points)
        self._end = max(self._clock(), *(moment for moment, _ in points)) if points else 0.0
        self.go_to(len(self.points) - 1)

    def go_to(self, place: int) -> None:
        """Make a point current."""
        self.current = max(0, min(place, len(self.points) - 1)) if self.points else -1
        self.setAccessibleDescription(self.words())
        self.update()

    def words(self) -> str:
        """The current point: when, and which chance."""
        if self.current < 0:
            return ""
        moment, chance = self.points[self.current]
        return tr("{when}: {chance} junk").format(
            when=phrases.date_words(moment, self._clock()), chance=phrases.percent(chance)
        )

    def _line(self) -> int:
        return self.fontMetrics().height()

    def _field(self) -> QRectF:
        """Where the line is drawn."""
        near = NEAR + widest(self.fontMetrics(), (words for _, words in SCALE)) + ROOM
        above, below = self._line() + 2 * ROOM, self._line() + ROOM
        return QRectF(near, above, max(1, self.width() - near - FAR), max(1, self.height() - above - below))

    def spots(self) -> list[QPointF]:
        """Where the points are."""
        field, first = self._field(), self.points[0][0] if self.points else 0.0
        span = self._end - first
        shares = [((moment - first) / span if span else 0.5, chance) for moment, chance in self.points]
        return [QPointF(field.left() + field.width() * x, field.bottom() - field.height() * y) for x, y in shares]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, shades = QPainter(self), self._shades()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_scale(painter, shades)
        if self.points:
            self._paint_line(painter, shades)
        painter.end()

    def _paint_scale(self, painter: QPainter, shades: Shades) -> None:
        field, line = self._field(), self._line()
        for share, words in SCALE:
            height = field.bottom() - share * field.height()
            painter.setPen(QPen(QColor(shades.line), 1))
            painter.drawLine(QPointF(field.left(), height), QPointF(field.right(), height))
            painter.setPen(QColor(shades.muted))
            painter.drawText(QRectF(0, height - line, field.left() - ROOM, 2 * line), RIGHT, words)
        if self.points:
            where = QRectF(field.left(), field.bottom() + ROOM / 2, field.width(), line + 2)
            painter.drawText(where, LEFT, phrases.date_words(self.points[0][0], self._clock()))
            painter.drawText(where, RIGHT, tr("now"))

    def _paint_line(self, painter: QPainter, shades: Shades) -> None:
        spots = self.spots()
        painter.setPen(QPen(QColor(shades.accent), 2))
        painter.drawPolyline(QPolygonF(_steps(spots, self._field().right())))
        painter.setPen(Qt.PenStyle.NoPen)
        for place, spot in enumerate(spots):
            painter.setBrush(QColor(shades.junk if self.points[place][1] >= 0.5 else shades.good))
            size = BIG_DOT if place == self.current else DOT
            painter.drawEllipse(spot, size, size)
        self._paint_current(painter, shades, spots[self.current])

    def _paint_current(self, painter: QPainter, shades: Shades, spot: QPointF) -> None:
        if self.hasFocus():
            painter.setPen(QPen(QColor(shades.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(spot, BIG_DOT + 3, BIG_DOT + 3)
        words = self.words()
        width = painter.fontMetrics().horizontalAdvance(words) + 4
        left = max(4.0, min(spot.x() - width / 2, self.width() - width - 4.0))
        painter.setPen(QColor(shades.text))
        painter.drawText(QRectF(left, 2, width, self._line() + ROOM), Qt.AlignmentFlag.AlignCenter, words)

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
