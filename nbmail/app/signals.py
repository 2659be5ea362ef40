"""Signals that end the program with a window in order."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSocketNotifier


@contextmanager
def handle_signals(end: Callable[[], None]) -> Iterator[None]:
    """Call `end` on the GUI thread on SIGINT and SIGTERM.

    Python runs signal handlers between two Python instructions, and an idle event loop has none. A
    pipe to which Python writes at each signal wakes the loop. Windows has no such pipe; there the
    system ends the program.
    """
    if os.name != "posix":
        yield
        return
    before = {
        number: signal.signal(number, lambda *_: end())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    woken = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    notifier = QSocketNotifier(reading, QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: os.read(reading, 64))
    try:
        yield
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(reading)
        os.close(writing)
