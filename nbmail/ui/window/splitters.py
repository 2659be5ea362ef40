"""Splitters between the panes of the window."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from nbmail.ui.kit.sizes import scaled
from nbmail.ui.list.mail_table import MailTable

LEAST_ROWS = 12
MESSAGE_HEIGHT = 256
"""Rows of the list, and height of the message below it, that a window needs before the list gets
more than half.
"""
LIST_WIDTH = 720
MESSAGE_WIDTH = 470
"""Width of a list with dates, and of the message beside it that a window needs before the list gets
more than half.
"""


class ListSplitter(QSplitter):
    """List and message. Until the user moves the handle, the list has twelve rows, or half the
    height.

    `bars` that appear below take their height from the end of the message, so that they move
    neither rows nor text. A change of the window's size divides what is left. `is_placed`: the user
    has moved the handle. No signals.
    """

    def __init__(
        self, list_page: QWidget, message_page: QWidget, table: MailTable, bars: QWidget
    ) -> None:
        super().__init__(Qt.Orientation.Vertical)
        _fill_splitter(self, list_page, message_page, shares=(0, 1))
        self._page = list_page
        self._table = table
        self._bars = bars
        self.is_placed = False
        self._window_size = QSize()
        self._bars_before = 0
        self.splitterMoved.connect(self._place)

    def _place(self) -> None:
        self.is_placed = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.share()

    def share(self) -> None:
        if self.is_placed or self._page.isHidden() or self._page.height() == 0:
            return
        if (arranged := self._page.layout()) is not None:
            # Else the table has the height of another size, or of another theme.
            arranged.activate()
        whole = self.height() if self.orientation() == Qt.Orientation.Vertical else self.width()
        above = self._page.height() - self._table.viewport().height()
        share = max(whole // 2, min(scaled(self, LIST_WIDTH), whole - scaled(self, MESSAGE_WIDTH)))
        if self.orientation() == Qt.Orientation.Vertical:
            rows = above + LEAST_ROWS * self._table.row_painter.row_height()
            if self._window_size != self.window().size():
                self._window_size = self.window().size()
                self._bars_before = self._bars.minimumHeight()
            room = whole + self._bars.minimumHeight() - self._bars_before
            share = max(room // 2, min(rows, room - scaled(self, MESSAGE_HEIGHT)))
        self.setSizes([share, whole - share])


def _splitter(orientation: Qt.Orientation, *widgets: QWidget, shares: tuple[int, ...]) -> QSplitter:
    splitter = QSplitter(orientation)
    _fill_splitter(splitter, *widgets, shares=shares)
    return splitter


def _fill_splitter(splitter: QSplitter, *widgets: QWidget, shares: tuple[int, ...]) -> None:
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for place, (widget, share) in enumerate(zip(widgets, shares, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(place, share)
