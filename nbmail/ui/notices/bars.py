"""Colored bars across the window."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.buttons import make_button
from nbmail.ui.kit.focus import release_focus
from nbmail.ui.kit.plain_labels import wrapping_label
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.texts.language import tr

NARROW_BAR = 700
"""Width of a bar in pixels below which its buttons move below its text."""


class Bar(QWidget):
    """Bar with a text, and buttons next to the text, or below it if the bar is narrow."""

    def __init__(self, look: str) -> None:
        super().__init__()
        self.setProperty("bar", look)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.hide()

    def set_contents(self, text: layouts.LayoutItem, *buttons: QWidget, around: int = 5) -> None:
        """Set text and buttons, once. `around`: pixels above and below them."""
        beside = layouts.row(*buttons, None, spacing=6)
        self._row = layouts.row(text, beside, spacing=12, margins=(14, around, 10, around))
        self._row.setStretch(0, 1)
        self.setLayout(self._row)

    def setVisible(self, visible: bool) -> None:
        if not visible:
            release_focus(self)
        super().setVisible(visible)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        wide = self.width() >= scaled(self, NARROW_BAR)
        self._row.setDirection(ways.LeftToRight if wide else ways.TopToBottom)


class DemoBar(Bar):
    """Bar of the demo, with a button that opens the user's own mail. No signals."""

    def __init__(self, open_program: Callable[[bool], None]) -> None:
        super().__init__("ham")
        self.button = make_button(tr("Use my own mail"), lambda: open_program(False))
        text = wrapping_label(tr("Demo with sample mail. Nothing is saved."))
        self.set_contents(text, self.button, around=3)


class Bars(QScrollArea):
    """Bars that are hidden most of the time. Has no signals.

    They take at most 40 % of the window's height, then scroll.
    """

    def __init__(self, *bars: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inside = layouts.column(*bars)
        content = layouts.as_widget(self._inside)
        content.installEventFilter(self)
        self.setWidget(content)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        inside = self._inside
        if inside.hasHeightForWidth():
            wanted = inside.heightForWidth(self.width())
        else:
            wanted = inside.sizeHint().height()
        most = self.window().height() * 2 // 5
        self.setFixedHeight(min(wanted, most))
