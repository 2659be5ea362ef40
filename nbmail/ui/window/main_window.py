"""The main window. Its outlines are painted first; its parts are made by `furniture`, placed by `layout`, told what
happened by `hearing`; what actions do is in `deeds`.

Only what the outlines need is imported here: the parts cost more than all of Qt's start.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow

from nbmail.ui.kit.theme import first_shades
from nbmail.ui.window.first_outline import Skeleton

if TYPE_CHECKING:
    from nbmail.paths import Paths
    from nbmail.settings import Account, Settings
    from nbmail.ui.accounts.sidebar import Sidebar, SidebarModel
    from nbmail.ui.accounts.training_bar import TrainingBar
    from nbmail.ui.actions.move_offers import Offers
    from nbmail.ui.evidence.evidence_panel import EvidencePanel
    from nbmail.ui.list.list_choice import Choice
    from nbmail.ui.list.list_heading import ListHead
    from nbmail.ui.list.list_updates import ListKeeper
    from nbmail.ui.list.mail_model import MailModel
    from nbmail.ui.list.mail_table import MailTable
    from nbmail.ui.message.message_pane import MessagePane
    from nbmail.ui.message.open_message import Reader
    from nbmail.ui.window.app_services import Outside
    from nbmail.ui.window.bridge import Bridge
    from nbmail.ui.window.engine_requests import Conversation
    from nbmail.ui.window.learning_bar import LearningStrip
    from nbmail.ui.window.notices import Banner, StatusLine
    from nbmail.ui.window.welcome import Welcome
    from nbmail.ui.window.window_layout import Panes
    from nbmail.worker.protocol import Engine, Event, Failed


FRAME_WIDTH, FRAME_HEIGHT = 16, 48
"""What a desktop's frame and title take at most; before the window is shown nobody can say."""


LATEST_BEGINNING = 200
"""Milliseconds after which mail is asked for even if nothing was painted: the window may be hidden."""


