"""Bar above the message in triage: progress and the choice of an order."""

from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.accessibility import announce
from nbmail.ui.kit.buttons import quiet_button
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.kit.plain_labels import ElidedLabel, plain_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.theme import color, set_style
from nbmail.ui.notices.bars import NARROW_BAR
from nbmail.ui.texts.language import tr

LINE = 3
"""Height of the progress line in pixels."""
LEAST_ORDER = 80
LEAST_IMPROVEMENT = 260
"""Minimum width in pixels of the choice of an order and of the improvement."""


class TriageHead(QWidget):
    """Progress, improvement, choice of an order, and a button back. Has no signals.

    The orders are "newest" and "teaching".
    """

    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        self.place = plain_label(kind="title")
        self.verdict = plain_label()
        self.improvement = ElidedLabel()
        self.improvement.setProperty("muted", True)
        self.improvement.setToolTip(
            tr("Measured on your marked messages, each tested without its own mark.")
        )
        orders = (
            (tr("Unsure messages, newest first"), "newest"),
            (tr("Most useful first"), "teaching"),
        )
        self.order = combo_of(orders, tr("Review order"))
        self.order.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.order.setMinimumWidth(scaled(self, LEAST_ORDER))
        self.back = quiet_button("")
        self.back.setAccessibleName(tr("Back to list"))
        self.back.setToolTip(tr("Esc"))
        parts = (self.place, self.verdict, (self.improvement, 1), self.order, self.back)
        self.setLayout(layouts.row(*parts, spacing=14, margins=(16, 7, 10, 7 + LINE)))
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide the improvement without room for it. The summary shows it as well."""
        self.back.setText(tr("Back to list") if self.width() >= scaled(self, NARROW_BAR) else "✕")
        self.improvement.hide()
        layout = self.layout()
        assert layout is not None
        spare = self.width() - layout.minimumSize().width()
        has_room = spare >= scaled(self, LEAST_IMPROVEMENT)
        self.improvement.setVisible(has_room and bool(self.improvement.text()))

    def show_order(self, order: str) -> None:
        self.order.setCurrentIndex(self.order.findData(order))

    def show_place(self, words: str, share: float) -> None:
        self.place.setText(words)
        self._share = share
        self._fit()
        self.update()

    def show_verdict(self, words: str, verdict: str) -> None:
        self.verdict.setText(words)
        set_style(self.verdict, "verdict", verdict or "muted")

    def show_improvement(self, words: str) -> None:
        if words != self.improvement.text():
            self.improvement.setText(words)
            self._fit()
            announce(self, words)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color("raised"))
        top = self.height() - LINE
        painter.fillRect(0, top, self.width(), LINE, color("track"))
        painter.fillRect(0, top, round(self.width() * self._share), LINE, color("accent"))
        painter.end()
