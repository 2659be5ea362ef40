"""One run of the program: its parts, their connections, start and stop."""

import gc
import logging
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from nbmail.app.account_threads import AccountThreads
from nbmail.app.exit_signals import heed_signals
from nbmail.app.fault_reports import report_faults
from nbmail.app.home_claim import UNSEEN, claim, refusal, refuse
from nbmail.app.mailbox_search import MailboxSearch
from nbmail.app.other_start import OtherStarts, hand_over
from nbmail.demo.home import module_command
from nbmail.errors import ErrorCode, KnownError
from nbmail.log import start_log, stop_log
from nbmail.paths import Paths
from nbmail.settings import Account, Settings, load_settings, save_settings
from nbmail.ui.kit.error_texts import Notice, error_notice
from nbmail.ui.window.app_services import AppServices
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow
from nbmail.values import AccountState, Phase
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol import (
    AccountChanged,
    Broken,
    EngineFailed,
    Event,
    Failed,
    ForgetAccount,
    HomeRefused,
    Opened,
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What to run: on which home, with which choices (None: those kept there) and passwords known beforehand.

    Mail in `files` is shown at once. `told` hears the sentence where the home can't be opened. Other programs' mail is
    looked for below `users_home`.
    """

    paths: Paths
    settings: Settings | None = None
    passwords: Mapping[str, str] = field(default_factory=dict)
    told: Callable[[Notice], None] = lambda advice: None
    users_home: Path = field(default_factory=Path.home)
    files: tuple[Path, ...] = ()


class Program(QObject):
    """Parts of one run. Threads run between `start` and `stop`. Has no signals."""

    def __init__(self, options: RunOptions) -> None:
        super().__init__()
        self.options = options
        self.settings = options.settings or load_settings(options.paths.settings)
        self.bridge = Bridge(self)
        self.bridge.arrived.connect(self._hear)
        self.accounts = AccountThreads(self._complain, options.passwords)
        self.finder = MailboxSearch(self.bridge, options.users_home, password_of=self.accounts.password_of)
        paths, emit = options.paths, self.bridge.emit_event
        self.engine = Engine(paths, time.time, emit, settings=self.settings, wake=self.accounts.wake)
        self.window = MainWindow(self.engine, self.bridge, self.settings, paths=paths, services=self._services())
        self._stopped = False
        self._asked: set[str] = set()
        self._others: OtherStarts | None = None

    def start(self) -> None:
        """Show the window and start the engine."""
        # A collection that visits everything imported so far stops all threads for 30 ms.
        gc.freeze()
        self.engine.start()
        self.window.show()

    def stop(self) -> None:
        """Stop the accounts, then the engine; returns when no thread is left."""
        self._stopped = True
        if self._others is not None:
            self._others.close()
        self.bridge.close()
        self.accounts.begin_stop()
        self.engine.stop()
        self.accounts.finish_stop()

    def _services(self) -> AppServices:
        return AppServices(
            add_account=self.accounts.add,
            remove_account=self._remove_account,
            give_password=self.accounts.give_password,
            keep_settings=self._keep_settings,
            check_mail=self.accounts.check_mail,
            open_address=_open_address,
            open_file=_open_file,
            change_account=self._change_account,
            find_settings=self.finder.find_settings,
            find_places=self.finder.find_places,
            list_folders=self.finder.list_folders,
            read_files=self.finder.read_files,
            pause_training=self.accounts.pause_training,
            open_demo=_open_demo,
        )

    def _keep_settings(self, settings: Settings) -> None:
        self.settings = settings
        self.accounts.do(save_settings, self.options.paths.settings, settings)

    def _change_account(self, account: Account, password: str) -> None:
        self._asked.discard(account.name)
        self.accounts.change(account, password)

    def _remove_account(self, name: str) -> None:
        """Once its thread has ended, so that nothing is delivered afterwards, its mail leaves the list."""
        self.accounts.remove(name)
        self.accounts.do(self.bridge.call, lambda: self._forget_mail(name))

    def _forget_mail(self, name: str) -> None:
        self.window.parts.requests.ask(ForgetAccount(name))

    def _complain(self, error: KnownError) -> None:
        self.bridge.emit_event(EngineFailed(Failed(error.error_code, error.detail)))

    def show_fault(self, detail: str) -> None:
        """A fault of ours that nobody caught; from any thread."""
        self.bridge.emit_event(Broken(detail))

    def _hear(self, event: Event) -> None:
        if isinstance(event, Opened):
            self._start_accounts()
        elif isinstance(event, AccountChanged):
            self._look_at_account(event.state)
        elif isinstance(event, HomeRefused):
            self._refuse(event.failed)

    def _start_accounts(self) -> None:
        """Not before the home is ours: where another program has it open, nothing is asked of user or server."""
        if not self._stopped:
            self.accounts.start(self.engine.backend, self.settings.accounts)
            self._others = OtherStarts(self.options.paths, self._greet, self)
            self.window.open_files(self.options.files)

    def _greet(self, files: list[Path]) -> None:
        self.window.come_forward()
        self.window.open_files(files)

    def _look_at_account(self, state: AccountState) -> None:
        """Keep a record of troubles, keep a password that worked, and ask for one nobody has been asked for yet."""
        if state.phase in (Phase.WORKING, Phase.SYNCED):
            self.accounts.note_login(state.account)
        if state.error_code:
            _log.info("%s: %s, %s %s", state.account, state.phase, state.error_code, state.detail)
        if state.error_code == ErrorCode.NO_PASSWORD and state.account not in self._asked:
            self._asked.add(state.account)
            self.window.parts.accounts.ask_password(state.account)

    def _refuse(self, failure: Failed) -> None:
        """The home can't be opened: say why, and end."""
        advice = error_notice(failure.error_code, failure.detail)
        self.options.told(advice)
        if QApplication.platformName() in UNSEEN:
            QApplication.exit(1)
            return
        box = refusal(advice, self.window)
        box.finished.connect(lambda _: QApplication.exit(1))
        box.open()


_TURN = 0.0005
"""Seconds that another thread computes on before the window's has its turn, where each call into Qt may ask for one.

With Python's own 5 ms 92 instead of 96 of 100 beats of 5 ms came in time while 5,000 messages were learned.
"""


def run(options: RunOptions, began: Callable[[Program], None] = lambda program: None) -> int:
    """Run until the window is closed. `began` is called once the event loop turns. The answer is the exit code."""
    application = QApplication.instance() or QApplication(["nbmail"])
    assert isinstance(application, QApplication)
    application.setApplicationName("nbmail")
    application.setDesktopFileName("nbmail")
    sys.setswitchinterval(_TURN)
    try:
        claim(options.paths)
    except KnownError as error:
        if error.error_code == ErrorCode.HOME_IN_USE and _hand_over(options):
            return 0
        refuse(application, error, _language(options), options.told)
        return 1
    handler = start_log(options.paths.log)
    try:
        program = Program(options)
        faults = report_faults(program.show_fault)
        with faults, heed_signals(lambda: leave(program)):
            program.start()
            QTimer.singleShot(0, program, lambda: began(program))
            try:
                return application.exec()
            finally:
                program.stop()
                program.window.close()
    finally:
        stop_log(handler)


def _hand_over(options: RunOptions) -> bool:
    return hand_over(options.paths, options.files)


def _language(options: RunOptions) -> str:
    """What the user wants to be spoken to in, where that can be read."""
    with suppress(KnownError):
        return (options.settings or load_settings(options.paths.settings)).language
    return ""


def leave(program: Program) -> None:
    """Close the window, which ends the event loop; not at once, since a signal may come in the middle of a paint."""
    QTimer.singleShot(0, program.window, program.window.close)


def _open_demo() -> bool:
    """In a process of its own, on a home of its own."""
    program, *start = [sys.executable] if getattr(sys, "frozen", False) else module_command("nbmail")
    return find_spec("pymap") is not None and QProcess.startDetached(program, [*start, "--demo"])[0]


def _open_address(address: str) -> None:
    QDesktopServices.openUrl(QUrl(address))


def _open_file(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
