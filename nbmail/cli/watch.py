"""The command `nbmail watch`: synchronize, learn and show decisions without a window."""

import argparse
import json
import queue
import shlex
import signal
import sys
import threading
import time
from dataclasses import replace
from typing import Any, NamedTuple

from nbmail.cli.account import find_passwords, named_paths
from nbmail.cli.main import CliCommand, paths_of, say
from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.errors import ErrorCode, KnownError
from nbmail.log import start_log, stop_log
from nbmail.paths import Paths
from nbmail.settings import LearnMoves, Settings, Sorting
from nbmail.settings_file import load_settings
from nbmail.store.files.home_handover import (
    is_requested,
    mark_watching,
    unmark_watching,
    wait_until_free,
)
from nbmail.sync.accounts.account_threads import AccountThreads
from nbmail.sync.sign_in.grant_stores import FileGrants
from nbmail.values import AccountState, Phase, Rows
from nbmail.worker.engine.engine import Engine
from nbmail.worker.protocol.events import (
    Changed,
    EngineFailed,
    Event,
    HomeRefused,
    MovedByOthers,
    Opened,
    TicketChanged,
)
from nbmail.worker.protocol.sorting import SortingChanged, SortingPhase
from nbmail.worker.protocol.ticket import Failed

INBOX = "INBOX"
STRONGEST = 3
INTERVAL = 0.5
"""Seconds between two looks for signals and for a waiting window."""
ENDING_SECONDS = 30.0
"""Seconds that a decision, and `--once` after the accounts have synchronized, wait for moves."""
_ACTIONS = {
    SortedState.MOVING: "moving",
    SortedState.MOVED: "moved",
    SortedState.REHEARSED: "would be moved",
    SortedState.STAYED: "stays",
}
_SETTLED = (Phase.SYNCED, Phase.OFFLINE, Phase.NEEDS_YOU, Phase.STOPPED)


class Decision(NamedTuple):
    """Decision about one message, and the action taken."""

    message: int
    account: str
    sender: str
    subject: str
    verdict: str
    probability: float | None
    reasons: tuple[tuple[str, float], ...]
    action: str = ""

    @property
    def text(self) -> str:
        chance = "     -" if self.probability is None else f"{100 * self.probability:5.1f}%"
        words = " ".join(f"{'+' if amount > 0 else '-'}{word}" for word, amount in self.reasons)
        return (
            f"{chance}  {self.verdict:6}  {self.sender}: {self.subject}  [{words}]  {self.action}"
        )


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Keeps all accounts synchronized, learns from marks made elsewhere, and prints a "
        "line for each decision. "
        "SIGTERM ends it, SIGHUP reads the settings again (on Windows: Ctrl+C, and a "
        "restart). A window that opens on "
        "the same data folder takes over, and watching goes on when it closes."
    )
    parser.add_argument(
        "--rehearse", action="store_true", help="show what sorting would move, and move nothing"
    )
    parser.add_argument("--once", action="store_true", help="synchronize once, then end")
    parser.add_argument(
        "--token-file",
        action="append",
        default=[],
        metavar="[ACCOUNT=]PATH",
        help="read and store a sign-in in this file instead of the keyring",
    )
    parser.add_argument(
        "--password-file",
        action="append",
        default=[],
        metavar="[ACCOUNT=]PATH",
        help="read a password from a file that only you can read; otherwise from the keyring",
    )


def _run(arguments: argparse.Namespace) -> int:
    """Watch until a signal, or until everything is synchronized once."""
    paths = paths_of(arguments.home)
    paths.make()
    handler = start_log(paths.log)
    before = dict[int, Any]()
    try:
        signals = Signals(threading.Event(), threading.Event())
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, lambda *_: signals.stop.set())
        if hasattr(signal, "SIGHUP"):
            before[signal.SIGHUP] = signal.signal(signal.SIGHUP, lambda *_: signals.reload.set())
        while not signals.stop.is_set():
            session = WatchSession(paths, arguments, signals)
            mark_watching(paths)
            try:
                code = session.run()
            finally:
                unmark_watching(paths)
            if code is not None:
                return code
            _warn("The window has opened this data folder. Watching goes on when it closes.")
            while not signals.stop.is_set() and not wait_until_free(paths, INTERVAL):
                pass
        return 0
    finally:
        for caught, former in before.items():
            signal.signal(caught, former)
        stop_log(handler)


class Signals(NamedTuple):
    """Signals that arrived: flags that the main loop reads."""

    stop: threading.Event
    reload: threading.Event


