"""Requests over https: no redirects, small answers, a short timeout."""

import json
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, ClassVar, NamedTuple
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


class RedirectPolicy(urllib.request.HTTPRedirectHandler):
    """Follows redirects of a GET to https if `are_followed`.

    They could lead a token to another host.
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
        """Return the request to the new address; None if the redirect itself is the answer."""
        parts = urlsplit(newurl)
        is_safe = parts.scheme == "https" and parts.username is None
        if self._are_followed and is_safe and req.get_method() == "GET":
            return super().redirect_request(req, fp, code, msg, headers, newurl)
        return None


class Web:
    """Requests over verified TLS.

    `context` is made at the first request; tests pass one with their own authority. `largest`:
    bytes of an answer. `refusal`: error for unprotected addresses and long answers.
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
        return urllib.request.build_opener(RedirectPolicy(are_followed=False), handler)

    def _send(self, request: urllib.request.Request) -> Answer:
        parts = urlsplit(request.full_url)
        if parts.scheme != "https" or not parts.hostname or parts.username is not None:
            raise KnownError(self.refusal, f"{parts.scheme}://{parts.netloc} is not protected")
        try:
            with self._open(request) as response:
                body = self._body(response)
                return Answer(response.status or 0, response.headers.get_content_type(), body)
        except (URLError, TimeoutError, OSError, HTTPException, ValueError) as error:
            raise _known_error(error, parts.netloc) from error

    def _body(self, response: HTTPResponse | HTTPError) -> bytes:
        end = self._clock() + LONGEST
        body = b""
        while chunk := response.read1(CHUNK):
            body += chunk
            if len(body) > self._largest:
                raise KnownError(self.refusal, "the answer is too long")
            if self._clock() > end:
                raise TimeoutError("the answer takes too long")
        return body

    def _open(self, request: urllib.request.Request) -> HTTPResponse | HTTPError:
        if self._opener is None:
            self._opener = self._make_opener()
        try:
            response = self._opener.open(request, timeout=self._timeout)
        except HTTPError as error:
            return error
        assert isinstance(response, HTTPResponse)
        return response


def _known_error(error: Exception, server: str) -> KnownError:
    """Return the expected error for a failed request to `server`."""
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, ssl.SSLError):
        return KnownError(ErrorCode.CERTIFICATE, f"{server}: {reason.reason or reason}")
    code = ErrorCode.SERVER_GONE
    if isinstance(reason, socket.gaierror):
        code = ErrorCode.NO_NETWORK
    return KnownError(code, f"{server}: {reason}")
