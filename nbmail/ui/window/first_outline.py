"""What stands in the window for the first tenth of a second: its outlines, in its colours, where its parts will be."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSettings, QSize
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from nbmail.ui.kit.theme import Shades

OUTLINE = "outline"
"""Under this name the window notes where its panes stood: its width and height, then four numbers for each pane."""
BARS = (74, 100)
"""Where tool bar and strip end, until the window has noted it."""


class FirstOutline(QWidget):
    """Outlines of the bars and panes. Has no signals of its own.

    `notes` know where they stood in a window of the same size.
    """

    def __init__(self, shades: Shades, notes: QSettings | None = None) -> None:
        super().__init__()
        self._shades = shades
        self._noted = numbers(notes.value(OUTLINE)) if notes is not None else []

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawImage(self.rect(), _paint_chip(self._shades.window))
        areas = _areas(self._noted, self.size())
        for area in areas:
            # A line around it: where two panes meet, theirs lie on each other.
            painter.drawImage(area.adjusted(-1, -1, 1, 1), _paint_chip(self._shades.line))
        for area in areas:
            painter.drawImage(area, _paint_chip(self._shades.base))
        for line in BARS if not areas else ():
            painter.drawImage(QRect(0, line, self.width(), 1), _paint_chip(self._shades.line))
        painter.end()


def note_outline(notes: QSettings, size: QSize, areas: list[QRect]) -> None:
    """Note down where the panes stand."""
    corners = [number for each in areas for number in (each.x(), each.y(), each.width(), each.height())]
    notes.setValue(OUTLINE, [str(number) for number in (size.width(), size.height(), *corners)])


def _areas(noted: list[int], size: QSize) -> list[QRect]:
    """Where the panes stood, nothing if the window was of another size."""
    if noted[:2] != [size.width(), size.height()]:
        return []
    return [QRect(*noted[first : first + 4]) for first in range(2, len(noted) - 3, 4)]


def numbers(noted: object) -> list[int]:
    """Numbers as they were noted, none if it is not that what stands there."""
    if not isinstance(noted, list) or not all(isinstance(each, str) and each.isdecimal() for each in noted):
        return []
    return [int(each[:6]) for each in noted]


def _paint_chip(colour: str) -> QImage:
    """One pixel of this colour, to be stretched.

    Filling with a colour would do the same, but Qt's overloads for it load all the names of its namespace: 10 ms.
    """
    return QImage(bytes.fromhex(colour.removeprefix("#")), 1, 1, 3, QImage.Format.Format_RGB888).copy()
