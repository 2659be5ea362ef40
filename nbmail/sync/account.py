"""The thread of one account: it connects, keeps all watched folders in step, rests, and tries again after trouble."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable

from nbmail.errors import KnownError, Trouble
from nbmail.settings import Account
from nbmail.sync.account_states import Reporter
from nbmail.sync.backoff import Backoff
from nbmail.sync.connection.connecting import PATIENCE_TO_READ
from nbmail.sync.connection.waker import Bell, Stopped
from nbmail.sync.desk import Desk, DeskClosed, Phase
from nbmail.sync.folder_training import Training
from nbmail.sync.imap.account_sync import ImapWork
from nbmail.sync.imap.idle_connections import Lines
from nbmail.sync.local.local_sync import LocalWork
from nbmail.sync.settings.providers import password_page
from nbmail.sync.sync_work import Work

Password = Callable[[], str | None]

# What only the user can mend: trying again by itself would lock accounts and wear out servers.
PERMANENT = {
    Trouble.WRONG_PASSWORD,
    Trouble.NO_PASSWORD,
    Trouble.CERTIFICATE,
    Trouble.NOT_ENCRYPTED,
    Trouble.BAD_INPUT,
}

log = logging.getLogger(__name__)


class AccountThread(threading.Thread):
    """Keeps one account in step until it is stopped. All its methods but `run` may be called from any thread.

    `password` is asked in this thread, at each connection, and may wait; None means that there is none now. A server
    that says nothing for `patience` seconds when it should is taken for gone. Accounts of one run share their `lines`.
    """

    def __init__(
        self,
        account: Account,
        desk: Desk,
        password: Password = lambda: None,
        *,
        clock: Callable[[], float] = time.time,
        backoff: Backoff | None = None,
        patience: float = PATIENCE_TO_READ,
        lines: Lines | None = None,
    ) -> None:
        super().__init__(name=f"account-{account.name}", daemon=True)
        self.account = account
        self.training = Training(account)
        self._bell = Bell()
        self._retry = threading.Event()
        self._backoff = backoff or Backoff(random.Random())
        self._report = Reporter(account.name, desk, clock)
        self._patience = patience
        self._lines = lines or Lines()
        self._work = self._make_work(desk, password)

    def wake(self) -> None:
        """There is something to do: errands, or a change of the training."""
        self._bell.ring()

    def retry(self) -> None:
        """Try again at once: the user mended something."""
        self._retry.set()
        self._bell.ring()

    def stop(self) -> None:
        """End soon: whatever the thread waits for, it waits no longer. `join` for the end."""
        self._bell.stop()

    def run(self) -> None:
        """The life of the account."""
        try:
            while True:
                self._live()
        except (Stopped, DeskClosed):
            self._report.phase(Phase.STOPPED)
        finally:
            self._work.close()
            self._bell.close()

    def _make_work(self, desk: Desk, password: Password) -> Work:
        if self.account.path:
            return LocalWork(self.account, desk, self._bell, report=self._report, training=self.training)
        return ImapWork(
            self.account,
            desk,
            self._bell,
            password=password,
            report=self._report,
            training=self.training,
            patience=self._patience,
            lines=self._lines,
        )

    def _live(self) -> None:
        """One connection, from its opening to its end, and the wait after it."""
        began = time.monotonic()
        try:
            self._connection()
        except KnownError as error:
            trouble = error
        except (Stopped, DeskClosed):
            raise
        except Exception as bug:
            log.exception("account %s", self.account.name)
            trouble = KnownError(Trouble.SERVER_BROKEN, type(bug).__name__)
        self._work.close()
        self._wait_after(trouble, time.monotonic() - began)

    def _connection(self) -> None:
        self._report.phase(Phase.CONNECTING)
        self._work.open()
        while True:
            trouble = self._work.round()
            self._report.phase(Phase.IN_STEP, trouble)
            self._work.rest()

    def _wait_after(self, trouble: KnownError, lifetime: float) -> None:
        self._retry.clear()
        if trouble.trouble in PERMANENT:
            refused = trouble.trouble is Trouble.WRONG_PASSWORD
            self._report.phase(Phase.NEEDS_YOU, trouble, password_page(self.account.host) if refused else "")
            self._wait_for_retry(float("inf"))
        else:
            wait = self._backoff.after(lifetime)
            self._report.offline(trouble, wait)
            self._wait_for_retry(wait)
        if self._retry.is_set():
            self._backoff.forget()

    def _wait_for_retry(self, seconds: float) -> None:
        """Wait for so long or for `retry`; errands alone are no reason to try earlier."""
        deadline = time.monotonic() + seconds
        while not self._retry.is_set() and (left := deadline - time.monotonic()) > 0:
            self._bell.listen(min(left, 3600.0))
            self._bell.quiet()
