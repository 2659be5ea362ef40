"""Construction and connection of the window's parts."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QAbstractAnimation, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow, QToolButton

from nbmail.settings import Settings
from nbmail.ui.accounts.account_actions import AccountActions
from nbmail.ui.accounts.account_status import AccountStatus
from nbmail.ui.accounts.training_bar import TrainingBar
from nbmail.ui.accounts.training_result import TrainingResult
from nbmail.ui.actions.action_table import ActionTable
from nbmail.ui.actions.dialog_actions import DialogActions
from nbmail.ui.actions.marking import MarkingActions
from nbmail.ui.actions.model_actions import ModelActions
from nbmail.ui.actions.undo_redo import UndoActions
from nbmail.ui.actions.window_actions import list_action
from nbmail.ui.dialogs.link_question import ask_link
from nbmail.ui.evidence.reasons_panel import ReasonsPanel
from nbmail.ui.evidence.reasons_view import ReasonsView
from nbmail.ui.filing.deletion import Deletion
from nbmail.ui.filing.filing_actions import FilingActions
from nbmail.ui.filing.flagging import Flagging
from nbmail.ui.filing.folder_menu import FolderMenu
from nbmail.ui.filing.other_programs import OtherPrograms
from nbmail.ui.filing.sender_rules import RuleActions
from nbmail.ui.filing.suggested_folders import SuggestedFolders
from nbmail.ui.filing.unsubscribing import Unsubscribing
from nbmail.ui.kit.drawing import make_icon, window_icon
from nbmail.ui.kit.theme import apply_palette, apply_theme
from nbmail.ui.kit.timers import call_at_most, single_shot_timer
from nbmail.ui.list.list_choice import Choice, Kind
from nbmail.ui.list.list_header import ListHeader
from nbmail.ui.list.list_updates import ListUpdates
from nbmail.ui.list.mail_counts import ListFigures
from nbmail.ui.list.search_field import SearchField
from nbmail.ui.list.table.mail_model import MailModel
from nbmail.ui.list.table.mail_table import MailTable
from nbmail.ui.message.attachments.attachments import Attachments
from nbmail.ui.message.message_actions import MessageActions
from nbmail.ui.message.open_message import OpenMessage
from nbmail.ui.message.pane.conversation import Conversation
from nbmail.ui.message.pane.message_pane import MessagePane
from nbmail.ui.message.sender_choices import prefers_plain
from nbmail.ui.model.model_window import ModelWindow
from nbmail.ui.notices.banner import Banner
from nbmail.ui.notices.bars import DemoBar
from nbmail.ui.notices.move_offers import MoveOffers
from nbmail.ui.notices.opening_notes import show_opening_notes
from nbmail.ui.notices.status_line import StatusLine
from nbmail.ui.sidebar.sidebar import Sidebar
from nbmail.ui.sidebar.sidebar_menu import SidebarMenu
from nbmail.ui.sidebar.sidebar_model import SidebarModel
from nbmail.ui.sorting.put_back_day import PutBackDay
from nbmail.ui.sorting.sorted_messages import SortedMessages
from nbmail.ui.sorting.sorting_notices import SortingNotices
from nbmail.ui.sorting.sorting_window import SortingWindow
from nbmail.ui.texts.language import set_language
from nbmail.ui.triage.triage import Triage
from nbmail.ui.triage.triage_end import TriageEnd
from nbmail.ui.triage.triage_foot import TriageFoot
from nbmail.ui.triage.triage_head import TriageHead
from nbmail.ui.window.action_bar import ActionBar
from nbmail.ui.window.current_settings import CurrentSettings
from nbmail.ui.window.learning_bar import LearningBar
from nbmail.ui.window.menus import fill_menus, make_message_menu
from nbmail.ui.window.panes import Panes
from nbmail.ui.window.services import Accounts, Desktop, MailboxSearch, open_address
from nbmail.ui.window.welcome import Welcome
from nbmail.ui.window.window_context import WindowContext
from nbmail.values import AccountState
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol import events
from nbmail.worker.protocol.folders import FoldersSuggested
from nbmail.worker.protocol.sorting import SortingChanged

COUNT_INTERVAL = 80
"""Least milliseconds between two updates of counts. Counting a million messages takes 10 ms."""
CLOCK_INTERVAL = 15_000
"""Milliseconds between two updates of relative times."""
SEARCH_PAUSE = 120
"""Milliseconds from the last key to the search."""


class WindowParts(QObject):
    """All parts of one window, and their connections. Only the window refers to this object."""

    def __init__(
        self,
        window: QMainWindow,
        engine: Engine,
        settings: Settings,
        *,
        accounts: Accounts,
        searches: MailboxSearch,
        desktop: Desktop,
        save_settings: Callable[[Settings], None],
        clock: Callable[[], float],
    ) -> None:
        super().__init__(window)
        self.window = window
        self.engine = engine
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self._application = application
        set_language(application, settings.language)
        apply_palette(settings.theme, application)

        self.banner = Banner()
        self.offers = MoveOffers()
        self.status = StatusLine()
        self.learning_bar = LearningBar()
        self.settings = CurrentSettings(settings, self.engine, save_settings, self)
        self.actions = ActionTable(self.settings, window, self.status.set_hint)
        self.model = MailModel(self, clock)
        self.sidebar_model = SidebarModel(self, clock)
        self.table = MailTable(self.model)
        self.context = WindowContext(
            window=window,
            engine=engine,
            settings=self.settings,
            model=self.model,
            table=self.table,
            status=self.status,
            banner=self.banner,
            accounts=accounts,
            searches=searches,
            desktop=desktop,
            clock=clock,
        )

        self._make_list()
        self._make_actions()
        self._make_accounts()
        self._make_pages()
        self._make_layout()
        self._connect_actions()
        self._connect_list()
        self._connect_other_parts()
        self._connect_escape()
        self._connect_desktop()
        self._start_timers()

        self.sidebar_model.show_accounts(tuple(account.name for account in settings.accounts))
        self.enable()
        self.actions.offer_undo(False)
        self.actions.offer_redo(False)
        self.figures.count()

    def _make_list(self) -> None:
        self.sidebar = Sidebar(self.sidebar_model)
        self.search = SearchField()
        self.conversation = Conversation(self.engine, self.table, self.context.clock)
        files = Attachments(self.engine, self.status.report)
        plain = partial(prefers_plain, self.settings)
        self.message = MessagePane(self.ask_to_open, files, self.conversation, plain)
        self.evidence = ReasonsPanel()
        self.evidence.spam_per_lost = self.settings.value.spam_seen_per_lost
        self.reader = OpenMessage(
            self.engine, self.message, self.evidence, self.sidebar_model.states, self
        )
        self.updates = ListUpdates(self.engine, self.table, self.sidebar, self.search, self.reader)

    def _make_actions(self) -> None:
        context = self.context
        self.marking = MarkingActions(
            context, self.updates, self.offers, begun=self.actions.offer_only_undo
        )
        self.undoing = UndoActions(context, self.marking, self.actions)
        self.sorted = SortedMessages(context)
        self.put_back_day = PutBackDay(context, self.sorted)
        self.sorting_notices = SortingNotices(context, self.sorted, self.updates.show_choice)
        self.model_files = ModelActions(context)
        self.dialogs = DialogActions(context)
        self.message_actions = MessageActions(context, self.message, self.marking)

    def _make_accounts(self) -> None:
        context = self.context
        marking = self.marking
        self.accounts = AccountActions(context, marking, self.sidebar_model.states)
        self.filing = FilingActions(context, marking, self.accounts.change)
        self.flagging = Flagging(context, marking)
        self.deletion = Deletion(context, marking)
        self.folder_menu = FolderMenu(context, marking, self.deletion)
        self.other_programs = OtherPrograms(context, marking)
        self.sender_rules = RuleActions(context, marking)
        self.unsubscribing = Unsubscribing(context, marking)
        self.suggested = SuggestedFolders(
            context, self.message, marking, self.filing, self.actions.by_name
        )
        self.training_result = TrainingResult(self.engine, self.table)
        self.training = TrainingBar(self.settings, self.accounts, self.training_result.load)
        self.account_status = AccountStatus(context, self.sidebar, self.training, self.accounts)
        self.sidebar_menu = SidebarMenu(context, self.sidebar, self.accounts, self.folder_menu)

    def _make_pages(self) -> None:
        by_name = self.actions.by_name
        self.triage_head = TriageHead()
        self.triage_end = TriageEnd()
        self.triage_foot = TriageFoot(by_name)
        accounts = self.accounts
        self.welcome = Welcome(
            add_mailbox=accounts.ask_new,
            open_local=lambda: accounts.ask_new(local=True),
            open_program=accounts.open_program,
        )
        self.demo_bar = DemoBar(accounts.open_program)
        self.head = ListHeader(
            self.sidebar_model,
            choose=self.updates.show_choice,
            sort=by_name["sort"].trigger,
            decide=by_name["triage"].trigger,
            put_back_day=self.put_back_day.button,
        )

    def _make_layout(self) -> None:
        window = self.window
        by_name = self.actions.by_name
        self.panes = Panes(
            toolbar=ActionBar(by_name, self.search),
            learning_bar=self.learning_bar,
            sidebar=self.sidebar,
            head=self.head,
            table=self.table,
            message=self.message,
            reasons=self.evidence,
            triage_head=self.triage_head,
            triage_foot=self.triage_foot,
            triage_end=self.triage_end,
            welcome=self.welcome,
            bars=(
                self.banner,
                self.offers,
                self.training,
                self.training_result,
                self.sorting_notices.banner,
            ),
            demo_bar=self.demo_bar,
            status=self.status,
        )
        self.triage = Triage(
            self.context,
            self.reader,
            self.marking,
            head=self.triage_head,
            end=self.triage_end,
            show_end=self.panes.show_end,
        )
        self.reasons = ReasonsView(
            self.context, self.evidence, self.message, self.reader, self.panes
        )
        self.figures = ListFigures(self.table, self.head, self.sidebar, self.panes, self.settings)
        window.setCentralWidget(self.panes.whole)
        window.addToolBar(self.panes.toolbar)
        fill_menus(window.menuBar(), by_name)
        window.setWindowIcon(window_icon())

    def _connect_actions(self) -> None:
        handlers: dict[str, Callable[[], object]] = {
            "all": self.table.select_all,
            "explain": self.evidence.expand.click,
            "search": self.focus_search,
            "sort": self.updates.sort_again,
            "triage": self.triage.begin,
            "in-folder": self.updates.show_in_folder,
            "beside": self.panes.toggle_beside,
            "history": self.show_model,
            "account": self.accounts.ask_new,
            "check": self.accounts.check_mail,
            "sorting": self.show_sorting,
            "quit": self.window.close,
        }
        for kind in Kind:
            handlers[list_action(kind)] = partial(self.updates.show_choice, Choice(kind))
        for part in (
            self.marking,
            self.undoing,
            self.filing,
            self.flagging,
            self.deletion,
            self.other_programs,
            self.sender_rules,
            self.unsubscribing,
            self.suggested,
            self.message_actions,
            self.model_files,
            self.dialogs,
        ):
            handlers |= part.handlers()
        self.actions.connect(handlers)
        self.actions.limit_keys(self.panes.list_page, self.panes.message_page)

    def _connect_list(self) -> None:
        table = self.table
        table.current_message_changed.connect(self._open_current)
        table.page_requested.connect(self.message.body.scroll_page)
        table.page_requested.connect(
            lambda _: self.message_actions.reading.choose(self.reader.message)
        )
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self.open_message_menu)
        for signal in (table.selection_changed, self.model.counted, self.model.arranged):
            signal.connect(self.enable)

        self.updates.leaving.connect(self.triage.leave)
        self.updates.search_progressed.connect(self.head.searching.setText)
        self.search.returnPressed.connect(table.setFocus)

        self.sidebar.chosen.connect(self.updates.show_choice)
        self.sidebar.dropped.connect(self.filing.drop)
        self.sidebar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.sidebar.customContextMenuRequested.connect(self.sidebar_menu.open)

    def _connect_other_parts(self) -> None:
        self.message.shown.connect(self.conversation.load)
        self.conversation.left_list.connect(partial(self.updates.show_in, Choice()))
        self.reader.chosen.connect(self.message_actions.reading.choose)
        self.triage.toggled.connect(self._show_triage)
        self.triage_head.order.activated.connect(self.message.body.setFocus)
        self.training_result.review.clicked.connect(self.triage.teach)
        self.training_result.trained.connect(self.sorting_notices.offer)
        self.sorting_notices.window_requested.connect(self.show_sorting)
        self.status.undo.clicked.connect(self.undoing.undo)
        self.status.redo.clicked.connect(self.undoing.redo)
        self.evidence.dial.clicked.connect(self.dialogs.show_preferences)
        self.settings.theme_changed.connect(self.use_theme)
        self.settings.accounts_changed.connect(self.show_accounts)

    def _connect_escape(self) -> None:
        leave = partial(self.reasons.leave, self._leave)
        panes = self.panes
        for part in (panes.toolbar, self.sidebar, panes.list_page, panes.message_page):
            escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), part)
            escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            escape.activated.connect(leave)

    def _connect_desktop(self) -> None:
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self.follow_system)
        # Since Qt 6.10.
        accessibility = getattr(hints, "accessibility", None)
        if accessibility is not None:
            accessibility().contrastPreferenceChanged.connect(self.use_theme)

    def _start_timers(self) -> None:
        model = self.model
        scrolled = self.table.verticalScrollBar().valueChanged
        searching = single_shot_timer(self, SEARCH_PAUSE, self.updates.search)
        self.search.textChanged.connect(lambda _: searching.start())
        call_at_most(
            self,
            COUNT_INTERVAL,
            self.figures.count,
            model.counted,
            model.arranged,
            self.settings.changed,
        )
        call_at_most(self, COUNT_INTERVAL, self.updates.report_visible, scrolled, model.arranged)
        clock = QTimer(self, interval=CLOCK_INTERVAL)
        clock.timeout.connect(self.account_status.update_times)
        clock.start()

    def close(self) -> None:
        """Stop timers and animations.

        Timers stay silent if the closing window starts them: it still scrolls.
        """
        for timer in self.window.findChildren(QTimer):
            timer.stop()
            timer.blockSignals(True)
        for animation in self.window.findChildren(QAbstractAnimation):
            animation.stop()

    def receive(self, event: events.Event) -> None:
        """Show what happened. Called with each event of the engine and of the accounts."""
        if isinstance(event, events.TicketChanged):
            event.ticket.deliver(self.banner.show_failure)
        elif isinstance(event, events.Changed):
            self._change_list(event)
        elif isinstance(event, events.Learned):
            self._show_learned(event)
        elif isinstance(event, AccountState):
            self.account_status.show(event)
            self.figures.count()
            self.reader.update_missing()
        elif isinstance(event, events.BodyFetched):
            self.reader.take_body(event)
        elif isinstance(event, SortingChanged):
            self.sorted.load()
        elif isinstance(event, FoldersSuggested):
            self.suggested.receive(event)
        elif isinstance(event, events.FolderRenamed):
            self.accounts.rename_folder(event)
        elif isinstance(event, events.MoveRefused):
            self.filing.show_refusal(event)
        else:
            self._receive_note(event)

    def _receive_note(self, event: events.Event) -> None:
        if isinstance(event, events.EngineFailed):
            if self.settings.is_news(event.failed.error_code):
                self.banner.show_failure(event.failed)
        elif isinstance(event, events.MovedByOthers):
            self.offers.suggest(event)
        elif isinstance(event, events.Opened):
            show_opening_notes(self.context, event.notes)
            self.sorted.load()

    def _show_learned(self, event: events.Learned) -> None:
        self.learning_bar.show_learned(event)
        spam_per_lost = self.settings.value.spam_seen_per_lost
        if self.reasons.show_spam_threshold(event.spam_from, spam_per_lost):
            self.reader.explain_again()
        self.undoing.offer(event)
        self.settings.follow(event)

    def _change_list(self, event: events.Changed) -> None:
        self.model.take(event)
        if not self.triage.open:
            self.updates.open_inbox()
            self.updates.select_default()
        current = self.reader.message
        self.reader.compare_score(*self.model.score_of(current))
        self.reader.compare_label(*self.model.source_of(current))

    def _open_current(self, message: int) -> None:
        if not self.triage.open:
            self.reader.go_to(message, chosen=self.table.is_chosen)

    def enable(self) -> None:
        selected = self.model.mail.count_selected()
        self.head.show_selected(selected)
        self.actions.offer_marks(selected > 0 or self.triage.open)

    def _show_triage(self, on: bool) -> None:
        self.panes.show_triage(on)
        self.enable()
        (self.message.body if on else self.table).setFocus()
        if not on:
            self._open_current(self.table.current_message())

    def show_accounts(self) -> None:
        """Show the accounts of the settings. A folder of a removed account is left."""
        names = tuple(account.name for account in self.settings.value.accounts)
        self.sidebar_model.show_accounts(names)
        self.training.update_bar()
        folder = self.model.arrangement.choice.folder
        if folder is not None and folder.account not in names:
            self.updates.show_choice(Choice())
        self.figures.count()

    def follow_system(self) -> None:
        if self.settings.value.theme == "system":
            self.use_theme()

    def use_theme(self) -> None:
        """Apply the theme.

        Slow before all parts are in the layout: each change of the layout repeats the work.
        """
        apply_theme(self._application, self.settings.value.theme)
        self.actions.draw_icons()
        # Qt's default icon differs between styles.
        for button in self.search.findChildren(QToolButton):
            button.setIcon(make_icon("close", "muted"))

    def open_message_menu(self, place: QPoint) -> None:
        table = self.table
        menu = make_message_menu(self.window, self.actions.by_name)
        # The list receives no mouse events while a menu is open.
        table.row_painter.hovered = -1
        menu.aboutToHide.connect(table.viewport().update)
        menu.popup(table.viewport().mapToGlobal(place))

    def show_model(self) -> None:
        shown = self.window.findChild(ModelWindow) or ModelWindow(
            self.context,
            self.reader,
            self.marking,
            self.undoing,
            files=self.model_files,
            open_words=self.reasons.open_words,
        )
        shown.show()
        shown.raise_()
        shown.activateWindow()

    def show_sorting(self) -> None:
        SortingWindow(self.context, self.sorted, self.accounts.change, self.marking.mark).show()

    def focus_search(self) -> None:
        """Set focus to the search field. The triage, which has none, is left."""
        self.triage.leave()
        self.search.setFocus()
        self.search.selectAll()

    def _leave(self) -> None:
        if self.triage.open:
            self.triage.leave()
        else:
            self.search.clear()
            self.table.setFocus()

    def ask_to_open(self, address: str) -> None:
        ask_link(self.window, address, open_address)
