"""Sizes in the user's letters: what is laid out in pixels was drawn for small ones and grows with larger ones."""

from collections.abc import Iterable

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTableView, QWidget

DRAWN_FOR = 14
"""Pixels that a line of text is high where all sizes in pixels fit."""
FRAME_WIDTH, FRAME_HEIGHT = 16, 48
"""What a desktop's frame and title take at most; before the window is shown nobody can say."""
HEADING_ROOM = 30
"""What a heading needs beside its words: its padding, and a hair."""


def scaled(widget: QWidget, pixels: int) -> int:
    """So many pixels in the measure of the widget's letters; never fewer."""
    return round(pixels * max(1.0, widget.fontMetrics().height() / DRAWN_FOR))


def max_text_width(measure: QFontMetrics, texts: Iterable[str]) -> int:
    """How wide the widest of these texts is."""
    return max((measure.horizontalAdvance(text) for text in texts), default=0)


def header_width(table: QTableView, column: int) -> int:
    """The least that a column needs for its heading to be read."""
    heading = str(table.model().headerData(column, table.horizontalHeader().orientation()))
    return table.horizontalHeader().fontMetrics().horizontalAdvance(heading) + HEADING_ROOM


def available_size(window: QWidget) -> QSize:
    """How large a window may be on its screen, with the frame that the desktop puts around it."""
    room = window.screen().availableGeometry()
    return QSize(room.width() - FRAME_WIDTH, room.height() - FRAME_HEIGHT)


def resize_to_screen(window: QWidget, width: int, height: int) -> None:
    """Make a window so large in the measure of its letters, as far as the screen goes."""
    window.resize(QSize(scaled(window, width), scaled(window, height)).boundedTo(available_size(window)))
