"""Tables of texts: how they look, and one that shows plain lines."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from nbmail.ui.kit.plain_text import plain_tip
from nbmail.ui.kit.sizes import header_width, max_text_width, scaled

Index = QModelIndex | QPersistentModelIndex
ROW_ROOM = 16
"""Pixels of a row beside its line of text."""
CELL_ROOM = 29
"""Pixels of a cell beside its words."""
MEASURED = 200
"""So many lines say how wide the columns are to be."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """One row: its texts, what it is about, and its tooltips where they say more than the texts."""

    cells: tuple[str, ...]
    about: Any = None
    tips: tuple[str, ...] = ()


class TextTableModel(QAbstractTableModel):
    """The lines under their headings. Has no signals of its own."""

    def __init__(self, headings: tuple[str, ...], parent: QObject | None = None, numbers: Collection[int] = ()) -> None:
        super().__init__(parent)
        self._headings, self._numbers = headings, numbers
        self.lines: list[TextRow] = []

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(section)
        return self._headings[section] if role == Qt.ItemDataRole.DisplayRole else None

    def _side(self, column: int) -> Qt.AlignmentFlag:
        """Numbers stand below each other at the right."""
        side = Qt.AlignmentFlag.AlignRight if column in self._numbers else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        text = line.cells[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip((line.tips or line.cells)[index.column()])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._headings[index.column()]}: {text}"
        return self._side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def set_rows(self, lines: Sequence[TextRow]) -> None:
        self.beginResetModel()
        self.lines = list(lines)
        self.endResetModel()

    def remove(self, row: int) -> None:
        self.beginRemoveRows(QModelIndex(), row, row)
        del self.lines[row]
        self.endRemoveRows()


class TextTable(QTableView):
    """The view on them. Columns of `numbers` stand at the right, and like those of `whole` they are never cut.

    Signals: `chosen()`, when the user comes to a line by mouse or keyboard; those of every table.
    """

    chosen = Signal()

    def __init__(
        self,
        headings: tuple[str, ...],
        widths: tuple[int, ...],
        stretch: int,
        name: str,
        *,
        numbers: Collection[int] = (),
        whole: Collection[int] = (),
    ) -> None:
        super().__init__()
        self._whole = {*numbers, *whole}
        self.list = TextTableModel(headings, self, numbers)
        self.setModel(self.list)
        self.setAccessibleName(name)
        for signal in (self.clicked, self.activated):
            signal.connect(lambda _: self.chosen.emit())
        style_table(self)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.horizontalHeader().setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        self._drawn, self._stretch, self._wanted = widths, stretch, list(widths)
        self._measure(())

    def set_rows(self, lines: Sequence[TextRow]) -> None:
        """Show these. The current line stays current, and where it is on the screen, if it is still there."""
        if list(lines) == self.list.lines:
            return
        about, before, scrolled = self.current(), self.currentIndex().row(), self.verticalScrollBar().value()
        self.list.set_rows(lines)
        self._measure(lines[:MEASURED])
        self._make_room()
        row = next((row for row, line in enumerate(lines) if line.about == about), 0)
        self.go_to(row)
        self.verticalScrollBar().setValue(scrolled + row - before if scrolled and about is not None else 0)

    def _measure(self, lines: Sequence[TextRow]) -> None:
        """How wide each column would be: as its words, from what was drawn up to half as much again."""
        for column, width in enumerate(self._drawn):
            wanted = max_text_width(self.fontMetrics(), (line.cells[column] for line in lines)) + CELL_ROOM
            least = max(width, header_width(self, column))
            self._wanted[column] = max(least, min(wanted, scaled(self, width * 3 // 2)))

    def _make_room(self) -> None:
        """Where there is too little, the widest columns give way first, no further than their headings can be read."""
        least = [
            self._wanted[column] if column in self._whole else header_width(self, column)
            for column in range(len(self._drawn))
        ]

        def together(most: int) -> int:
            return sum(max(low, min(wanted, most)) for low, wanted in zip(least, self._wanted, strict=True))

        most = bisect_right(range(max(self._wanted) + 1), self.viewport().width(), key=together) - 1
        for column, low in enumerate(least):
            if column != self._stretch:
                self.setColumnWidth(column, max(low, min(self._wanted[column], most)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self.chosen.emit()

    def current(self) -> Any:
        """What the current line is about, None without one."""
        row = self.currentIndex().row()
        return self.list.lines[row].about if 0 <= row < len(self.list.lines) else None

    def go_to(self, row: int) -> None:
        """Make a row current, the nearest one where there is no such row."""
        last = len(self.list.lines) - 1
        if last >= 0:
            self.selectRow(max(0, min(row, last)))

    def remove_current(self) -> None:
        """Take the current line away; the next one becomes current."""
        row = self.currentIndex().row()
        if row >= 0:
            self.list.remove(row)
            self.go_to(row)


def style_table(table: QTableView, row_room: int = ROW_ROOM) -> None:
    """Give a table rows of one line, headings at the left, one row to choose, no grid; the Tab key leaves it."""
    table.setProperty("lines", True)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setCornerButtonEnabled(False)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + row_room)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
