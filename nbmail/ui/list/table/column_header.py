"""Header of the list: order, widths and choice of the columns."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QByteArray, QPoint, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QMenu, QTableView

from nbmail.ui.kit.sizes import header_width, scaled
from nbmail.ui.list.list_choice import Column, column_name

WIDTHS = {
    Column.CHANCE: (100, 90),
    Column.VERDICT: (74, 38),
    Column.DECIDED: (110, 0),
    Column.SENDER: (190, 0),
    Column.SUBJECT: (320, 0),
    Column.FOLDER: (110, 0),
    Column.DATE: (110, 24),
    Column.VERIFIED: (80, 0),
    Column.SUGGESTED: (180, 0),
}
"""Pixels for text, which scale with the font, and pixels for drawings next to the text."""
NARROW = {Column.DATE: 700, Column.DECIDED: 860, Column.SUGGESTED: 960, Column.FOLDER: 1150}
"""Width of the table in pixels below which a column is hidden."""
ALWAYS = {Column.SENDER, Column.SUBJECT}
OPTIONAL = {Column.VERIFIED}
"""Columns that are hidden until the user shows them."""
HIDEABLE = set(Column) - ALWAYS
SHRINKING = (Column.CHANCE, Column.SENDER)
"""Columns that become narrower in a narrow table."""
LEAST_SENDER = 90
"""Minimum width of the sender in pixels."""
LEAST_SUBJECT = 200
"""Width of the subject in pixels below which the sender shrinks."""


class ColumnHeader(QHeaderView):
    """Header with movable columns and a menu that hides them.

    `unwanted`: columns that the user has hidden, or has not shown. `empty`: columns that no message
    has a text for.

    Signals: `sort_requested(int)` with the clicked column.
    """

    sort_requested = Signal(int)

    def __init__(self, table: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self._is_fitting = False
        self.unwanted = set(OPTIONAL)
        self.empty = {Column.SUGGESTED}
        self._wanted_widths = dict.fromkeys(SHRINKING, 0)
        self.setMinimumSectionSize(48)
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.sectionClicked.connect(self.sort_requested)
        self.sectionResized.connect(self._note_width)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)

    def set_widths(self) -> None:
        """Set the widths and the order that the columns have at first."""
        for column, (text, drawn) in WIDTHS.items():
            width = scaled(self._table, text) + drawn
            self.resizeSection(column, max(width, self._heading_width(column)))
        self._note_wanted_widths()
        self.moveSection(self.visualIndex(Column.SUGGESTED), self.visualIndex(Column.DATE))
        self.setSectionResizeMode(Column.SUBJECT, QHeaderView.ResizeMode.Stretch)
        self.make_room()
        self.setSortIndicatorShown(True)

    def show_order(self, column: int, *, descending: bool) -> None:
        orders = Qt.SortOrder
        order = orders.DescendingOrder if descending else orders.AscendingOrder
        self.setSortIndicator(column, order)

    def restore(self, state: QByteArray) -> None:
        """Restore order and widths of the columns. Invalid states are ignored."""
        sorted_by = self.sortIndicatorSection()
        order = self.sortIndicatorOrder()
        if not self.restoreState(state):
            return
        self.setSortIndicator(sorted_by, order)
        for column in Column:
            self.setSectionHidden(column, False)
            # The stored widths may be those of another language, with shorter headings.
            width = max(self.sectionSize(column), self._heading_width(column))
            self.resizeSection(column, width)
        self._note_wanted_widths()
        self.make_room()

    # ---------------------------------------------------------------------------------------------
    # hidden columns

    def menu(self) -> QMenu:
        """Return a menu that shows and hides columns. Sender and subject are always shown."""
        menu = QMenu(self)
        for column in sorted(HIDEABLE):
            action = menu.addAction(column_name(column))
            action.setCheckable(True)
            action.setChecked(column not in self.unwanted)
            action.toggled.connect(partial(self._toggle, column))
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _open_menu(self, place: QPoint) -> None:
        self.menu().popup(self.mapToGlobal(place))

    def _toggle(self, column: Column, _: bool) -> None:
        self.hide_columns(self.unwanted ^ {column})

    def hide_columns(self, columns: Iterable[int]) -> None:
        """Hide these columns, as the user wants, and show the others."""
        self.unwanted = {Column(each) for each in columns if each in HIDEABLE}
        self.make_room()

    def _is_hidden(self, column: Column) -> bool:
        """True if a column is unwanted or empty, or the table is too narrow for it."""
        if column in self.unwanted or column in self.empty:
            return True
        least = scaled(self._table, NARROW.get(column, 0))
        return self._table.viewport().width() < least

    # ---------------------------------------------------------------------------------------------
    # widths

    def make_room(self) -> None:
        """Fit the columns into the table, in favour of the subject.

        A narrow table loses columns, then the bars beside the chances, then room for the sender.
        """
        for column in HIDEABLE:
            self.setSectionHidden(column, self._is_hidden(column))

        self._is_fitting = True
        spare = self._spare_width()
        if not self.isSectionHidden(Column.CHANCE):
            spare = self._fit_chance(spare)
        least_sender = LEAST_SENDER + max(0, spare)
        self.resizeSection(Column.SENDER, min(self._wanted_widths[Column.SENDER], least_sender))
        self._is_fitting = False

    def _spare_width(self) -> int:
        """Return the width that the columns leave over, negative if width is missing."""
        taken = scaled(self._table, LEAST_SUBJECT) + LEAST_SENDER
        if not self.isSectionHidden(Column.CHANCE):
            taken += self._wanted_widths[Column.CHANCE]
        for column in HIDEABLE - {Column.CHANCE}:
            taken += self.sectionSize(column)
        return self._table.viewport().width() - taken

    def _fit_chance(self, spare: int) -> int:
        """Show the chances, without their bars if room is missing. Return the spare width then."""
        wanted = self._wanted_widths[Column.CHANCE]
        least = self._heading_width(Column.CHANCE)
        if spare >= 0:
            self.resizeSection(Column.CHANCE, max(wanted, least))
            return spare
        _, drawn = WIDTHS[Column.CHANCE]
        self.resizeSection(Column.CHANCE, max(wanted - drawn, least))
        # Sender and subject share the room of the bars.
        return (spare + wanted - self.sectionSize(Column.CHANCE)) // 2

    def _heading_width(self, column: Column) -> int:
        return header_width(self._table, column)

    def _note_wanted_widths(self) -> None:
        self._wanted_widths = {column: self.sectionSize(column) for column in SHRINKING}

    def _note_width(self, section: int, before: int, width: int) -> None:
        """Note a width set by the user, to return to it when there is room again."""
        if section in self._wanted_widths and width and not self._is_fitting:
            self._wanted_widths[Column(section)] = width
