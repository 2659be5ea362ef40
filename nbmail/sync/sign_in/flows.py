"""Sign-in of an account.

On this machine the system's browser is used: authorization code with PKCE, sent to a listener (RFC 8252). On a machine
without a browser, a code to type on another device (RFC 8628).
"""

import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event
from urllib.parse import parse_qs, urlencode, urlsplit

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Account
from nbmail.sync.mailbox_values import Issuer, SignInPage, SignInRequest
from nbmail.sync.sign_in.grants import Grant, signed_in
from nbmail.sync.sign_in.issuers import find_issuer
from nbmail.sync.web import Web

PATIENCE = 300.0
LONGEST_REQUEST = 16 * 1024
# How often the wait looks whether it was cancelled.
TICK = 0.1

ANSWER = (
    "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n"
    "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n"
)


Page = tuple[str, str]
"""Texts that the browser shows after a sign-in, and after a failure."""


class BrowserSignIn:
    """A sign-in. `address` is the page to open in the browser. Close it after use."""

    def __init__(self, issuer: Issuer, web: Web, user: str = "") -> None:
        from oauthlib.oauth2 import WebApplicationClient

        self._issuer, self._web = issuer, web
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(TICK)
        self.redirect = f"http://{issuer.loopback}:{self._listener.getsockname()[1]}/"
        self._client = WebApplicationClient(issuer.client_id)
        self._verifier = self._client.create_code_verifier(64)
        challenge = self._client.create_code_challenge(self._verifier, "S256")
        self._state = self._client.create_code_verifier(43)
        more = dict(issuer.extra) | ({"login_hint": user} if user else {})
        self.address = self._client.prepare_request_uri(
            issuer.authorization,
            redirect_uri=self.redirect,
            scope=issuer.scope or None,
            state=self._state,
            code_challenge=challenge,
            code_challenge_method="S256",
            **more,
        )

    def wait(self, page: Page, cancelled: Callable[[], bool] = lambda: False, patience: float = PATIENCE) -> Grant:
        """Wait for the browser's answer, exchange its code and return the grant. Raise `KnownError` if it fails."""
        try:
            code = self._receive(page, cancelled, time.monotonic() + patience)
        finally:
            self.close()
        more = {"client_secret": self._issuer.client_secret} if self._issuer.client_secret else {}
        body = self._client.prepare_request_body(
            code=code, redirect_uri=self.redirect, code_verifier=self._verifier, **more
        )
        return signed_in(self._web.post(self._issuer.token, body.encode()), self._issuer)

    def close(self) -> None:
        self._listener.close()

    def _receive(self, page: Page, cancelled: Callable[[], bool], until: float) -> str:
        """Answer the one request with the right path and state; all others get an error and change nothing."""
        while time.monotonic() < until:
            if cancelled():
                raise KnownError(ErrorCode.SIGN_IN_FAILED, "cancelled")
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                continue
            with connection:
                connection.settimeout(5.0)
                answer = _query(connection)
                if answer is None or answer.get("state") != self._state:
                    _reply(connection, "400 Bad Request", page[1])
                    continue
                problem = self._problem(answer)
                _reply(connection, "200 OK", page[bool(problem)])
            if problem:
                raise KnownError(ErrorCode.SIGN_IN_FAILED, problem)
            return answer["code"]
        raise KnownError(ErrorCode.SIGN_IN_FAILED, "the browser did not answer in time")

    def _problem(self, answer: dict[str, str]) -> str:
        if error := answer.get("error"):
            return f"{self._issuer.name}: {error} {answer.get('error_description', '')}".strip()
        if (self._issuer.sends_issuer or "iss" in answer) and answer.get("iss", "").rstrip("/") != self._issuer.issuer:
            return f"the answer came from {answer.get('iss') or 'nobody'}, not from {self._issuer.issuer}"
        return "" if answer.get("code") else f"{self._issuer.name} sent no code"


