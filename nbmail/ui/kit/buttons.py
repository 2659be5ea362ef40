"""Buttons of the window."""

from collections.abc import Callable

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QPushButton

Act = Callable[..., object] | SignalInstance | None
"""Called or emitted after a click on a button."""


def make_button(text: str, act: Act = None) -> QPushButton:
    """Return a button that the Enter key does not press while another field has focus."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    if act is not None:
        button.clicked.connect(act)
    return button


def quiet_button(text: str, act: Act = None, *, flush: bool = False) -> QPushButton:
    """Return a button that looks like a link. `flush`: its text begins where other lines do."""
    button = QPushButton(text)
    button.setProperty("quiet", True)
    button.setProperty("flush", flush)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    if act is not None:
        button.clicked.connect(act)
    return button
