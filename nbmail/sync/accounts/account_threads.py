"""Account threads of one run."""

import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.accounts.account_secrets import AccountSecrets
from nbmail.sync.accounts.background_thread import BackgroundThread
from nbmail.sync.mailbox_values import Issuer
from nbmail.values import AccountState, Phase

if TYPE_CHECKING:
    from nbmail.sync.accounts.account_thread import AccountThread
    from nbmail.sync.imap.idle.server_load import ServerLoad
    from nbmail.sync.sign_in.grant_stores import GrantStore
    from nbmail.sync.sign_in.grants import Grant

TIMEOUT = 5.0
"""Seconds for an account to log out of its server."""


class AccountThreads:
    """Starts, wakes and stops account threads. Every method returns at once except `finish_stop`.

    Blocking work runs on one background thread: keyring, disk, and the imports of the IMAP library
    and the keyring. These imports take 90 ms, which would delay the first rows of mail.

    `passwords`: known passwords by account name. `report`: called with expected errors. `removed`:
    called with the name of a removed account when its thread has ended. Both callbacks run on the
    background thread. `grants`: see `AccountSecrets`.
    """

    def __init__(
        self,
        report: Callable[[KnownError], None],
        passwords: Mapping[str, str],
        *,
        removed: Callable[[str], object] = lambda name: None,
        grants: Mapping[str, "GrantStore"] | None = None,
    ) -> None:
        self._removed = removed
        self._secrets = AccountSecrets(passwords, grants or {}, report)
        self._backend: Future[AccountBackend] = Future()
        self._background = BackgroundThread("accounts", report)
        self._lock = threading.Lock()
        self._threads: dict[str, AccountThread] = {}
        self._load: ServerLoad | None = None
        self._stopping = False
        # Used by the GUI thread only: typed passwords that no server has accepted yet, and accounts
        # whose password was requested from the user.
        self._typed: dict[str, str] = {}
        self._prompted: set[str] = set()

    def start(self, backend: AccountBackend, accounts: Iterable[Account]) -> None:
        self._backend.set_result(backend)
        for account in accounts:
            self.run(self._open, account, "")

    def add(self, account: Account, password: str) -> None:
        """Start a new account. Its password is stored in the keyring, if there is one."""
        self.run(self._open, account, password)

    def change(self, account: Account, password: str) -> None:
        """Apply changed settings. An empty `password` keeps the stored one."""
        self._prompted.discard(account.name)
        self.run(self._reopen, account, password)

    def remove(self, name: str) -> None:
        self._typed.pop(name, None)
        self.run(self._close, name)

    def pause_training(self, name: str, paused: bool) -> None:
        for thread in self._running(name):
            thread.training.paused = paused
            thread.wake()

    def set_password(self, name: str, password: str) -> None:
        """Retry with a typed password.

        It is stored in the keyring when the server has accepted it.
        """
        self._typed[name] = password
        self.run(self._use_password, name, password)

    def keep_sign_in(self, account: Account, grant: "Grant | None") -> None:
        """Store a sign-in and let the account use it. Can wait for the keyring.

        None deletes it, unless an account uses it.
        """
        threads = [each for each in self._running() if _entry(each.account) == _entry(account)]
        if grant is None and not threads:
            self._secrets.forget(account)
        elif grant is not None:
            self._secrets.tokens(account).take(grant)
            for thread in threads:
                thread.retry()

    def issuer_at(self, address: str) -> Issuer | None:
        """Return the authorization server of a stored sign-in. Can wait for the keyring."""
        return self._secrets.issuer_at(address)

    def password_of(self, account: Account) -> str | None:
        """Return the known password of the same user at the same server, or a token.

        Can wait for the keyring.
        """
        if account.sign_in:
            return self._secrets.tokens(account)()
        for thread in self._running(account.name):
            # The keyring entry has the port of the running account, not that of the changed one.
            if _mailbox(thread.account) == _mailbox(account):
                return self._secrets.password(thread.account)
        return None

    def receive_state(self, state: AccountState) -> bool:
        """Store the typed password after a login. True if the user must be prompted for a password.

        The user is prompted once per account until its settings change.
        """
        has_logged_in = state.phase in (Phase.WORKING, Phase.SYNCED)
        if has_logged_in and state.account in self._typed:
            password = self._typed.pop(state.account)
            for thread in self._running(state.account):
                self.run(self._secrets.store, thread.account, password)
        if state.error_code != ErrorCode.NO_PASSWORD or state.account in self._prompted:
            return False
        self._prompted.add(state.account)
        return True

    def wake(self, name: str) -> None:
        for thread in self._running(name):
            thread.wake()

    def check_mail(self) -> None:
        for thread in self._running():
            thread.retry()

    def run(self, work: Callable[..., None], *arguments: object) -> None:
        """Run `work` on the background thread and report its errors."""
        if not self._stopping:
            self._background.run(work, *arguments)

    def begin_stop(self) -> None:
        with self._lock:
            self._stopping = True
            self._backend.cancel()
        for thread in self._running():
            thread.stop()

    def finish_stop(self) -> None:
        self._background.finish()
        for thread in self._running():
            thread.stop()
            thread.join(TIMEOUT)

    def _running(self, name: str | None = None) -> "list[AccountThread]":
        """Return the thread of an account, if it runs; without a name those of all accounts."""
        with self._lock:
            return [thread for each, thread in self._threads.items() if name in (None, each)]

    # --------------------------------------------------------------------- on the background thread

    def _open(self, account: Account, password: str) -> None:
        if password:
            self._secrets.use(account, password)
        backend = self._backend.result()
        with self._lock:
            # An account that was added before the engine was open is also in the settings it
            # started with.
            if not self._stopping and account.name not in self._threads:
                thread = self._make_thread(account, backend)
                self._threads[account.name] = thread
                thread.start()
        # After the start: the keyring may wait for the user.
        if password:
            self._secrets.store(account, password)

    def _make_thread(self, account: Account, backend: AccountBackend) -> "AccountThread":
        from nbmail.sync.imap.idle.server_load import ServerLoad
        from nbmail.sync.imap.imap_sync import ImapSync
        from nbmail.sync.local.local_sync import LocalSync

        if account.path:
            return LocalSync(account, backend)
        self._load = self._load or ServerLoad()
        return ImapSync(account, backend, self._secrets.source(account), load=self._load)

    def _reopen(self, account: Account, password: str) -> None:
        before = self._end(account.name)
        if before is not None:
            if _entry(before) != _entry(account):
                password = password or self._kept_password(before, account)
                self._secrets.forget(before)
            self._forget_locations(before, account)
        self._open(account, password)

    def _kept_password(self, before: Account, account: Account) -> str:
        """Return the password of the same user at the same host, whatever the port."""
        if before.sign_in or account.sign_in or _mailbox(before) != _mailbox(account):
            return ""
        return self._secrets.password(before) or ""

    def _forget_locations(self, before: Account, account: Account) -> None:
        """Remove mail of unwatched folders, or of the former mailbox, from the list.

        Its labels stay.
        """
        backend = self._backend.result()
        if _mailbox(before) != _mailbox(account):
            backend.retain(account.name, (), spam=False)
            return
        has_same_spam_folder = before.spam_folder == account.spam_folder
        has_same_folders = _folders(before) == _folders(account) and has_same_spam_folder
        # All folders of a local mailbox are watched, none by name.
        watches_all = bool(account.path) and account.folders == ("INBOX",)
        if not has_same_folders and not watches_all:
            keeps_spam = has_same_spam_folder and account.watch_spam
            backend.retain(account.name, _folders(account), spam=keeps_spam)

    def _close(self, name: str) -> None:
        account = self._end(name)
        if account is not None:
            self._secrets.forget(account)
        self._removed(name)

    def _end(self, name: str) -> Account | None:
        """Stop the thread of an account and return the account's settings."""
        with self._lock:
            thread = self._threads.pop(name, None)
        if thread is None:
            return None
        thread.stop()
        thread.join(TIMEOUT)
        return thread.account

    def _use_password(self, name: str, password: str) -> None:
        for thread in self._running(name):
            self._secrets.use(thread.account, password)
            thread.retry()


def _entry(account: Account) -> tuple[str, str, int]:
    """Return the key of a password or sign-in."""
    if account.sign_in:
        return account.user, account.sign_in, 0
    return account.user, account.host, account.port


def _mailbox(account: Account) -> tuple[str, str, str]:
    """Return the identity of a mailbox, which its port is no part of."""
    return account.host, account.user, account.path


def _folders(account: Account) -> frozenset[str]:
    trained = (*account.ham_folders, *account.spam_folders)
    return frozenset((*account.folders, *trained, *account.suggested_folders))
