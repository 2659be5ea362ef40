"""Tables of plain texts."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from nbmail.ui.kit.sizes import header_width, max_text_width, scaled
from nbmail.ui.kit.table_style import style_table
from nbmail.ui.texts.plain_text import plain_tip

Index = QModelIndex | QPersistentModelIndex
Item = TypeVar("Item")
CELL_PADDING = 29
"""Pixels of a cell in addition to its text."""
MEASURED_ROWS = 200
"""Number of rows that determine the column widths."""


@dataclass(frozen=True, slots=True)
class TextRow(Generic[Item]):
    """A row: its texts, the object it shows, and tooltips that differ from the texts."""

    cells: tuple[str, ...]
    item: Item
    tips: tuple[str, ...] = ()


class TextTableModel(QAbstractTableModel, Generic[Item]):
    """Rows with headings."""

    def __init__(
        self,
        headings: tuple[str, ...],
        parent: QObject | None = None,
        numbers: Collection[int] = (),
    ) -> None:
        super().__init__(parent)
        self._headings = headings
        self._numbers = numbers
        self.rows: list[TextRow[Item]] = []

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._headings)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._headings[section]
        return None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        flags = Qt.AlignmentFlag
        side = flags.AlignRight if column in self._numbers else flags.AlignLeft
        return side | flags.AlignVCenter

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return row.cells[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            tips = row.tips or row.cells
            return plain_tip(tips[column])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._headings[column]}: {row.cells[column]}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        return None

    def set_rows(self, rows: Sequence[TextRow[Item]]) -> None:
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def remove(self, row: int) -> None:
        self.beginRemoveRows(QModelIndex(), row, row)
        del self.rows[row]
        self.endRemoveRows()


class TextTable(QTableView, Generic[Item]):
    """View of text rows. Signals: `row_selected()` if the user goes to a row.

    `widths`: of the columns in pixels. `stretch`: the column that gets the remaining width.
    Columns in `numbers` are aligned to the right. These and columns in `whole` are never cut.
    Columns in `spare` are hidden, the last one first, where they don't fit.
    """

    row_selected = Signal()

    def __init__(
        self,
        headings: tuple[str, ...],
        widths: tuple[int, ...],
        stretch: int,
        name: str,
        *,
        numbers: Collection[int] = (),
        whole: Collection[int] = (),
        spare: Sequence[int] = (),
    ) -> None:
        super().__init__()
        self._whole = {*numbers, *whole}
        self._spare = spare
        self._rows: TextTableModel[Item] = TextTableModel(headings, self, numbers)
        self.setModel(self._rows)
        self.setAccessibleName(name)
        for signal in (self.clicked, self.activated):
            signal.connect(lambda _: self.row_selected.emit())
        style_table(self)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.horizontalHeader().setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        self._widths = widths
        self._stretch = stretch
        self._wanted = list(widths)
        self._measure(())

    @property
    def rows(self) -> Sequence[TextRow[Item]]:
        return self._rows.rows

    def set_rows(self, rows: Sequence[TextRow[Item]]) -> None:
        """Replace the rows.

        The current item stays current and at its position on the screen, if it still exists.
        """
        if list(rows) == self._rows.rows:
            return
        item = self.current()
        before = self.currentIndex().row()
        scrolled = self.verticalScrollBar().value()
        self._rows.set_rows(rows)
        self._measure(rows[:MEASURED_ROWS])
        self._fit_columns()

        items = [row.item for row in rows]
        current = items.index(item) if item in items else 0
        self.go_to(current)
        moved = current - before
        stays = scrolled and item is not None
        self.verticalScrollBar().setValue(scrolled + moved if stays else 0)

    def _measure(self, rows: Sequence[TextRow[Item]]) -> None:
        """Set the wanted width of each column: that of its texts, at most 1.5 times its default."""
        for column, width in enumerate(self._widths):
            texts = (row.cells[column] for row in rows)
            wanted = max_text_width(self.fontMetrics(), texts) + CELL_PADDING
            least = max(width, header_width(self, column))
            most = scaled(self, width * 3 // 2)
            self._wanted[column] = max(least, min(wanted, most))

    def _fit_columns(self) -> None:
        """Shrink the widest columns first until all fit, but never below their headings."""
        least = [self._least_width(column) for column in range(len(self._widths))]
        self._hide_spare(least)

        def width(column: int, limit: int) -> int:
            """Return the width of a column if none gets more than `limit`; 0 if it is hidden."""
            if self.isColumnHidden(column):
                return 0
            return max(least[column], min(self._wanted[column], limit))

        def total(limit: int) -> int:
            return sum(width(column, limit) for column in range(len(least)))

        limits = range(max(self._wanted) + 1)
        limit = bisect_right(limits, self.viewport().width(), key=total) - 1
        for column in range(len(least)):
            if column != self._stretch and not self.isColumnHidden(column):
                self.setColumnWidth(column, width(column, limit))

    def _least_width(self, column: int) -> int:
        return self._wanted[column] if column in self._whole else header_width(self, column)

    def _hide_spare(self, least: Sequence[int]) -> None:
        """Hide spare columns, the last one first, while the least widths don't fit."""
        needed = sum(least) - least[self._stretch] + self._widths[self._stretch]
        for column in reversed(self._spare):
            self.setColumnHidden(column, needed > self.viewport().width())
            if self.isColumnHidden(column):
                needed -= least[column]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self.row_selected.emit()

    def current(self) -> Item | None:
        """Return the item of the current row, None without one."""
        row = self.currentIndex().row()
        if not 0 <= row < len(self.rows):
            return None
        return self.rows[row].item

    def selected(self) -> Item:
        """Return the item of the current row. There must be one."""
        return self.rows[self.currentIndex().row()].item

    def go_to(self, row: int) -> None:
        """Make a row current, or the nearest existing one."""
        last = len(self.rows) - 1
        if last >= 0:
            self.selectRow(max(0, min(row, last)))

    def remove_current(self) -> None:
        """Remove the current row. The next one becomes current."""
        row = self.currentIndex().row()
        if row >= 0:
            self._rows.remove(row)
            self.go_to(row)
