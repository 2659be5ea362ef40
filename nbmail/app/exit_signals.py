"""Ctrl+C in the terminal and a polite end from the system: the window closes as if the user had closed it."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSocketNotifier


@contextmanager
def heed_signals(leave: Callable[[], None]) -> Iterator[None]:
    """While this lasts, interrupt and termination call `leave` on the GUI thread.

    Python runs signal handlers between two of its own instructions, of which an idle event loop has none: a pipe that
    Python writes to at each signal wakes it. Windows has no such pipe; there the system ends the program.
    """
    if os.name != "posix":
        yield
        return
    before = {number: signal.signal(number, lambda *_: leave()) for number in (signal.SIGINT, signal.SIGTERM)}
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
