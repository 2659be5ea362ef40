"""Requests over https: to servers of sign-in and settings, and to public addresses.

No redirects, small answers, a short timeout. Public addresses are those of pictures and of
unsubscribing, which mail chooses. They get neither cookies nor referrer, and no proxy is used. A
host name is resolved once, its addresses are checked, and the connection goes to a checked address.
Neither a name nor a redirect leads to this computer or its network.
"""

import ipaddress
import json
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable, Sequence
from functools import partial
from http.client import HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from typing import IO, Any, ClassVar, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from nbmail.errors import ErrorCode, KnownError

TIMEOUT = 15.0
LARGEST = 64 * 1024
CHUNK = 64 * 1024
LONGEST = 4 * TIMEOUT
"""Seconds after which an answer that still comes is given up."""


class Answer(NamedTuple):
    """An HTTP answer of any status."""

    status: int
    kind: str
    body: bytes

    def json(self) -> dict[str, object]:
        """Return the JSON object of the body, an empty one for anything else."""
        try:
            found = json.loads(self.body)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects of a GET to https if `are_followed`: they could lead a token to another
    host.
    """

    max_redirections = 4

    def __init__(self, *, are_followed: bool) -> None:
        self._are_followed = are_followed

    def redirect_request(  # noqa: PLR0917 - the signature of the standard library
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Return the request to the new address; None if it isn't followed: the redirect is the
        answer then.
        """
        parts = urlsplit(newurl)
        if (
            not self._are_followed
            or req.get_method() != "GET"
            or parts.scheme != "https"
            or parts.username is not None
        ):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class Web:
    """Requests over verified TLS. `context` is made at the first request; tests pass one with their
    own authority.

    `largest`: bytes of an answer. `refusal`: error for unprotected addresses and long answers.
    """

    refusal: ClassVar[ErrorCode] = ErrorCode.SIGN_IN_FAILED

    def __init__(
        self,
        context: Callable[[], ssl.SSLContext] = ssl.create_default_context,
        timeout: float = TIMEOUT,
        *,
        largest: int = LARGEST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._context = context
        self._timeout = timeout
        self._largest = largest
        self._clock = clock
        self._opener: urllib.request.OpenerDirector | None = None

    def get(self, address: str, accept: str = "application/json, text/xml, */*") -> Answer:
        return self._send(urllib.request.Request(address, headers={"Accept": accept}))

    def post(
        self, address: str, body: bytes, kind: str = "application/x-www-form-urlencoded"
    ) -> Answer:
        headers = {"Content-Type": kind, "Accept": "application/json"}
        return self._send(
            urllib.request.Request(address, data=body, headers=headers, method="POST")
        )

    def _make_opener(self) -> urllib.request.OpenerDirector:
        handler = urllib.request.HTTPSHandler(context=self._context())
        return urllib.request.build_opener(_Redirects(are_followed=False), handler)

    def _send(self, request: urllib.request.Request) -> Answer:
        parts = urlsplit(request.full_url)
        if parts.scheme != "https" or not parts.hostname or parts.username is not None:
            raise KnownError(self.refusal, f"{parts.scheme}://{parts.netloc} is not protected")
        end = self._clock() + LONGEST
        body = b""
        try:
            with self._open(request) as response:
                while chunk := response.read1(CHUNK):
                    body += chunk
                    if len(body) > self._largest:
                        raise KnownError(self.refusal, "the answer is too long")
                    if self._clock() > end:
                        raise TimeoutError("the answer takes too long")
                return Answer(response.status or 0, response.headers.get_content_type(), body)
        except ssl.SSLError as error:
            raise KnownError(
                ErrorCode.CERTIFICATE, f"{parts.netloc}: {error.reason or error}"
            ) from error
        except (URLError, TimeoutError, OSError, HTTPException, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            if isinstance(reason, ssl.SSLError):
                raise KnownError(
                    ErrorCode.CERTIFICATE, f"{parts.netloc}: {reason.reason or reason}"
                ) from error
            code = (
                ErrorCode.NO_NETWORK
                if isinstance(reason, socket.gaierror)
                else ErrorCode.SERVER_GONE
            )
            raise KnownError(code, f"{parts.netloc}: {reason}") from error

    def _open(self, request: urllib.request.Request) -> HTTPResponse | HTTPError:
        if self._opener is None:
            self._opener = self._make_opener()
        try:
            response = self._opener.open(request, timeout=self._timeout)
        except HTTPError as error:
            return error
        assert isinstance(response, HTTPResponse)
        return response


AGENT = "Mozilla/5.0"
"""Program name sent to servers: part of every browser's, so that it identifies nobody."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_6TO4 = ipaddress.ip_network("2002::/16")

Resolve = Callable[[str, int], Sequence[str]]
Connect = Callable[[str, int, float], socket.socket]


def resolve(host: str, port: int) -> list[str]:
    return list(
        dict.fromkeys(
            str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        )
    )


def is_public(address: str) -> bool:
    """True for the address of one computer of the internet; a translated one counts as its IPv4
    address.
    """
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        translated = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF) if found in _NAT64 else found
        found = found.ipv4_mapped or translated
    return found.is_global and not (found.is_multicast or found.is_reserved or found in _6TO4)


class PublicWeb(Web):
    """Thread-safe requests to public addresses. A GET follows redirects to https. `resolve`,
    `is_allowed`: in tests.
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
        for each in (
            _PublicHandler(self._context(), self._connect),
            _Redirects(are_followed=True),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.UnknownHandler(),
        ):
            opener.add_handler(each)
        return opener

    def _connect(self, host: str, port: int, timeout: float) -> socket.socket:
        """Connect to the first public address of a host that answers."""
        found = [address for address in self._resolve(host, port) if self._is_allowed(address)]
        if not found:
            raise KnownError(self.refusal, f"{host} is not a public address")
        for address in found[:-1]:
            try:
                return socket.create_connection((address, port), timeout)
            except OSError:
                continue
        return socket.create_connection((found[-1], port), timeout)


class _PublicHandler(urllib.request.HTTPSHandler):
    def __init__(self, context: ssl.SSLContext, connect: Connect) -> None:
        super().__init__(context=context)
        self._make = partial(_PublicConnection, tls=context, connect=connect)

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(self._make, req)


class _PublicConnection(HTTPSConnection):
    """Connection to an address that `connect` has checked. The certificate must be that of the host
    name.
    """

    def __init__(self, host: str, *, tls: ssl.SSLContext, connect: Connect, **more: Any) -> None:
        super().__init__(host, context=tls, **more)
        self._tls = tls
        self._open = connect

    def connect(self) -> None:
        plain = self._open(self.host, self.port, self.timeout or TIMEOUT)
        self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)
