"""The learning bar: what the model knows, and how far its percentages can be trusted."""

from PySide6.QtCore import QElapsedTimer, QRectF, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from nbmail.ui.kit import layouts, phrases
from nbmail.ui.kit.icons import fill_round
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.plain_text import ElidedLabel, plain_label
from nbmail.ui.kit.theme import color
from nbmail.worker.protocol import Learned

GLOW_MILLISECONDS = 900
CALM_MILLISECONDS = 1500
"""In a stream of lessons that come faster than this the first glows, not each: sixty frames a second, for minutes."""


class LearningBar(QWidget):
    """One line that visibly changes with every mark. Has no signals of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._learned: Learned | None = None
        self._what = plain_label(tr("Opening your mail…"), "title")
        self._gauges = Gauges()
        self._honesty = ElidedLabel()
        self._honesty.setProperty("muted", True)
        self.setLayout(layouts.row(self._what, self._gauges, (self._honesty, 1), spacing=14, margins=(14, 6, 14, 6)))
        self._glow = QVariantAnimation(self)
        self._glow.setDuration(GLOW_MILLISECONDS)
        self._glow.setStartValue(1.0)
        self._glow.setEndValue(0.0)
        self._glow.valueChanged.connect(self.update)
        self._changed = QElapsedTimer()

    def show_learned(self, learned: Learned) -> None:
        """Show what is known now; glow if that is more or less than before."""
        before, self._learned = self._learned, learned
        known = {each.name: each.messages for each in learned.classes}
        junk, good = known.get("junk", 0), known.get("good", 0)
        self._what.setText(phrases.learned_text(junk, good, learned.vocabulary))
        self._honesty.setText(phrases.calibration_text(junk, good, learned.held_out, learned.calibrated))
        self._honesty.setToolTip(tr("Each message is scored before nbmail learns it: only those scores count."))
        self._gauges.show_held_out(learned)
        if before is not None and before.classes != learned.classes:
            self._shine(sum(known.values()) - sum(each.messages for each in before.classes))

    def _shine(self, more: int) -> None:
        """Glow, for each mark by hand and for the first lesson of a stream."""
        stream = abs(more) > 1 and self._changed.isValid() and self._changed.elapsed() < CALM_MILLISECONDS
        self._changed.start()
        if not stream:
            self._glow.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color("raised"))
        strength = self._glow.currentValue() if self._glow.state() == QVariantAnimation.State.Running else 0.0
        if strength:
            colour = QColor(color("good_soft"))
            colour.setAlphaF(float(strength))
            painter.fillRect(self.rect(), colour)
        painter.fillRect(0, self.height() - 1, self.width(), 1, color("line"))
        painter.end()


class Gauges(QWidget):
    """Two small bars: how many checked scores of each class there are on the way to sure percentages."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(92, 16)
        self._shares = (0.0, 0.0)

    def show_held_out(self, learned: Learned) -> None:
        """Show how far each class has come; nothing once both are there."""
        junk, good = (min(1.0, each / phrases.ENOUGH) for each in learned.held_out)
        self._shares = (junk, good)
        self.setVisible(min(learned.held_out) < phrases.ENOUGH)
        self.setAccessibleName(
            tr("Junk {junk}, good {good} on the way to sure percentages").format(
                junk=phrases.percent(junk), good=phrases.percent(good)
            )
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for row, (share, name) in enumerate(zip(self._shares, ("junk", "good"), strict=True)):
            top = 2 + row * 7
            fill_round(painter, QRectF(0, top, self.width(), 4), color("track"), 2)
            fill_round(painter, QRectF(0, top, self.width() * share, 4), color(name), 2)
        painter.end()
