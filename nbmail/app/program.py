"""Parts of one run of the program with its window: created, started and stopped."""

import gc
import logging
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer
from PySide6.QtWidgets import QApplication

from nbmail.app.refusal import INVISIBLE, refusal_box
from nbmail.app.run_options import RunOptions
from nbmail.app.single_instance import serve_instances
from nbmail.app.threads.desktop_threads import DesktopThreads
from nbmail.app.threads.search_threads import SearchThreads
from nbmail.settings_file import load_settings, save_settings
from nbmail.sync.accounts.account_threads import AccountThreads
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow
from nbmail.values import AccountState
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import EngineFailed, Event, HomeRefused, Opened
from nbmail.worker.protocol.ticket import Failed

_log = logging.getLogger(__name__)


class Program(QObject):
    """Parts of one run. Threads run between `start` and `stop`. Has no signals."""

    def __init__(self, options: RunOptions) -> None:
        super().__init__()
        self.options = options
        settings = options.settings or load_settings(options.paths.settings)
        if options.minimized and settings.tray == "none":
            settings = replace(settings, tray="icon")
        self.bridge = Bridge(self)
        self.accounts = AccountThreads(
            lambda error: self.bridge.emit_event(
                EngineFailed(Failed(error.error_code, error.detail))
            ),
            options.passwords,
            removed=lambda account: self.engine.forget_account(account),  # noqa: PLW0108 - made below
        )
        self.desktop = DesktopThreads(self.bridge.call, options.login)
        paths = options.paths
        emit = self.bridge.emit_event
        self.engine = Engine(paths, time.time, emit, settings=settings, wake=self.accounts.wake)
        self.window = MainWindow(
            *(self.engine, self.bridge, settings),
            accounts=self.accounts,
            searches=SearchThreads(self.bridge.call, options.users_home, self.accounts),
            desktop=self.desktop,
            save_settings=partial(self.accounts.run, save_settings, options.paths.settings),
            paths=paths,
            demo=options.demo,
        )
        self.bridge.arrived.connect(self._receive)
        self._stopped = False
        self._server: QLocalServer | None = None

    def start(self) -> None:
        # A collection that visits everything imported so far stops all threads for 30 ms.
        gc.freeze()
        gc.enable()
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
        self.desktop.stop()
        self.accounts.begin_stop()
        self.engine.stop()
        self.accounts.finish_stop()

    def _receive(self, event: Event) -> None:
        match event:
            case Opened() if not self._stopped:
                # Not before the engine has locked the data folder: another program could have it.
                self.accounts.start(self.engine.backend, self.window.settings.accounts)
                self._server = serve_instances(self.options.paths, self._open_files, self)
                self.window.open_files(self.options.files)
            case AccountState() as state:
                if state.error_code:
                    _log.info(
                        "%s: %s, %s %s", state.account, state.phase, state.error_code, state.detail
                    )
                self.accounts.receive_state(state)
            case HomeRefused(failed=failed):
                self._refuse(failed)
            case _:
                pass

    def _open_files(self, files: list[Path]) -> None:
        self.window.come_forward()
        self.window.open_files(files)

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