class MainWindow(QMainWindow):
    """The window. Everything it hears comes through `bridge.arrived`.

    Its parts are there from `furnish` on, which runs right after the first paint, or at the first event before it.

    Signals: `furnished()`, once its parts are made and painted.
    """

    furnished = Signal()

    talk: Conversation
    actions_by_name: dict[str, QAction]
    model: MailModel
    table: MailTable
    sidebar_model: SidebarModel
    sidebar: Sidebar
    search: QLineEdit
    keeper: ListKeeper
    head: ListHead
    message: MessagePane
    evidence: EvidencePanel
    reader: Reader
    strip: LearningStrip
    banner: Banner
    offers: Offers
    training: TrainingBar
    status: StatusLine
    welcome: Welcome
    panes: Panes

    def __init__(
        self,
        engine: Engine,
        bridge: Bridge,
        settings: Settings,
        *,
        paths: Paths | None = None,
        outside: Callable[[], Outside] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self.settings, self.paths, self.clock = settings, paths, clock
        self._engine, self._bridge, self._make_outside = engine, bridge, outside
        self._furnished = self.closed = False
        self._state: QSettings | None = None
        self._beginning = QTimer(self)
        self._beginning.setSingleShot(True)
        self._beginning.timeout.connect(self._begin)
        self.told_offline: set[str] = set()
        self.shades = first_shades(settings.theme, _application())
        self.setWindowTitle("nbmail")
        self.resize(1280, 800)
        self.setMinimumSize(640, 440)
        self._restore()
        self._stay_on_screen()
        self.setCentralWidget(Skeleton(self.shades, self._state))
        bridge.arrived.connect(self.hear)

    @cached_property
    def outside(self) -> Outside:
        """What to ask of the program around the window. Made when first asked for."""
        from nbmail.ui.window.app_services import Outside

        return self._make_outside() if self._make_outside is not None else Outside()

    def furnish(self) -> None:
        """Make all parts, the one time."""
        if self._furnished or self.closed:
            return
        from nbmail.ui.window.build_window import furnish
        from nbmail.ui.window.window_geometry import recall_shape

        self._furnished = True
        furnish(self, self._engine)
        self.panes.fit(self.width())
        if self._state is not None:
            recall_shape(self, self._state)
        self.keeper.enable()
        self.keeper.count()
        self.table.setFocus()
        self._beginning.start(LATEST_BEGINNING)

    def _begin(self) -> None:
        """Ask for mail, once all parts are painted: what follows is mostly imports, which would delay the paint."""
        self.furnished.emit()
        self.list_mail()

    def follow_system(self) -> None:
        """The desktop has turned dark or light."""
        if self.settings.theme == "system" and self._furnished and not self.closed:
            self.wear()

    def wear(self) -> None:
        """Take on the theme that is set."""
        from nbmail.ui.actions.actions import wear_icons, wear_search
        from nbmail.ui.kit.theme import dress

        self.shades = dress(_application(), self.settings.theme)
        wear_icons(self.actions_by_name, self.shades)
        wear_search(self.search, self.shades)
        for part in (self.table, self.sidebar, self.strip, self.banner, self.offers, self.training):
            part.wear(self.shades)
        for pane in (self.message, self.evidence):
            pane.wear(self.shades)

    # --------------------------------------------------------------------------------------------------- events

    def hear(self, event: Event) -> None:
        """One event of the engine."""
        from nbmail.ui.window.event_router import hear

        self.furnish()
        hear(self, event)

    def complain(self, failure: Failed) -> None:
        """Say what went wrong and what to do."""
        from nbmail.ui.kit.advice import advise

        self.furnish()
        self.banner.show_advice(advise(failure.trouble, failure.detail))

    def list_mail(self) -> None:
        """Ask for the whole list."""
        if not self.closed:
            self.keeper.list_mail()

    def show_choice(self, choice: Choice) -> None:
        """Show a smart list or a folder."""
        self.keeper.show_choice(choice)

    # -------------------------------------------------------------------------------------- the program around it

    def ask_password(self, account: str) -> None:
        """Ask for an account's password."""
        from nbmail.ui.actions.questions import ask_password

        state = self.sidebar_model.states.get(account)
        page = state.page if state is not None else ""
        show_page = (lambda: self.outside.open_address(page)) if page else None
        ask_password(self, account, lambda password: self.outside.give_password(account, password), show_page)

    def add_account(self, account: Account, password: str) -> None:
        """Take a new account in."""
        from nbmail.ui.actions.setting_changes import add_account

        add_account(self, account, password)

    def remove_account(self, name: str) -> None:
        """Let an account go."""
        from nbmail.ui.actions.setting_changes import remove_account

        remove_account(self, name)

    def choose(self, settings: Settings) -> None:
        """Take over what the user chose, now and for the next start."""
        from nbmail.ui.actions.setting_changes import choose

        choose(self, settings)

    # ------------------------------------------------------------------------------------------- Qt's handlers

    def _restore(self) -> None:
        if self.paths is None:
            return
        # Qt's file dialog keeps notes of its own, which belong into our home as well.
        QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(self.paths.state))
        self._state = QSettings(str(self.paths.state / "window.ini"), QSettings.Format.IniFormat)
        geometry = self._state.value("geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)

    def _stay_on_screen(self) -> None:
        """Be no larger than the screen leaves room for, with the frame that the desktop puts around it."""
        room = self.screen().availableGeometry()
        width, height = room.width() - FRAME_WIDTH, room.height() - FRAME_HEIGHT
        if not self.isMaximized() and not self.isFullScreen():
            self.resize(min(self.width(), width), min(self.height(), height))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._furnished:
            QTimer.singleShot(0, self, self.furnish)
        elif self._beginning.isActive():
            self._beginning.start(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._furnished:
            self.panes.fit(event.size().width())

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._state is not None:
            self._state.setValue("geometry", self.saveGeometry())
            if self._furnished:
                from nbmail.ui.window.window_geometry import remember_shape

                remember_shape(self, self._state)
            self._state.sync()
        from PySide6.QtCore import QAbstractAnimation

        self._bridge.close()
        self.closed = True
        for timer in self.findChildren(QTimer):
            timer.stop()
        for animation in self.findChildren(QAbstractAnimation):
            animation.stop()
        super().closeEvent(event)


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app
