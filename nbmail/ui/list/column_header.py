"""The heads of the list's columns: what is shown, in what order and how wide, by the user's wish and by the room."""

from collections.abc import Iterable

from PySide6.QtCore import QByteArray, QPoint, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QMenu, QTableView

from nbmail.ui.kit.letter_sizes import grown, heading_width
from nbmail.ui.list.list_choice import Column, column_name

WIDTHS = {
    Column.CHANCE: (80, 90),
    Column.VERDICT: (74, 38),
    Column.DECIDED: (110, 0),
    Column.SENDER: (190, 0),
    Column.SUBJECT: (320, 0),
    Column.FOLDER: (110, 0),
    Column.DATE: (110, 24),
}
"""Pixels for what is written, which grow with the letters, and for what is drawn beside it."""
NARROW = {Column.DATE: 700, Column.DECIDED: 860, Column.FOLDER: 1150}
"""Columns that give way to the subject where the table is narrower than this."""
ALWAYS = {Column.SENDER, Column.SUBJECT}
LEAST_SENDER, LEAST_SUBJECT = 90, 200
"""Pixels that are left of the sender for the subject, and what the subject is to have."""


class ColumnHeader(QHeaderView):
    """Columns can be moved, and hidden by a menu. Signals: `sort_asked(int)`, with the column that was clicked."""

    sort_asked = Signal(int)

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self._shrinking = False
        self.unwanted: set[Column] = set()
        self._wished = {Column.CHANCE: 0, Column.SENDER: 0}
        self.setMinimumSectionSize(48)
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.sectionClicked.connect(self.sort_asked)
        self.sectionResized.connect(self._note_width)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)

    def shape(self) -> None:
        """Give each column its width, once there are columns."""
        for column, (written, drawn) in WIDTHS.items():
            self.resizeSection(column, max(grown(self._table, written) + drawn, heading_width(self._table, column)))
        self._wished = {column: self.sectionSize(column) for column in self._wished}
        self.setSectionResizeMode(Column.SUBJECT, QHeaderView.ResizeMode.Stretch)
        self.setSortIndicatorShown(True)

    def show_order(self, column: int, *, descending: bool) -> None:
        self.setSortIndicator(column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)

    def menu(self) -> QMenu:
        """Which columns are shown. The sender and the subject always are."""
        menu = QMenu(self)
        for column in Column:
            if column not in ALWAYS:
                action = menu.addAction(column_name(column))
                action.setCheckable(True)
                action.setChecked(column not in self.unwanted)
                action.toggled.connect(lambda on, column=column: self.hide_columns(self.unwanted ^ {column}))
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def hide_columns(self, columns: Iterable[int]) -> None:
        """Hide these, and show all others that there is room for."""
        self.unwanted = {Column(each) for each in columns if each in set(Column) - ALWAYS}
        self.make_room()

    def restore(self, state: QByteArray) -> None:
        """Put the columns where they stood and as wide as they were; what makes no sense is passed over."""
        sorted_by, order = self.sortIndicatorSection(), self.sortIndicatorOrder()
        if self.restoreState(state):
            self.setSortIndicator(sorted_by, order)
            shown = {column: self.sectionSize(column) for column in self._wished}
            self._wished |= {column: width for column, width in shown.items() if width}
            self.make_room()

    def make_room(self) -> None:
        """Where the table is narrow some columns give way, then the sender and the bars, to the subject."""
        width = self._table.viewport().width()
        for column in set(Column) - ALWAYS:
            self.setSectionHidden(column, width < grown(self._table, NARROW.get(column, 0)) or column in self.unwanted)
        chance = 0 if self.isSectionHidden(Column.CHANCE) else self._wished[Column.CHANCE]
        others = sum(self.sectionSize(each) for each in set(Column) - ALWAYS - {Column.CHANCE})
        spare = width - chance - others - grown(self._table, LEAST_SUBJECT) - LEAST_SENDER
        self._shrinking = True
        if chance:
            drawn = 0 if spare >= 0 else WIDTHS[Column.CHANCE][1]
            self.resizeSection(Column.CHANCE, max(chance - drawn, heading_width(self._table, Column.CHANCE)))
        self.resizeSection(Column.SENDER, min(self._wished[Column.SENDER], LEAST_SENDER + max(0, spare)))
        self._shrinking = False

    def _open_menu(self, place: QPoint) -> None:
        self.menu().popup(self.mapToGlobal(place))

    def _note_width(self, section: int, before: int, width: int) -> None:
        """What the user makes of a column that gives way is what it goes back to where there is room again."""
        if section in self._wished and width and not self._shrinking:
            self._wished[Column(section)] = width
