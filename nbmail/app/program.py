"""One run of the program with a window: builds the parts, connects them, shows the window, and takes all down again.

Only what the first paint needs is imported here.
"""

from __future__ import annotations

import gc
import logging
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from nbmail.app.deferred_engine import DeferredEngine, import_engine
from nbmail.app.exit_signals import heed_signals
from nbmail.app.fault_reports import report_faults
from nbmail.app.home_claim import UNSEEN, claim, refusal, refuse
from nbmail.errors import ErrorCode, KnownError
from nbmail.log import start_log, stop_log
from nbmail.settings_file import load_settings, save_settings
from nbmail.ui.window.bridge import Bridge
from nbmail.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from nbmail.app.account_threads import AccountThreads
    from nbmail.app.mailbox_search import MailboxSearch
    from nbmail.app.other_start import OtherStarts
    from nbmail.paths import Paths
    from nbmail.settings import Account, Settings
    from nbmail.ui.kit.error_texts import Notice
    from nbmail.ui.window.app_services import AppServices
    from nbmail.values import AccountState
    from nbmail.worker.engine.engine import Engine
    from nbmail.worker.protocol import Event, Failed
    from nbmail.worker.protocol.client import Engine as EngineInterface

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
    """The parts of one run. Has no signals for others.

    `window` is there from the beginning, `engine` once the window has its parts. Nothing works before `start`.
    """

    _imported = Signal()

    def __init__(self, options: RunOptions) -> None:
        super().__init__()
        self.options = options
        self.settings = options.settings or load_settings(options.paths.settings)
        self.bridge = Bridge(self)
        self.bridge.arrived.connect(self._hear)
        self.deferred = DeferredEngine(self._show_failed)
        self.engine: Engine | None = None
        self.window = MainWindow(
            cast("EngineInterface", self.deferred),
            self.bridge,
            self.settings,
            paths=options.paths,
            services=self._services,
        )
        self._importing: threading.Thread | None = None
        self._stopped = False
        self._asked: set[str] = set()
        self._others: OtherStarts | None = None
        self._imported.connect(self._make_engine)
        self.window.built.connect(self._import_engine)

    @cached_property
    def accounts(self) -> AccountThreads:
        from nbmail.app.account_threads import AccountThreads

        return AccountThreads(self._complain, self.options.passwords)

    @cached_property
    def finder(self) -> MailboxSearch:
        """Made when first asked for: importing it takes a sixth of the time until the window is painted."""
        from nbmail.app.mailbox_search import MailboxSearch

        return MailboxSearch(self.bridge, self.options.users_home, password_of=self.accounts.password_of)

    def start(self) -> None:
        """Show the window, and begin to work once its parts are made."""
        self.window.show()

    def stop(self) -> None:
        """Stop the accounts, then the engine; returns when no thread is left."""
        self._stopped = True
        if self._others is not None:
            self._others.close()
        self.bridge.close()
        self.accounts.begin_stop()
        if self._importing is not None:
            self._importing.join()
        if self.engine is not None:
            self.engine.stop()
        self.accounts.finish_stop()

    def _import_engine(self) -> None:
        """Not at the first paint already: the two would take turns, and the window be complete the later for it."""
        if not self._stopped:
            self._importing = import_engine(self._imported.emit)

    def _make_engine(self) -> None:
        from nbmail.worker.engine.engine import Engine

        if self._stopped:
            return
        # What was imported stays for good. Looking through it for garbage would hold every thread for 30 ms at a time.
        gc.freeze()
        paths, emit = self.options.paths, self.bridge.emit_event
        self.engine = Engine(paths, time.time, emit, settings=self.settings, wake=self.accounts.wake)
        self.deferred.open(self.engine)
        self.engine.start()

    def _services(self) -> AppServices:
        """Accounts and searches are looked up at each call: importing them would delay the window."""
        from nbmail.ui.window.app_services import AppServices

        return AppServices(
            add_account=_late(lambda: self.accounts.add),
            remove_account=self._remove_account,
            give_password=_late(lambda: self.accounts.give_password),
            keep_settings=self._keep_settings,
            check_mail=_late(lambda: self.accounts.check_mail),
            open_address=_open_address,
            open_file=_open_file,
            change_account=self._change_account,
            find_settings=_late(lambda: self.finder.find_settings),
            find_places=_late(lambda: self.finder.find_places),
            list_folders=_late(lambda: self.finder.list_folders),
            read_files=_late(lambda: self.finder.read_files),
            pause_training=_late(lambda: self.accounts.pause_training),
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
        do_in_window = self.finder.do_in_window
        self.accounts.remove(name)
        self.accounts.do(do_in_window, lambda: self._forget_mail(name))

    def _forget_mail(self, name: str) -> None:
        from nbmail.worker.protocol import ForgetAccount

        self.window.parts.requests.ask(ForgetAccount(name))

    def _show_failed(self, failed: Failed) -> None:
        self.window.parts.requests.complain(failed)

    def _complain(self, error: KnownError) -> None:
        from nbmail.worker.protocol import EngineFailed, Failed

        self.bridge.emit_event(EngineFailed(Failed(error.error_code, error.detail)))

    def show_fault(self, detail: str) -> None:
        """A fault of ours that nobody caught; from any thread."""
        from nbmail.worker.protocol import Broken

        self.bridge.emit_event(Broken(detail))

    def _hear(self, event: Event) -> None:
        from nbmail.worker.protocol import AccountChanged, HomeRefused, Opened

        if isinstance(event, Opened):
            self._start_accounts()
        elif isinstance(event, AccountChanged):
            self._look_at_account(event.state)
        elif isinstance(event, HomeRefused):
            self._refuse(event.failed)

    def _start_accounts(self) -> None:
        """Not before the home is ours: where another program has it open, nothing is asked of user or server."""
        if self.engine is not None and not self._stopped:
            self.accounts.start(self.engine.backend, self.settings.accounts)
            from nbmail.app.other_start import OtherStarts

            self._others = OtherStarts(self.options.paths, self._greet, self)
            self.window.open_files(self.options.files)

    def _greet(self, files: list[Path]) -> None:
        self.window.come_forward()
        self.window.open_files(files)

    def _look_at_account(self, state: AccountState) -> None:
        """Keep a record of troubles, keep a password that worked, and ask for one nobody has been asked for yet."""
        from nbmail.values import Phase

        if state.phase in (Phase.WORKING, Phase.SYNCED):
            self.accounts.note_login(state.account)
        if state.error_code:
            _log.info("%s: %s, %s %s", state.account, state.phase, state.error_code, state.detail)
        if state.error_code == ErrorCode.NO_PASSWORD and state.account not in self._asked:
            self._asked.add(state.account)
            self.window.parts.accounts.ask_password(state.account)

    def _refuse(self, failure: Failed) -> None:
        """The home can't be opened: say why, and end."""
        from nbmail.ui.kit.error_texts import error_notice

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
    from nbmail.app.other_start import hand_over

    return hand_over(options.paths, options.files)


def _language(options: RunOptions) -> str:
    """What the user wants to be spoken to in, where that can be read."""
    with suppress(KnownError):
        return (options.settings or load_settings(options.paths.settings)).language
    return ""


def _late(find: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """A call that is looked up when it is made."""

    def call(*given: object) -> Any:
        return find()(*given)

    return call


def leave(program: Program) -> None:
    """Close the window, which ends the event loop; not at once, since a signal may come in the middle of a paint."""
    QTimer.singleShot(0, program.window, program.window.close)


def _open_demo() -> bool:
    """In a process of its own, on a home of its own."""
    import sys
    from importlib.util import find_spec

    from PySide6.QtCore import QProcess

    from nbmail.demo.home import module_command

    program, *start = [sys.executable] if getattr(sys, "frozen", False) else module_command("nbmail")
    return find_spec("pymap") is not None and QProcess.startDetached(program, [*start, "--demo"])[0]


def _open_address(address: str) -> None:
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    QDesktopServices.openUrl(QUrl(address))


def _open_file(path: Path) -> None:
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
