"""Builds the parts of the window and connects them: the one place that knows all of them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractAnimation, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow, QToolButton

from nbmail.settings import Settings
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.accounts.account_news import AccountNews
from nbmail.ui.accounts.sidebar import Sidebar, SidebarModel
from nbmail.ui.accounts.sidebar_menu import SidebarMenu
from nbmail.ui.accounts.training_bar import TrainingBar
from nbmail.ui.accounts.training_end import TrainingEnd
from nbmail.ui.actions.action_table import ActionTable
from nbmail.ui.actions.dialog_actions import DialogActions
from nbmail.ui.actions.long_work import LongWork
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.actions.model_files import ModelFileActions
from nbmail.ui.actions.move_offers import MoveOffers
from nbmail.ui.actions.undo_redo import UndoActions
from nbmail.ui.dialogs.questions import ask_link
from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.evidence.reasons_view import ReasonsView
from nbmail.ui.kit import layouts
from nbmail.ui.kit.error_texts import Notice, error_notice
from nbmail.ui.kit.icons import make_icon, window_icon
from nbmail.ui.kit.language import set_language
from nbmail.ui.kit.theme import apply_palette, apply_theme
from nbmail.ui.list.list_choice import Choice
from nbmail.ui.list.list_heading import ListHeader
from nbmail.ui.list.list_updates import ListFigures, ListUpdates
from nbmail.ui.list.mail_model import MailModel
from nbmail.ui.list.mail_table import MailTable
from nbmail.ui.message.message_actions import MessageActions
from nbmail.ui.message.message_pane import MessagePane
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.model.model_window import ModelWindow
from nbmail.ui.triage.triage import Triage
from nbmail.ui.triage.triage_bars import TriageEnd, TriageFoot, TriageHead
from nbmail.ui.window import window_layout
from nbmail.ui.window.app_services import AppServices
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.engine_requests import EngineRequests
from nbmail.ui.window.learning_bar import LearningBar
from nbmail.ui.window.notices import Banner, StatusLine
from nbmail.ui.window.welcome import Welcome
from nbmail.worker.protocol import (
    AccountChanged,
    BodyCame,
    Broken,
    Changed,
    Event,
    Learned,
    MovedByOthers,
    Opened,
)
from nbmail.worker.protocol.client import Engine

OFTEN = 80
"""Milliseconds between two updates of what follows the list: counting a million messages takes 10."""
A_WHILE = 15_000
"""Milliseconds between two looks at the clock."""
SEARCH_PAUSE = 120
"""Milliseconds from the last key to the search."""


class WindowParts(QObject):
    """All parts of one window. Nothing but the window itself holds this: each part is given what it needs."""

    def __init__(
        self,
        window: QMainWindow,
        engine: Engine,
        settings: Settings,
        services: AppServices,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(window)
        self.window, self._clock, self._services = window, clock, services
        self._closed = False
        application = _application()
        set_language(application, settings.language)
        apply_palette(settings.theme, application)
        self.banner, self.offers = Banner(), MoveOffers()
        self.status, self.learning_bar, self.welcome = StatusLine(), LearningBar(), Welcome()
        self.requests = EngineRequests(engine, self.banner.show_failure)
        self.settings = CurrentSettings(settings, self.requests, services.keep_settings, self)
        self.actions = ActionTable(self, self.settings, window, self.status.show_hint)
        self._make_list()
        self._make_actions()
        self._make_accounts()
        self._lay_out()
        self._connect()
        self._start_timers()
        self.sidebar_model.show_accounts(tuple(account.name for account in settings.accounts))
        self.enable()
        self.actions.offer_steps(undo=False, redo=False)
        self.figures.count()

    def _make_list(self) -> None:
        self.model = MailModel(self, self._clock)
        self.table = MailTable(self.model)
        self.sidebar_model = SidebarModel(self, self._clock)
        self.sidebar = Sidebar(self.sidebar_model)
        self.search = window_layout.make_search()
        self.message = MessagePane(self.ask_to_open)
        self.evidence = ReasonsPanel()
        self.evidence.junk_per_lost = self.settings.value.junk_seen_per_lost
        self.reader = OpenMessage(self.requests.engine, self.message, self.evidence, self.sidebar_model.states, self)
        self.updates = ListUpdates(self.requests.engine, self.table, self.sidebar, self.search, self.reader)

    def _make_actions(self) -> None:
        window, status, work = self.window, self.status, LongWork(self.requests, self.status)
        self.marking = MarkingActions(
            *(work, self.table, self.updates, self.settings),
            offers=self.offers,
            banner=self.banner,
            status=status,
            begun=self.actions.offer_undo,
        )
        self.undoing = UndoActions(work, self.marking, status, window)
        self.model_files = ModelFileActions(work, status, window)
        self.dialogs = DialogActions(window, self.requests, self.settings, self.model)
        self.reading = MessageActions(
            *(self.requests.engine, self.model, self.message, self.settings, self.marking),
            open_file=self._services.open_file,
            report=status.say,
        )

    def _make_accounts(self) -> None:
        states, banner, status = self.sidebar_model.states, self.banner, self.status
        self.accounts = AccountActions(
            self.window, self.settings, self._services, self.marking, states, banner=banner, status=status
        )
        self.training_end = TrainingEnd(self.requests, self.table)
        self.training = TrainingBar(self.settings, self.accounts, self.training_end.ask)
        self.account_news = AccountNews(
            self.sidebar, self.training, self.accounts, self._clock, banner=banner, status=status
        )
        self.sidebar_menu = SidebarMenu(self.sidebar, self.settings, self.accounts, self.marking)

    def _lay_out(self) -> None:
        window, by_name = self.window, self.actions.by_name
        self.triage_head, self.triage_end = TriageHead(), TriageEnd()
        self.triage_foot = TriageFoot(by_name)
        sort, decide = by_name["sort"].trigger, by_name["triage"].trigger
        self.head = ListHeader(self.sidebar_model, self.updates.show_choice, sort, decide)
        self.panes = window_layout.Panes(
            self.sidebar,
            self.head,
            self.table,
            reading=(self.message, self.evidence),
            welcome=self.welcome,
            bars=(self.learning_bar, self.banner, self.offers, self.training, self.training_end),
            triage=(self.triage_head, self.triage_foot, self.triage_end),
            status=self.status,
            toolbar=window_layout.make_toolbar(by_name, self.search),
        )
        engine = self.requests.engine
        reading = (engine, self.evidence, self.message, self.reader, self.table)
        self.reasons = ReasonsView(*reading, panes=self.panes, status=self.status, parent=window)
        parts = (engine, self.model, self.reader, self.marking)
        self.triage = Triage(*parts, head=self.triage_head, end=self.triage_end, show_end=self.panes.show_end)
        self.training_end.ask_button.clicked.connect(self.triage.teach)
        self.figures = ListFigures(self.table, self.head, self.sidebar, self.panes, self.settings)
        window.setCentralWidget(self.panes.whole)
        window.addToolBar(self.panes.toolbar)
        window_layout.fill_menus(window.menuBar(), by_name)
        window.setWindowIcon(window_icon())

    def _connect(self) -> None:
        self.table.current_message_changed.connect(
            lambda message: None if self.triage.open else self.reader.go_to(message)
        )
        self.table.page_requested.connect(self.message.body.scroll_page)
        self.triage.toggled.connect(self._turn_triage)
        self.updates.leaving.connect(self.triage.leave)
        self.updates.search_progressed.connect(self.head.searching.setText)
        for signal in (self.table.selection_changed, self.model.counted, self.model.arranged):
            signal.connect(self.enable)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self.open_message_menu)
        self.sidebar.chosen.connect(self.updates.show_choice)
        self.sidebar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.sidebar.customContextMenuRequested.connect(self.sidebar_menu.open)
        self.status.undo_asked.connect(self.undoing.undo)
        self.status.redo_asked.connect(self.undoing.redo)
        self.evidence.dial.clicked.connect(self.actions.by_name["preferences"].trigger)
        self.offers.accepted.connect(self.marking.mark)
        self.welcome.connect_doors(self.accounts.ask_new, self.accounts.ask_local, self.accounts.open_demo)
        self.settings.theme_changed.connect(self.use_theme)
        self.settings.accounts_changed.connect(self.show_accounts)
        self.search.returnPressed.connect(self.table.setFocus)
        leave_reading = partial(self.reasons.leave, self.triage.leave)
        self.triage_head.order.activated.connect(self.message.body.setFocus)
        for place, leave in ((self.search, self._leave_search), (self.panes.message_page, leave_reading)):
            context = Qt.ShortcutContext.WidgetWithChildrenShortcut
            QShortcut(QKeySequence(Qt.Key.Key_Escape), place, context=context).activated.connect(leave)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self.follow_system)
        asked = getattr(hints, "accessibility", None)
        if asked is not None:
            asked().contrastPreferenceChanged.connect(self.use_theme)

    def _start_timers(self) -> None:
        model = self.model
        self._after_a_pause(SEARCH_PAUSE, self.updates.search, self.search.textChanged)
        self._now_and_then(self.figures.count, model.counted, model.arranged)
        scrolled = self.table.verticalScrollBar().valueChanged
        self._now_and_then(self.updates.report_visible, scrolled, model.arranged)
        clock = layouts.single_shot_timer(self, A_WHILE, self.account_news.tell_time)
        clock.setSingleShot(False)
        clock.start()

    def _after_a_pause(self, milliseconds: int, act: Callable[[], None], signal: Any) -> None:
        """Act once the signal has been silent for so long."""
        timer = layouts.single_shot_timer(self, milliseconds, act)
        # A window that closes still scrolls and lays out its parts once more.
        signal.connect(lambda *_: None if self._closed else timer.start())

    def _now_and_then(self, act: Callable[[], None], *signals: Any) -> None:
        """Act soon after a signal, but only so often, however many come."""
        timer = layouts.single_shot_timer(self, OFTEN, act)
        for signal in signals:
            signal.connect(lambda *_: None if self._closed or timer.isActive() else timer.start())

    def close(self) -> None:
        """Let nothing begin any more: the window is going."""
        self._closed = True
        for timer in self.window.findChildren(QTimer):
            timer.stop()
        for animation in self.window.findChildren(QAbstractAnimation):
            animation.stop()

    # --------------------------------------------------------------------------------------------------- events

    def hear(self, event: Event) -> None:
        """One event of the engine."""
        if self.requests.hear(event):
            return
        if isinstance(event, Changed):
            self._take(event)
        elif isinstance(event, Learned):
            self.learning_bar.show_learned(event)
            if self.reasons.show_junk_threshold(event.junk_from, self.settings.value.junk_seen_per_lost):
                self.reader.explain_again()
            self.actions.offer_steps(undo=event.undo > 0, redo=event.redo > 0)
        elif isinstance(event, AccountChanged):
            self.account_news.show(event.state)
            self.figures.count()
            self.reader.update_missing()
        elif isinstance(event, BodyCame):
            self.reader.take_body(event)
        elif isinstance(event, MovedByOthers):
            self.offers.take(event)
        elif isinstance(event, Broken):
            self.banner.show_notice(error_notice(None, event.detail))
        elif isinstance(event, Opened) and event.notes:
            self.banner.show_notice(Notice(event.notes[0], " ".join(event.notes[1:])))

    def _take(self, event: Changed) -> None:
        self.model.take(event)
        if not self.triage.open:
            self.updates.select_default()
        current = self.reader.message
        self.reader.compare_score(*self.model.score_of(current))
        self.reader.compare_label(*self.model.source_of(current))

    def enable(self) -> None:
        """Offer what can be done with the messages that are selected."""
        chosen = self.model.mail.count_selected()
        self.head.show_selected(chosen)
        self.actions.offer_marks(chosen > 0 or self.triage.open)

    def _turn_triage(self, on: bool) -> None:
        """One message has the window, or the list has it again."""
        self.panes.show_triage(on)
        self.enable()
        if on:
            self.message.body.setFocus()
        else:
            self.table.setFocus()
            self.reader.go_to(self.table.current_message())

    def show_accounts(self) -> None:
        """Show the accounts of the settings, and no folder of another one."""
        names = tuple(account.name for account in self.settings.value.accounts)
        self.sidebar_model.show_accounts(names)
        self.training.look()
        folder = self.model.arrangement.choice.folder
        if folder is not None and folder.account not in names:
            self.updates.show_choice(Choice())
        self.figures.count()

    def follow_system(self) -> None:
        """The desktop has turned dark or light."""
        if self.settings.value.theme == "system":
            self.use_theme()

    def use_theme(self) -> None:
        """Take on the theme that is set, once all parts are in their places: else it is worked out again and again."""
        apply_theme(_application(), self.settings.value.theme)
        self._draw_icons()

    def _draw_icons(self) -> None:
        self.actions.draw_icons()
        # Qt's own icon that clears a field is another in every style.
        for button in self.search.findChildren(QToolButton):
            button.setIcon(make_icon("close", "muted"))

    # ------------------------------------------------------------------------------------- menus and questions

    def open_message_menu(self, place: QPoint) -> None:
        """What can be done with the message under the mouse."""
        table = self.table
        menu = window_layout.make_message_menu(self.window, self.actions.by_name)
        # While a menu is open the list hears nothing of the mouse: no row is under it until it moves again.
        table.row_painter.hovered = -1
        menu.aboutToHide.connect(table.viewport().update)
        menu.popup(table.viewport().mapToGlobal(place))

    def show_model(self) -> None:
        """Show what was learned, how good it is and what taught it, in a window that is made once."""
        shown = self.window.findChild(ModelWindow) or ModelWindow(
            self.window,
            self.requests.engine,
            self.table,
            self.settings,
            reader=self.reader,
            marking=self.marking,
            undoing=self.undoing,
            files=self.model_files,
            open_words=self.reasons.open_words,
            clock=self._clock,
        )
        shown.show()
        shown.raise_()
        shown.activateWindow()

    def look_for_words(self) -> None:
        """Let something be searched for: a message that is to be decided has no field for that."""
        self.triage.leave()
        self.search.setFocus()
        self.search.selectAll()

    def _leave_search(self) -> None:
        """Show everything again; with nothing to search for go back to the list."""
        if self.search.text():
            self.search.clear()
        else:
            self.table.setFocus()

    def ask_to_open(self, address: str) -> None:
        """Show where a link leads before anything opens it."""
        ask_link(self.window, address, self._services.open_address)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
