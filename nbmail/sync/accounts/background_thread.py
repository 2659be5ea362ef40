"""Background thread for blocking work."""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor

from nbmail.errors import KnownError
from nbmail.sync.account_backend import BackendClosed


class BackgroundThread:
    """One thread that runs work in order. `report` is called there with expected errors."""

    def __init__(self, name: str, report: Callable[[KnownError], None]) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._report = report

    def run(self, work: Callable[..., None], *arguments: object) -> None:
        """Run `work` on the thread and report its errors. Return at once."""
        self._executor.submit(work, *arguments).add_done_callback(self._report_end)

    def finish(self) -> None:
        """Wait for all work, and accept no more."""
        self._executor.shutdown(wait=True)

    def _report_end(self, work: Future[None]) -> None:
        error = work.exception()
        if isinstance(error, KnownError):
            self._report(error)
        elif error is not None and not isinstance(error, (CancelledError, BackendClosed)):
            details = (type(error), error, error.__traceback__, threading.current_thread())
            threading.excepthook(threading.ExceptHookArgs(details))
