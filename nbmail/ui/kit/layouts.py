"""Rows, columns and forms made in one call each, and timers that ring once."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QBoxLayout, QFormLayout, QGridLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

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


def grid(*widgets: QWidget, columns: int = 2) -> QGridLayout:
    """These line by line, so many beside each other, each as wide as it needs."""
    made = QGridLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setSpacing(2)
    made.setColumnStretch(columns, 1)
    for place, widget in enumerate(widgets):
        made.addWidget(widget, place // columns, place % columns, Qt.AlignmentFlag.AlignLeft)
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
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return made


def one_shot(parent: QObject, milliseconds: int, act: Callable[[], object]) -> QTimer:
    """A timer that acts so long after each start, once."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(act)
    return timer
