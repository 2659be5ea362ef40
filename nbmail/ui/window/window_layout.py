"""Where everything stands in the window: tool bar, menus, panes, and how these stood when it was closed last."""

from collections.abc import Mapping
from enum import IntEnum

from PySide6.QtCore import QByteArray, QEvent, QObject, QSettings, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QMenu,
    QMenuBar,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QWidget,
)

from nbmail.ui.accounts.sidebar import Sidebar
from nbmail.ui.kit import layouts
from nbmail.ui.kit.icons import SIZE
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.list.list_heading import ListHeader
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.triage.triage_bars import TriageEnd, TriageFoot, TriageHead
from nbmail.ui.window.notices import StatusLine
from nbmail.ui.window.welcome import Welcome

ROOMY = 1800
"""From this width on the message stands beside the list, below it otherwise, until the user says where."""
ROOM_FOR_TWO = 1080
"""From this width on a message that is to be decided leaves room for its evidence."""
ROOM_FOR_WORDS = 640
"""Below this width the search field gets the room of the words of the third mark."""
PLACES = ("auto", "beside", "below")
NARROW, NARROW_BESIDE = 900, 1240
"""Below this width, or this where the message stands beside the list, the lists at the left give way; the button above
the table still opens them."""
MODEL_FILES = ("export", "export-redacted", "import", "drop-imports", "relearn")
READING = ("read", "source")
Actions = Mapping[str, QAction]


def make_toolbar(actions: Actions, search: QLineEdit) -> QToolBar:
    """The buttons everybody needs, the search field, and the rest behind a menu."""
    bar = QToolBar(tr("Actions"))
    bar.setObjectName("actions")
    bar.setMovable(False)
    bar.setIconSize(QSize(SIZE, SIZE))
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    for name in ("junk", "good", "clear"):
        _add_button(bar, actions[name], words=True).setProperty("mark", name)
    bar.addSeparator()
    for name in ("undo", "redo", "triage"):
        _add_button(bar, actions[name])
    bar.addWidget(_at_the_end(search))
    for name in ("export", "import"):
        _add_button(bar, actions[name])
    return bar


def make_search() -> QLineEdit:
    """The field of the tool bar."""
    search = QLineEdit()
    search.setPlaceholderText(tr("Search mail"))
    search.setAccessibleName(tr("Search mail"))
    search.setToolTip(tr("In senders, subjects and texts. Words in quotes stand one behind the other."))
    search.setClearButtonEnabled(True)
    search.setMaximumWidth(scaled(search, 320))
    for button in search.findChildren(QToolButton):
        button.setAccessibleName(tr("Clear the search"))
    return search


def _at_the_end(search: QWidget) -> QWidget:
    """The field takes what it may, and only what it leaves before it is empty; a tool bar would halve the room."""
    whole = layouts.as_widget(layouts.row(None, (search, 1)))
    whole.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return whole


def _add_button(bar: QToolBar, action: QAction, *, words: bool = False) -> QToolButton:
    bar.addAction(action)
    button = bar.widgetForAction(action)
    assert isinstance(button, QToolButton)
    style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if words else Qt.ToolButtonStyle.ToolButtonIconOnly
    button.setToolButtonStyle(style)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(action.text().rstrip("…"))
    return button


