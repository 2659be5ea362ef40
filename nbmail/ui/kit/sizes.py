"""Sizes in proportion to the font and the screen."""

from collections.abc import Iterable

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTableView, QWidget

DESIGN_HEIGHT = 14
"""Line height in pixels that all sizes in the code were designed for."""
FRAME_WIDTH = 16
FRAME_HEIGHT = 48
"""Upper limit of the window frame in pixels. Its size is unknown before the window is shown."""
HEADER_PADDING = 30
"""Pixels of a header section in addition to its text."""


def scaled(widget: QWidget, pixels: int) -> int:
    """Return `pixels` in proportion to the font of the widget, never less than `pixels`."""
    factor = widget.fontMetrics().height() / DESIGN_HEIGHT
    return round(pixels * max(1.0, factor))


def max_text_width(measure: QFontMetrics, texts: Iterable[str]) -> int:
    return max((measure.horizontalAdvance(text) for text in texts), default=0)


def header_width(table: QTableView, column: int) -> int:
    """Return the minimum width in pixels of a column that shows its whole heading."""
    header = table.horizontalHeader()
    heading = str(table.model().headerData(column, header.orientation()))
    return header.fontMetrics().horizontalAdvance(heading) + HEADER_PADDING


def available_size(window: QWidget) -> QSize:
    """Return the maximum size of a window on its screen, without its frame."""
    screen = window.screen().availableGeometry()
    return QSize(screen.width() - FRAME_WIDTH, screen.height() - FRAME_HEIGHT)


def resize_to_screen(window: QWidget, width: int, height: int) -> None:
    """Resize a window to a size in proportion to its font, at most that of the screen."""
    wanted = QSize(scaled(window, width), scaled(window, height))
    window.resize(wanted.boundedTo(available_size(window)))
