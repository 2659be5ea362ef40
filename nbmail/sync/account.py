"""The thread of one account: it connects, keeps all watched folders in step, rests, and tries again after trouble."""

import logging
import random
import threading
import time
from collections.abc import Callable

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend, BackendClosed
from nbmail.sync.account_sync import AccountSync
from nbmail.sync.connection.connecting import PATIENCE_TO_READ
from nbmail.sync.connection.wake_signal import Stopped
from nbmail.sync.imap.idle import ServerLoad
from nbmail.sync.imap.imap_sync import ImapSync
from nbmail.sync.local.local_sync import LocalSync
from nbmail.sync.settings.providers import password_page
from nbmail.values import Phase

Password = Callable[[], str | None]

# What only the user can mend: trying again by itself would lock accounts and wear out servers.
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

# A connection that lived this long, or brought mail, was a good one, and the next failure is a new story.
GOOD_LIFE = 120.0

log = logging.getLogger(__name__)


class Backoff:
    """Doubles from `first` to `longest` seconds, each with up to a half more or less by chance."""

    def __init__(self, chance: random.Random, first: float = 1.0, longest: float = 300.0) -> None:
        self._chance = chance
        self._first = first
        self._longest = longest
        self._tries = 0

    def after(self, *, good: bool) -> float:
        """The wait after a connection; a good one is no failure, though it broke."""
        if good:
            self._tries = 0
        wait = min(self._longest, self._first * 2.0 ** min(self._tries, 30))
        self._tries += 1
        return float(wait * self._chance.uniform(0.5, 1.5))

    def forget(self) -> None:
        """Start anew: the user asked to try again."""
        self._tries = 0


class AccountThread(threading.Thread):
    """Keeps one account in step until it is stopped. All its methods but `run` may be called from any thread.

    `password` is asked in this thread, at each connection, and may wait; None means that there is none now. A server
    that says nothing for `patience` seconds when it should is taken for gone. Accounts of one run share their `load`.
    """

    def __init__(
        self,
        account: Account,
        backend: AccountBackend,
        password: Password = lambda: None,
        *,
        clock: Callable[[], float] = time.time,
        backoff: Backoff | None = None,
        patience: float = PATIENCE_TO_READ,
        load: ServerLoad | None = None,
    ) -> None:
        super().__init__(name=f"account-{account.name}", daemon=True)
        self.account = account
        self._retry = threading.Event()
        self._backoff = backoff or Backoff(random.Random())
        self._sync: AccountSync = (
            LocalSync(account, backend, clock)
            if account.path
            else ImapSync(account, backend, clock, password=password, patience=patience, load=load or ServerLoad())
        )
        self.training, self._wake_signal = self._sync.training, self._sync.wake_signal

    def wake(self) -> None:
        """There is something to do: errands, or a change of the training."""
        self._wake_signal.wake()

    def retry(self) -> None:
        self._retry.set()
        self._wake_signal.wake()

    def stop(self) -> None:
        """End soon: whatever the thread waits for, it waits no longer. `join` for the end."""
        self._wake_signal.stop()

    def run(self) -> None:
        """The life of the account."""
        try:
            while True:
                self._live()
        except (Stopped, BackendClosed):
            self._sync.report(Phase.STOPPED)
        finally:
            self._sync.close()
            self._wake_signal.close()

    def _live(self) -> None:
        """One connection, from its opening to its end, and the wait after it."""
        began, brought = time.monotonic(), self._sync.brought
        try:
            self._connection()
        except KnownError as error:
            error_code = error
        except (Stopped, BackendClosed):
            raise
        except Exception as bug:
            log.exception("account %s", self.account.name)
            error_code = KnownError(ErrorCode.SERVER_BROKEN, type(bug).__name__)
        self._sync.close()
        self._wait_after(error_code, good=time.monotonic() - began >= GOOD_LIFE or self._sync.brought > brought)

    def _connection(self) -> None:
        self._retry.clear()
        self._sync.report(Phase.CONNECTING)
        self._sync.open()
        while True:
            # A wish that comes later, until this attempt has failed, is one for another attempt.
            self._retry.clear()
            error_code = self._sync.round()
            self._sync.report(Phase.SYNCED, error_code)
            self._sync.rest()

    def _wait_after(self, error_code: KnownError, *, good: bool) -> None:
        if error_code.error_code in PERMANENT:
            refused = error_code.error_code is ErrorCode.WRONG_PASSWORD
            self._sync.report(Phase.NEEDS_YOU, error_code, page=password_page(self.account.host) if refused else "")
            self._wait_for_retry(float("inf"))
        else:
            wait = self._backoff.after(good=good)
            self._sync.report(Phase.OFFLINE, error_code, wait=wait)
            self._wait_for_retry(wait)
        if self._retry.is_set():
            self._backoff.forget()

    def _wait_for_retry(self, seconds: float) -> None:
        """Wait for so long or for `retry`; errands alone are no reason to try earlier."""
        deadline = time.monotonic() + seconds
        while not self._retry.is_set() and (left := deadline - time.monotonic()) > 0:
            self._wake_signal.listen(min(left, 3600.0))
            self._wake_signal.woken()