def _query(connection: socket.socket) -> dict[str, str] | None:
    """Return the parameters of a request for `/`; None for any other request."""
    head = b""
    try:
        while b"\r\n\r\n" not in head and len(head) < LONGEST_REQUEST:
            more = connection.recv(4096)
            if not more:
                return None
            head += more
    except OSError:
        return None
    method, _, rest = head.split(b"\r\n", 1)[0].decode("ascii", "replace").partition(" ")
    parts = urlsplit(rest.partition(" ")[0])
    if method != "GET" or parts.path != "/" or not parts.query:
        return None
    return {key: values[0] for key, values in parse_qs(parts.query).items() if len(values) == 1}


def _reply(connection: socket.socket, status: str, sentence: str) -> None:
    style = "font: 18px system-ui, sans-serif; margin: 4em auto; max-width: 30em; text-align: center"
    body = f"<!doctype html><meta charset=utf-8><title>nbmail</title><p style='{style}'>{sentence}</p>".encode()
    try:
        connection.sendall(ANSWER.format(status=status, length=len(body)).encode() + body)
    except OSError:
        # The browser is gone; its answer was read.
        return


GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"
INTERVAL = 5.0
LONGEST = 900.0


class DeviceSignIn:
    """A sign-in. The user types `code` on the page `address`."""

    def __init__(self, issuer: Issuer, web: Web) -> None:
        self._issuer, self._web = issuer, web
        if not issuer.device:
            raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{issuer.name} offers no codes for other devices")
        request = {"client_id": issuer.client_id, **({"scope": issuer.scope} if issuer.scope else {})}
        answer = web.post(issuer.device, urlencode(request).encode()).json()
        self.code, self.address = str(answer.get("user_code", "")), str(answer.get("verification_uri", ""))
        self._device_code = str(answer.get("device_code", ""))
        self._interval = _number(answer.get("interval"), INTERVAL)
        self._seconds = min(_number(answer.get("expires_in"), LONGEST), LONGEST)
        if not (self.code and self._device_code and self.address.startswith("https://")):
            raise KnownError(ErrorCode.SIGN_IN_FAILED, f"{issuer.name}: {answer.get('error', 'no code')}")

    def wait(self, pause: Callable[[float], object]) -> Grant:
        """Ask until the user has agreed, as often as the server allows. `pause` may raise to cancel."""
        until = time.monotonic() + self._seconds
        request = {"grant_type": GRANT_TYPE, "device_code": self._device_code, "client_id": self._issuer.client_id}
        while time.monotonic() < until:
            pause(self._interval)
            answer = self._web.post(self._issuer.token, urlencode(request).encode())
            error = answer.json().get("error")
            if error == "slow_down":
                self._interval += 5.0
            elif error != "authorization_pending":
                return signed_in(answer, self._issuer)
        raise KnownError(ErrorCode.SIGN_IN_FAILED, "the code is no longer valid")


def _number(value: object, default: float) -> float:
    return float(value) if isinstance(value, int | float) and value > 0 else default


def web_of(account: Account) -> Web:
    return Web(partial(ssl.create_default_context, cafile=account.authority_file or None))


def sign_in(
    account: Account,
    request: SignInRequest,
    page: Page,
    on_page: Callable[[SignInPage], None],
    registered: Callable[[str], Issuer | None],
    *,
    cancel: Event | None = None,
) -> tuple[Account, Grant]:
    """Sign in, and return the account with its authorization server, and the grant. Blocks.

    `on_page` is called with the page to open in the browser. `registered`: see `find_issuer`.
    """
    cancel, web = cancel or Event(), web_of(account)
    issuer = find_issuer(account.host, request, web, registered)
    signed = replace(account, sign_in=issuer.issuer)
    if not request.by_code:
        flow = BrowserSignIn(issuer, web, account.user)
        on_page(SignInPage(flow.address))
        return signed, flow.wait(page, cancel.is_set)

    def pause(seconds: float) -> None:
        if cancel.wait(seconds):
            raise KnownError(ErrorCode.SIGN_IN_FAILED, "cancelled")

    device = DeviceSignIn(issuer, web)
    on_page(SignInPage(device.address, device.code))
    return signed, device.wait(pause)
