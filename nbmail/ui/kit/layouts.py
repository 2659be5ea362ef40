"""Rows, columns, lines that wrap, pages that scroll, cards and forms, made in one call each; timers that ring once."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from nbmail.ui.kit.plain_text import wrapping_label

Part = QWidget | QLayout | tuple[QWidget, int | Qt.AlignmentFlag] | int | None
"""A widget or a layout; a widget with its share of the free room, or at one side; a gap in pixels; free room."""
Margins = tuple[int, int, int, int]
ENDLESS = 100_000
AnyBox = TypeVar("AnyBox", bound=QBoxLayout)


def column(*parts: Part, spacing: int = 0, margins: Margins = (0, 0, 0, 0)) -> QVBoxLayout:
    """These below each other."""
    return _fill(QVBoxLayout(), parts, spacing, margins)


def row(*parts: Part, spacing: int = 0, margins: Margins = (0, 0, 0, 0)) -> QHBoxLayout:
    """These beside each other."""
    return _fill(QHBoxLayout(), parts, spacing, margins)


class Flow(QWidget):
    """Widgets beside each other, in as many lines as the width asks for. Has no signals of its own.

    No layout of its own kind: Qt and Python would both free what a `QLayout` made in Python holds.
    """

    def __init__(self, *widgets: QWidget, gap: int = 4) -> None:
        super().__init__()
        self._widgets, self._gap = widgets, gap
        for widget in widgets:
            widget.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        return max((place.bottom() + 1 for _, place in self._places(width)), default=0)

    def sizeHint(self) -> QSize:
        ends = [place.right() + 1 for _, place in self._places(ENDLESS)]
        return QSize(max(ends, default=0), self.heightForWidth(ENDLESS))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, max((widget.sizeHint().height() for widget in self._widgets), default=0))

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            for widget, place in self._places(self.width()):
                widget.setGeometry(place)
            if event.type() == QEvent.Type.LayoutRequest:
                self.updateGeometry()
        return super().event(event)

    def _places(self, width: int) -> Iterator[tuple[QWidget, QRect]]:
        left = top = line = 0
        for widget in (each for each in self._widgets if not each.isHidden()):
            size = widget.sizeHint()
            if left and left + size.width() > width:
                left, top, line = 0, top + line + self._gap // 2, 0
            yield widget, QRect(left, top, min(size.width(), width), size.height())
            left, line = left + size.width() + self._gap, max(line, size.height())


def as_widget(layout: QLayout) -> QWidget:
    """A widget that holds just this."""
    made = QWidget()
    made.setLayout(layout)
    return made


def scroll_area(content: QWidget, *, page: bool = True) -> QScrollArea:
    """Lets this be scrolled up and down where there is too little room for all of it; a `page` is as light as mail."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    content.setProperty("page", page)
    # Else Qt makes it as high as its sentences would be if they were very narrow.
    content.setMinimumHeight(1)
    area.setWidget(content)
    return area


def card(*parts: Part, width: int, spacing: int) -> QVBoxLayout:
    """These on a card in the middle of a page, no wider than that; where there is too little room it scrolls."""
    inside = as_widget(column(*parts, spacing=spacing, margins=(36, 30, 36, 30)))
    inside.setProperty("card", True)
    inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    inside.setMaximumWidth(width)
    around = as_widget(column(None, row(None, (inside, 1000), None), None, margins=(20, 20, 20, 20)))
    return column((scroll_area(around, page=False), 1))


def action_row(title: str, about: str, button: QPushButton) -> QHBoxLayout:
    """Something that can be done: its name and what it means at the left, the button that does it at the right."""
    texts = column(wrapping_label(title, "title"), wrapping_label(about, "muted"), spacing=2)
    made = row(texts, (button, Qt.AlignmentFlag.AlignVCenter), spacing=20)
    made.setStretch(0, 1)
    return made


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


def name_combo(choice: QComboBox, name: str) -> None:
    """Let this be read out as what a choice is about. On Linux the name of a choice is what is chosen."""
    choice.setAccessibleName(name)
    choice.setAccessibleDescription(name)


def single_shot_timer(parent: QObject, milliseconds: int, act: Callable[[], object]) -> QTimer:
    """A timer that acts so long after each start, once."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(act)
    return timer
