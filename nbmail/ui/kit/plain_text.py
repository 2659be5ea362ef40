"""Untrusted text on the screen. Mail, folder names and server replies may contain what Qt would render as HTML."""

import re
from html import escape

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QSizePolicy, QWidget

MAX_PLAIN_TIP = 100
"""Characters of a tooltip without line wrapping. Qt shows longer plain tooltips in one line as wide as the screen."""
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
"""Invisible characters: direction marks, controls, tags. Joiners are not included: scripts and emoji need them."""
BREAK = "\u200b"
"""Zero-width space: a possible line break."""
_LINE = int(Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)
LEFT, RIGHT = _LINE | int(Qt.AlignmentFlag.AlignLeft), _LINE | int(Qt.AlignmentFlag.AlignRight)
"""Flags for one painted line of text. Without `AlignAbsolute`, Hebrew text would be on the opposite side."""
MIN_ELIDED_WIDTH = 24
"""Minimum width of an `ElidedLabel` in pixels: room for an ellipsis."""


def visible(text: str, longest: int) -> str:
    """Return at most `longest` characters, without invisible ones.

    A direction mark can display a name that ends in "exe.doc" as "cod.exe", or one address as another.
    """
    some = text[: 4 * longest]
    some = some if some.isascii() and some.isprintable() else INVISIBLE.sub("", some)
    return some if len(some) <= longest and len(text) <= 4 * longest else some[:longest].rstrip() + "…"


def breakable(text: str, stretch: int) -> str:
    """Insert a possible line break after every `stretch` characters without whitespace."""
    return re.sub(rf"(\S{{{stretch}}})(?=\S)", rf"\1{BREAK}", text)


def join_sentences(*texts: str) -> str:
    """Join the texts that are not empty with spaces."""
    return " ".join(text for text in texts if text)


def plain_tip(text: str) -> str:
    """Return a tooltip that shows the text literally, loads no pictures and wraps long lines."""
    if len(text) < MAX_PLAIN_TIP and not any(sign in text for sign in "<&"):
        return text
    return f'<p style="white-space: pre-wrap">{escape(text)}</p>'


def plain_label(text: str = "", kind: str = "") -> QLabel:
    """Return a label that shows its text literally. `kind` selects the style: "title" or "muted"."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if kind:
        label.setProperty(kind, True)
    return label


def wrapping_label(text: str = "", kind: str = "") -> QLabel:
    """Return a plain label that wraps its text."""
    label = plain_label(text, kind)
    label.setWordWrap(True)
    return label


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
    keyboard = Qt.TextInteractionFlag.TextSelectableByKeyboard if by_keyboard else Qt.TextInteractionFlag(0)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | keyboard)
    return label


class ElidedLabel(QLabel):
    """Label of one line that ends in an ellipsis if its text is too long. The tooltip shows the whole text.

    `text()` is always the whole text. Signals: `clicked()`.
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
        """Return the visible text."""
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
            handled = super().event(event)
            self.setToolTip("")
            return handled
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown()
        if shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        # In the direction of its own script, so that the ellipsis is at the end of the text.
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        area, role = self.contentsRect(), self.foregroundRole()
        self.style().drawItemText(painter, area, LEFT, self.palette(), self.isEnabled(), shown, role)
        painter.end()


def plain_name(text: str) -> str:
    """Escape ampersands for the text of an action or a button."""
    return text.replace("&", "&&")


def add_plain_row(form: QFormLayout, name: str, field: QWidget, named: QWidget | None = None) -> None:
    """Add a row to a form. `named`: the widget inside `field` that gets the focus of the row's mnemonic."""
    form.addRow(name, field)
    label = form.labelForField(field)
    if isinstance(label, QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setBuddy(named or field)
        # Qt limits the label to 7/4 of a line, which would place its text above the text of the field.
        label.setMinimumHeight(field.sizeHint().height())
