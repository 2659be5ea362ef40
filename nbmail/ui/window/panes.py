"""Panes of the window: their arrangement, and what is stored of it."""

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from nbmail.ui.kit import layouts
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.list.list_header import ListHeader
from nbmail.ui.list.table.column_header import OPTIONAL
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.notices.bars import Bars
from nbmail.ui.notices.status_line import StatusLine
from nbmail.ui.sidebar.sidebar import Sidebar
from nbmail.ui.triage.triage_end import TriageEnd
from nbmail.ui.triage.triage_foot import TriageFoot
from nbmail.ui.triage.triage_head import TriageHead
from nbmail.ui.window.action_bar import ActionBar
from nbmail.ui.window.splitters import ListSplitter, make_splitter
from nbmail.ui.window.welcome import Welcome

ROOMY = 1400
"""Minimum width to show the message beside the list, unless the user has chosen."""
ROOM_FOR_TWO = 1080
"""Minimum width to show reasons beside a message of the triage."""
PLACES = ("auto", "beside", "below")
NARROW = 900
"""Minimum width for the sidebar. In a narrower window a menu above the list replaces it."""
NARROW_BESIDE = 1240
"""Minimum width for the sidebar if the message is beside the list."""
REASONS_SHARE = 0.62
"""Share of expanded reasons beside the message."""


class WindowPage(IntEnum):
    """Pages of the window below its bars."""

    MAIL = 0
    WELCOME = 1
    NOTHING = 2
    ENDING = 3


