"""Requests over https: to servers of sign-in and settings, and to public addresses.

No redirects, small answers, a short timeout. Public addresses are those of pictures and of
unsubscribing, which mail chooses. They get neither cookies nor referrer, and no proxy is used. A
host name is resolved once, its addresses are checked, and the connection goes to a checked address.
Neither a name nor a redirect leads to this computer or its network.
"""

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
        return urllib.request.build_opener(RedirectPolicy(are_followed=False), handler)

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
