"""Run of the program with its window, from the lock on the data folder to the exit code."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from nbmail.app.bug_reports import report_bugs
from nbmail.app.program import Program
from nbmail.app.refusal import INVISIBLE, refusal_box
from nbmail.app.run_options import RunOptions
from nbmail.app.signals import handle_signals
from nbmail.app.single_instance import send_to_running
from nbmail.errors import ErrorCode, KnownError
from nbmail.log import start_log, stop_log
from nbmail.paths import Paths
from nbmail.settings_file import load_settings
from nbmail.store.files.home_handover import request_home, watching_process
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import set_language
from nbmail.worker.protocol.events import EngineFailed
from nbmail.worker.protocol.ticket import Failed

_SWITCH_INTERVAL = 0.0005
"""Seconds that another thread runs on before the window's thread gets the interpreter.

With Python's default of 5 ms 92 instead of 96 of 100 frames of 5 ms came in time while 5,000
messages were learned.
"""


def run(options: RunOptions, began: Callable[[Program], None] = lambda program: None) -> int:
    """Run until the window is closed, and return the exit code.

    `began` is called when the event loop runs.
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
