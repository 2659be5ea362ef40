"""Where everything stands in the window: tool bar, menus, panes."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from nbmail.ui.kit.icons import SIZE
from nbmail.ui.kit.language import tr
from nbmail.ui.kit.letter_sizes import grown
from nbmail.ui.list.list_choice import Kind

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow

ROOMY = 1800
"""From this width on the message stands beside the list, below it otherwise."""
NARROW = 900
"""Below this width the lists at the left give way; the button above the table still opens them."""


def build_toolbar(window: MainWindow) -> QToolBar:
    """The buttons everybody needs, the search field, and the rest behind a menu."""
    bar = QToolBar(tr("Actions"), window)
    bar.setObjectName("actions")
    bar.setMovable(False)
    bar.setIconSize(QSize(SIZE, SIZE))
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    actions = window.actions_by_name
    for name in ("junk", "good", "clear"):
        _add_button(bar, actions[name], words=True).setProperty("mark", name)
    bar.addSeparator()
    for name in ("undo", "redo"):
        _add_button(bar, actions[name])
    bar.addWidget(_at_the_end(window.search))
    for name in ("export", "import"):
        _add_button(bar, actions[name])
    return bar


def _at_the_end(search: QWidget) -> QWidget:
    """The field takes what it may, and only what it leaves before it is empty; a tool bar would halve the room."""
    whole = QWidget()
    whole.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    row = QHBoxLayout(whole)
    row.setContentsMargins(0, 0, 0, 0)
    row.addStretch()
    row.addWidget(search, 1)
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


def build_menus(window: MainWindow) -> None:
    """The same actions, and the rarer ones, in words."""
    actions = window.actions_by_name
    menus = (
        (tr("&Mail"), ("check", "account", "", "export", "import", "relearn", "", "preferences", "", "quit")),
        (tr("&Edit"), ("undo", "redo", "", "all", "search")),
        (tr("M&essage"), ("junk", "good", "clear", "", "explain", "", "next", "previous")),
        (tr("&View"), (*(f"list-{kind.name.lower()}" for kind in Kind), "", "sort", "", "history")),
        (tr("&Help"), ("keys", "", "about")),
    )
    for title, names in menus:
        _fill(window.menuBar().addMenu(title), actions, names)


def _fill(menu: QMenu, actions: dict[str, QAction], names: tuple[str, ...]) -> None:
    for name in names:
        if name:
            menu.addAction(actions[name])
        else:
            menu.addSeparator()


def context_menu(window: MainWindow) -> QMenu:
    """What the right mouse button offers on a message."""
    menu = QMenu(window)
    _fill(menu, window.actions_by_name, ("junk", "good", "clear", "", "explain", "", "undo", "redo"))
    return menu


class Page(IntEnum):
    """What the window can show below its bars."""

    MAIL = 0
    WELCOME = 1
    NOTHING = 2


class Panes:
    """The panes and the splitters between them."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.reading = _splitter(Qt.Orientation.Horizontal, window.message, window.evidence, shares=(1, 1))
        self.list_page = self._make_list_page()
        self.split = _splitter(Qt.Orientation.Vertical, self.list_page, self.reading, shares=(1, 1))
        self.reading.setMinimumHeight(max(160, grown(window, 130)))
        self.reading.setSizes([560, 500])
        self.split.setSizes([500, 500])
        self.outer = _splitter(Qt.Orientation.Horizontal, window.sidebar, self.split, shares=(0, 1))
        window.sidebar.setMinimumWidth(150)
        self.outer.setSizes([grown(window, 210), 1000])
        self.pages = QStackedWidget()
        self.pages.addWidget(self.outer)
        self.pages.addWidget(window.welcome)
        self.pages.addWidget(QWidget())
        self.whole = _column(*_bars(window), self.pages, window.status, stretch=self.pages)

    def _make_list_page(self) -> QWidget:
        page = QWidget()
        page.setProperty("page", True)
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._window.head)
        column.addWidget(self._window.table, 1)
        return page

    def fit(self, width: int) -> None:
        """Use the room there is."""
        wide = width >= ROOMY
        self.split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self.reading.setOrientation(Qt.Orientation.Vertical if wide else Qt.Orientation.Horizontal)
        self._window.sidebar.setVisible(width >= NARROW)
        self._window.status.account.setVisible(width < NARROW)
        self._window.head.stand_in(width < NARROW)

    def show_page(self, page: Page) -> None:
        """Show the mail, how to begin, or nothing yet. How to begin is a button, which the keyboard then is on."""
        if page == Page.WELCOME != self.pages.currentIndex():
            self._window.welcome.button.setFocus()
        self.pages.setCurrentIndex(page)


def _bars(window: MainWindow) -> tuple[QWidget, ...]:
    """What stands above the panes, most of it hidden most of the time."""
    return window.strip, window.banner, window.offers, window.training


def _splitter(orientation: Qt.Orientation, *widgets: QWidget, shares: tuple[int, ...]) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    for place, (widget, share) in enumerate(zip(widgets, shares, strict=True)):
        splitter.addWidget(widget)
        splitter.setStretchFactor(place, share)
    return splitter


def _column(*widgets: QWidget, stretch: QWidget) -> QWidget:
    whole = QWidget()
    column = QVBoxLayout(whole)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for widget in widgets:
        column.addWidget(widget, 1 if widget is stretch else 0)
    return whole
