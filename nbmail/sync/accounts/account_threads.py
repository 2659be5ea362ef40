"""Account threads of one run, their passwords, and a background thread for blocking work."""

import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend, BackendClosed
from nbmail.sync.mailbox_values import Issuer
from nbmail.values import AccountState, Phase

if TYPE_CHECKING:
    from nbmail.sync.accounts.account_thread import AccountThread
    from nbmail.sync.accounts.passwords import Passwords
    from nbmail.sync.imap.idle.server_load import ServerLoad
    from nbmail.sync.sign_in.access_tokens import AccessTokens
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
    background thread. `grants`: places of sign-in tokens by account name, if they are not in the
    keyring.
    """

    def __init__(
        self,
        report: Callable[[KnownError], None],
        passwords: Mapping[str, str],
        *,
        removed: Callable[[str], object] = lambda name: None,
        grants: Mapping[str, "GrantStore"] | None = None,
    ) -> None:
        self._report = report
        self._known = passwords
        self._removed = removed
        self._grants = grants or {}
        self._backend: Future[AccountBackend] = Future()
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="accounts")
        self._lock = threading.Lock()
        self._making_keys = threading.Lock()
        self._threads: dict[str, AccountThread] = {}
        self._passwords: Passwords | None = None
        self._tokens: dict[tuple[str, str], AccessTokens] = {}
        """Tokens by authorization server and user, so that one refresh runs at a time."""
        self._load: ServerLoad | None = None
        self._typed: dict[str, str] = {}
        """Typed passwords that no server has accepted yet, by account. Used by the GUI thread
        only.
        """
        self._prompted: set[str] = set()
        """Accounts whose password was requested from the user. Used by the GUI thread only."""
        self._stopping = False

    def start(self, backend: AccountBackend, accounts: Iterable[Account]) -> None:
        self._backend.set_result(backend)
        for account in accounts:
            self.run(self._open, account, "")

    def add(self, account: Account, password: str) -> None:
        """Start a new account. Its password is stored in the keyring, if there is one."""
        self.run(self._open, account, password)

    def change(self, account: Account, password: str) -> None:
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
        """Retry with a typed password. It is stored in the keyring when the server has accepted
        it.
        """
        self._typed[name] = password
        self.run(self._use_password, name, password)

    def keep_sign_in(self, account: Account, grant: "Grant | None") -> None:
        """Store a sign-in and let the account use it; None deletes it, unless an account uses it.
        Can wait.
        """
        threads = [each for each in self._running() if _entry(each.account) == _entry(account)]
        if grant is None and not threads:
            self._forget(account)
        elif grant is not None:
            self._tokens_of(account).take(grant)
            for thread in threads:
                thread.retry()

    def issuer_at(self, address: str) -> Issuer | None:
        """Return the authorization server of a stored sign-in of any account. Can wait for the
        keyring.
        """
        with self._making_keys:
            stores = [
                tokens.store for (issuer, _), tokens in self._tokens.items() if issuer == address
            ]
        return next((grant.issuer for store in stores if (grant := store.load()) is not None), None)

    def password_of(self, account: Account) -> str | None:
        """Return the known password of the same user at the same server, or a token. Can wait for
        the keyring.
        """
        if account.sign_in:
            return self._tokens_of(account)()
        same = [
            each.account
            for each in self._running(account.name)
            if _mailbox(each.account) == _mailbox(account)
        ]
        # The keyring entry has the port of the running account, not that of the changed one.
        return self._keys().get(same[0]) if same else None

    def receive_state(self, state: AccountState) -> bool:
        """Store the typed password after a login. True if the user must be prompted for a password.

        The user is prompted once per account until its settings change.
        """
        if state.phase in (Phase.WORKING, Phase.SYNCED) and state.account in self._typed:
            password = self._typed.pop(state.account)
            for thread in self._running(state.account):
                self.run(self._store, thread.account, password)
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
            self._executor.submit(work, *arguments).add_done_callback(self._report_end)

    def begin_stop(self) -> None:
        with self._lock:
            self._stopping = True
            self._backend.cancel()
        for thread in self._running():
            thread.stop()

    def finish_stop(self) -> None:
        self._executor.shutdown(wait=True)
        for thread in self._running():
            thread.stop()
            thread.join(TIMEOUT)

    def _running(self, name: str | None = None) -> "list[AccountThread]":
        """Return the thread of an account, if it runs; without a name those of all accounts."""
        with self._lock:
            return [thread for each, thread in self._threads.items() if name in (None, each)]

    # ------------------------------------------------------------------------------------ on the
    # background thread

    def _report_end(self, work: Future[None]) -> None:
        error = work.exception()
        if isinstance(error, KnownError):
            self._report(error)
        elif error is not None and not isinstance(error, (CancelledError, BackendClosed)):
            thread = threading.current_thread()
            threading.excepthook(
                threading.ExceptHookArgs((type(error), error, error.__traceback__, thread))
            )

    def _open(self, account: Account, password: str) -> None:
        from nbmail.sync.imap.idle.server_load import ServerLoad
        from nbmail.sync.imap.imap_sync import ImapSync
        from nbmail.sync.local.local_sync import LocalSync

        if password:
            self._keys().give(account, password)
        backend = self._backend.result()
        with self._lock:
            # An account that was added before the engine was open is also in the settings it
            # started with.
            if not self._stopping and account.name not in self._threads:
                self._load = self._load or ServerLoad()
                secret = (
                    self._tokens_of(account)
                    if account.sign_in
                    else partial(self._keys().get, account)
                )
                self._threads[account.name] = thread = (
                    LocalSync(account, backend)
                    if account.path
                    else ImapSync(account, backend, secret, load=self._load)
                )
                thread.start()
        # After the start: the keyring may wait for the user.
        if password:
            self._store(account, password)

    def _tokens_of(self, account: Account) -> "AccessTokens":
        from nbmail.sync.sign_in.access_tokens import AccessTokens
        from nbmail.sync.sign_in.account_sign_in import web_of
        from nbmail.sync.sign_in.grant_stores import KeyringGrants

        key = account.sign_in, account.user
        with self._making_keys:
            if key not in self._tokens:
                store = self._grants.get(account.name) or KeyringGrants(*key, self._report)
                self._tokens[key] = AccessTokens(store, web_of(account))
            return self._tokens[key]

    def _reopen(self, account: Account, password: str) -> None:
        before = self._end(account.name)
        if before is not None:
            if _entry(before) != _entry(account):
                # The same user at the same host keeps the password, whatever the port.
                same = (
                    _mailbox(before) == _mailbox(account)
                    and not before.sign_in
                    and not account.sign_in
                )
                password = password or (self._keys().get(before) if same else "") or ""
                self._forget(before)
            self._forget_locations(before, account)
        self._open(account, password)

    def _forget_locations(self, before: Account, account: Account) -> None:
        """Remove mail of unwatched folders, or of the former mailbox, from the list. Its labels
        stay.
        """
        if _mailbox(before) != _mailbox(account):
            self._backend.result().retain(account.name, (), spam=False)
            return
        changed = (_folders(before), before.spam_folder) != (_folders(account), account.spam_folder)
        # All folders of a local mailbox are watched, none by name.
        if changed and not (account.path and account.folders == ("INBOX",)):
            same_spam = before.spam_folder == account.spam_folder and account.watch_spam
            self._backend.result().retain(account.name, _folders(account), spam=same_spam)

    def _close(self, name: str) -> None:
        account = self._end(name)
        if account is not None:
            self._forget(account)
        self._removed(name)

    def _forget(self, account: Account) -> None:
        if not account.sign_in:
            self._keys().forget(account)
            return
        from nbmail.sync.sign_in.grant_stores import KeyringGrants

        KeyringGrants(account.sign_in, account.user).delete()
        self._tokens.pop((account.sign_in, account.user), None)

    def _end(self, name: str) -> Account | None:
        with self._lock:
            thread = self._threads.pop(name, None)
        if thread is None:
            return None
        thread.stop()
        thread.join(TIMEOUT)
        return thread.account

    def _use_password(self, name: str, password: str) -> None:
        for thread in self._running(name):
            self._keys().give(thread.account, password)
            thread.retry()

    def _store(self, account: Account, password: str) -> None:
        try:
            if not self._keys().keep(account, password):
                self._report(KnownError(ErrorCode.NO_KEYRING))
        except KnownError as error:
            self._report(error)

    def _keys(self) -> "Passwords":
        from nbmail.sync.accounts.passwords import Passwords

        with self._making_keys:
            if self._passwords is None:
                self._passwords = Passwords(known=self._known)
            return self._passwords


def _entry(account: Account) -> tuple[str, str, int]:
    """Return the key of a password or sign-in."""
    return (
        (account.user, account.sign_in, 0)
        if account.sign_in
        else (account.user, account.host, account.port)
    )


def _mailbox(account: Account) -> tuple[str, str, str]:
    """Return the identity of a mailbox, which its port is no part of."""
    return account.host, account.user, account.path


def _folders(account: Account) -> frozenset[str]:
    return frozenset(
        (*account.folders, *account.ham_folders, *account.spam_folders, *account.suggested_folders)
    )
