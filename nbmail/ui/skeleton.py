"""What stands in the window for the first tenth of a second: its outlines, in its colours, where its parts will be."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from nbmail.ui.theme import Shades

TOP = 100
SIDE = 210


class Skeleton(QWidget):
    """Outlines of tool bar, lists and table. Has no signals of its own."""

    def __init__(self, shades: Shades) -> None:
        super().__init__()
        self._shades = shades

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._shades.window))
        painter.fillRect(SIDE, TOP, self.width(), self.height() - TOP - 32, QColor(self._shades.base))
        painter.fillRect(0, TOP - 26, self.width(), 1, QColor(self._shades.line))
        painter.fillRect(0, TOP, self.width(), 1, QColor(self._shades.line))
        painter.fillRect(SIDE, TOP, 1, self.height(), QColor(self._shades.line))
        painter.end()
