"""Builds the parts of the window and connects them, once its outlines are on the screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton

from nbmail.ui.accounts.sidebar import Sidebar, SidebarModel
from nbmail.ui.accounts.sidebar_menu import open_sidebar_menu
from nbmail.ui.accounts.training_bar import TrainingBar
from nbmail.ui.actions.actions import hint_words, make_actions, wear_icons, wear_search
from nbmail.ui.actions.move_offers import Offers
from nbmail.ui.actions.user_actions import add_account, leave_search, redo, undo
from nbmail.ui.evidence.evidence_panel import EvidencePanel
from nbmail.ui.kit.icons import window_icon
from nbmail.ui.kit.language import speak, tr
from nbmail.ui.kit.letter_sizes import grown
from nbmail.ui.kit.theme import dress, make_palette, shades_for
from nbmail.ui.list.list_heading import ListHead
from nbmail.ui.list.list_updates import ListKeeper
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.message.open_message import Reader
from nbmail.ui.window import window_layout
from nbmail.ui.window.engine_requests import Conversation
from nbmail.ui.window.learning_bar import LearningStrip
from nbmail.ui.window.notices import Banner, StatusLine
from nbmail.ui.window.welcome import Welcome
from nbmail.worker.protocol import Engine

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow

OFTEN = 80
"""Milliseconds between two updates of what follows the list: counting a million messages takes 10."""
A_WHILE = 15_000
"""Milliseconds between two looks at the clock."""
SEARCH_PAUSE = 120
"""Milliseconds from the last key to the search."""


def furnish(window: MainWindow, engine: Engine) -> None:
    """Make every part, put it where it belongs, connect it."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    speak(application, window.settings.language)
    window.shades = shades_for(window.settings.theme, application)
    application.setPalette(make_palette(window.shades))
    window.talk = Conversation(engine, window.complain)
    window.actions_by_name = make_actions(window, window.settings.keys)
    _make_list(window)
    _make_reading(window)
    _make_news(window)
    window.panes = window_layout.Panes(window)
    window.setCentralWidget(window.panes.whole)
    window.addToolBar(window_layout.build_toolbar(window))
    window_layout.build_menus(window)
    wear_icons(window.actions_by_name, window.shades)
    wear_search(window.search, window.shades)
    window.setWindowIcon(window_icon())
    _connect(window)
    # Last: a style sheet set before the parts are in their places is worked out several times over.
    dress(application, window.settings.theme)


def _make_list(window: MainWindow) -> None:
    window.model = MailModel(window, window.clock)
    window.table = MailTable(window.model, window.shades)
    window.sidebar_model = SidebarModel(window, window.clock)
    window.sidebar = Sidebar(window.sidebar_model, window.shades)
    window.sidebar_model.show_accounts(tuple(account.name for account in window.settings.accounts))
    window.search = _make_search()
    window.keeper = ListKeeper(window)
    sort = window.actions_by_name["sort"].trigger
    window.head = ListHead(window.sidebar_model, window.keeper.show_choice, sort)


def _make_reading(window: MainWindow) -> None:
    window.message = MessagePane(window.shades, partial(_ask_to_open, window))
    window.evidence = EvidencePanel(window.shades)
    window.reader = Reader(window.talk, window.message, window.evidence, window.sidebar_model.states, window)


def _ask_to_open(window: MainWindow, address: str) -> None:
    """Show where a link leads before anything opens it."""
    from nbmail.ui.actions.questions import ask_link

    ask_link(window, address, window.outside.open_address)


def _make_news(window: MainWindow) -> None:
    window.strip = LearningStrip(window.shades)
    window.banner = Banner(window.shades)
    window.offers = Offers(window, window.shades)
    window.training = TrainingBar(window, window.shades)
    window.training.look()
    window.status = StatusLine(lambda: undo(window), hint_words(window.actions_by_name), redo=lambda: redo(window))
    window.welcome = Welcome(lambda: add_account(window))


def _make_search() -> QLineEdit:
    search = QLineEdit()
    search.setPlaceholderText(tr("Search sender and subject"))
    search.setAccessibleName(tr("Search sender and subject"))
    search.setClearButtonEnabled(True)
    search.setMaximumWidth(grown(search, 320))
    for button in search.findChildren(QToolButton):
        button.setAccessibleName(tr("Clear the search"))
    return search


def _connect(window: MainWindow) -> None:
    keeper, model, table = window.keeper, window.model, window.table
    table.stepped.connect(window.reader.go_to)
    table.picked.connect(keeper.enable)
    window.sidebar.chosen.connect(keeper.show_choice)
    table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    table.customContextMenuRequested.connect(keeper.open_menu)
    _after_a_pause(window, SEARCH_PAUSE, keeper.search, window.search.textChanged)
    _now_and_then(window, keeper.count, model.counted, model.arranged)
    _now_and_then(window, keeper.tell_visible, table.verticalScrollBar().valueChanged, model.arranged)
    clock = _timer(window, A_WHILE, keeper.tell_time)
    clock.setSingleShot(False)
    clock.start()
    sidebar = window.sidebar
    sidebar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    sidebar.customContextMenuRequested.connect(partial(open_sidebar_menu, window))
    QGuiApplication.styleHints().colorSchemeChanged.connect(window.follow_system)
    asked = getattr(QGuiApplication.styleHints(), "accessibility", None)
    if asked is not None:
        asked().contrastPreferenceChanged.connect(lambda _: None if window.closed else window.wear())
    window.search.returnPressed.connect(table.setFocus)
    leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), window.search, context=Qt.ShortcutContext.WidgetShortcut)
    leave.activated.connect(partial(leave_search, window))


def _after_a_pause(window: MainWindow, milliseconds: int, act: Callable[[], None], signal: Any) -> None:
    """Act once the signal has been silent for so long."""
    timer = _timer(window, milliseconds, act)
    # A window that closes still scrolls and lays out its parts once more.
    signal.connect(lambda *_: None if window.closed else timer.start())


def _now_and_then(window: MainWindow, act: Callable[[], None], *signals: Any) -> None:
    """Act soon after a signal, but only so often, however many come."""
    timer = _timer(window, OFTEN, act)
    for signal in signals:
        signal.connect(lambda *_: None if timer.isActive() or window.closed else timer.start())


def _timer(window: MainWindow, milliseconds: int, act: Callable[[], None]) -> QTimer:
    timer = QTimer(window)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(act)
    return timer
