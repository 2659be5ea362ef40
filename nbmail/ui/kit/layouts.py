"""Rows, columns, lines that wrap, pages that scroll and forms, made in one call each; timers that ring once."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from PySide6.QtCore import QObject, QRect, QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QBoxLayout,
    QFormLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

Part = QWidget | QLayout | tuple[QWidget, int | Qt.AlignmentFlag] | int | None
"""A widget or a layout; a widget with its share of the free room, or at one side; a gap in pixels; free room."""
Margins = tuple[int, int, int, int]
AnyBox = TypeVar("AnyBox", bound=QBoxLayout)


def column(*parts: Part, spacing: int = 0, margins: Margins = (0, 0, 0, 0)) -> QVBoxLayout:
    """These below each other."""
    return _fill(QVBoxLayout(), parts, spacing, margins)


def row(*parts: Part, spacing: int = 0, margins: Margins = (0, 0, 0, 0)) -> QHBoxLayout:
    """These beside each other."""
    return _fill(QHBoxLayout(), parts, spacing, margins)


class Flow(QLayout):
    """Widgets beside each other, in as many lines as the width asks for. Has no signals of its own."""

    def __init__(self, *widgets: QWidget, gap: int = 4) -> None:
        super().__init__()
        self._items, self._gap = list[QLayoutItem](), gap
        self.setContentsMargins(0, 0, 0, 0)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((place.bottom() + 1 for _, place in self._places(width)), default=0)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        for item, place in self._places(rect.width()):
            item.setGeometry(place.translated(rect.topLeft()))

    def minimumSize(self) -> QSize:
        least = QSize()
        for item in self._items:
            least = least.expandedTo(item.minimumSize())
        return least

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def _places(self, width: int) -> Iterator[tuple[QLayoutItem, QRect]]:
        left = top = line = 0
        for item in (item for item in self._items if not item.isEmpty()):
            size = item.sizeHint()
            if left and left + size.width() > width:
                left, top, line = 0, top + line + self._gap // 2, 0
            yield item, QRect(left, top, min(size.width(), width), size.height())
            left, line = left + size.width() + self._gap, max(line, size.height())


def scrolling(content: QWidget) -> QScrollArea:
    """Lets a page be scrolled up and down where there is too little room for all of it."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    content.setProperty("page", True)
    # Else Qt makes it as high as its sentences would be if they were very narrow.
    content.setMinimumHeight(1)
    area.setWidget(content)
    return area


def card(*parts: Part, width: int, spacing: int) -> QVBoxLayout:
    """These on a card in the middle of a page, no wider than that; where there is too little room it scrolls."""
    inside, around = QWidget(), QWidget()
    inside.setProperty("card", True)
    inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    inside.setMaximumWidth(width)
    inside.setLayout(column(*parts, spacing=spacing, margins=(36, 30, 36, 30)))
    around.setLayout(column(None, row(None, (inside, 1000), None), None, margins=(20, 20, 20, 20)))
    area = scrolling(around)
    around.setProperty("page", False)
    return column((area, 1))


def _fill(box: AnyBox, parts: tuple[Part, ...], spacing: int, margins: Margins) -> AnyBox:
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for part in parts:
        if isinstance(part, QWidget):
            box.addWidget(part)
        elif isinstance(part, QLayout):
            box.addLayout(part)
        elif isinstance(part, int):
            box.addSpacing(part)
        elif part is None:
            box.addStretch()
        elif isinstance(part[1], Qt.AlignmentFlag):  # Which is a number, too.
            box.addWidget(part[0], 0, part[1])
        else:
            box.addWidget(part[0], part[1])
    return box


def form() -> QFormLayout:
    """Names at the left, fields at the right that take all the room."""
    made = QFormLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setHorizontalSpacing(16)
    made.setVerticalSpacing(9)
    made.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    made.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return made


def one_shot(parent: QObject, milliseconds: int, act: Callable[[], object]) -> QTimer:
    """A timer that acts so long after each start, once."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(act)
    return timer
