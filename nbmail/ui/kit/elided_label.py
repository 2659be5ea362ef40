"""A label of one line that ends in an ellipsis where there is no room, and says the whole in its tooltip."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from nbmail.ui.kit.plain_text import LEFT, plain_tip

LEAST = 24
"""Pixels it keeps: an ellipsis fits."""


class ElidedLabel(QLabel):
    """Its text is always the whole; only what is painted is cut, unless it may wrap. Signals: `clicked()`."""

    clicked = Signal()

    def __init__(self, text: str = "", *, greedy: bool = True) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        across = QSizePolicy.Policy.Ignored if greedy else QSizePolicy.Policy.Maximum
        self.setSizePolicy(across, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST, super().minimumSizeHint().height())

    def shown(self) -> str:
        width = self.contentsRect().width()
        cut = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, width)
        return self.text() if self.wordWrap() else cut

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and not self.toolTip() and self.shown() != self.text():
            self.setToolTip(plain_tip(self.text()))
            done = super().event(event)
            self.setToolTip("")
            return done
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown()
        if shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        # In the direction of its own letters, so that the ellipsis stands where they end.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        area, role = self.contentsRect(), self.foregroundRole()
        self.style().drawItemText(painter, area, LEFT, self.palette(), self.isEnabled(), shown, role)
        painter.end()
