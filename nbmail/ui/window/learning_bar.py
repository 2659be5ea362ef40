"""Learning bar: what is learned, and how reliable the percentages are."""

from PySide6.QtCore import QElapsedTimer, QRectF, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.drawing import fill_round
from nbmail.ui.kit.plain_labels import ElidedLabel, plain_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.theme import color
from nbmail.ui.notices.bars import NARROW_BAR
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.mark_texts import ENOUGH, calibration_text, learned_text
from nbmail.ui.texts.number_texts import near_percent
from nbmail.worker.protocol.events import Learned

GLOW_MILLISECONDS = 900
CALM_MILLISECONDS = 1500
"""Minimum time between two glows while many messages are learned.

Each glow repaints 60 frames a second.
"""


class LearningBar(QWidget):
    """Learned messages and the accuracy of the percentages in one line. Has no signals.

    The bar glows when the learned messages change.
    """

    def __init__(self) -> None:
        super().__init__()
        self._learned: Learned | None = None
        self._counts = plain_label(tr("Opening your mail…"), "title")
        self._gauges = Gauges()
        self.calibration = ElidedLabel()
        self.calibration.setProperty("muted", True)
        learned = layouts.row(self._counts, self._gauges, None, spacing=14)
        # The gauges, which appear later, must not move what is below.
        learned.addStrut(max(self._counts.sizeHint().height(), self._gauges.height()))
        self._row = layouts.row(learned, (self.calibration, 1), spacing=14, margins=(14, 4, 14, 4))
        self.setLayout(self._row)

        self._glow = QVariantAnimation(self)
        self._glow.setDuration(GLOW_MILLISECONDS)
        self._glow.setStartValue(1.0)
        self._glow.setEndValue(0.0)
        self._glow.valueChanged.connect(self.update)
        self._changed = QElapsedTimer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the accuracy below the counts without room for it beside them."""
        super().resizeEvent(event)
        wide = self.width() >= scaled(self, NARROW_BAR)
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if wide else ways.TopToBottom)
        self._row.setSpacing(14 if wide else 2)

    @property
    def is_glowing(self) -> bool:
        return self._glow.state() == QVariantAnimation.State.Running

    def show_learned(self, learned: Learned) -> None:
        """Show what is learned now."""
        messages = {each.name: each.messages for each in learned.classes}
        spam = messages.get("spam", 0)
        ham = messages.get("ham", 0)
        self._counts.setText(learned_text(spam, ham, learned.vocabulary))
        text = calibration_text(spam, ham, learned.held_out, learned.calibrated)
        if learned.is_training:
            text = tr("Learning from your folders. The chance of spam follows.")
        self.calibration.setText(text)
        self.calibration.setToolTip(
            tr("Measured only on scores calculated without the message's own mark.")
        )
        self._gauges.show_held_out(*learned.held_out)

        before = self._learned
        self._learned = learned
        if before is not None and before.classes != learned.classes:
            known = sum(each.messages for each in before.classes)
            self._glow_after(sum(messages.values()) - known)

    def _glow_after(self, more: int) -> None:
        """Glow after a single mark, and after the first of many messages."""
        glowed = self._changed.isValid() and self._changed.elapsed() < CALM_MILLISECONDS
        is_stream = glowed and abs(more) > 1
        self._changed.start()
        if not is_stream:
            self._glow.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color("raised"))
        if self.is_glowing:
            glow = QColor(color("ham_soft"))
            glow.setAlphaF(float(self._glow.currentValue()))
            painter.fillRect(self.rect(), glow)
        painter.fillRect(0, self.height() - 1, self.width(), 1, color("line"))
        painter.end()


class Gauges(QWidget):
    """Two small bars: held-out scores of each class, as shares of what calibration needs."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(92, 16)
        self._spam = 0.0
        self._ham = 0.0

    def show_held_out(self, spam: int, ham: int) -> None:
        """Show the numbers of held-out scores, while they are too few."""
        self._spam = min(1.0, spam / ENOUGH)
        self._ham = min(1.0, ham / ENOUGH)
        self.setVisible(min(spam, ham) < ENOUGH)
        text = tr("Progress to a reliable chance of spam: spam {spam}, good messages {ham}")
        self.setAccessibleName(
            text.format(spam=near_percent(self._spam), ham=near_percent(self._ham))
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._draw_bar(painter, 2, self._spam, "spam")
        self._draw_bar(painter, 9, self._ham, "ham")
        painter.end()

    def _draw_bar(self, painter: QPainter, top: int, share: float, color_name: str) -> None:
        whole = self.width()
        fill_round(painter, QRectF(0, top, whole, 4), color("track"), 2)
        fill_round(painter, QRectF(0, top, whole * share, 4), color(color_name), 2)
