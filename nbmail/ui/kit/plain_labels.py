"""Labels that show untrusted text literally."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from nbmail.ui.kit.drawing import LEFT
from nbmail.ui.texts.plain_text import plain_tip

MIN_ELIDED_WIDTH = 24
"""Minimum width of an `ElidedLabel` in pixels: room for an ellipsis."""


def plain_label(text: str = "", kind: str = "") -> QLabel:
    """Return a label that shows its text literally. `kind`: the style, "title" or "muted"."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if kind:
        label.setProperty(kind, True)
    return label


def wrapping_label(text: str = "", kind: str = "") -> QLabel:
    label = plain_label(text, kind)
    label.setWordWrap(True)
    return label


def show_text(label: QLabel, text: str) -> None:
    """Set the text of a label. Without a text, the label is hidden."""
    label.setText(text)
    label.setVisible(bool(text))


def enlarge(label: QLabel, times: float) -> QLabel:
    """Turn a label into a heading with a font `times` as large."""
    font = QFont(label.font())
    font.setPointSizeF(font.pointSizeF() * times)
    font.setWeight(QFont.Weight.DemiBold)
    label.setFont(font)
    return label


def selectable_label(*, by_keyboard: bool = False) -> QLabel:
    """Return a wrapping label of any width with selectable text."""
    label = wrapping_label()
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    ways = Qt.TextInteractionFlag.TextSelectableByMouse
    if by_keyboard:
        ways |= Qt.TextInteractionFlag.TextSelectableByKeyboard
    label.setTextInteractionFlags(ways)
    return label


class ElidedLabel(QLabel):
    """Label of one line that ends in an ellipsis. Signals: `clicked()`.

    The tooltip and `text()` are the whole text.
    """

    clicked = Signal()

    def __init__(self, text: str = "", *, greedy: bool = True) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        across = QSizePolicy.Policy.Ignored if greedy else QSizePolicy.Policy.Maximum
        self.setSizePolicy(across, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(MIN_ELIDED_WIDTH, super().minimumSizeHint().height())

    def shown(self) -> str:
        """Return the text as far as it fits."""
        if self.wordWrap():
            return self.text()
        width = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, width)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def event(self, event: QEvent) -> bool:
        is_elided = self.shown() != self.text()
        if event.type() != QEvent.Type.ToolTip or self.toolTip() or not is_elided:
            return super().event(event)
        self.setToolTip(plain_tip(self.text()))
        handled = super().event(event)
        self.setToolTip("")
        return handled

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown()
        if shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        # In the direction of the text's script, so that the ellipsis is at its end.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            LEFT,
            self.palette(),
            self.isEnabled(),
            shown,
            self.foregroundRole(),
        )
        painter.end()
