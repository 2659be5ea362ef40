"""Layout of the window: tool bar, menus, pages and panes, and their stored sizes."""

from collections.abc import Callable, Mapping
from enum import IntEnum

from PySide6.QtCore import QByteArray, QEvent, QObject, QSettings, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QMenu,
    QMenuBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from nbmail.ui.accounts.sidebar import Sidebar
from nbmail.ui.actions.action_table import SUGGESTED
from nbmail.ui.kit import layouts
from nbmail.ui.kit.layouts import action_row, card, scaled
from nbmail.ui.kit.phrases import tr
from nbmail.ui.kit.plain_text import enlarge, wrapping_label
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.list.list_heading import ListHeader
from nbmail.ui.list.mail_table import OPTIONAL, MailTable
from nbmail.ui.triage.triage_bars import TriageEnd, TriageFoot, TriageHead
from nbmail.ui.window.notices import Bar, StatusLine, make_button
from nbmail.ui.window.tool_bar import ActionBar

ROOMY = 1400
"""Minimum width to show the message beside the list instead of below it, unless the user has
chosen.
"""
ROOM_FOR_TWO = 1080
"""Minimum width to show reasons beside a message of the triage."""
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
PLACES = ("auto", "beside", "below")
NARROW = 900
NARROW_BESIDE = 1240
"""Minimum widths for the sidebar: with the message below the list, and beside it. A menu above the
list replaces it.
"""
MODEL_FILES = ("export", "export-redacted", "import", "drop-imports", "relearn")
FILED = (
    *(
        "spam",
        "ham",
        "clear",
        "",
        "archive",
        "delete",
        "delete-permanently",
        "move",
        *SUGGESTED,
        "flag",
    ),
    *("", "reply", "open", "rule", "unsubscribe"),
)
READING = ("read", "in-folder", "plain", "source", "print")
Actions = Mapping[str, QAction]


def fill_menus(bar: QMenuBar, actions: Actions) -> None:
    menus = (
        (tr("&Mail"), ("check", "account", "", *MODEL_FILES, "", "preferences", "", "quit")),
        (tr("&Edit"), ("undo", "redo", "", "all", "search")),
        (
            tr("M&essage"),
            (*FILED, "file-sure", "", "explain", "triage", "", *READING, "", "next", "previous"),
        ),
        (
            tr("&View"),
            (
                *(f"list-{kind.name.lower()}" for kind in Kind),
                "",
                "sort",
                "beside",
                "tints",
                "",
                "history",
                "sorting",
                "rules",
            ),
        ),
        (tr("&Help"), ("manual", "keys", "", "about")),
    )
    for title, names in menus:
        _fill(bar.addMenu(title), actions, names)


def _fill(menu: QMenu, actions: Actions, names: tuple[str, ...]) -> None:
    for name in names:
        if name:
            menu.addAction(actions[name])
        else:
            menu.addSeparator()


def make_message_menu(parent: QWidget, actions: Actions) -> QMenu:
    menu = QMenu(parent)
    _fill(menu, actions, (*FILED, "", "explain", "", *READING, "", "undo", "redo"))
    return menu


class WindowPage(IntEnum):
    """Pages of the window below its bars."""

    MAIL = 0
    WELCOME = 1
    NOTHING = 2
    ENDING = 3


class Welcome(QWidget):
    """Description of the program, and a button for each callback. `open_program`: called with True
    for the demo.
    """

    def __init__(
        self,
        add_mailbox: Callable[[], None],
        open_local: Callable[[], None],
        open_program: Callable[[bool], None],
    ) -> None:
        super().__init__()
        self.button = QPushButton(tr("Add account…"))
        self.local = QPushButton(tr("Open local mail…"))
        self.demo = QPushButton(tr("Try the demo"))
        self.button.setDefault(True)
        self.button.clicked.connect(add_mailbox)
        self.local.clicked.connect(open_local)
        self.demo.clicked.connect(lambda: open_program(True))
        choices = (
            action_row(
                tr("Mail account"),
                tr("nbmail reads your mail over IMAP. It moves messages only if you turn that on."),
                self.button,
            ),
            action_row(
                tr("Mail on this computer"),
                tr("From Thunderbird, a Maildir, an mbox file or a folder of .eml files."),
                self.local,
            ),
            action_row(
                tr("Demo account"), tr("Try nbmail with sample mail. Nothing is saved."), self.demo
            ),
        )
        what = tr(
            "Mark a few messages. nbmail learns from each mark immediately and shows the "
            "reasons for every verdict."
        )
        kept = tr(
            "What nbmail learns stays on this computer, and your password in the system "
            "keyring. Marks are "
            "also saved as flags on your mail server."
        )
        rows = [part for choice in choices for part in (14, choice)]
        parts = (
            enlarge(wrapping_label(tr("Sort your mail and see why")), 1.7),
            wrapping_label(what),
            *rows,
            14,
            wrapping_label(kept, "muted"),
        )
        self.setLayout(card(*parts, width=scaled(self, 640), spacing=6))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # The style sheet, which determines the widths, applies when the page is shown.
        buttons = (self.button, self.local, self.demo)
        for button in buttons:
            button.setMinimumWidth(max(each.sizeHint().width() for each in buttons))


class DemoBar(Bar):
    """Bar of the demo, with a button that opens the user's own mail. No signals."""

    def __init__(self, open_program: Callable[[bool], None]) -> None:
        super().__init__("ham")
        self.button = make_button(tr("Use my own mail"), lambda: open_program(False))
        text = wrapping_label(tr("Demo with sample mail. Nothing is saved."))
        self.set_contents(text, self.button, around=3)


class Bars(QScrollArea):
    """Bars that are hidden most of the time. They take at most 40 % of the window's height, then
    scroll. No signals.
    """

    def __init__(self, *bars: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inside = layouts.column(*bars)
        content = layouts.as_widget(self._inside)
        content.installEventFilter(self)
        self.setWidget(content)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        inside = self._inside
        wanted = (
            inside.heightForWidth(self.width())
            if inside.hasHeightForWidth()
            else inside.sizeHint().height()
        )
        self.setFixedHeight(min(wanted, self.window().height() * 2 // 5))


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
