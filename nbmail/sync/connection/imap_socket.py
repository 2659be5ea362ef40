"""The line to the server: bytes in and out, with a limit on everything that a server could make endless."""

from __future__ import annotations

import errno
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from nbmail.errors import KnownError, Trouble
from nbmail.sync.connection.waker import Bell

# One answer to a search may name every message on one line: a million of them take eight megabytes.
LONGEST_LINE = 16_000_000
PIECE = 262_144

Result = TypeVar("Result")


class Wire:
    """A connected socket, read by lines and counted bytes.

    Never blocks in the system: it waits through the bell, so that the end of the account ends every wait. A server
    that says nothing for `patience` seconds is taken for gone; one that ended the line itself has `hung_up`.
    """

    def __init__(self, line: socket.socket, bell: Bell, patience: float) -> None:
        line.setblocking(False)
        self.socket = line
        self.patience = patience
        self.hung_up = False
        self._bell = bell
        self._buffer = bytearray()
        self._at = 0

    def encrypt(self, context: ssl.SSLContext, host: str) -> None:
        """Speak TLS from here on. Whatever came before the handshake is thrown away: anyone could have put it there."""
        self._buffer.clear()
        self._at = 0
        try:
            wrapped = context.wrap_socket(self.socket, server_hostname=host, do_handshake_on_connect=False)
        except OSError as error:
            raise self._gone(error) from error
        self.socket = wrapped
        self._patiently(wrapped.do_handshake)

    def readline(self) -> bytes:
        """One line without its end."""
        searched = self._at
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer) - self._at
            self._check_length()
            self._receive()
        line = bytes(memoryview(self._buffer)[self._at : end])
        self._at = end + 1
        return line.removesuffix(b"\r")

    def read(self, size: int) -> bytes:
        """Exactly so many bytes."""
        while len(self._buffer) - self._at < size:
            self._receive()
        piece = bytes(memoryview(self._buffer)[self._at : self._at + size])
        self._at += size
        return piece

    def skip(self, size: int) -> None:
        """Let so many bytes pass without keeping them."""
        while size > 0:
            if self._at == len(self._buffer):
                self._receive()
            step = min(size, len(self._buffer) - self._at)
            self._at += step
            size -= step

    def holds_line(self) -> bool:
        """Whether a whole line can be read without waiting; takes in what has come so far."""
        while self._buffer.find(b"\n", self._at) < 0:
            self._check_length()
            if not self._take():
                return False
        return True

    def send(self, data: bytes) -> None:
        """All of it."""
        view = memoryview(data)
        while view:
            view = view[self._patiently(partial(self.socket.send, view), writing=True) :]

    def listen(self, seconds: float, *beside: socket.socket) -> bool:
        """Wait for a line of the server, a ring or one of the sockets beside: whether any came in time."""
        return self.holds_line() or self._bell.listen(seconds, self.socket, *beside)

    def close(self, farewell: bytes = b"") -> None:
        """Hang up, with a last word if that takes no wait."""
        with suppress(OSError), self.socket:
            self.socket.send(farewell)

    def _receive(self) -> None:
        self._patiently(self._take_something)

    def _take_something(self) -> None:
        if not self._take():
            raise BlockingIOError

    def _take(self) -> bool:
        """Take what has come into the buffer: whether anything had. Readable with nothing in it means hung up."""
        if self._at:
            del self._buffer[: self._at]
            self._at = 0
        try:
            piece = self.socket.recv(PIECE)
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        except OSError as error:
            raise self._gone(error) from error
        if not piece:
            self.hung_up = True
            raise KnownError(Trouble.SERVER_GONE, "it closed the connection")
        self._buffer += piece
        return True

    def _check_length(self) -> None:
        if len(self._buffer) - self._at > LONGEST_LINE:
            raise KnownError(Trouble.SERVER_BROKEN, "a line without end")

    def _patiently(self, act: Callable[[], Result], *, writing: bool = False) -> Result:
        """Do it as soon as the socket is ready for it."""
        deadline = time.monotonic() + self.patience
        while True:
            self._bell.check()
            wanted = writing
            try:
                return act()
            except ssl.SSLWantWriteError:
                wanted = True
            except ssl.SSLWantReadError:
                wanted = False
            except BlockingIOError:
                pass
            except ssl.SSLCertVerificationError as error:
                raise KnownError(Trouble.CERTIFICATE, error.verify_message) from error
            except OSError as error:
                raise self._gone(error) from error
            if not self._bell.wait(deadline - time.monotonic(), self.socket, writing=wanted):
                raise KnownError(Trouble.SERVER_GONE, f"no answer for {self.patience:g} s")

    def _gone(self, error: OSError) -> KnownError:
        ended = isinstance(error, (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError))
        # What a socket says on which the other end hung up before it was first used.
        self.hung_up = ended or error.errno == errno.ENOTCONN
        return KnownError(Trouble.SERVER_GONE, str(error))
