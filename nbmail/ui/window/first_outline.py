"""What stands in the window for the first tenth of a second: its colours, and the edges of its bars."""

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from nbmail.ui.kit.theme import shades

BARS = (74, 100)
"""Where menu and tool bar, and the learning bar below them, end."""


class FirstOutline(QWidget):
    """The window before its parts are made. Has no signals of its own."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawImage(self.rect(), _paint_chip(shades().window))
        for line in BARS:
            painter.drawImage(QRect(0, line, self.width(), 1), _paint_chip(shades().line))
        painter.end()


def _paint_chip(colour: str) -> QImage:
    """One pixel of this colour, to be stretched.

    Filling with a colour would do the same, but Qt's overloads for it load all the names of its namespace: 10 ms.
    """
    return QImage(bytes.fromhex(colour.removeprefix("#")), 1, 1, 3, QImage.Format.Format_RGB888).copy()
