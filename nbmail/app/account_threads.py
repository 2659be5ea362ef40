"""The account threads of one run, their passwords, and what is done for them beside the window."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend, BackendClosed

if TYPE_CHECKING:
    from nbmail.sync.account import AccountThread
    from nbmail.sync.imap.idle import ServerLoad
    from nbmail.sync.passwords import Passwords

PATIENCE = 5.0
"""Seconds an account may take to say goodbye to its server."""


class AccountThreads:
    """Starts, wakes and stops the threads. Every call returns at once but `finish_stop`.

    Whatever may wait (the first import of the IMAP library, the keyring, the disk) is done by one clerk thread.
    `given` holds passwords that are known without asking, by account name.
    """

    def __init__(self, complain: Callable[[KnownError], None], given: Mapping[str, str]) -> None:
        self._complain, self._given = complain, given
        self._backend: Future[AccountBackend] = Future()
        self._clerk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="clerk")
        self._lock = threading.Lock()
        self._making_keys = threading.Lock()
        self._threads: dict[str, AccountThread] = {}
        self._passwords: Passwords | None = None
        self._load: ServerLoad | None = None
        self._typed: dict[str, str] = {}
        """Passwords typed anew that no server has accepted yet, by account; touched by the window's thread alone."""
        self._stopping = False

    def start(self, backend: AccountBackend, accounts: Iterable[Account]) -> None:
        """Here is where mail is handed in: begin to keep these in step."""
        self._backend.set_result(backend)
        for account in accounts:
            self.do(self._open, account, "")

    def add(self, account: Account, password: str) -> None:
        """Take in a new one; its password, which was tried, goes to the keyring where there is one."""
        self.do(self._open, account, password)

    def change(self, account: Account, password: str) -> None:
        """This one's settings are others now; an empty password leaves the one that is known."""
        self.do(self._reopen, account, password)

    def pause_training(self, name: str, paused: bool) -> None:
        """Fetch no more of the folders this one learns from, or go on."""
        thread = self._thread(name)
        if thread is not None:
            (thread.training.pause if paused else thread.training.resume)()
            thread.wake()

    def password_of(self, account: Account) -> str | None:
        """The password that is known for its user at its server. May wait for the keyring: not for the GUI thread."""
        thread = self._thread(account.name)
        if thread is None or _whose(thread.account) != _whose(account):
            return None
        # As it is reached now: the keyring knows nothing of another port.
        return self._keys().get(thread.account)

    def remove(self, name: str) -> None:
        self._typed.pop(name, None)
        self.do(self._close, name)

    def give_password(self, name: str, password: str) -> None:
        """The user typed it anew: try with it at once. It goes to the keyring once it worked."""
        self._typed[name] = password
        self.do(self._take_password, name, password)

    def note_login(self, name: str) -> None:
        """The server lets this account in: a password that was typed is worth keeping."""
        password, thread = self._typed.pop(name, None), self._thread(name)
        if password is not None and thread is not None:
            self.do(self._keep, thread.account, password)

    def wake(self, name: str) -> None:
        thread = self._thread(name)
        if thread is not None:
            thread.wake()

    def check_mail(self) -> None:
        """Let all of them look for mail now."""
        with self._lock:
            threads = list(self._threads.values())
        for thread in threads:
            thread.retry()

    def do(self, work: Callable[..., None], *arguments: object) -> None:
        """Let the clerk do this, and say so where the world doesn't allow it."""
        if not self._stopping:
            self._clerk.submit(work, *arguments).add_done_callback(self._look_at)

    def begin_stop(self) -> None:
        """Let all threads end; they need not have ended on return."""
        with self._lock:
            self._stopping = True
            self._backend.cancel()
            threads = list(self._threads.values())
        for thread in threads:
            thread.stop()

    def finish_stop(self) -> None:
        """Wait until they have."""
        self._clerk.shutdown(wait=True)
        for thread in self._threads.values():
            thread.stop()
            thread.join(PATIENCE)

    # ----------------------------------------------------------------------------------- on the clerk's thread

    def _look_at(self, work: Future[None]) -> None:
        """What came of a piece of work."""
        fault = work.exception()
        if isinstance(fault, KnownError):
            self._complain(fault)
        elif fault is not None and not isinstance(fault, (CancelledError, BackendClosed)):
            thread = threading.current_thread()
            threading.excepthook(threading.ExceptHookArgs((type(fault), fault, fault.__traceback__, thread)))

    def _thread(self, name: str) -> AccountThread | None:
        with self._lock:
            return self._threads.get(name)

    def _open(self, account: Account, password: str) -> None:
        from nbmail.sync.account import AccountThread
        from nbmail.sync.imap.idle import ServerLoad

        if password:
            self._keep(account, password)
        backend = self._backend.result()
        with self._lock:
            # One that was added before the engine was there is among those it begins with, too.
            if self._stopping or account.name in self._threads:
                return
            self._load = self._load or ServerLoad()
            thread = AccountThread(account, backend, self._keys().of(account), load=self._load)
            self._threads[account.name] = thread
            thread.start()

    def _reopen(self, account: Account, password: str) -> None:
        before = self._end(account.name)
        if before is not None and _entry(before) != _entry(account):
            # The same user at the same host may be reached otherwise with the password that is known.
            same = _whose(before) == _whose(account)
            password = password or (self._keys().get(before) if same else "") or ""
            self._keys().forget(before)
        if before is not None:
            self._forget_places(before, account)
        self._open(account, password)

    def _forget_places(self, before: Account, account: Account) -> None:
        """Mail of folders that are watched no longer, or of another mailbox, leaves the list; its labels stay."""
        if _whose(before) != _whose(account):
            self._backend.result().retain(account.name, (), junk=False)
        elif (_kept(before), before.junk_folder) != (_kept(account), account.junk_folder) and not _takes_all(account):
            same_junk = before.junk_folder == account.junk_folder and account.watch_junk
            self._backend.result().retain(account.name, _kept(account), junk=same_junk)

    def _close(self, name: str) -> None:
        account = self._end(name)
        if account is not None:
            self._keys().forget(account)

    def _end(self, name: str) -> Account | None:
        """Stop the thread of this account and wait for its end."""
        with self._lock:
            thread = self._threads.pop(name, None)
        if thread is None:
            return None
        thread.stop()
        thread.join(PATIENCE)
        return thread.account

    def _take_password(self, name: str, password: str) -> None:
        thread = self._thread(name)
        if thread is not None:
            self._keys().give(thread.account, password)
            thread.retry()

    def _keep(self, account: Account, password: str) -> None:
        if not self._keys().keep(account, password):
            self._complain(KnownError(ErrorCode.NO_KEYRING))

    def _keys(self) -> Passwords:
        """Made late: the import takes a while."""
        from nbmail.sync.passwords import Passwords

        with self._making_keys:
            if self._passwords is None:
                self._passwords = Passwords(lambda account: self._given.get(account.name))
            return self._passwords


def _entry(account: Account) -> tuple[str, str, int]:
    """What a password belongs to."""
    return account.user, account.host, account.port


def _whose(account: Account) -> tuple[str, str, str]:
    """Whose mailbox it is, wherever on that host it is asked for."""
    return account.host, account.user, account.path


def _takes_all(account: Account) -> bool:
    """Whether all boxes of a place on the disk are taken, none of them being named."""
    return bool(account.path) and account.folders == ("INBOX",)


def _kept(account: Account) -> frozenset[str]:
    return frozenset((*account.folders, *account.good_folders, *account.junk_folders))
