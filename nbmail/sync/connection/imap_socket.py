"""The socket to a server: bytes in and out, with a limit on everything that a server could make endless."""

from __future__ import annotations

import errno
import os
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.connection.wake_signal import WakeSignal

# One answer to a search may name every message on one line: a million of them take eight megabytes.
LONGEST_LINE = 16_000_000
PIECE = 262_144

Result = TypeVar("Result")


def dial(host: str, port: int, wake_signal: WakeSignal, patience: float) -> ImapSocket:
    """Connect to the first of the host's addresses that answers."""
    if not host:
        raise KnownError(ErrorCode.NO_NETWORK, "no server is named")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise KnownError(ErrorCode.NO_NETWORK, f"{host}: {error}") from error
    error_code: OSError = OSError(errno.ENOENT, "no address")
    for family, kind, protocol, _, where in found:
        try:
            return ImapSocket(
                _connected(socket.socket(family, kind, protocol), where, wake_signal, patience), wake_signal, patience
            )
        except OSError as error:
            error_code = error
    raise KnownError(ErrorCode.NO_NETWORK, f"{host}:{port}: {error_code.strerror or error_code}") from error_code


def _connected(line: socket.socket, where: object, wake_signal: WakeSignal, patience: float) -> socket.socket:
    try:
        line.setblocking(False)
        begun = line.connect_ex(where)  # type: ignore[arg-type]
        if begun not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
            raise OSError(begun, os.strerror(begun))
        if not wake_signal.wait(patience, line, writing=True):
            raise OSError(errno.ETIMEDOUT, f"no answer for {patience:g} s")
        if failed := line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(failed, os.strerror(failed))
        _tune(line)
    except BaseException:
        line.close()
        raise
    return line


def _tune(line: socket.socket) -> None:
    """Small commands go out at once (Nagle's wait costs 40 ms each), and a line that died silently is found out."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 4)):
        if hasattr(socket, name):
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class ImapSocket:
    """A connected socket, read by lines and counted bytes.

    Never blocks in the system: it waits through the waker, so that the end of the account ends every wait. A server
    that says nothing for `patience` seconds is taken for gone; one that ended the connection itself has `hung_up`.
    """

    def __init__(self, line: socket.socket, wake_signal: WakeSignal, patience: float) -> None:
        line.setblocking(False)
        self.socket = line
        self.patience = patience
        self.hung_up = False
        # A command was begun and not sent to its end: what follows would be taken for a part of it.
        self._midway = False
        self._wake_signal = wake_signal
        self._buffer = bytearray()
        self._at = 0

    def settimeout(self, seconds: float) -> None:
        """What imapclient calls to set the patience."""
        self.patience = seconds

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
        chunk = bytes(memoryview(self._buffer)[self._at : self._at + size])
        self._at += size
        return chunk

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
        self._midway = True
        while view:
            view = view[self._patiently(partial(self.socket.send, view), writing=True) :]
        self._midway = False

    def listen(self, seconds: float, *beside: socket.socket) -> bool:
        """Wait for a line of the server, to be woken, or for one of the sockets beside: whether any came in time."""
        return self.holds_line() or self._wake_signal.listen(seconds, self.socket, *beside)

    def close(self, farewell: bytes = b"") -> None:
        """Hang up, with a last word if that takes no wait."""
        with suppress(OSError), self.socket:
            if not self._midway:
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
            chunk = self.socket.recv(PIECE)
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        except OSError as error:
            raise self._gone(error) from error
        if not chunk:
            self.hung_up = True
            raise KnownError(ErrorCode.SERVER_GONE, "it closed the connection")
        self._buffer += chunk
        return True

    def _check_length(self) -> None:
        if len(self._buffer) - self._at > LONGEST_LINE:
            raise KnownError(ErrorCode.SERVER_BROKEN, "a line without end")

    def _patiently(self, act: Callable[[], Result], *, writing: bool = False) -> Result:
        """Do it as soon as the socket is ready for it."""
        deadline = time.monotonic() + self.patience
        while True:
            self._wake_signal.check()
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
                raise KnownError(ErrorCode.CERTIFICATE, error.verify_message) from error
            except OSError as error:
                raise self._gone(error) from error
            if not self._wake_signal.wait(deadline - time.monotonic(), self.socket, writing=wanted):
                raise KnownError(ErrorCode.SERVER_GONE, f"no answer for {self.patience:g} s")

    def _gone(self, error: OSError) -> KnownError:
        ended = isinstance(error, (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError))
        # What a socket says on which the other end hung up before it was first used.
        self.hung_up = ended or error.errno == errno.ENOTCONN
        return KnownError(ErrorCode.SERVER_GONE, str(error))
