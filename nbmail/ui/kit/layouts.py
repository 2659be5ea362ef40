"""Layouts and scroll areas, each created by one call."""

from collections.abc import Iterator
from typing import TypeVar

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from nbmail.ui.kit.plain_labels import wrapping_label

LayoutItem = QWidget | QLayout | tuple[QWidget, int | Qt.AlignmentFlag] | int | None
"""Widget, layout, widget with its stretch or alignment, gap in pixels, or None for a stretch."""
Margins = tuple[int, int, int, int]
UNLIMITED = 100_000
AnyBox = TypeVar("AnyBox", bound=QBoxLayout)


def column(*parts: LayoutItem, spacing: int = 0, margins: Margins = (0, 0, 0, 0)) -> QVBoxLayout:
    return _fill(QVBoxLayout(), parts, spacing, margins)


def row(*parts: LayoutItem, spacing: int = 0, margins: Margins = (0, 0, 0, 0)) -> QHBoxLayout:
    return _fill(QHBoxLayout(), parts, spacing, margins)


def _fill(box: AnyBox, parts: tuple[LayoutItem, ...], spacing: int, margins: Margins) -> AnyBox:
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
        else:
            _add_placed(box, *part)
    return box


def _add_placed(box: QBoxLayout, widget: QWidget, place: int | Qt.AlignmentFlag) -> None:
    # Checked first, because a flag is an integer as well.
    if isinstance(place, Qt.AlignmentFlag):
        box.addWidget(widget, 0, place)
    else:
        box.addWidget(widget, place)


class Flow(QWidget):
    """Widgets in as many lines as the width requires.

    No `QLayout`, whose items Qt and Python would both free.
    """

    def __init__(self, *widgets: QWidget, gap: int = 4) -> None:
        super().__init__()
        self._widgets = widgets
        self._gap = gap
        for widget in widgets:
            widget.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        bottoms = (place.bottom() + 1 for _, place in self._places(width))
        return max(bottoms, default=0)

    def sizeHint(self) -> QSize:
        ends = [place.right() + 1 for _, place in self._places(UNLIMITED)]
        return QSize(max(ends, default=0), self.heightForWidth(UNLIMITED))

    def minimumSizeHint(self) -> QSize:
        heights = (widget.sizeHint().height() for widget in self._widgets)
        return QSize(0, max(heights, default=0))

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            for widget, place in self._places(self.width()):
                widget.setGeometry(place)
            if event.type() == QEvent.Type.LayoutRequest:
                self.updateGeometry()
        return super().event(event)

    def _places(self, width: int) -> Iterator[tuple[QWidget, QRect]]:
        """Yield the visible widgets with their places. `width`: that of all lines."""
        left = 0
        top = 0
        line_height = 0
        for widget in self._widgets:
            if widget.isHidden():
                continue
            size = widget.sizeHint()
            if left and left + size.width() > width:
                left = 0
                top += line_height + self._gap // 2
                line_height = 0
            yield widget, QRect(left, top, min(size.width(), width), size.height())
            left += size.width() + self._gap
            line_height = max(line_height, size.height())


def as_widget(layout: QLayout) -> QWidget:
    made = QWidget()
    made.setLayout(layout)
    return made


def scroll_area(content: QWidget, *, page: bool = True) -> QScrollArea:
    """Return a vertical scroll area. `page`: with the background of the mail list."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    content.setProperty("page", page)
    # Otherwise Qt reserves the height that the wrapped labels need at their minimum width.
    content.setMinimumHeight(1)
    area.setWidget(content)
    return area


def card(*parts: LayoutItem, width: int, spacing: int) -> QVBoxLayout:
    """Return a page with these parts on a centered card of at most `width` pixels.

    The page scrolls if necessary.
    """
    inside = as_widget(column(*parts, spacing=spacing, margins=(36, 30, 36, 30)))
    inside.setProperty("card", True)
    inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    inside.setMaximumWidth(width)
    centered = row(None, (inside, 1000), None)
    page = as_widget(column(None, centered, None, margins=(20, 20, 20, 20)))
    return column((scroll_area(page, page=False), 1))


def action_row(title: str, about: str, button: QPushButton) -> QHBoxLayout:
    """Return a row with the name and the description of an action, and its button at the right."""
    texts = column(wrapping_label(title, "title"), wrapping_label(about, "muted"), spacing=2)
    made = row(texts, (button, Qt.AlignmentFlag.AlignVCenter), spacing=20)
    made.setStretch(0, 1)
    return made
