"""Reports of uncaught exceptions of any thread."""

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

_log = logging.getLogger(__name__)


@contextmanager
def report_bugs(show: Callable[[str], None]) -> Iterator[None]:
    """Log and print each uncaught exception of any thread, and call `show` with its summary."""
    before = sys.excepthook, threading.excepthook

    def report(
        kind: type[BaseException],
        error: BaseException | None,
        stack: TracebackType | None,
        where: str,
    ) -> None:
        _log.critical("uncaught exception in %s", where, exc_info=(kind, error or kind(), stack))
        show(f"{kind.__name__}: {error}")

    def of_main(
        kind: type[BaseException], error: BaseException, stack: TracebackType | None
    ) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            report(kind, error, stack, "the window")
        before[0](kind, error, stack)

    def of_thread(bug: threading.ExceptHookArgs) -> None:
        report(
            bug.exc_type,
            bug.exc_value,
            bug.exc_traceback,
            bug.thread.name if bug.thread else "a thread",
        )
        before[1](bug)

    sys.excepthook = of_main
    threading.excepthook = of_thread
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before
