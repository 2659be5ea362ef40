"""Socket to an IMAP server, with a limit on everything that a server could make endless."""

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
from nbmail.sync.wake_signal import WakeSignal

# The answer to SEARCH may list every message on one line: a million of them take eight megabytes.
MAX_LINE = 16_000_000
CHUNK = 262_144

Result = TypeVar("Result")


def connect_socket(host: str, port: int, wake_signal: WakeSignal, timeout: float) -> ImapSocket:
    """Connect to the first address of `host` that accepts a connection."""
    if not host:
        raise KnownError(ErrorCode.NO_NETWORK, "no server is named")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise KnownError(ErrorCode.NO_NETWORK, f"{host}: {error}") from error
    failure: OSError = OSError(errno.ENOENT, "no address")
    for family, kind, protocol, _, address in found:
        try:
            line = _connected(socket.socket(family, kind, protocol), address, wake_signal, timeout)
            return ImapSocket(line, wake_signal, timeout)
        except OSError as error:
            failure = error
    raise KnownError(
        ErrorCode.NO_NETWORK, f"{host}:{port}: {failure.strerror or failure}"
    ) from failure


def _connected(
    line: socket.socket, address: object, wake_signal: WakeSignal, timeout: float
) -> socket.socket:
    try:
        line.setblocking(False)
        started = line.connect_ex(address)  # type: ignore[arg-type]
        if started not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
            raise OSError(started, os.strerror(started))
        if not wake_signal.wait(timeout, line, writing=True):
            raise OSError(errno.ETIMEDOUT, f"no answer for {timeout:g} s")
        if failed := line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(failed, os.strerror(failed))
        # Nagle's delay costs 40 ms a command.
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 4)):
            if hasattr(socket, name):
                line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    except BaseException:
        line.close()
        raise
    return line


class ImapSocket:
    """Connected socket that reads lines and counted bytes.

    All waits go through the `WakeSignal`, so that stopping the account ends them. After `timeout`
    seconds without an answer the server counts as gone. `hung_up`: the server closed the connection
    itself.
    """

    def __init__(self, line: socket.socket, wake_signal: WakeSignal, timeout: float) -> None:
        line.setblocking(False)
        self.socket = line
        self.timeout = timeout
        self.hung_up = False
        # A command was sent in part: anything that followed would become a part of it.
        self._sending_command = False
        self._wake_signal = wake_signal
        self._buffer = bytearray()
        self._at = 0

    @property
    def tls_version(self) -> str:
        """Version of TLS, such as "TLSv1.3"; empty without encryption."""
        return (self.socket.version() or "") if isinstance(self.socket, ssl.SSLSocket) else ""

    def settimeout(self, seconds: float) -> None:
        """Set the timeout. imapclient calls this method."""
        self.timeout = seconds

    def encrypt(self, context: ssl.SSLContext, host: str) -> None:
        """Start TLS and drop everything received before: an attacker could have injected it."""
        self._buffer.clear()
        self._at = 0
        try:
            wrapped = context.wrap_socket(
                self.socket, server_hostname=host, do_handshake_on_connect=False
            )
        except OSError as error:
            raise self._server_gone(error) from error
        self.socket = wrapped
        self._retry_until_ready(wrapped.do_handshake)

    def readline(self) -> bytes:
        searched = self._at
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer) - self._at
            self._check_length()
            self._receive()
        line = bytes(memoryview(self._buffer)[self._at : end])
        self._at = end + 1
        return line.removesuffix(b"\r")

    def read(self, size: int) -> bytes:
        while len(self._buffer) - self._at < size:
            self._receive()
        chunk = bytes(memoryview(self._buffer)[self._at : self._at + size])
        self._at += size
        return chunk

    def skip(self, size: int) -> None:
        while size > 0:
            if self._at == len(self._buffer):
                self._receive()
            step = min(size, len(self._buffer) - self._at)
            self._at += step
            size -= step

    def holds_line(self) -> bool:
        """True if a whole line can be read without waiting. Receives what has arrived so far."""
        while self._buffer.find(b"\n", self._at) < 0:
            self._check_length()
            if not self._receive_available():
                return False
        return True

    def send(self, data: bytes) -> None:
        view = memoryview(data)
        self._sending_command = True
        while view:
            view = view[self._retry_until_ready(partial(self.socket.send, view), writing=True) :]
        self._sending_command = False

    def wait_for_data(self, seconds: float, *others: socket.socket) -> bool:
        """Wait for a line, for data on one of `others`, or for a wake-up. False after `seconds`."""
        return self.holds_line() or self._wake_signal.wait_for_wake(seconds, self.socket, *others)

    def close(self, farewell: bytes = b"") -> None:
        """Close the connection; send `farewell` if that doesn't block."""
        with suppress(OSError), self.socket:
            if not self._sending_command:
                self.socket.send(farewell)

    def _receive(self) -> None:
        self._retry_until_ready(self._receive_something)

    def _receive_something(self) -> None:
        if not self._receive_available():
            raise BlockingIOError

    def _receive_available(self) -> bool:
        """Move received data into the buffer. False if there was none."""
        if self._at:
            del self._buffer[: self._at]
            self._at = 0
        try:
            chunk = self.socket.recv(CHUNK)
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        except OSError as error:
            raise self._server_gone(error) from error
        if not chunk:
            self.hung_up = True
            raise KnownError(ErrorCode.SERVER_GONE, "it closed the connection")
        self._buffer += chunk
        return True

    def _check_length(self) -> None:
        if len(self._buffer) - self._at > MAX_LINE:
            raise KnownError(ErrorCode.SERVER_BROKEN, "a line without end")

    def _retry_until_ready(self, act: Callable[[], Result], *, writing: bool = False) -> Result:
        """Call `act` until the socket is ready for it; fail after the timeout."""
        deadline = time.monotonic() + self.timeout
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
                raise self._server_gone(error) from error
            if not self._wake_signal.wait(deadline - time.monotonic(), self.socket, writing=wanted):
                raise KnownError(ErrorCode.SERVER_GONE, f"no answer for {self.timeout:g} s")

    def _server_gone(self, error: OSError) -> KnownError:
        ended = isinstance(error, (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError))
        # ENOTCONN: the server closed the connection before its first use.
        self.hung_up = ended or error.errno == errno.ENOTCONN
        return KnownError(ErrorCode.SERVER_GONE, str(error))
