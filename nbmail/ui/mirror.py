"""For those who read from right to left: cells painted by hand are laid out from left to right, then turned over here.

Words turn by themselves: each is written in the direction of its own letters, at the side where reading begins.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtWidgets import QLabel

_WORDS = int(Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextSingleLine)


@dataclass(frozen=True, slots=True)
class Mirror:
    """Turns what lies in one cell; where reading goes from left to right it leaves all as it is."""

    cell: QRect
    turned: bool

    def area(self, area: QRect) -> QRect:
        """Where this lies."""
        if not self.turned:
            return area
        return QRect(self.cell.left() + self.cell.right() - area.right(), area.top(), area.width(), area.height())

    def shape(self, shape: QRectF) -> QRectF:
        """Where this lies, to fractions of a pixel."""
        if not self.turned:
            return shape
        left = self.cell.left() + self.cell.right() + 1 - shape.right()
        return QRectF(left, shape.top(), shape.width(), shape.height())

    @property
    def near(self) -> int:
        """How words stand that begin where reading begins."""
        return _WORDS | int(Qt.AlignmentFlag.AlignRight if self.turned else Qt.AlignmentFlag.AlignLeft)

    @property
    def far(self) -> int:
        """How words and numbers stand at the other side."""
        return _WORDS | int(Qt.AlignmentFlag.AlignLeft if self.turned else Qt.AlignmentFlag.AlignRight)


def begin_at_reading_side(label: QLabel) -> None:
    """Have the words of a mail stand beside their heading, whatever language they are in."""
    turned = label.layoutDirection() == Qt.LayoutDirection.RightToLeft
    side = Qt.AlignmentFlag.AlignRight if turned else Qt.AlignmentFlag.AlignLeft
    label.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)
