"""Something that can be done: its name, what it means, and the button that does it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from nbmail.ui.kit import layouts
from nbmail.ui.kit.plain_text import wrapping_label


def offer(title: str, about: str, button: QPushButton) -> QHBoxLayout:
    """The words at the left, the button at the right."""
    texts = layouts.column(wrapping_label(title, "title"), wrapping_label(about, "muted"), spacing=2)
    made = layouts.row(texts, (button, Qt.AlignmentFlag.AlignVCenter), spacing=20)
    made.setStretch(0, 1)
    return made
