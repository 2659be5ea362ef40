"""Parts of one run: engine, accounts, searches and window, their connections, start and stop."""

import gc
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QWidget

from nbmail.app.autostart import LoginEntry
from nbmail.app.search_threads import SearchThreads
from nbmail.app.single_instance import InstanceServer
from nbmail.errors import KnownError
from nbmail.paths import Paths
from nbmail.settings import Settings, load_settings, save_settings
from nbmail.sync.account_threads import AccountThreads
from nbmail.ui.dialogs.manual_window import add_manual_button
from nbmail.ui.kit.error_texts import Notice, error_notice
from nbmail.ui.kit.icons import draw_icon
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow
from nbmail.values import AccountState
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import AccountChanged, EngineFailed, Event, HomeRefused, InternalError, Opened
from nbmail.worker.protocol.ticket import Failed

_log = logging.getLogger(__name__)

ICON_SIZE = 40
INVISIBLE = ("offscreen", "minimal")
"""Platforms without a user who could close a dialog."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of a run.

    `settings`: None for the stored ones. `passwords`: known passwords by account name. `report`: called with the reason
    if the data folder cannot be opened. `users_home`: searched for mail of other programs. `files`: mail to show after
    the start. `demo`: the window's title names the demo. `minimized`: begin in the system tray. `login`: the entry for
    the start at login, None if there can't be one.
    """

    paths: Paths
    settings: Settings | None = None
    passwords: Mapping[str, str] = field(default_factory=dict)
    report: Callable[[Notice], None] = lambda notice: None
    users_home: Path = field(default_factory=Path.home)
    files: tuple[Path, ...] = ()
    demo: bool = False
    minimized: bool = False
    login: LoginEntry | None = None


class Program(QObject):
    """Parts of one run. Threads run between `start` and `stop`. Has no signals."""

    def __init__(self, options: RunOptions) -> None:
        super().__init__()
        self.options = options
        settings = options.settings or load_settings(options.paths.settings)
        if options.minimized and settings.tray == "none":
            settings = replace(settings, tray="icon")
        self.bridge = Bridge(self)
        self.accounts = AccountThreads(self._report_error, options.passwords, removed=self._forget_mail)
        self.searches = SearchThreads(self.bridge.call, options.users_home, self.accounts, login=options.login)
        paths, emit = options.paths, self.bridge.emit_event
        self.engine = Engine(paths, time.time, emit, settings=settings, wake=self.accounts.wake)
        self.window = MainWindow(
            *(self.engine, self.bridge, settings),
            accounts=self.accounts,
            searches=self.searches,
            save_settings=self._save_settings,
            paths=paths,
            demo=options.demo,
        )
        self.bridge.arrived.connect(self._receive)
        self._stopped = False
        self._server: InstanceServer | None = None

    def start(self) -> None:
        """Start the engine and show the window, or its icon."""
        # A collection that visits everything imported so far stops all threads for 30 ms.
        gc.freeze()
        self.engine.start()
        if self.options.minimized:
            self.window.tray.start_hidden()
        else:
            self.window.show()

    def stop(self) -> None:
        """Stop the accounts, then the engine. Returns when no thread is left."""
        self._stopped = True
        if self._server is not None:
            self._server.close()
        self.bridge.close()
        self.accounts.begin_stop()
        self.engine.stop()
        self.accounts.finish_stop()

    def report_bug(self, detail: str) -> None:
        """Show an uncaught exception. Thread-safe."""
        self.bridge.emit_event(InternalError(detail))

    def _report_error(self, error: KnownError) -> None:
        self.bridge.emit_event(EngineFailed(Failed(error.error_code, error.detail)))

    def _save_settings(self, settings: Settings) -> None:
        self.accounts.run(save_settings, self.options.paths.settings, settings)

    def _forget_mail(self, account: str) -> None:
        self.engine.forget_account(account)

    def _receive(self, event: Event) -> None:
        if isinstance(event, Opened):
            self._start_accounts()
        elif isinstance(event, AccountChanged):
            self._receive_state(event.state)
        elif isinstance(event, HomeRefused):
            self._refuse(event.failed)

    def _start_accounts(self) -> None:
        """Start the accounts after the engine has locked the data folder.

        Until then another program could have it open, and nothing is requested from user or server.
        """
        if not self._stopped:
            self.accounts.start(self.engine.backend, self.window.settings.accounts)
            self._server = InstanceServer(self.options.paths, self._open_files, self)
            self.window.open_files(self.options.files)

    def _open_files(self, files: list[Path]) -> None:
        self.window.come_forward()
        self.window.open_files(files)

    def _receive_state(self, state: AccountState) -> None:
        if state.error_code:
            _log.info("%s: %s, %s %s", state.account, state.phase, state.error_code, state.detail)
        self.accounts.receive_state(state)

    def _refuse(self, failed: Failed) -> None:
        """Show why the data folder cannot be opened, then end."""
        notice = error_notice(failed.error_code, failed.detail)
        self.options.report(notice)
        if QApplication.platformName() in INVISIBLE:
            QApplication.exit(1)
            return
        box = refusal_box(notice, self.window)
        box.finished.connect(lambda _: QApplication.exit(1))
        box.open()


def refusal_box(notice: Notice, parent: QWidget | None) -> QMessageBox:
    """Return a dialog with a notice as plain text: a path or a server's answer may look like HTML."""
    box = QMessageBox(parent)
    box.setWindowTitle("nbmail")
    box.setIconPixmap(draw_icon("warning", box.palette().windowText().color().name(), ICON_SIZE))
    box.setText(notice.sentence)
    box.setInformativeText(f"{notice.advice}\n\n{notice.detail}".strip())
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    box.addButton(QMessageBox.StandardButton.Ok)
    add_manual_button(box, notice.page)
    return box
