"""Splitters between the panes of the window."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from nbmail.ui.kit.sizes import scaled
from nbmail.ui.list.table.mail_table import MailTable

LEAST_ROWS = 12
"""Rows for which the list gets more than half the height, if the message keeps its minimum."""
MESSAGE_HEIGHT = 256
"""Minimum height of the message below the list."""
LIST_WIDTH = 720
"""Width, with dates, for which the list gets more than half, if the message keeps its minimum."""
MESSAGE_WIDTH = 470
"""Minimum width of the message beside the list."""


class ListSplitter(QSplitter):
    """List and message. Has no signals.

    Until the user moves the handle (`is_placed`), the list has twelve rows, or half the height.
    `bars` that appear below take their height from the end of the message, so that they move
    neither rows nor text. A change of the window's size divides what is left.
    """

    def __init__(
        self, list_page: QWidget, message_page: QWidget, table: MailTable, bars: QWidget
    ) -> None:
        super().__init__(Qt.Orientation.Vertical)
        fill_splitter(self, list_page, message_page, shares=(0, 1))
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
        """Divide the room between list and message, unless the user has done that."""
        if self.is_placed or self._page.isHidden() or self._page.height() == 0:
            return
        arranged = self._page.layout()
        if arranged is not None:
            # Otherwise the table has the height of another size, or of another theme.
            arranged.activate()
        if self.orientation() == Qt.Orientation.Vertical:
            whole = self.height()
            share = self._height_of_list()
        else:
            whole = self.width()
            share = self._width_of_list()
        self.setSizes([share, whole - share])

    def _height_of_list(self) -> int:
        above_rows = self._page.height() - self._table.viewport().height()
        wanted = above_rows + LEAST_ROWS * self._table.row_painter.row_height()
        if self._window_size != self.window().size():
            self._window_size = self.window().size()
            self._bars_before = self._bars.minimumHeight()
        new_bars = self._bars.minimumHeight() - self._bars_before
        room = self.height() + new_bars
        return max(room // 2, min(wanted, room - scaled(self, MESSAGE_HEIGHT)))

    def _width_of_list(self) -> int:
        wanted = scaled(self, LIST_WIDTH)
        room = self.width()
        return max(room // 2, min(wanted, room - scaled(self, MESSAGE_WIDTH)))


def make_splitter(
    orientation: Qt.Orientation, *widgets: QWidget, shares: tuple[int, ...]
) -> QSplitter:
    """Return a splitter. `shares`: of each widget in the growth of the window."""
    splitter = QSplitter(orientation)
    fill_splitter(splitter, *widgets, shares=shares)
    return splitter


def fill_splitter(splitter: QSplitter, *widgets: QWidget, shares: tuple[int, ...]) -> None:
    """Add widgets to a splitter, as `make_splitter` does."""
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for place, (widget, share) in enumerate(zip(widgets, shares, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(place, share)
