"""Requests to public addresses, which mail chooses: of pictures and of unsubscribing.

They get neither cookies nor referrer, and no proxy is used. A host name is resolved once, its
addresses are checked, and the connection goes to a checked address. Neither a name nor a redirect
leads to this computer or its network.
"""

import ipaddress
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from http.client import HTTPResponse, HTTPSConnection
from typing import Any, ClassVar

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.web import LARGEST, TIMEOUT, RedirectPolicy, Web

AGENT = "Mozilla/5.0"
"""Program name sent to servers: part of every browser's, so that it identifies nobody."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_6TO4 = ipaddress.ip_network("2002::/16")

Resolve = Callable[[str, int], Sequence[str]]
Connect = Callable[[str, int, float], socket.socket]


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host, each once."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(address: str) -> bool:
    """True for the address of one computer of the internet.

    A translated address counts as its IPv4 address.
    """
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        elif found in _NAT64:
            found = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    is_special = found.is_multicast or found.is_reserved or found in _6TO4
    return found.is_global and not is_special


class PublicWeb(Web):
    """Thread-safe requests to public addresses. A GET follows redirects to https.

    `resolve`, `is_allowed`: replaced in tests.
    """

    refusal: ClassVar[ErrorCode] = ErrorCode.BAD_INPUT

    def __init__(
        self,
        context: Callable[[], ssl.SSLContext] = ssl.create_default_context,
        timeout: float = TIMEOUT,
        *,
        largest: int = LARGEST,
        clock: Callable[[], float] = time.monotonic,
        resolve: Resolve = resolve,
        is_allowed: Callable[[str], bool] = is_public,
    ) -> None:
        super().__init__(context, timeout, largest=largest, clock=clock)
        self._resolve = resolve
        self._is_allowed = is_allowed

    def _make_opener(self) -> urllib.request.OpenerDirector:
        opener = urllib.request.OpenerDirector()
        opener.addheaders = [("User-Agent", AGENT)]
        opener.add_handler(_PublicHandler(self._context(), self._connect))
        opener.add_handler(RedirectPolicy(are_followed=True))
        opener.add_handler(urllib.request.HTTPErrorProcessor())
        opener.add_handler(urllib.request.HTTPDefaultErrorHandler())
        opener.add_handler(urllib.request.UnknownHandler())
        return opener

    def _connect(self, host: str, port: int, timeout: float) -> socket.socket:
        """Connect to the first public address of a host that answers."""
        found = [address for address in self._resolve(host, port) if self._is_allowed(address)]
        if not found:
            raise KnownError(self.refusal, f"{host} is not a public address")
        *others, last = found
        for address in others:
            with suppress(OSError):
                return socket.create_connection((address, port), timeout)
        return socket.create_connection((last, port), timeout)


class _PublicHandler(urllib.request.HTTPSHandler):
    def __init__(self, context: ssl.SSLContext, connect: Connect) -> None:
        super().__init__(context=context)
        self._make = partial(_PublicConnection, tls=context, connect=connect)

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(self._make, req)


class _PublicConnection(HTTPSConnection):
    """Connection to an address that `connect` has checked.

    The certificate must be that of the host name.
    """

    def __init__(self, host: str, *, tls: ssl.SSLContext, connect: Connect, **more: Any) -> None:
        super().__init__(host, context=tls, **more)
        self._tls = tls
        self._open = connect

    def connect(self) -> None:
        plain = self._open(self.host, self.port, self.timeout or TIMEOUT)
        self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)
