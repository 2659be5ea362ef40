"""Run of the program with its window, from the check of the data folder to the exit code."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication

from nbmail.app.program import INVISIBLE, Program, RunOptions, refusal_box
from nbmail.app.single_instance import send_to_running
from nbmail.errors import ErrorCode, KnownError
from nbmail.log import start_log, stop_log
from nbmail.paths import Paths
from nbmail.settings import load_settings
from nbmail.store.files.home_lock import LOCK, HomeLock, request_home, watching_process
from nbmail.ui.kit.error_texts import error_notice
from nbmail.ui.kit.language import set_language

_log = logging.getLogger(__name__)

_SWITCH_INTERVAL = 0.0005
"""Seconds that another thread runs on before the window's thread gets the interpreter.

With Python's default of 5 ms 92 instead of 96 of 100 frames of 5 ms came in time while 5,000 messages were learned.
"""


def run(options: RunOptions, began: Callable[[Program], None] = lambda program: None) -> int:
    """Run until the window is closed, and return the exit code. `began` is called when the event loop runs."""
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
        with report_bugs(program.report_bug), handle_signals(lambda: close_soon(program)):
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


def close_soon(program: Program) -> None:
    """Close the window, which ends the event loop. Not at once: a signal can interrupt a paint."""
    QTimer.singleShot(0, program.window, program.window.close)


def check_home(paths: Paths) -> None:
    """Create the data folder. Raise `KnownError` if that fails, or if another instance has it open.

    The lock is released again until the engine takes it. Of two instances that start at the same moment, the second
    receives the error from its engine, before any account starts.
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
    set_language(application, _language(options))
    notice = error_notice(error.error_code, error.detail)
    options.report(notice)
    if application.platformName() not in INVISIBLE:
        box = refusal_box(notice, None)
        with handle_signals(lambda: QTimer.singleShot(0, box, box.reject)):
            box.exec()


def _language(options: RunOptions) -> str:
    """Return the language of the settings, if they can be read."""
    with suppress(KnownError):
        options.paths.check()
        return (options.settings or load_settings(options.paths.settings)).language
    return ""


@contextmanager
def report_bugs(show: Callable[[str], None]) -> Iterator[None]:
    """Log each uncaught exception of any thread, and call `show` with its one-line summary.

    The exception is also printed, for users who started the program in a terminal.
    """
    before = sys.excepthook, threading.excepthook

    def report(kind: type[BaseException], error: BaseException | None, stack: TracebackType | None, where: str) -> None:
        _log.critical("uncaught exception in %s", where, exc_info=(kind, error or kind(), stack))
        show(f"{kind.__name__}: {error}")

    def of_main(kind: type[BaseException], error: BaseException, stack: TracebackType | None) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            report(kind, error, stack, "the window")
        before[0](kind, error, stack)

    def of_thread(bug: threading.ExceptHookArgs) -> None:
        report(bug.exc_type, bug.exc_value, bug.exc_traceback, bug.thread.name if bug.thread else "a thread")
        before[1](bug)

    sys.excepthook, threading.excepthook = of_main, of_thread
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before


@contextmanager
def handle_signals(end: Callable[[], None]) -> Iterator[None]:
    """Call `end` on the GUI thread on SIGINT and SIGTERM.

    Python runs signal handlers between two Python instructions, and an idle event loop has none. A pipe to which
    Python writes at each signal wakes the loop. Windows has no such pipe; there the system ends the program.
    """
    if os.name != "posix":
        yield
        return
    before = {number: signal.signal(number, lambda *_: end()) for number in (signal.SIGINT, signal.SIGTERM)}
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
