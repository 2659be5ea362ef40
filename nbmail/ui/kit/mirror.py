"""For those who read from right to left: cells painted by hand are laid out from left to right, then turned over here.

Words turn by themselves: each is written in the direction of its own letters, at the side where reading begins.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtWidgets import QLabel, QStyledItemDelegate, QStyleOptionViewItem

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


def reads_leftward(text: str) -> bool:
    """Whether the first letter that has a direction is of a script that is read from right to left."""
    directions = (unicodedata.bidirectional(letter) for letter in text)
    return next((each != "L" for each in directions if each in ("L", "R", "AL")), False)


class OwnDirection(QStyledItemDelegate):
    """Writes each cell in the direction of its own letters, at the side where reading begins. Has no signals.

    Qt writes all cells in the direction of the window, which takes a question mark to the wrong end of foreign words.
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        if option.direction == Qt.LayoutDirection.RightToLeft and option.text and not reads_leftward(option.text):
            far = option.displayAlignment & Qt.AlignmentFlag.AlignRight
            side = Qt.AlignmentFlag.AlignLeft if far else Qt.AlignmentFlag.AlignRight
            option.direction = Qt.LayoutDirection.LeftToRight
            option.displayAlignment = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter


def begin_at_reading_side(label: QLabel) -> None:
    """Have the words of a mail stand beside their heading, whatever language they are in."""
    turned = label.layoutDirection() == Qt.LayoutDirection.RightToLeft
    side = Qt.AlignmentFlag.AlignRight if turned else Qt.AlignmentFlag.AlignLeft
    label.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)
