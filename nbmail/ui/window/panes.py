"""Panes and pages of the window, and their stored sizes."""

from enum import IntEnum

from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from nbmail.ui.accounts.sidebar import Sidebar
from nbmail.ui.kit import layouts
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.list.list_heading import ListHeader
from nbmail.ui.list.mail_table import OPTIONAL, MailTable
from nbmail.ui.notices.bars import Bars
from nbmail.ui.notices.status_line import StatusLine
from nbmail.ui.triage.triage_end import TriageEnd
from nbmail.ui.triage.triage_foot import TriageFoot
from nbmail.ui.triage.triage_head import TriageHead
from nbmail.ui.window.action_bar import ActionBar
from nbmail.ui.window.splitters import ListSplitter, _splitter
from nbmail.ui.window.welcome import Welcome

ROOMY = 1400
"""Minimum width to show the message beside the list instead of below it, unless the user has
chosen.
"""
ROOM_FOR_TWO = 1080
"""Minimum width to show reasons beside a message of the triage."""
PLACES = ("auto", "beside", "below")
NARROW = 900
NARROW_BESIDE = 1240
"""Minimum widths for the sidebar: with the message below the list, and beside it. A menu above the
list replaces it.
"""


class WindowPage(IntEnum):
    """Pages of the window below its bars."""

    MAIL = 0
    WELCOME = 1
    NOTHING = 2
    ENDING = 3


class Panes:
    """Panes, the splitters between them, and `bars`: the learning bar above them, the others below.

    The second bar, that of the demo, stays; those after it come and go.
    """

    def __init__(
        self,
        sidebar: Sidebar,
        head: ListHeader,
        table: MailTable,
        *,
        message_parts: tuple[QWidget, QWidget],
        welcome: Welcome,
        bars: tuple[QWidget, ...],
        triage: tuple[TriageHead, TriageFoot, TriageEnd],
        status: StatusLine,
        toolbar: ActionBar,
    ) -> None:
        self.toolbar = toolbar
        self._alone = False
        self.beside = "auto"
        self._sidebar = sidebar
        self._head = head
        self._table = table
        self._welcome = welcome
        self._status = status
        self.reasons_expanded = False
        self._shares = [1, 1]
        self._reasons = message_parts[1]
        self.message_splitter = _splitter(Qt.Orientation.Horizontal, *message_parts, shares=(1, 1))
        self.list_page = layouts.as_widget(layouts.column(head, (table, 1)))
        self.list_page.setProperty("page", True)
        self.list_page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head_, foot, end = self._triage = triage
        self.message_page = layouts.as_widget(
            layouts.column(head_, (self.message_splitter, 1), foot)
        )
        learned, demo, *others = bars
        passing = Bars(*others)
        self.split = ListSplitter(self.list_page, self.message_page, table, passing)
        self.message_splitter.setMinimumHeight(max(160, scaled(table, 130)))
        self.message_splitter.setSizes([560, 500])
        self.outer = _splitter(Qt.Orientation.Horizontal, sidebar, self.split, shares=(0, 1))
        sidebar.setMinimumWidth(150)
        self.outer.setSizes([scaled(table, 210), 1000])
        self.pages = QStackedWidget()
        for page in (self.outer, welcome, QWidget(), end):
            self.pages.addWidget(page)
        self.whole = layouts.as_widget(
            layouts.column(learned, (self.pages, 1), passing, demo, status)
        )

    def fit(self, width: int) -> None:
        wide = (
            width >= ROOMY if self.beside == "auto" else self.beside == "beside"
        ) and not self._alone
        self.split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self.split.share()
        below = wide and not self.reasons_expanded
        self.message_splitter.setOrientation(
            Qt.Orientation.Vertical if below else Qt.Orientation.Horizontal
        )
        narrow = width < (NARROW_BESIDE if wide else NARROW)
        self._sidebar.setVisible(not narrow and not self._alone)
        self._status.show_account(narrow)
        self._head.show_menu(narrow)
        self.toolbar.fit(width)
        roomy = width >= scaled(self._table, ROOM_FOR_TWO)
        self._reasons.setVisible(roomy or not self._alone or self.reasons_expanded)

    def expand_reasons(self, expanded: bool) -> None:
        self.reasons_expanded = expanded
        self.list_page.setHidden(expanded or self._alone)
        self.fit(self.whole.width())
        before = self._shares
        self._shares = self.message_splitter.sizes()
        room = sum(self._shares)
        self.message_splitter.setSizes(
            [round(0.38 * room), round(0.62 * room)] if expanded else before
        )

    def show_page(self, page: WindowPage) -> None:
        """Show a page. The first button of the welcome page gets focus. The end of the triage
        stays.
        """
        if self.pages.currentIndex() == WindowPage.ENDING:
            return
        if page == WindowPage.WELCOME != self.pages.currentIndex():
            self._welcome.button.setFocus()
        self.pages.setCurrentIndex(page)

    @property
    def is_beside(self) -> bool:
        return self.split.orientation() == Qt.Orientation.Horizontal

    def toggle_beside(self) -> None:
        self.beside = "below" if self.is_beside else "beside"
        self.fit(self.whole.width())

    def show_triage(self, on: bool) -> None:
        for part in self._triage[:2]:
            part.setVisible(on)
        self.toolbar.setHidden(on)
        self.list_page.setHidden(on or self.reasons_expanded)
        self._alone = on
        if on:
            self._before_triage = self.message_splitter.sizes()
            width = self.message_splitter.width()
            self.message_splitter.setSizes([width * 5 // 8, width * 3 // 8])
        else:
            self.message_splitter.setSizes(self._before_triage)
        self.fit(self.whole.width())

    def show_end(self, on: bool) -> None:
        self.pages.setCurrentIndex(WindowPage.ENDING if on else WindowPage.MAIL)

    def _splitters(self) -> dict[str, QSplitter]:
        return {"sidebar": self.outer, "reading": self.message_splitter, "list": self.split}

    def save_state(self, state: QSettings) -> None:
        for name, splitter in self._splitters().items():
            # A pane without room must not stay closed at the next start.
            if all(splitter.sizes()) and (self.split.is_placed or splitter is not self.split):
                state.setValue(name, splitter.saveState())
        state.setValue("columns", self._table.header.saveState())
        state.setValue(
            "hidden", [str(int(column)) for column in self._table.header.unwanted ^ OPTIONAL]
        )
        state.setValue("beside", self.beside)
        state.setValue("words", str(self.toolbar.words))

    def restore_state(self, state: QSettings) -> None:
        """Restore panes and columns; the caller calls `fit`. Malformed values are ignored."""
        for name, splitter in self._splitters().items():
            stored = state.value(name)
            orientation = splitter.orientation()
            if isinstance(stored, QByteArray):
                splitter.restoreState(stored)
                self.split.is_placed |= splitter is self.split
            splitter.setOrientation(orientation)
        columns = state.value("columns")
        hidden = state.value("hidden")
        if isinstance(columns, QByteArray):
            self._table.header.restore(columns)
        if isinstance(hidden, list):
            # Earlier versions stored nothing of optional columns.
            self._table.header.hide_columns(
                {int(each) for each in hidden if str(each).isdecimal()} ^ OPTIONAL
            )
        self.toolbar.words = state.value("words") == "True"
        self.beside = str(state.value("beside")) if state.value("beside") in PLACES else "auto"
