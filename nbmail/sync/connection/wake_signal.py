"""How another thread reaches an account that waits: sockets that end its waits, for news or for good."""

import selectors
import socket
from collections.abc import Iterable


class Stopped(Exception):
    """The account was asked to stop while it waited."""


class WakeSignal:
    """Called from any thread, noticed by the one account thread in whatever it waits for.

    Sockets and not a threading.Event, because only those can be waited for together with the server's. The end
    has a pair of its own, so that a call to wake which is left for later neither hides it nor keeps a wait spinning.
    """

    def __init__(self) -> None:
        self._woken, self._wake = socket.socketpair()
        self._stopped, self._stop = socket.socketpair()
        for each in (self._woken, self._wake, self._stopped, self._stop):
            each.setblocking(False)
        self._stopping = False

    def wake(self) -> None:
        """Wake the account where it listens; elsewhere it wakes as soon as it listens again."""
        _touch(self._wake)

    def stop(self) -> None:
        """Make every wait, the present one too, end in `Stopped`."""
        self._stopping = True
        _touch(self._stop)

    def check(self) -> None:
        if self._stopping:
            raise Stopped

    def wait(self, seconds: float, line: socket.socket | None = None, *, writing: bool = False) -> bool:
        """Wait for the socket alone, at most so long: whether it is ready."""
        return self._wait(seconds, () if line is None else (line,), writing=writing, wakes=False)

    def listen(self, seconds: float, *lines: socket.socket) -> bool:
        """Wait for one of the sockets to have something to read, or for `wake`: whether any came in time."""
        return self._wait(seconds, lines, writing=False, wakes=True)

    def _wait(self, seconds: float, lines: Iterable[socket.socket], *, writing: bool, wakes: bool) -> bool:
        self.check()
        with selectors.DefaultSelector() as selector:
            selector.register(self._stopped, selectors.EVENT_READ)
            if wakes:
                selector.register(self._woken, selectors.EVENT_READ)
            for line in lines:
                selector.register(line, selectors.EVENT_WRITE if writing else selectors.EVENT_READ)
            ready = selector.select(max(0.0, seconds))
        self.check()
        return bool(ready)

    def woken(self) -> bool:
        """Whether it was woken since this was asked last."""
        woken = False
        while True:
            try:
                woken = bool(self._woken.recv(4096)) or woken
            except BlockingIOError:
                return woken

    def close(self) -> None:
        for each in (self._woken, self._wake, self._stopped, self._stop):
            each.close()


def _touch(button: socket.socket) -> None:
    try:
        button.send(b"!")
    except OSError:  # Full: it was woken already. Closed: nobody is left to wake.
        return