def fill_menus(bar: QMenuBar, actions: Actions) -> None:
    """All actions in words, the rarer ones too."""
    menus = (
        (tr("&Mail"), ("check", "account", "", *MODEL_FILES, "", "preferences", "", "quit")),
        (tr("&Edit"), ("undo", "redo", "", "all", "search")),
        (tr("M&essage"), ("junk", "good", "clear", "", "explain", "triage", "", *READING, "", "next", "previous")),
        (tr("&View"), (*(f"list-{kind.name.lower()}" for kind in Kind), "", "sort", "beside", "", "history")),
        (tr("&Help"), ("keys", "", "about")),
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
    """What the right mouse button offers on a message."""
    menu = QMenu(parent)
    _fill(menu, actions, ("junk", "good", "clear", "", "explain", "", *READING, "", "undo", "redo"))
    return menu


class WindowPage(IntEnum):
    """What the window can show below its bars."""

    MAIL = 0
    WELCOME = 1
    NOTHING = 2
    ENDING = 3


class Bars(QScrollArea):
    """The bars that come and go: as high as what they say, in a low window less, to be scrolled. Has no signals."""

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
        wanted = inside.heightForWidth(self.width()) if inside.hasHeightForWidth() else inside.sizeHint().height()
        self.setFixedHeight(min(wanted, self.window().height() * 2 // 5))


class Panes:
    """The panes, the splitters between them, and the `bars` above them, most of which are hidden most of the time."""

    def __init__(
        self,
        sidebar: Sidebar,
        head: ListHeader,
        table: MailTable,
        *,
        reading: tuple[QWidget, QWidget],
        welcome: Welcome,
        bars: tuple[QWidget, ...],
        triage: tuple[TriageHead, TriageFoot, TriageEnd],
        status: StatusLine,
        toolbar: QToolBar,
    ) -> None:
        self.toolbar = toolbar
        self._clear = next(each for each in toolbar.findChildren(QToolButton) if each.property("mark") == "clear")
        self._search = toolbar.findChildren(QLineEdit)[0]
        self._alone, self.beside = False, "auto"
        self._sidebar, self._head, self._table, self._welcome, self._status = sidebar, head, table, welcome, status
        self.reasons_expanded = False
        self._shares, self._reasons = [1, 1], reading[1]
        self.reading = _splitter(Qt.Orientation.Horizontal, *reading, shares=(1, 1))
        self.list_page = layouts.as_widget(layouts.column(head, (table, 1)))
        self.list_page.setProperty("page", True)
        self.list_page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head_, foot, end = self._triage = triage
        self.message_page = layouts.as_widget(layouts.column(head_, (self.reading, 1), foot))
        self.split = _splitter(Qt.Orientation.Vertical, self.list_page, self.message_page, shares=(1, 1))
        self.reading.setMinimumHeight(max(160, scaled(table, 130)))
        self.reading.setSizes([560, 500])
        self.split.setSizes([500, 500])
        self.outer = _splitter(Qt.Orientation.Horizontal, sidebar, self.split, shares=(0, 1))
        sidebar.setMinimumWidth(150)
        self.outer.setSizes([scaled(table, 210), 1000])
        self.pages = QStackedWidget()
        for page in (self.outer, welcome, QWidget(), end):
            self.pages.addWidget(page)
        learned, *others = bars
        self.whole = layouts.as_widget(layouts.column(learned, Bars(*others), (self.pages, 1), status))

    def fit(self, width: int) -> None:
        """Use the room there is."""
        wide = (width >= ROOMY if self.beside == "auto" else self.beside == "beside") and not self._alone
        self.split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        below = wide and not self.reasons_expanded
        self.reading.setOrientation(Qt.Orientation.Vertical if below else Qt.Orientation.Horizontal)
        narrow = width < (NARROW_BESIDE if wide else NARROW)
        self._sidebar.setVisible(not narrow and not self._alone)
        self._status.tell_account(narrow)
        self._head.show_menu(narrow)
        styles, spare = Qt.ToolButtonStyle, width >= scaled(self._table, ROOM_FOR_WORDS)
        self._clear.setToolButtonStyle(styles.ToolButtonTextBesideIcon if spare else styles.ToolButtonIconOnly)
        self._search.setPlaceholderText(tr("Search mail") if spare else tr("Search"))
        roomy = width >= scaled(self._table, ROOM_FOR_TWO)
        self._reasons.setVisible(roomy or not self._alone or self.reasons_expanded)

    def expand_reasons(self, whole: bool) -> None:
        """Give the reasons the place of the list, beside the message, or give it back."""
        self.reasons_expanded = whole
        self.list_page.setHidden(whole or self._alone)
        self.fit(self.whole.width())
        before, self._shares = self._shares, self.reading.sizes()
        room = sum(self._shares)
        self.reading.setSizes([round(0.38 * room), round(0.62 * room)] if whole else before)

    def show_page(self, page: WindowPage) -> None:
        """Show the mail, how to begin, or nothing yet. How to begin is a button, which the keyboard then is on."""
        if self.pages.currentIndex() == WindowPage.ENDING:
            return
        if page == WindowPage.WELCOME != self.pages.currentIndex():
            self._welcome.button.setFocus()
        self.pages.setCurrentIndex(page)

    @property
    def stands_beside(self) -> bool:
        return self.split.orientation() == Qt.Orientation.Horizontal

    def turn_beside(self) -> None:
        """Show the message below the list where it is beside it, and the other way round, whatever the width."""
        self.beside = "below" if self.stands_beside else "beside"
        self.fit(self.whole.width())

    def show_triage(self, on: bool) -> None:
        """Let one message have all the room, with what stands around it; or the list again."""
        for part in self._triage[:2]:
            part.setVisible(on)
        self.toolbar.setHidden(on)
        self.list_page.setHidden(on or self.reasons_expanded)
        self._alone = on
        if on:
            self._before_triage, width = self.reading.sizes(), self.reading.width()
            self.reading.setSizes([width * 5 // 8, width * 3 // 8])
        else:
            self.reading.setSizes(self._before_triage)
        self.fit(self.whole.width())

    def show_end(self, on: bool) -> None:
        """Show how the triage ended, or the mail."""
        self.pages.setCurrentIndex(WindowPage.ENDING if on else WindowPage.MAIL)

    def _splitters(self) -> dict[str, QSplitter]:
        return {"sidebar": self.outer, "reading": self.reading, "list": self.split}

    def remember(self, notes: QSettings) -> None:
        """Note down how panes and columns stand."""
        for name, splitter in self._splitters().items():
            if all(splitter.sizes()):  # A pane that had no room just now is no wish to have it closed.
                notes.setValue(name, splitter.saveState())
        notes.setValue("columns", self._table.header.saveState())
        notes.setValue("hidden", [str(int(column)) for column in self._table.header.unwanted])
        notes.setValue("beside", self.beside)

    def recall(self, notes: QSettings) -> None:
        """Put panes and columns where they stood, to be fitted then; what makes no sense is passed over."""
        for name, splitter in self._splitters().items():
            state, way = notes.value(name), splitter.orientation()
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
            splitter.setOrientation(way)
        columns, hidden = notes.value("columns"), notes.value("hidden")
        if isinstance(columns, QByteArray):
            self._table.header.restore(columns)
        if isinstance(hidden, list):
            self._table.header.hide_columns(int(each) for each in hidden if str(each).isdecimal())
        self.beside = str(notes.value("beside")) if notes.value("beside") in PLACES else "auto"


def _splitter(orientation: Qt.Orientation, *widgets: QWidget, shares: tuple[int, ...]) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for place, (widget, share) in enumerate(zip(widgets, shares, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(place, share)
    return splitter
