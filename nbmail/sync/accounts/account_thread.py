"""Thread that synchronizes one account."""

import logging
import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable

from nbmail.core.senders.people import read_sent
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.account_backend import AccountBackend, BackendClosed, SentMail
from nbmail.sync.accounts.folder_training import FolderTraining
from nbmail.sync.discovery.providers import password_page
from nbmail.sync.folder_sync import FIRST_SLICE, FolderSync
from nbmail.sync.wake_signal import Stopped, WakeSignal
from nbmail.values import AccountState, FolderName, Phase

# Sent messages whose headers are read at once, and at most: more would delay all other mail by
# minutes.
SENT_BATCH = 500
MOST_SENT = 100_000
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
# A connection that lasted this long, or delivered mail, worked: the next failure starts a new
# series.
WORKING_SECONDS = 120.0
# Seconds between progress reports.
PROGRESS_EVERY = 0.1
FOLDER = "folder"

log = logging.getLogger(__name__)


class AccountThread(threading.Thread, ABC):
    """Thread that synchronizes one account until it is stopped: `open`, then `sync` and `wait` in
    turn, then `close`.

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
        self._progress_at = 0.0

    @abstractmethod
    def open(self) -> None:
        """Connect."""

    @abstractmethod
    def sync(self) -> KnownError | None:
        """Run server actions and synchronize all watched folders. Returns a problem to show that
        stops nothing.
        """

    @abstractmethod
    def wait(self) -> None:
        """Wait until there is a reason for another `sync`."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections. May be called at any time, also twice."""

    @abstractmethod
    def _yield_turn(self, name: str) -> None:
        """Run server actions while a folder is fetched. Raises `Interrupted` if the fetch must
        end.
        """

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
            self._report(Phase.STOPPED)
        finally:
            self.close()
            self.wake_signal.close()

    def _run_connection(self) -> None:
        started = time.monotonic()
        fetched_before = self._fetched_count()
        try:
            self._retry.clear()
            self._report(Phase.CONNECTING)
            self.open()
            while True:
                # A later request, until this attempt has failed, counts for the next attempt.
                self._retry.clear()
                self._report(Phase.SYNCED, self.sync())
                self.wait()
        except KnownError as known:
            error = known
        except (Stopped, BackendClosed):
            raise
        except Exception as bug:
            log.exception("account %s", self.account.name)
            error = KnownError(ErrorCode.SERVER_BROKEN, type(bug).__name__)
        self.close()
        if time.monotonic() - started >= WORKING_SECONDS or self._fetched_count() > fetched_before:
            # A connection that worked isn't a failure, even if it broke.
            self._failures = 0
        self._wait_after(error)

    def _wait_after(self, error: KnownError) -> None:
        """Wait for the next attempt, or until `retry`. Pending actions don't end the wait."""
        if error.error_code in PERMANENT:
            wait = float("inf")
            refused = error.error_code is ErrorCode.WRONG_PASSWORD
            self._report(
                Phase.NEEDS_YOU, error, page=password_page(self.account.host) if refused else ""
            )
        else:
            first, longest = self.waits
            wait = min(longest, first * 2.0 ** min(self._failures, 30)) * random.uniform(0.5, 1.5)
            self._failures += 1
            self._report(Phase.OFFLINE, error, wait=wait)
        deadline = time.monotonic() + wait
        while not self._retry.is_set() and (left := deadline - time.monotonic()) > 0:
            self.wake_signal.wait_for_wake(min(left, 3600.0))
            self.wake_signal.was_woken()
        if self._retry.is_set():
            self._failures = 0

    def _fetched_count(self) -> int:
        return sum(sync.fetched_count for sync in self._syncs.values())

    def _report(
        self, phase: Phase, error: KnownError | None = None, *, page: str = "", wait: float = 0.0
    ) -> None:
        """Report a new phase. `page`: page of app passwords; `wait`: seconds until the next
        attempt.
        """
        now = time.time()
        code = error.error_code if error else ""
        detail = error.detail if error else ""
        retry_at = now + wait if wait else 0.0
        self._backend.report(
            AccountState(
                self.account.name,
                phase,
                now,
                retry_at=retry_at,
                error_code=code,
                detail=detail,
                page=page,
            )
        )

    def _report_progress(self, name: str, done: int, total: int) -> None:
        now = time.monotonic()
        teaches = self.training.label(name) or (FOLDER if name in self._suggested else "")
        if total <= FIRST_SLICE or (0 < done < total and now - self._progress_at < PROGRESS_EVERY):
            return
        self._progress_at = now
        state = AccountState(
            self.account.name, Phase.WORKING, time.time(), name, done, total, teaches=teaches
        )
        self._backend.report(state)

    def _folder_sync(self, name: str, special: str) -> FolderSync:
        if name not in self._syncs:
            folder = FolderName(self.account.name, name)
            self._syncs[name] = FolderSync(
                self._backend, folder, self._report_progress, self._yield_turn
            )
        self._syncs[name].role = self.training.label(name)
        self._syncs[name].special = special
        return self._syncs[name]

    def _store_sent(
        self, name: str, validity: int, batches: Iterable[tuple[int, list[bytes]]], total: int
    ) -> None:
        """Deliver the recipients of a folder of sent mail. `batches`: headers, with the last UID of
        each batch.
        """
        folder = FolderName(self.account.name, name)
        done = 0
        upto = self._backend.sent_upto(folder, validity)
        own = tuple(each.lower() for each in {self.account.user, self.account.name} if "@" in each)
        for upto, heads in batches:
            self.wake_signal.check()
            self._backend.take_sent(
                SentMail(folder, validity, upto, tuple(map(read_sent, heads)), own)
            )
            done += len(heads)
            self._report_progress(name, done, total)
        self._backend.take_sent(SentMail(folder, validity, upto, (), own, complete=True))
