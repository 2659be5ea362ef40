"""The main window: its outlines, painted first, then its parts; its size and place; the way of events into it.

Only what the outlines need is imported here: the parts cost more than all of Qt's start.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from nbmail.ui.kit.letter_sizes import room_for
from nbmail.ui.kit.theme import wear_first
from nbmail.ui.window.first_outline import FirstOutline

if TYPE_CHECKING:
    from pathlib import Path

    from nbmail.paths import Paths
    from nbmail.settings import Settings
    from nbmail.ui.window.app_services import AppServices
    from nbmail.ui.window.bridge import Bridge
    from nbmail.ui.window.build_window import WindowParts
    from nbmail.worker.protocol import Engine, Event

LATEST_BEGINNING = 200
"""Milliseconds after which mail is asked for even if nothing was painted: the window may be hidden."""


class MainWindow(QMainWindow):
    """The window. Everything it hears comes through `bridge.arrived`.

    Its parts are there from `furnish` on, which runs right after the first paint, or at the first event before it.

    Signals: `furnished()`, once its parts are made and painted.
    """

    furnished = Signal()

    def __init__(
        self,
        engine: Engine,
        bridge: Bridge,
        settings: Settings,
        *,
        paths: Paths | None = None,
        services: Callable[[], AppServices] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._first_settings, self._engine, self._bridge = settings, engine, bridge
        self._make_services, self._clock = services, clock
        self._furnished = self._closed = False
        self._notes = _notes_of(paths) if paths is not None else None
        self._beginning = QTimer(self)
        self._beginning.setSingleShot(True)
        self._beginning.timeout.connect(self._begin)
        wear_first(settings.theme, _application())
        self.setWindowTitle("nbmail")
        self.resize(1280, 800)
        self.setMinimumSize(640, 440)
        self._recall_place()
        self.setAcceptDrops(True)
        self.setCentralWidget(FirstOutline())
        bridge.arrived.connect(self.hear)

    def furnish(self) -> None:
        """Make all parts, the one time."""
        if self._furnished or self._closed:
            return
        from nbmail.ui.window.app_services import AppServices
        from nbmail.ui.window.build_window import WindowParts

        self._furnished = True
        self.services = self._make_services() if self._make_services is not None else AppServices()
        self._name_parts(WindowParts(self, self._engine, self._first_settings, self.services, self._clock))
        if self._notes is not None:
            self.panes.recall(self._notes)
        self.panes.fit(self.width())
        if self._notes is not None:
            self.parts.updates.recall(self._notes, [account.name for account in self.settings.accounts])
        self.table.setFocus()
        self._beginning.start(LATEST_BEGINNING)

    def _name_parts(self, parts: WindowParts) -> None:
        """Let whoever has the window reach its parts: the program that opens it, the demo's walk, tests."""
        self.parts, self.requests, self.actions_by_name = parts, parts.requests, parts.actions.by_name
        self.model, self.table, self.head, self.search = parts.model, parts.table, parts.head, parts.search
        self.sidebar_model, self.sidebar = parts.sidebar_model, parts.sidebar
        self.message, self.evidence, self.reader = parts.message, parts.evidence, parts.reader
        self.status, self.banner, self.offers = parts.status, parts.banner, parts.offers
        self.learning_bar, self.training, self.welcome = parts.learning_bar, parts.training, parts.welcome
        self.panes, self.accounts, self.model_files = parts.panes, parts.accounts, parts.model_files
        self.reasons = parts.reasons
        self.show_choice = parts.updates.show_choice

    def _begin(self) -> None:
        """Ask for mail, once all parts are painted: what follows is mostly imports, which would delay the paint."""
        self.furnished.emit()
        if not self._closed:
            from nbmail.ui.window.tray import Tray

            self.tray = Tray(self, self.model, self.parts.settings, self._clock)
            self.parts.updates.list_mail()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.parts.settings.value if self._furnished else self._first_settings

    def hear(self, event: Event) -> None:
        """One event of the engine."""
        self.furnish()
        self.parts.hear(event)

    def come_forward(self) -> None:
        """Be seen: somebody has started the program once more."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def open_files(self, paths: Sequence[Path]) -> None:
        """Show the mail in these files, which belongs to no mailbox."""
        if not paths:
            return
        from nbmail.ui.dialogs.questions import ask_link
        from nbmail.ui.files.file_opening import FileOpening

        def follow(address: str) -> None:
            ask_link(self, address, self.services.open_address)

        self.furnish()
        opening = FileOpening(self, self.requests, self.services.read_files, follow)
        opening.open(paths)

    # ------------------------------------------------------------------------------------------- Qt's handlers

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        from nbmail.ui.files.file_opening import dropped_files

        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        from nbmail.ui.files.file_opening import dropped_files

        event.acceptProposedAction()
        self.open_files(dropped_files(event.mimeData()))

    def _recall_place(self) -> None:
        """Stand where the window stood, no larger than the screen leaves room for."""
        geometry = self._notes.value("geometry") if self._notes is not None else None
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if not self.isMaximized() and not self.isFullScreen():
            self.resize(self.size().boundedTo(room_for(self)))

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
        if self._notes is not None:
            self._notes.setValue("geometry", self.saveGeometry())
            if self._furnished:
                self.panes.remember(self._notes)
                self.parts.updates.remember(self._notes)
            self._notes.sync()
        self._closed = True
        self._bridge.close()
        self._beginning.stop()
        if self._furnished:
            self.parts.close()
        super().closeEvent(event)


def _notes_of(paths: Paths) -> QSettings:
    """What the window remembers of its shape from one start to the next."""
    # Qt's file dialog keeps notes of its own, which belong into our home as well.
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(paths.state))
    return QSettings(str(paths.state / "window.ini"), QSettings.Format.IniFormat)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
