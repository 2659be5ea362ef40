"""From a host's name to a line that may be trusted with a password."""

from __future__ import annotations

import errno
import os
import socket
import ssl
from dataclasses import dataclass

from nbmail.errors import KnownError, Trouble
from nbmail.settings import Account, Security
from nbmail.sync.connection.imap_socket import Wire
from nbmail.sync.connection.waker import Bell

PATIENCE_TO_CONNECT = 15.0
PATIENCE_TO_READ = 60.0
MOST_CHATTER = 100
GREETINGS = (b"* OK", b"* PREAUTH")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, and how the line to it is protected."""

    host: str
    port: int
    security: Security = Security.TLS
    authority_file: str = ""

    @classmethod
    def of(cls, account: Account) -> Address:
        """The address of an account's server."""
        return cls(account.host, account.port, account.security, account.authority_file)


@dataclass(frozen=True, slots=True)
class Greeted:
    """A line on which the server has greeted. `known` says that it takes us for somebody already (PREAUTH)."""

    wire: Wire
    known: bool


class TurnedAway(KnownError):
    """The server said goodbye or hung up instead of greeting: so do those that count lines by address."""


def connect(
    address: Address, bell: Bell, *, patience: float = PATIENCE_TO_READ, to_connect: float = PATIENCE_TO_CONNECT
) -> Greeted:
    """Connect, protect the line as the address demands, and take the greeting. Nothing is sent before that stands.

    Raises `TurnedAway` where the server doesn't want to greet.
    """
    # The context first: a certificate file that can't be read is known before anyone is called.
    context = None if address.security is Security.PLAIN else tls_context(address.authority_file)
    wire = Wire(_call(address.host, address.port, bell, to_connect), bell, to_connect)
    try:
        known = _protect(wire, address, context)
    except BaseException:
        wire.close()
        raise
    wire.patience = patience
    return Greeted(wire, known)


def tls_context(authority_file: str = "") -> ssl.SSLContext:
    """TLS 1.2 or later with certificate and host name checked, by the system's authorities or the given file alone."""
    try:
        context = ssl.create_default_context(cafile=authority_file or None)
    except (OSError, ssl.SSLError) as error:
        raise KnownError(Trouble.CERTIFICATE, f"{authority_file}: {error}") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _protect(wire: Wire, address: Address, context: ssl.SSLContext | None) -> bool:
    try:
        if context is not None and address.security is Security.TLS:
            wire.encrypt(context, address.host)
        known = _greeting(wire)
    except KnownError as error:
        if wire.hung_up:
            raise TurnedAway(error.trouble, error.detail) from error
        raise
    if context is None or address.security is Security.TLS:
        return known
    if known:
        # Being logged in already leaves no moment for STARTTLS: either a foolish server, or someone who strips it.
        raise KnownError(Trouble.NOT_ENCRYPTED, "the server logs us in before encryption")
    _start_tls(wire)
    wire.encrypt(context, address.host)
    return False


def _start_tls(wire: Wire) -> None:
    """Ask for TLS without asking first whether it is offered: what is said unprotected proves nothing."""
    wire.send(b"S1 STARTTLS\r\n")
    for _ in range(MOST_CHATTER):
        line = wire.readline()
        if line.startswith(b"S1 "):
            break
    if not line.upper().startswith(b"S1 OK"):
        raise KnownError(Trouble.NOT_ENCRYPTED, "the server refuses STARTTLS")


def _greeting(wire: Wire) -> bool:
    line = wire.readline()
    upper = line.upper()
    if upper.startswith(b"* BYE"):
        raise TurnedAway(Trouble.SERVER_REFUSED, line[6:].decode("utf-8", "replace"))
    if not upper.startswith(GREETINGS):
        raise KnownError(Trouble.SERVER_BROKEN, "this is no IMAP server")
    return upper.startswith(b"* PREAUTH")


def _call(host: str, port: int, bell: Bell, patience: float) -> socket.socket:
    """A connected socket to the first of the host's addresses that answers."""
    if not host:
        raise KnownError(Trouble.NO_NETWORK, "no server is named")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise KnownError(Trouble.NO_NETWORK, f"{host}: {error}") from error
    trouble: OSError = OSError(errno.ENOENT, "no address")
    for family, kind, protocol, _, where in found:
        try:
            return _dial(socket.socket(family, kind, protocol), where, bell, patience)
        except OSError as error:
            trouble = error
    raise KnownError(Trouble.NO_NETWORK, f"{host}:{port}: {trouble.strerror or trouble}") from trouble


def _dial(line: socket.socket, where: object, bell: Bell, patience: float) -> socket.socket:
    try:
        line.setblocking(False)
        begun = line.connect_ex(where)  # type: ignore[arg-type]
        if begun not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
            raise OSError(begun, os.strerror(begun))
        if not bell.wait(patience, line, writing=True):
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
