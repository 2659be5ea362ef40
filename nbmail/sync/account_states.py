"""What an account tells about itself: its states, each with its time, never more than the window can show."""

from __future__ import annotations

import time
from collections.abc import Callable

from nbmail.errors import KnownError
from nbmail.sync.desk import AccountState, Desk, Phase

# Progress more often than this is noise.
PROGRESS_EVERY = 0.1


class Reporter:
    """Reports the states of one account to the desk."""

    def __init__(self, account: str, desk: Desk, clock: Callable[[], float]) -> None:
        self._account = account
        self._desk = desk
        self._clock = clock
        self._progress_at = 0.0

    def phase(self, phase: Phase, trouble: KnownError | None = None, page: str = "") -> None:
        """A new phase begins. `page` is where a password for programs is had."""
        kind, detail = (trouble.trouble, trouble.detail) if trouble is not None else ("", "")
        state = AccountState(self._account, phase, self._clock(), trouble=kind, detail=detail, page=page)
        self._desk.report(state)

    def offline(self, trouble: KnownError, wait: float) -> None:
        """No connection, and when the next try is."""
        now = self._clock()
        state = AccountState(
            self._account, Phase.OFFLINE, now, retry_at=now + wait, trouble=trouble.trouble, detail=trouble.detail
        )
        self._desk.report(state)

    def progress(self, folder: str, done: int, total: int, teaches: str = "") -> None:
        """So many of so many messages of a folder; which label it teaches, if any."""
        now = time.monotonic()
        if 0 < done < total and now - self._progress_at < PROGRESS_EVERY:
            return
        self._progress_at = now
        self._desk.report(
            AccountState(
                self._account, Phase.WORKING, self._clock(), folder=folder, done=done, total=total, teaches=teaches
            )
        )
