"""The main window: builds its parts and connects them. What actions do is in `deeds`, where parts stand in `layout`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPoint, QSettings, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QToolButton

from nbmail.paths import Paths
from nbmail.settings import Account, Settings
from nbmail.ui import layout
from nbmail.ui.account_words import state_words
from nbmail.ui.actions import hint_words, make_actions, wear_icons
from nbmail.ui.advice import Advice, advise
from nbmail.ui.bridge import Bridge
from nbmail.ui.choice import Choice
from nbmail.ui.conversation import Conversation
from nbmail.ui.deeds import add_account, undo
from nbmail.ui.evidence_panel import EvidencePanel
from nbmail.ui.language import tr
from nbmail.ui.list_head import ListHead
from nbmail.ui.mail_model import MailModel
from nbmail.ui.mail_table import MailTable
from nbmail.ui.message_pane import MessagePane
from nbmail.ui.notices import Banner, Remedy, StatusLine
from nbmail.ui.outside import Outside
from nbmail.ui.reader import Reader
from nbmail.ui.sidebar import Sidebar, SidebarModel
from nbmail.ui.strip import LearningStrip
from nbmail.ui.theme import dress
from nbmail.ui.welcome import Welcome
from nbmail.worker.protocol import (
    AccountChanged,
    AccountState,
    Broken,
    Changed,
    Engine,
    Event,
    Failed,
    Learned,
    ListMail,
    Opened,
    Phase,
    Rows,
    SetCost,
    SetMoving,
    ShowRows,
)

SEARCH_PAUSE = 120
"""Milliseconds from the last key to the search."""


class MainWindow(QMainWindow):
    """The window. Has no signals of its own; everything it hears comes through `bridge.arrived`."""

    def __init__(
        self,
        engine: Engine,
        bridge: Bridge,
        settings: Settings,
        *,
        paths: Paths | None = None,
        outside: Outside | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self.settings, self.paths, self.outside, self._clock = settings, paths, outside or Outside(), clock
        self._bridge = bridge
        self._told_offline: set[str] = set()
        self._state: QSettings | None = None
        self.talk = Conversation(engine, self.complain)
        self.shades = dress(_application(), settings.theme)
        self.setWindowTitle("nbmail")
        self.resize(1280, 800)
        self.setMinimumSize(640, 440)
        self._build()
        self._connect()
        self._restore()
        wear_icons(self.actions_by_name, self.shades)

    # ---------------------------------------------------------------------------------------------------- build

    def _build(self) -> None:
        shades = self.shades
        self.actions_by_name = make_actions(self, self.settings.keys)
        self.model = MailModel(self, self._clock)
        self.table = MailTable(self.model, shades)
        self.sidebar_model = SidebarModel(self, self._clock)
        self.sidebar = Sidebar(self.sidebar_model, shades)
        self.sidebar_model.show_accounts(tuple(account.name for account in self.settings.accounts))
        self.strip = LearningStrip(shades)
        self.banner = Banner(shades)
        self.status = StatusLine(lambda: undo(self), hint_words(self.actions_by_name))
        self.message = MessagePane(shades, self.ask_to_open)
        self.evidence = EvidencePanel(shades)
        self.welcome = Welcome(lambda: add_account(self))
        self.reader = Reader(self.talk, self.message, self.evidence, self)
        self.head = ListHead(self.sidebar_model, self.show_choice, self.actions_by_name["sort"].trigger)
        self._build_search()
        self.panes = layout.Panes(self)
        self.setCentralWidget(self.panes.whole)
        self.addToolBar(layout.build_toolbar(self))
        layout.build_menus(self)

    def _build_search(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search sender and subject"))
        self.search.setAccessibleName(tr("Search sender and subject"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(320)
        for button in self.search.findChildren(QToolButton):
            button.setAccessibleName(tr("Clear the search"))

    def _connect(self) -> None:
        self._bridge.arrived.connect(self.hear)
        self.table.stepped.connect(self.reader.go_to)
        self.table.picked.connect(self._enable)
        self.sidebar.chosen.connect(self.show_choice)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_context_menu)
        self._timers = [
            self._timer(SEARCH_PAUSE, self._search_now, self.search.textChanged),
            self._timer(60, self._count, self.model.counted, self.model.arranged),
            self._timer(80, self._tell_visible, self.table.verticalScrollBar().valueChanged, self.model.arranged),
        ]
        self.search.returnPressed.connect(self.table.setFocus)

    def _timer(self, milliseconds: int, act: Callable[[], None], *signals: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(act)
        for signal in signals:
            signal.connect(lambda *_: timer.start())  # type: ignore[attr-defined]
        return timer

    def _wear(self) -> None:
        self.shades = dress(_application(), self.settings.theme)
        wear_icons(self.actions_by_name, self.shades)
        for part in (self.table, self.sidebar, self.strip, self.banner, self.message, self.evidence):
            part.wear(self.shades)

    # --------------------------------------------------------------------------------------------------- events

    def hear(self, event: Event) -> None:
        """One event of the engine."""
        if self.talk.hear(event):
            return
        if isinstance(event, Changed):
            self.model.take(event)
            self._settle_down()
            self.reader.look_again()
        elif isinstance(event, Learned):
            self.strip.show_learned(event)
            self._learned = event
            self._enable()
        elif isinstance(event, AccountChanged):
            self._show_account(event.state)
        elif isinstance(event, Broken):
            self.banner.show_advice(advise(None, event.detail))
        elif isinstance(event, Opened) and event.notes:
            self.banner.show_advice(Advice(event.notes[0], " ".join(event.notes[1:])))

    def _settle_down(self) -> None:
        """Put the cursor on the newest message once there is one: a message to read, and keys that do something."""
        if not self.table.currentIndex().isValid():
            self.table.go_to(0)

    def complain(self, failure: Failed) -> None:
        """Say what went wrong and what to do."""
        self.banner.show_advice(advise(failure.trouble, failure.detail))

    def _show_account(self, state: AccountState) -> None:
        self.sidebar_model.show_state(state)
        self.status.account.setText(state_words(state, self._clock()))
        if state.phase == Phase.NEEDS_YOU:
            remedy = Remedy(tr("Type password…"), lambda: self.ask_password(state.account))
            self.banner.show_advice(advise(state.trouble, state.detail), state.account, remedy)
        elif state.phase == Phase.OFFLINE:
            self._show_offline(state)
        elif state.phase != Phase.CONNECTING:
            self._told_offline.discard(state.account)
            self.banner.dismiss(state.account)

    def _show_offline(self, state: AccountState) -> None:
        """Say once why an account is offline; later tries that fail, too, only show in the account's own line."""
        if state.account not in self._told_offline:
            self._told_offline.add(state.account)
            remedy = Remedy(tr("Try now"), self.outside.check_mail)
            self.banner.show_advice(advise(state.trouble, state.detail), state.account, remedy)

    # ------------------------------------------------------------------------------------------------- the list

    def list_mail(self) -> None:
        """Ask for the whole list."""
        self.talk.ask(ListMail(), self._show_list)

    def _show_list(self, rows: Rows) -> None:
        message = self.table.current_message()
        self.model.begin(rows)
        self.table.go_to_message(message) if message >= 0 else self.table.go_to(0)
        self._tell_visible()

    def show_choice(self, choice: Choice) -> None:
        """Show a smart list or a folder."""
        self.model.arrange(replace(self.model.arrangement, choice=replace(choice, words=self.search.text())))
        self.sidebar.show_choice(choice)
        if not self.table.currentIndex().isValid():
            self.table.go_to(0)

    def _search_now(self) -> None:
        self.show_choice(self.model.arrangement.choice)

    def _count(self) -> None:
        mail = self.model.mail
        if mail is not None:
            self.sidebar_model.show_counts(mail.count_kinds(None), mail.count_folders())
        self.head.show_list(self.model.arrangement, self.model.rowCount(), stale=self.model.stale)
        self.panes.show_welcome(not self.settings.accounts and not (mail is not None and len(mail.messages)))

    def _tell_visible(self) -> None:
        first, last = self.table.rowAt(0), self.table.rowAt(self.table.viewport().height())
        last = self.model.rowCount() - 1 if last < 0 else last
        if first >= 0:
            self.talk.ask(ShowRows(tuple(self.model.message_at(row) for row in range(first, last + 1))))

    def _open_context_menu(self, place: QPoint) -> None:
        layout.context_menu(self).popup(self.table.viewport().mapToGlobal(place))

    def _enable(self) -> None:
        learned = getattr(self, "_learned", None)
        chosen = bool(self.table.chosen_messages())
        for name in ("junk", "good", "clear"):
            self.actions_by_name[name].setEnabled(chosen)
        self.actions_by_name["undo"].setEnabled(learned is not None and learned.undo > 0)
        self.actions_by_name["redo"].setEnabled(learned is not None and learned.redo > 0)

    # -------------------------------------------------------------------------------------- the program around it

    def ask_to_open(self, address: str) -> None:
        """Show where a link leads before anything opens it."""
        from nbmail.ui.questions import ask_link

        ask_link(self, address, self.outside.open_address)

    def ask_password(self, account: str) -> None:
        """Ask for an account's password."""
        from nbmail.ui.questions import ask_password

        ask_password(self, account, lambda password: self.outside.give_password(account, password))

    def add_account(self, account: Account, password: str) -> None:
        """Take a new account in."""
        self.choose(replace(self.settings, accounts=(*self.settings.accounts, account)))
        self.sidebar_model.show_accounts(tuple(each.name for each in self.settings.accounts))
        self.outside.add_account(account, password)
        self._count()

    def choose(self, settings: Settings) -> None:
        """Take over what the user chose, now and for the next start."""
        before, self.settings = self.settings, settings
        if settings.junk_seen_per_lost != before.junk_seen_per_lost:
            self.talk.ask(SetCost(settings.junk_seen_per_lost))
        if settings.move_mail != before.move_mail:
            self.talk.ask(SetMoving(settings.move_mail))
        if settings.theme != before.theme:
            self._wear()
        self.outside.keep_settings(settings)

    # ------------------------------------------------------------------------------------------- Qt's handlers

    def _restore(self) -> None:
        if self.paths is None:
            return
        # Qt's file dialog keeps notes of its own, which belong into our home as well.
        QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(self.paths.state))
        self._state = QSettings(str(self.paths.state / "window.ini"), QSettings.Format.IniFormat)
        if self._state.contains("geometry"):
            self.restoreGeometry(self._state.value("geometry"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._enable()
        self._count()
        self.table.setFocus()
        # After the first paint: numpy and the engine may take their time, the window doesn't.
        QTimer.singleShot(0, self, self.list_mail)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.panes.fit(event.size().width())

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._state is not None:
            self._state.setValue("geometry", self.saveGeometry())
            self._state.sync()
        self._bridge.close()
        self.reader.close()
        self.model.close()
        for timer in self._timers:
            timer.stop()
        super().closeEvent(event)


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
