"""Signal that ends the waits of an account's thread."""

from __future__ import annotations

import selectors
import socket


class Stopped(Exception):
    """The account thread was stopped while it waited."""


class WakeSignal:
    """Wake-up and stop signal. Any thread may send it; one account thread waits for it.

    Two socket pairs, because a `threading.Event` can't be waited for together with the server's
    socket. Stop has its own pair, so that a pending wake-up can neither hide it nor turn waiting
    into a busy loop.
    """

    def __init__(self) -> None:
        self._wake_receiver, self._wake_sender = socket.socketpair()
        self._stop_receiver, self._stop_sender = socket.socketpair()
        self._sockets = (
            self._wake_receiver,
            self._wake_sender,
            self._stop_receiver,
            self._stop_sender,
        )
        for each in self._sockets:
            each.setblocking(False)
        self._stopping = False

    def wake(self) -> None:
        """End the current `wait_for_wake`, or the next one."""
        _send_byte(self._wake_sender)

    def stop(self) -> None:
        """Make the current wait and all later ones raise `Stopped`."""
        self._stopping = True
        _send_byte(self._stop_sender)

    def check(self) -> None:
        """Raise `Stopped` after `stop`."""
        if self._stopping:
            raise Stopped

    def wait_for_wake(self, seconds: float, *lines: socket.socket) -> bool:
        """Wait for `wake` or for data from one of the sockets. False after `seconds`."""
        return self.wait(seconds, *lines, wakes=True)

    def wait(
        self, seconds: float, *lines: socket.socket, writing: bool = False, wakes: bool = False
    ) -> bool:
        """Wait for one of the sockets, ignoring `wake`. False after `seconds`."""
        self.check()
        with selectors.DefaultSelector() as selector:
            selector.register(self._stop_receiver, selectors.EVENT_READ)
            if wakes:
                selector.register(self._wake_receiver, selectors.EVENT_READ)
            for line in lines:
                selector.register(line, selectors.EVENT_WRITE if writing else selectors.EVENT_READ)
            ready = selector.select(max(0.0, seconds))
        self.check()
        return bool(ready)

    def was_woken(self) -> bool:
        """True if `wake` was called since the last call of this method."""
        woken = False
        while True:
            try:
                woken = bool(self._wake_receiver.recv(4096)) or woken
            except BlockingIOError:
                return woken

    def close(self) -> None:
        for each in self._sockets:
            each.close()


def _send_byte(sender: socket.socket) -> None:
    try:
        sender.send(b"!")
    except OSError:  # Full: a wake-up is pending. Closed: the account thread has ended.
        return