class Panes:
    """Panes of the window, and the splitters between them.

    The learning bar is above the panes, all other bars are below. That of the demo stays; `bars`
    come and go. `whole`: the widget with all of them.
    """

    def __init__(
        self,
        *,
        toolbar: ActionBar,
        learning_bar: QWidget,
        sidebar: Sidebar,
        head: ListHeader,
        table: MailTable,
        message: QWidget,
        reasons: QWidget,
        triage_head: TriageHead,
        triage_foot: TriageFoot,
        triage_end: TriageEnd,
        welcome: Welcome,
        bars: Sequence[QWidget],
        demo_bar: QWidget,
        status: StatusLine,
    ) -> None:
        self.toolbar = toolbar
        self._sidebar = sidebar
        self._head = head
        self._table = table
        self._reasons = reasons
        self._triage_head = triage_head
        self._triage_foot = triage_foot
        self._welcome = welcome
        self._status = status
        self._in_triage = False
        self.beside = "auto"
        self.reasons_expanded = False
        self._shares = [1, 1]

        self.message_splitter = make_splitter(
            Qt.Orientation.Horizontal, message, reasons, shares=(1, 1)
        )
        self.list_page = layouts.as_widget(layouts.column(head, (table, 1)))
        self.list_page.setProperty("page", True)
        self.list_page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.message_page = layouts.as_widget(
            layouts.column(triage_head, (self.message_splitter, 1), triage_foot)
        )

        passing = Bars(*bars)
        self.split = ListSplitter(self.list_page, self.message_page, table, passing)
        self.message_splitter.setMinimumHeight(max(160, scaled(table, 130)))
        self.message_splitter.setSizes([560, 500])
        self.outer = make_splitter(Qt.Orientation.Horizontal, sidebar, self.split, shares=(0, 1))
        sidebar.setMinimumWidth(150)
        self.outer.setSizes([scaled(table, 210), 1000])

        self.pages = QStackedWidget()
        self.pages.insertWidget(WindowPage.MAIL, self.outer)
        self.pages.insertWidget(WindowPage.WELCOME, welcome)
        self.pages.insertWidget(WindowPage.NOTHING, QWidget())
        self.pages.insertWidget(WindowPage.ENDING, triage_end)
        self.whole = layouts.as_widget(
            layouts.column(learning_bar, (self.pages, 1), passing, demo_bar, status)
        )

    def fit(self, width: int) -> None:
        """Arrange the panes for this width of the window."""
        beside = self._wants_beside(width)
        horizontal = Qt.Orientation.Horizontal
        vertical = Qt.Orientation.Vertical
        self.split.setOrientation(horizontal if beside else vertical)
        self.split.share()
        reasons_below = beside and not self.reasons_expanded
        self.message_splitter.setOrientation(vertical if reasons_below else horizontal)

        narrow = width < (NARROW_BESIDE if beside else NARROW)
        self._sidebar.setVisible(not narrow and not self._in_triage)
        self._status.show_account(narrow)
        self._head.show_menu(narrow)
        self.toolbar.fit(width)

        roomy = width >= scaled(self._table, ROOM_FOR_TWO)
        self._reasons.setVisible(roomy or not self._in_triage or self.reasons_expanded)

    def _wants_beside(self, width: int) -> bool:
        """True if the message is shown beside the list in a window of this width."""
        if self._in_triage:
            return False
        if self.beside == "auto":
            return width >= ROOMY
        return self.beside == "beside"

    def expand_reasons(self, expanded: bool) -> None:
        """Show the reasons beside the message, in place of the list."""
        self.reasons_expanded = expanded
        self.list_page.setHidden(expanded or self._in_triage)
        self.fit(self.whole.width())
        before = self._shares
        self._shares = self.message_splitter.sizes()
        if expanded:
            room = sum(self._shares)
            reasons = round(REASONS_SHARE * room)
            self.message_splitter.setSizes([room - reasons, reasons])
        else:
            self.message_splitter.setSizes(before)

    def show_page(self, page: WindowPage) -> None:
        """Show a page. The end of the triage stays.

        The first button of the welcome page gets focus.
        """
        shown = self.pages.currentIndex()
        if shown == WindowPage.ENDING:
            return
        if page == WindowPage.WELCOME and shown != WindowPage.WELCOME:
            self._welcome.button.setFocus()
        self.pages.setCurrentIndex(page)

    @property
    def is_beside(self) -> bool:
        return self.split.orientation() == Qt.Orientation.Horizontal

    def toggle_beside(self) -> None:
        self.beside = "below" if self.is_beside else "beside"
        self.fit(self.whole.width())

    def show_triage(self, on: bool) -> None:
        """Show a message alone with the bars of the triage, or the list again."""
        self._triage_head.setVisible(on)
        self._triage_foot.setVisible(on)
        self.toolbar.setHidden(on)
        self.list_page.setHidden(on or self.reasons_expanded)
        self._in_triage = on
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
            is_chosen = splitter is not self.split or self.split.is_placed
            # A pane without room must not stay closed at the next start.
            if is_chosen and all(splitter.sizes()):
                state.setValue(name, splitter.saveState())

        header = self._table.header
        differing = header.unwanted ^ OPTIONAL
        state.setValue("columns", header.saveState())
        state.setValue("hidden", [str(int(column)) for column in differing])
        state.setValue("beside", self.beside)
        state.setValue("words", str(self.toolbar.words))

    def restore_state(self, state: QSettings) -> None:
        """Restore panes and columns; the caller calls `fit`. Malformed values are ignored."""
        for name, splitter in self._splitters().items():
            stored = state.value(name)
            orientation = splitter.orientation()
            if isinstance(stored, QByteArray):
                splitter.restoreState(stored)
                splitter.setOrientation(orientation)
                self.split.is_placed |= splitter is self.split

        header = self._table.header
        columns = state.value("columns")
        if isinstance(columns, QByteArray):
            header.restore(columns)
        hidden = state.value("hidden")
        if isinstance(hidden, list):
            differing = {int(each) for each in hidden if str(each).isdecimal()}
            header.hide_columns(differing ^ OPTIONAL)

        self.toolbar.words = state.value("words") == "True"
        beside = state.value("beside")
        self.beside = str(beside) if beside in PLACES else "auto"
