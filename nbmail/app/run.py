"""Run of the program with its window: its parts, start, and stop up to the exit code. One instance
per data folder.
"""

import gc
import hashlib
import json
import logging
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from nbmail.app.autostart import LoginEntry
from nbmail.app.desktop import DesktopThreads
from nbmail.app.search_threads import SearchThreads
from nbmail.errors import ErrorCode, KnownError
from nbmail.log import start_log, stop_log
from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.settings_file import load_settings, save_settings
from nbmail.store.files.home_handover import request_home, watching_process
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.sync.accounts.account_threads import AccountThreads
from nbmail.ui.dialogs.manual_window import add_manual_button
from nbmail.ui.dialogs.questions import question_box
from nbmail.ui.texts.error_texts import Notice, error_notice
from nbmail.ui.texts.language import set_language
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow
from nbmail.values import AccountState
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import EngineFailed, Event, HomeRefused, Opened
from nbmail.worker.protocol.ticket import Failed

_log = logging.getLogger(__name__)

INVISIBLE = ("offscreen", "minimal")
"""Platforms without a user who could close a dialog."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of a run.

    `settings`: None for the stored ones. `passwords`: known passwords by account name. `report`:
    called with the reason if the data folder cannot be opened. `users_home`: searched for mail of
    other programs. `files`: mail to show after the start. `demo`: the window's title names the
    demo. `minimized`: begin in the system tray. `login`: the entry for the start at login, None if
    there can't be one.
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


def refusal_box(notice: Notice, parent: QWidget | None) -> QMessageBox:
    """Return a dialog with a notice as plain text: a path or a server's answer may look like
    HTML.
    """
    more = f"{notice.advice}\n\n{notice.detail}".strip()
    box = question_box(parent, "nbmail", notice.sentence, more, icon="warning")
    box.addButton(QMessageBox.StandardButton.Ok)
    add_manual_button(box, notice.page)
    return box


_SWITCH_INTERVAL = 0.0005
"""Seconds that another thread runs on before the window's thread gets the interpreter.

With Python's default of 5 ms 92 instead of 96 of 100 frames of 5 ms came in time while 5,000
messages were learned.
"""


def run(options: RunOptions, began: Callable[[Program], None] = lambda program: None) -> int:
    """Run until the window is closed, and return the exit code. `began` is called when the event
    loop runs.
    """
    application = QApplication.instance() or QApplication(["nbmail"])
    assert isinstance(application, QApplication)
    application.setApplicationName("nbmail")
    application.setDesktopFileName("nbmail")
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        check_home(options.paths)
    except KnownError as error:
        running = error.error_code == ErrorCode.HOME_IN_USE
        if running and (options.minimized or send_to_running(options.paths, options.files)):
            return 0
        _refuse(application, error, options)
        return 2 if error.error_code == ErrorCode.BAD_INPUT else 1
    handler = start_log(options.paths.log)
    try:
        program = Program(options)

        def show_bug(detail: str) -> None:
            program.bridge.emit_event(EngineFailed(Failed(None, detail)))

        # A signal can interrupt a paint, so that the window is not closed at once. Its end is that
        # of the event loop.
        close = partial(QTimer.singleShot, 0, program.window, program.window.close)
        with report_bugs(show_bug), handle_signals(close):
            # The window may be hidden while a dialog closes.
            application.setQuitOnLastWindowClosed(False)
            program.window.closed.connect(application.quit)
            program.start()
            QTimer.singleShot(0, program, lambda: began(program))
            try:
                return application.exec()
            finally:
                program.stop()
                program.window.close()
    finally:
        stop_log(handler)


def check_home(paths: Paths) -> None:
    """Create the data folder. Raise `KnownError` if that fails, or if another instance has it open.

    The lock is released again until the engine takes it. Of two instances that start at the same
    moment, the second receives the error from its engine, before any account starts.
    """
    try:
        paths.make()
    except OSError as error:
        raise KnownError(ErrorCode.READ_ONLY, f"{error.filename}: {error.strerror}") from error
    try:
        HomeLock(paths.data / LOCK).close()
    except KnownError as error:
        if error.error_code is not ErrorCode.HOME_IN_USE or watching_process(paths) is None:
            raise
        request_home(paths)


def _refuse(application: QApplication, error: KnownError, options: RunOptions) -> None:
    """Report why the data folder cannot be opened, in a dialog as well if there is a display."""
    language = ""
    with suppress(KnownError):
        options.paths.check()
        language = (options.settings or load_settings(options.paths.settings)).language
    set_language(application, language)
    notice = error_notice(error.error_code, error.detail)
    options.report(notice)
    if application.platformName() not in INVISIBLE:
        box = refusal_box(notice, None)
        with handle_signals(lambda: QTimer.singleShot(0, box, box.reject)):
            box.exec()


@contextmanager
def report_bugs(show: Callable[[str], None]) -> Iterator[None]:
    """Log each uncaught exception of any thread, print it for a terminal, and call `show` with its
    summary.
    """
    before = sys.excepthook, threading.excepthook

    def report(
        kind: type[BaseException],
        error: BaseException | None,
        stack: TracebackType | None,
        where: str,
    ) -> None:
        _log.critical("uncaught exception in %s", where, exc_info=(kind, error or kind(), stack))
        show(f"{kind.__name__}: {error}")

    def of_main(
        kind: type[BaseException], error: BaseException, stack: TracebackType | None
    ) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            report(kind, error, stack, "the window")
        before[0](kind, error, stack)

    def of_thread(bug: threading.ExceptHookArgs) -> None:
        report(
            bug.exc_type,
            bug.exc_value,
            bug.exc_traceback,
            bug.thread.name if bug.thread else "a thread",
        )
        before[1](bug)

    sys.excepthook = of_main
    threading.excepthook = of_thread
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before


@contextmanager
def handle_signals(end: Callable[[], None]) -> Iterator[None]:
    """Call `end` on the GUI thread on SIGINT and SIGTERM.

    Python runs signal handlers between two Python instructions, and an idle event loop has none. A
    pipe to which Python writes at each signal wakes the loop. Windows has no such pipe; there the
    system ends the program.
    """
    if os.name != "posix":
        yield
        return
    before = {
        number: signal.signal(number, lambda *_: end())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    woken = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    notifier = QSocketNotifier(reading, QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: os.read(reading, 64))
    try:
        yield
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(reading)
        os.close(writing)


MAX_SOCKET_PATH = 100
"""Bytes of a socket's path that every system accepts."""
TIMEOUT = 10_000
"""Milliseconds to connect, and to wait for the answer."""
MAX_REQUEST = 1_000_000
ACCEPTED = b"accepted\n"