class WatchSession:
    """Engine and accounts from opening the data folder to closing it."""

    def __init__(self, paths: Paths, options: argparse.Namespace, signals: Signals) -> None:
        self._paths = paths
        self._options = options
        self._signals = signals
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._settings = self._chosen(load_settings(paths.settings))
        accounts = self._settings.accounts
        passwords = find_passwords(options.password_file, accounts)
        grants = {
            name: FileGrants(path)
            for name, path in named_paths(options.token_file, accounts).items()
        }
        self._accounts = AccountThreads(
            lambda error: self._events.put(EngineFailed(Failed(error.error_code, error.detail))),
            passwords,
            removed=lambda account: self._engine.forget_account(account),  # noqa: PLW0108 - made below
            grants=grants,
        )
        self._engine = Engine(
            paths, time.time, self._events.put, settings=self._settings, wake=self._accounts.wake
        )
        self._known: set[int] = set()
        self._states: dict[str, AccountState] = {}
        self._refused: Failed | None = None
        self._offered: dict[str, set[int]] = {}
        self._reported: set[str] = set()
        self._checked: set[str] = set()
        # Decisions about arrived messages that are not printed yet, and when they were made.
        self._open: dict[int, tuple[Decision, float]] = {}
        # Numbers of the moves that are printed: each in the journal of sorting.
        self._printed: set[int] = set()
        self._settled_at = 0.0

    def run(self) -> int | None:
        """Return the exit code, None if the window takes over."""
        self._engine.start()
        try:
            code = self._watch()
            self._report_decisions(is_end=True)
            return code
        finally:
            self._accounts.begin_stop()
            self._engine.stop()
            self._accounts.finish_stop()

    def _watch(self) -> int | None:
        while not self._signals.stop.is_set():
            self._receive_all()
            if self._refused is not None:
                code = self._refused.error_code
                raise KnownError(code or ErrorCode.DATABASE_DAMAGED, self._refused.detail)
            if is_requested(self._paths):
                return None
            if self._signals.reload.is_set():
                self._signals.reload.clear()
                self._reload()
            if self._options.once and self._is_done():
                self._receive_all()
                if self._is_done():
                    return (
                        0
                        if all(state.phase is Phase.SYNCED for state in self._states.values())
                        else 1
                    )
        return 0

    def _receive_all(self) -> None:
        """Process all events; wait for the first one."""
        timeout: float = INTERVAL
        while True:
            try:
                event = self._events.get(timeout=timeout)
            except queue.Empty:
                break
            self._receive(event)
            timeout = 0.0
        self._report_decisions()
        self._report_offers()
        self._report_waiting()

    def _receive(self, event: Event) -> None:
        match event:
            case Opened():
                self._known.update(self._engine.list_mail().result().messages.tolist())
                self._accounts.start(self._engine.backend, self._settings.accounts)
            case Changed(rows=Rows() as rows):
                self._decide(rows)
            case AccountState() as state:
                self._receive_state(state)
            case HomeRefused(failed=failed):
                self._refused = failed
            case SortingChanged(moved=moved):
                self._report_moves(moved)
            case MovedByOthers(messages=messages, account=account):
                self._offered.setdefault(account, set()).update(messages)
            case EngineFailed(failed=failed):
                _warn(f"{failed.error_code or 'internal error'}: {failed.detail}")
            case TicketChanged(ticket=ticket):
                ticket.deliver(lambda failed: None)
            case _:
                pass

    def _print(self, decision: Decision) -> None:
        say(json.dumps(decision._asdict()) if self._options.json else decision.text)
        sys.stdout.flush()

    def _decide(self, rows: Rows) -> None:
        for place, message in enumerate(rows.messages.tolist()):
            folder, _ = rows.folders_of(place)[0]
            if message in self._known or folder.folder != INBOX:
                continue
            self._known.add(message)
            if rows.labels[place] >= 0:
                continue
            try:
                why = self._engine.explain(message, STRONGEST).result(60.0)
            except KnownError:
                continue
            reasons = tuple((one.word, one.contribution) for one in why.contributions[:STRONGEST])
            about = message, folder.account, rows.senders[place], rows.subjects[place]
            self._open[message] = (
                Decision(*about, why.verdict, why.probability, reasons),
                time.monotonic(),
            )

    def _report_decisions(self, *, is_end: bool = False) -> None:
        """Print each decision once its action is known, at the end, or after `ENDING_SECONDS`."""
        for message, (decision, moment) in list(self._open.items()):
            found = self._find(message)
            is_open = found is not None and found.state in (SortedState.NEW, SortedState.MOVING)
            if is_end or not is_open or time.monotonic() - moment > ENDING_SECONDS:
                del self._open[message]
                filed = None
                if found is not None and found.state is SortedState.MOVED:
                    self._printed.add(found.number)
                    filed = _sorted(found) if found.target else None
                self._print(filed or decision._replace(action=_action(found)))

    def _report_moves(self, messages: tuple[int, ...]) -> None:
        """Print moves whose decision was printed without them, or in an earlier session."""
        for message in messages:
            found = self._find(message)
            if (
                found is not None
                and message not in self._open
                and found.number not in self._printed
            ):
                self._printed.add(found.number)
                self._print(_sorted(found))

    def _find(self, message: int) -> SortedMessage | None:
        return self._engine.find_sorted(message).result(60.0)

    def _report_offers(self) -> None:
        """Report once for each account how many moves by other programs wait for an answer, and how
        to answer.
        """
        asking = {
            account.name
            for account in self._settings.accounts
            if account.learn_moves is LearnMoves.ASK
        }
        for account in self._offered.keys() - self._reported:
            self._reported.add(account)
            moved = (
                f"{count} messages" if (count := len(self._offered[account])) > 1 else "1 message"
            )
            command = (
                f", or use: nbmail account set {shlex.quote(account)} --learn-moves always (or "
                f"never)"
            )
            _warn(
                f"{account}: another mail program moved {moved} into the spam folder or out of it."
                f" nbmail learns from that once you agree: open the "
                f"window{command if account in asking else ''}"
            )

    def _receive_state(self, state: AccountState) -> None:
        before = self._states.get(state.account)
        self._states[state.account] = state
        if self._accounts.receive_state(state):
            _warn(f"{state.account}: no password. Use --password-file, or open the window once.")
        elif state.error_code and (before is None or before.error_code != state.error_code):
            _warn(f"{state.account}: {state.error_code} {state.detail}".rstrip())

    def _report_waiting(self) -> None:
        """Report once for each account that sorting waits until the model is tested, and how to
        begin at once.
        """
        synced = {name for name, state in self._states.items() if state.phase is Phase.SYNCED}
        for account in synced - self._checked:
            status = self._engine.sorting_status(account).result(60.0)
            if not status.is_exact:
                # A rebuild tests what was just learned.
                continue
            self._checked.add(account)
            if status.phase is SortingPhase.WAITING:
                ready = status.readiness
                _warn(
                    f"{account}: sorting begins after about {ready.marks_missing} more "
                    f"marks. Tested on {ready.tested}"
                    f" good messages: {ready.lost} classified as spam (95 % interval: "
                    f"{ready.low:.1%} to"
                    f" {ready.high:.1%}). To begin now: nbmail account set "
                    f"{shlex.quote(account)} --begin-now"
                )

    def _is_done(self) -> bool:
        """True if every account has synchronized, or can't, and all decisions are reported and
        moves made in time.
        """
        names = {account.name for account in self._settings.accounts}
        if not names <= self._states.keys() or any(
            self._states[name].phase not in _SETTLED for name in names
        ):
            return False
        self._settled_at = self._settled_at or time.monotonic()
        if time.monotonic() - self._settled_at > ENDING_SECONDS:
            return True
        states = [
            self._states[one.account] for one, _ in self._open.values() if one.account in names
        ]
        is_moving = any(state.phase is Phase.SYNCED and not state.error_code for state in states)
        return not is_moving and self._is_idle()

    def _is_idle(self) -> bool:
        ticket = self._engine.is_idle()
        try:
            return ticket.result(INTERVAL)
        except TimeoutError:
            ticket.drop()
            return False

    def _reload(self) -> None:
        try:
            settings = self._chosen(load_settings(self._paths.settings))
            find_passwords(self._options.password_file, settings.accounts)
        except KnownError as error:
            _warn(f"the settings can't be read: {error.detail}")
            return
        before = {account.name: account for account in self._settings.accounts}
        after = {account.name: account for account in settings.accounts}
        for name in before.keys() - after.keys():
            self._accounts.remove(name)
            self._states.pop(name, None)
        for name, account in after.items():
            if name not in before:
                self._accounts.add(account, "")
            elif before[name] != account:
                self._accounts.change(account, "")
            self._engine.set_sorting(account)
            if name not in before or before[name].suggested_folders != account.suggested_folders:
                self._engine.choose_folders(name, account.suggested_folders)
        self._checked.clear()
        if settings.costs != self._settings.costs:
            self._engine.set_cost(*settings.costs)
        if settings.move_mail != self._settings.move_mail:
            self._engine.set_moving(settings.move_mail)
        self._settings = settings

    def _chosen(self, settings: Settings) -> Settings:
        """Return the settings with sorting turned into a rehearsal, on request."""
        if not self._options.rehearse:
            return settings
        rehearsed = {Sorting.SORT: Sorting.REHEARSE}
        accounts = tuple(
            replace(
                account,
                automatic_folders=(),
                sorting=rehearsed.get(account.sorting, account.sorting),
            )
            for account in settings.accounts
        )
        return replace(settings, accounts=accounts)


def _warn(text: str) -> None:
    say(f"nbmail: {text}", sys.stderr)
    sys.stderr.flush()


def _sorted(found: SortedMessage) -> Decision:
    about = (
        found.message,
        found.account,
        found.sender,
        found.subject,
        "folder" if found.target else "spam",
    )
    return Decision(*about, found.probability, (), _action(found))


def _action(found: SortedMessage | None) -> str:
    """Return what sorting does with a message: nothing unless it was spam or filed when it
    arrived.
    """
    if found is None or found.state is SortedState.NEW:
        return "stays"
    where = f" to {found.target}" if found.target and not found.reason else ""
    return (
        _ACTIONS.get(found.state, str(found.state))
        + where
        + (f": {found.reason}" if found.reason else "")
    )


WATCH = CliCommand(_add_options, _run)
