"""Session of `nbmail watch`: engine and accounts from opening the data folder to closing it."""

import argparse
import queue
import threading
import time
from dataclasses import replace
from typing import NamedTuple

from nbmail.cli.accounts.password_files import find_passwords, named_paths
from nbmail.cli.watching.decision_log import ENDING_SECONDS, DecisionLog
from nbmail.cli.watching.notices import Notices, warn
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.settings import Account, Settings, Sorting
from nbmail.settings_file import load_settings
from nbmail.store.files.home_handover import is_requested
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
from nbmail.worker.protocol.sorting import SortingChanged
from nbmail.worker.protocol.ticket import Failed

INTERVAL = 0.5
"""Seconds between two looks for signals and for a waiting window."""
_SETTLED = (Phase.SYNCED, Phase.OFFLINE, Phase.NEEDS_YOU, Phase.STOPPED)


class Signals(NamedTuple):
    """Signals that arrived: flags that the main loop reads."""

    stop: threading.Event
    reload: threading.Event


class WatchSession:
    """Synchronizes, learns and sorts until a signal, or until a window opens the data folder."""

    def __init__(self, paths: Paths, options: argparse.Namespace, signals: Signals) -> None:
        self._paths = paths
        self._options = options
        self._signals = signals
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._settings = self._chosen(load_settings(paths.settings))
        self._accounts = self._make_accounts()
        self._engine = Engine(
            paths, time.time, self._events.put, settings=self._settings, wake=self._accounts.wake
        )
        self._decisions = DecisionLog(self._engine, as_json=options.json)
        self._notices = Notices(self._engine)
        self._states: dict[str, AccountState] = {}
        self._refused: Failed | None = None
        self._settled_at = 0.0

    def _make_accounts(self) -> AccountThreads:
        accounts = self._settings.accounts
        grants = {}
        for name, path in named_paths(self._options.token_file, accounts).items():
            grants[name] = FileGrants(path)
        return AccountThreads(
            lambda error: self._events.put(EngineFailed(Failed(error.error_code, error.detail))),
            find_passwords(self._options.password_file, accounts),
            removed=lambda account: self._engine.forget_account(account),  # noqa: PLW0108 - made later
            grants=grants,
        )

    def run(self) -> int | None:
        """Return the exit code, None if the window takes over."""
        self._engine.start()
        try:
            code = self._watch()
            self._decisions.report(is_end=True)
            return code
        finally:
            self._accounts.begin_stop()
            self._engine.stop()
            self._accounts.finish_stop()

    def _watch(self) -> int | None:
        while not self._signals.stop.is_set():
            self._receive_all()
            if self._refused is not None:
                code = self._refused.error_code or ErrorCode.DATABASE_DAMAGED
                raise KnownError(code, self._refused.detail)
            if is_requested(self._paths):
                return None
            if self._signals.reload.is_set():
                self._signals.reload.clear()
                self._reload()
            if self._options.once and self._is_done():
                # Events that arrived meanwhile may begin more work.
                self._receive_all()
                if self._is_done():
                    return 0 if self._is_synced() else 1
        return 0

    def _receive_all(self) -> None:
        """Process all events; wait for the first one."""
        timeout = INTERVAL
        while True:
            try:
                event = self._events.get(timeout=timeout)
            except queue.Empty:
                break
            self._receive(event)
            timeout = 0.0
        self._decisions.report()
        self._notices.report_offers(self._settings.accounts)
        self._notices.report_waiting(self._states.values())

    def _receive(self, event: Event) -> None:
        match event:
            case Opened():
                self._decisions.skip_stored()
                self._accounts.start(self._engine.backend, self._settings.accounts)
            case Changed(rows=Rows() as rows):
                self._decisions.decide(rows)
            case AccountState() as state:
                self._receive_state(state)
            case HomeRefused(failed=failed):
                self._refused = failed
            case SortingChanged(moved=moved):
                self._decisions.report_moves(moved)
            case MovedByOthers(messages=messages, account=account):
                self._notices.offer(account, messages)
            case EngineFailed(failed=failed):
                warn(f"{failed.error_code or 'internal error'}: {failed.detail}")
            case TicketChanged(ticket=ticket):
                ticket.deliver(lambda failed: None)
            case _:
                pass

    def _receive_state(self, state: AccountState) -> None:
        before = self._states.get(state.account)
        self._states[state.account] = state
        if self._accounts.receive_state(state):
            warn(f"{state.account}: no password. Use --password-file, or open the window once.")
        elif state.error_code and (before is None or before.error_code != state.error_code):
            warn(f"{state.account}: {state.error_code} {state.detail}".rstrip())

    # The end of `--once`

    def _is_done(self) -> bool:
        """True if every account has synchronized, or can't, and all decisions are reported.

        Moves have `ENDING_SECONDS` from then on.
        """
        if not self._is_settled():
            return False
        self._settled_at = self._settled_at or time.monotonic()
        if time.monotonic() - self._settled_at > ENDING_SECONDS:
            return True
        return not self._waits_for_moves() and self._is_idle()

    def _is_settled(self) -> bool:
        """True if every account has synchronized, or can't."""
        for account in self._settings.accounts:
            state = self._states.get(account.name)
            if state is None or state.phase not in _SETTLED:
                return False
        return True

    def _is_synced(self) -> bool:
        return all(state.phase is Phase.SYNCED for state in self._states.values())

    def _waits_for_moves(self) -> bool:
        """True if an account that works has decisions without their action."""
        names = {account.name for account in self._settings.accounts}
        for name in self._decisions.open_accounts():
            if name in names:
                state = self._states[name]
                if state.phase is Phase.SYNCED and not state.error_code:
                    return True
        return False

    def _is_idle(self) -> bool:
        ticket = self._engine.is_idle()
        try:
            return ticket.result(INTERVAL)
        except TimeoutError:
            ticket.drop()
            return False

    # Changed settings

    def _reload(self) -> None:
        try:
            settings = self._chosen(load_settings(self._paths.settings))
            find_passwords(self._options.password_file, settings.accounts)
        except KnownError as error:
            warn(f"the settings can't be read: {error.detail}")
            return

        before = {account.name: account for account in self._settings.accounts}
        after = {account.name: account for account in settings.accounts}
        for name in before.keys() - after.keys():
            self._accounts.remove(name)
            self._states.pop(name, None)
        for name, account in after.items():
            self._apply(before.get(name), account)
        self._notices.check_again()
        if settings.costs != self._settings.costs:
            self._engine.set_cost(*settings.costs)
        if settings.move_mail != self._settings.move_mail:
            self._engine.set_moving(settings.move_mail)
        self._settings = settings

    def _apply(self, before: Account | None, account: Account) -> None:
        """Apply the settings of an account. `before`: None for a new one."""
        if before is None:
            self._accounts.add(account, "")
        elif before != account:
            self._accounts.change(account, "")
        self._engine.set_sorting(account)
        if before is None or before.suggested_folders != account.suggested_folders:
            self._engine.choose_folders(account.name, account.suggested_folders)

    def _chosen(self, settings: Settings) -> Settings:
        """Return the settings with sorting turned into a rehearsal, on request."""
        if not self._options.rehearse:
            return settings
        accounts = []
        for account in settings.accounts:
            sorting = account.sorting
            if sorting is Sorting.SORT:
                sorting = Sorting.REHEARSE
            accounts.append(replace(account, automatic_folders=(), sorting=sorting))
        return replace(settings, accounts=tuple(accounts))
