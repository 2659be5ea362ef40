"""Faults of ours that nobody caught: written to the log, and shown, on whatever thread they happened."""

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

_log = logging.getLogger(__name__)


@contextmanager
def report_faults(show: Callable[[str], None]) -> Iterator[None]:
    """While this lasts, every fault goes to the log, and its one-line summary to `show`, on whatever thread it was.

    Those who started the program from a terminal see it there, too.
    """
    before = sys.excepthook, threading.excepthook

    def report(kind: type[BaseException], error: BaseException | None, stack: TracebackType | None, where: str) -> None:
        _log.critical("a fault of ours in %s", where, exc_info=(kind, error or kind(), stack))
        show(f"{kind.__name__}: {error}")

    def of_main(kind: type[BaseException], error: BaseException, stack: TracebackType | None) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            report(kind, error, stack, "the window")
        before[0](kind, error, stack)

    def of_thread(fault: Any) -> None:
        report(fault.exc_type, fault.exc_value, fault.exc_traceback, fault.thread.name if fault.thread else "a thread")
        before[1](fault)

    sys.excepthook, threading.excepthook = of_main, of_thread
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before
