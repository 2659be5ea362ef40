"""Thread that synchronizes one account."""

import logging
import random
import threading
import time
from abc import ABC, abstractmethod

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend, BackendClosed
from nbmail.sync.accounts.account_reports import AccountReports
from nbmail.sync.accounts.folder_training import FolderTraining
from nbmail.sync.discovery.providers import password_page
from nbmail.sync.folder_sync import FIRST_SLICE, FolderSync
from nbmail.sync.sent_mail import SentDelivery
from nbmail.sync.wake_signal import Stopped, WakeSignal
from nbmail.values import FolderName, Phase

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
# A connection that lasted this long, or delivered mail, worked: failures are counted anew.
WORKING_SECONDS = 120.0
FOLDER = "folder"

log = logging.getLogger(__name__)


class AccountThread(threading.Thread, ABC):
    """Thread that synchronizes one account: `open`, then `sync` and `wait` in turn, then `close`.

    `wake`, `retry` and `stop` are thread-safe. `waits`: seconds before the first attempt to
    reconnect, and at most. They double with each failure, with a jitter of ±50 %.
    """

    waits = 1.0, 300.0

    def __init__(self, account: Account, backend: AccountBackend) -> None:
        super().__init__(name=f"account-{account.name}", daemon=True)
        self.account = account
        self._backend = backend
        self.wake_signal = WakeSignal()
        self.training = FolderTraining(account)
        self._retry = threading.Event()
        self._failures = 0
        self._syncs: dict[str, FolderSync] = {}
        # Folders that are only suggested for moves.
        self._suggested: list[str] = []
        self._reports = AccountReports(account.name, backend)
        self._sent_delivery = SentDelivery(
            account, backend, self.wake_signal.check, self._report_progress
        )

    @abstractmethod
    def open(self) -> None:
        """Connect."""

    @abstractmethod
    def sync(self) -> KnownError | None:
        """Run server actions and synchronize all watched folders.

        Return a problem that the user must see but that stops nothing.
        """

    @abstractmethod
    def wait(self) -> None:
        """Wait until there is a reason for another `sync`."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections. May be called at any time, also twice."""

    @abstractmethod
    def _yield_turn(self, name: str) -> None:
        """Run server actions while a folder is fetched. Raise `Interrupted` to end the fetch."""

    def wake(self) -> None:
        self.wake_signal.wake()

    def retry(self) -> None:
        """Reconnect now instead of waiting."""
        self._retry.set()
        self.wake_signal.wake()

    def stop(self) -> None:
        """End all waits of the thread and then the thread. Returns at once; use `join` to wait."""
        self.wake_signal.stop()

    def run(self) -> None:
        try:
            self._backend.trust(self.account.name, self.account.named_servers)
            while True:
                self._run_connection()
        except (Stopped, BackendClosed):
            self._reports.phase(Phase.STOPPED)
        finally:
            self.close()
            self.wake_signal.close()

    def _run_connection(self) -> None:
        started = time.monotonic()
        fetched_before = self._fetched_count()
        try:
            self._retry.clear()
            self._reports.phase(Phase.CONNECTING)
            self.open()
            while True:
                # A later request, until this attempt has failed, counts for the next attempt.
                self._retry.clear()
                self._reports.phase(Phase.SYNCED, self.sync())
                self.wait()
        except KnownError as known:
            error = known
        except (Stopped, BackendClosed):
            raise
        except Exception as bug:
            log.exception("account %s", self.account.name)
            error = KnownError(ErrorCode.SERVER_BROKEN, type(bug).__name__)
        self.close()

        lasted = time.monotonic() - started >= WORKING_SECONDS
        if lasted or self._fetched_count() > fetched_before:
            # A connection that worked isn't a failure, even if it broke.
            self._failures = 0
        if error.error_code in PERMANENT:
            self._report_permanent(error)
            self._wait_for_retry(float("inf"))
        else:
            wait = self._next_wait()
            self._reports.phase(Phase.OFFLINE, error, wait=wait)
            self._wait_for_retry(wait)

    def _report_permanent(self, error: KnownError) -> None:
        page = ""
        if error.error_code is ErrorCode.WRONG_PASSWORD:
            page = password_page(self.account.host)
        self._reports.phase(Phase.NEEDS_YOU, error, page=page)

    def _next_wait(self) -> float:
        """Count a failure and return the seconds until the next attempt."""
        first, longest = self.waits
        wait = min(longest, first * 2.0 ** min(self._failures, 30))
        self._failures += 1
        return wait * random.uniform(0.5, 1.5)

    def _wait_for_retry(self, seconds: float) -> None:
        """Wait for the next attempt, or until `retry`. Pending actions don't end the wait."""
        deadline = time.monotonic() + seconds
        while not self._retry.is_set() and (left := deadline - time.monotonic()) > 0:
            self.wake_signal.wait_for_wake(min(left, 3600.0))
            self.wake_signal.was_woken()
        if self._retry.is_set():
            self._failures = 0

    def _fetched_count(self) -> int:
        return sum(sync.fetched_count for sync in self._syncs.values())

    def _report_progress(self, name: str, done: int, total: int) -> None:
        # Everyday mail needs no progress.
        if total <= FIRST_SLICE:
            return
        teaches = self.training.label(name)
        if not teaches and name in self._suggested:
            teaches = FOLDER
        self._reports.progress(name, done, total, teaches)

    def _folder_sync(self, name: str, special: str) -> FolderSync:
        sync = self._syncs.get(name)
        if sync is None:
            folder = FolderName(self.account.name, name)
            sync = FolderSync(self._backend, folder, self._report_progress, self._yield_turn)
            self._syncs[name] = sync
        sync.role = self.training.label(name)
        sync.special = special
        return sync
