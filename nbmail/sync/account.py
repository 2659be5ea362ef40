"""Thread of one account: connect, synchronize all watched folders, wait, and reconnect after errors."""

import logging
import random
import threading
import time
from collections.abc import Callable

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend, BackendClosed
from nbmail.sync.account_sync import AccountSync
from nbmail.sync.imap.imap_folder import ServerLoad
from nbmail.sync.imap.imap_socket import Stopped
from nbmail.sync.imap.imap_sync import ImapSync
from nbmail.sync.imap.login import READ_TIMEOUT
from nbmail.sync.local.local_sync import LocalSync
from nbmail.sync.providers import password_page
from nbmail.values import Phase

Password = Callable[[], str | None]

# Only the user can fix these: automatic attempts would lock accounts and burden servers.
PERMANENT = {
    ErrorCode.WRONG_PASSWORD,
    ErrorCode.NO_PASSWORD,
    ErrorCode.SIGN_IN_AGAIN,
    ErrorCode.SIGN_IN_FAILED,
    ErrorCode.WRONG_SCOPE,
    ErrorCode.CERTIFICATE,
    ErrorCode.NOT_ENCRYPTED,
    ErrorCode.BAD_INPUT,
}

# A connection that lasted this long, or delivered mail, worked: the next failure starts a new series.
WORKING_SECONDS = 120.0

log = logging.getLogger(__name__)


class Backoff:
    """Exponential backoff from `first` to `longest` seconds, with a jitter of ±50 %."""

    def __init__(self, chance: random.Random, first: float = 1.0, longest: float = 300.0) -> None:
        self._chance = chance
        self._first = first
        self._longest = longest
        self._tries = 0

    def after(self, *, worked: bool) -> float:
        """Return the delay after a connection. One that worked isn't a failure, even if it broke."""
        if worked:
            self._tries = 0
        wait = min(self._longest, self._first * 2.0 ** min(self._tries, 30))
        self._tries += 1
        return float(wait * self._chance.uniform(0.5, 1.5))

    def reset(self) -> None:
        """Start again with `first`, because the user requested an attempt."""
        self._tries = 0


class AccountThread(threading.Thread):
    """Thread that synchronizes one account until it is stopped. All methods except `run` are thread-safe.

    `password` is called in this thread at each connection and may block; None if there is no password now. After
    `timeout` seconds without an expected answer the server counts as gone. The accounts of a run share `load`.
    """

    def __init__(
        self,
        account: Account,
        backend: AccountBackend,
        password: Password = lambda: None,
        *,
        clock: Callable[[], float] = time.time,
        backoff: Backoff | None = None,
        timeout: float = READ_TIMEOUT,
        load: ServerLoad | None = None,
    ) -> None:
        super().__init__(name=f"account-{account.name}", daemon=True)
        self.account, self._backend = account, backend
        self._retry = threading.Event()
        self._backoff = backoff or Backoff(random.Random())
        self._sync: AccountSync = (
            LocalSync(account, backend, clock)
            if account.path
            else ImapSync(account, backend, clock, password=password, timeout=timeout, load=load or ServerLoad())
        )
        self.training, self._wake_signal = self._sync.training, self._sync.wake_signal

    def wake(self) -> None:
        """Wake the thread because of pending actions or a change of the training."""
        self._wake_signal.wake()

    def retry(self) -> None:
        """Reconnect now instead of waiting."""
        self._retry.set()
        self._wake_signal.wake()

    def stop(self) -> None:
        """End all waits of the thread and then the thread. Returns at once; use `join` to wait."""
        self._wake_signal.stop()

    def run(self) -> None:
        try:
            self._backend.trust(self.account.name, self.account.named_servers)
            while True:
                self._run_connection()
        except (Stopped, BackendClosed):
            self._sync.report(Phase.STOPPED)
        finally:
            self._sync.close()
            self._wake_signal.close()

    def _run_connection(self) -> None:
        """Connect, synchronize until an error, and wait for the next attempt."""
        started, fetched_before = time.monotonic(), self._sync.fetched_count
        try:
            self._sync_until_error()
        except KnownError as known:
            error = known
        except (Stopped, BackendClosed):
            raise
        except Exception as bug:
            log.exception("account %s", self.account.name)
            error = KnownError(ErrorCode.SERVER_BROKEN, type(bug).__name__)
        self._sync.close()
        lasted = time.monotonic() - started >= WORKING_SECONDS
        self._wait_after(error, worked=lasted or self._sync.fetched_count > fetched_before)

    def _sync_until_error(self) -> None:
        self._retry.clear()
        self._sync.report(Phase.CONNECTING)
        self._sync.open()
        while True:
            # A later request, until this attempt has failed, counts for the next attempt.
            self._retry.clear()
            problem = self._sync.sync()
            self._sync.report(Phase.SYNCED, problem)
            self._sync.wait()

    def _wait_after(self, error: KnownError, *, worked: bool) -> None:
        if error.error_code in PERMANENT:
            refused = error.error_code is ErrorCode.WRONG_PASSWORD
            self._sync.report(Phase.NEEDS_YOU, error, page=password_page(self.account.host) if refused else "")
            self._wait_for_retry(float("inf"))
        else:
            wait = self._backoff.after(worked=worked)
            self._sync.report(Phase.OFFLINE, error, wait=wait)
            self._wait_for_retry(wait)
        if self._retry.is_set():
            self._backoff.reset()

    def _wait_for_retry(self, seconds: float) -> None:
        """Wait for `seconds` or until `retry`. Pending actions don't end the wait."""
        deadline = time.monotonic() + seconds
        while not self._retry.is_set() and (left := deadline - time.monotonic()) > 0:
            self._wake_signal.wait_for_wake(min(left, 3600.0))
            self._wake_signal.was_woken()