def socket_path(paths: Paths, platform: str = sys.platform) -> str:
    """Return the path of the instance's socket, a temporary one if that is too long; on Windows the
    name of a pipe.
    """
    path = str(paths.state / "window.socket")
    name = f"nbmail-{hashlib.sha256(str(paths.data).encode()).hexdigest()[:24]}"
    if platform == "win32":
        return name
    return (
        path if len(path.encode()) <= MAX_SOCKET_PATH else str(Path(tempfile.gettempdir()) / name)
    )


def send_to_running(paths: Paths, files: Sequence[Path]) -> bool:
    """Ask the running instance to open `files` and raise its window. True if it accepted the
    request.
    """
    socket = QLocalSocket()
    socket.connectToServer(socket_path(paths))
    if not socket.waitForConnected(TIMEOUT):
        return False
    socket.write(json.dumps([str(path) for path in files]).encode() + b"\n")
    socket.flush()
    accepted = socket.waitForReadyRead(TIMEOUT) and bytes(socket.readAll().data()) == ACCEPTED
    socket.disconnectFromServer()
    return accepted


def serve_instances(
    paths: Paths, opened: Callable[[list[Path]], None], parent: QObject
) -> QLocalServer:
    """Call `opened` with the files of each later instance. The caller holds the lock on the data
    folder.
    """

    def accept() -> None:
        socket = server.nextPendingConnection()
        socket.disconnected.connect(socket.deleteLater)
        socket.readyRead.connect(lambda: read(socket))

    def read(socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > MAX_REQUEST:
            socket.abort()
        elif socket.canReadLine():
            socket.write(ACCEPTED)
            socket.flush()
            files: object = []
            # A malformed request names no files.
            with suppress(ValueError):
                files = json.loads(bytes(socket.readLine().data()))
            opened(
                [Path(each) for each in files if isinstance(each, str)]
                if isinstance(files, list)
                else []
            )

    server = QLocalServer(parent)
    server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
    server.newConnection.connect(accept)
    # Left behind by an instance that was killed.
    QLocalServer.removeServer(socket_path(paths))
    server.listen(socket_path(paths))
    return server
