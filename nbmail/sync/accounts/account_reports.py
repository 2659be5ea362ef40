"""Reports of an account's state to the engine."""

import time

from nbmail.errors import KnownError
from nbmail.sync.account_backend import AccountBackend
from nbmail.values import AccountState, Phase

# Seconds between two reports of progress.
PROGRESS_EVERY = 0.1


class AccountReports:
    """Reports of one account, for its thread only."""

    def __init__(self, account: str, backend: AccountBackend) -> None:
        self._account = account
        self._backend = backend
        self._progress_at = 0.0

    def phase(
        self, phase: Phase, error: KnownError | None = None, *, page: str = "", wait: float = 0.0
    ) -> None:
        """Report a new phase. `page`: of app passwords. `wait`: seconds until the next attempt."""
        now = time.time()
        state = AccountState(self._account, phase, now, page=page)
        if wait:
            state = state._replace(retry_at=now + wait)
        if error is not None:
            state = state._replace(error_code=error.error_code, detail=error.detail)
        self._backend.report(state)

    def progress(self, folder: str, done: int, total: int, teaches: str) -> None:
        """Report fetched messages, the first and last ones always, others now and then.

        `teaches`: as in `AccountState`.
        """
        now = time.monotonic()
        if 0 < done < total and now - self._progress_at < PROGRESS_EVERY:
            return
        self._progress_at = now
        state = AccountState(
            self._account, Phase.WORKING, time.time(), folder, done, total, teaches=teaches
        )
        self._backend.report(state)
