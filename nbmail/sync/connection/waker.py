"""How another thread reaches an account that sleeps: sockets that end its waits, for news or for good."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Iterable


class Stopped(Exception):
    """The account was asked to stop while it waited."""


class Bell:
    """Rung from any thread, heard by the one account thread in whatever it waits for.

    Sockets and not a threading.Event, because only those can be waited for together with the server's. The end
    has a pair of its own, so that a ring which is left for later neither hides it nor keeps a wait spinning.
    """

    def __init__(self) -> None:
        self._ear, self._button = socket.socketpair()
        self._end, self._lever = socket.socketpair()
        for each in (self._ear, self._button, self._end, self._lever):
            each.setblocking(False)
        self._stopping = False

    def ring(self) -> None:
        """Wake the account where it listens; elsewhere it hears the ring as soon as it listens again."""
        _touch(self._button)

    def stop(self) -> None:
        """Make every wait, the present one too, end in `Stopped`."""
        self._stopping = True
        _touch(self._lever)

    def check(self) -> None:
        """Raise `Stopped` if the end was asked for."""
        if self._stopping:
            raise Stopped

    def wait(self, seconds: float, line: socket.socket | None = None, *, writing: bool = False) -> bool:
        """Wait for the socket alone, at most so long: whether it is ready."""
        return self._wait(seconds, () if line is None else (line,), writing=writing, heard=False)

    def listen(self, seconds: float, *lines: socket.socket) -> bool:
        """Wait for one of the sockets to have something to read, or for a ring: whether any came in time."""
        return self._wait(seconds, lines, writing=False, heard=True)

    def _wait(self, seconds: float, lines: Iterable[socket.socket], *, writing: bool, heard: bool) -> bool:
        self.check()
        with selectors.DefaultSelector() as selector:
            selector.register(self._end, selectors.EVENT_READ)
            if heard:
                selector.register(self._ear, selectors.EVENT_READ)
            for line in lines:
                selector.register(line, selectors.EVENT_WRITE if writing else selectors.EVENT_READ)
            ready = selector.select(max(0.0, seconds))
        self.check()
        return bool(ready)

    def quiet(self) -> bool:
        """Take note of all rings so far: whether there were any."""
        rung = False
        while True:
            try:
                rung = bool(self._ear.recv(4096)) or rung
            except BlockingIOError:
                return rung

    def close(self) -> None:
        """Give the sockets back."""
        for each in (self._ear, self._button, self._end, self._lever):
            each.close()


def _touch(button: socket.socket) -> None:
    try:
        button.send(b"!")
    except OSError:  # Full: it rings already. Closed: nobody is left to hear it.
        return
