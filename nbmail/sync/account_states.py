"""What an account tells about itself: its states, each with its time, never more than the window can show."""

import time
from collections.abc import Callable

from nbmail.errors import KnownError
from nbmail.sync.desk import Desk
from nbmail.values import AccountState, Phase

# Progress more often than this is noise.
PROGRESS_EVERY = 0.1


class Reporter:
    """Reports the states of one account to the desk."""

    def __init__(self, account: str, desk: Desk, clock: Callable[[], float]) -> None:
        self._account = account
        self._desk = desk
        self._clock = clock
        self._progress_at = 0.0

    def phase(self, phase: Phase, error: KnownError | None = None, *, page: str = "", wait: float = 0.0) -> None:
        """A new phase begins. `page` is where a password for programs is had, `wait` how long until the next try."""
        now, kind, detail = self._clock(), error.trouble if error else "", error.detail if error else ""
        retry_at = now + wait if wait else 0.0
        self._desk.report(
            AccountState(self._account, phase, now, retry_at=retry_at, trouble=kind, detail=detail, page=page)
        )

    def progress(self, folder: str, done: int, total: int, teaches: str = "") -> None:
        """So many of so many messages of a folder; which label it teaches, if any."""
        now = time.monotonic()
        if 0 < done < total and now - self._progress_at < PROGRESS_EVERY:
            return
        self._progress_at = now
        self._desk.report(
            AccountState(self._account, Phase.WORKING, self._clock(), folder, done, total, teaches=teaches)
        )
