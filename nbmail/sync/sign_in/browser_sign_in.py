"""Sign-in with the browser of this computer."""

import socket
import time
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.mailbox_values import Issuer, SignInPage
from nbmail.sync.sign_in.grants import Grant, signed_in
from nbmail.sync.web import Web

PATIENCE = 300.0
LONGEST_REQUEST = 16 * 1024
# How often the wait looks whether it was cancelled.
TICK = 0.1

ANSWER = (
    "HTTP/1.1 {status}\r\n"
    "Content-Type: text/html; charset=utf-8\r\n"
    "Content-Length: {length}\r\n"
    "Connection: close\r\n"
    "Cache-Control: no-store\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n"
)
PAGE = (
    "<!doctype html><meta charset=utf-8><title>nbmail</title><p style='font: 18px system-ui, "
    "sans-serif; margin: 4em auto; max-width: 30em; text-align: center'>{sentence}</p>"
)


Page = tuple[str, str]
"""Texts that the browser shows after a sign-in, and after a failure."""


def sign_in_with_browser(
    issuer: Issuer,
    web: Web,
    user: str,
    page: Page,
    on_page: Callable[[SignInPage], None],
    *,
    cancelled: Callable[[], bool] = lambda: False,
    patience: float = PATIENCE,
) -> Grant:
    """Let the user sign in at the page that `on_page` opens. Return the grant.

    The browser sends a code to a listener on this computer.
    """
    from oauthlib.oauth2 import WebApplicationClient

    client = WebApplicationClient(issuer.client_id)
    verifier = client.create_code_verifier(64)
    state = client.create_code_verifier(43)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(TICK)
        redirect = f"http://{issuer.loopback}:{listener.getsockname()[1]}/"
        extra = dict(issuer.extra)
        if user:
            extra["login_hint"] = user
        address = client.prepare_request_uri(
            issuer.authorization,
            redirect_uri=redirect,
            scope=issuer.scope or None,
            state=state,
            code_challenge=client.create_code_challenge(verifier, "S256"),
            code_challenge_method="S256",
            **extra,
        )
        on_page(SignInPage(address))
        until = time.monotonic() + patience

        def has_ended() -> bool:
            return cancelled() or time.monotonic() >= until

        code = _receive(listener, issuer, state, page, has_ended)

    more = {"client_secret": issuer.client_secret} if issuer.client_secret else {}
    body = client.prepare_request_body(
        code=code, redirect_uri=redirect, code_verifier=verifier, **more
    )
    return signed_in(web.post(issuer.token, body.encode()), issuer)


def _receive(
    listener: socket.socket, issuer: Issuer, state: str, page: Page, ended: Callable[[], bool]
) -> str:
    """Return the code of the one request with the right path and state.

    Other requests get an error and change nothing.
    """
    success, failure = page
    while not ended():
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        with connection:
            connection.settimeout(5.0)
            answer = _query(connection)
            if answer is None or answer.get("state") != state:
                _reply(connection, "400 Bad Request", failure)
                continue
            problem = _problem(issuer, answer)
            _reply(connection, "200 OK", failure if problem else success)
        if problem:
            raise KnownError(ErrorCode.SIGN_IN_FAILED, problem)
        return answer["code"]
    raise KnownError(ErrorCode.SIGN_IN_FAILED, "the browser did not answer in time")


def _problem(issuer: Issuer, answer: dict[str, str]) -> str:
    """Return the reason why an answer grants nothing; empty if it has a code."""
    error = answer.get("error")
    if error:
        return f"{issuer.name}: {error} {answer.get('error_description', '')}".strip()
    names_issuer = issuer.sends_issuer or "iss" in answer
    sender = answer.get("iss", "")
    if names_issuer and sender.rstrip("/") != issuer.issuer:
        return f"the answer came from {sender or 'nobody'}, not from {issuer.issuer}"
    return "" if answer.get("code") else f"{issuer.name} sent no code"


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
    request_line = head.split(b"\r\n", 1)[0].decode("ascii", "replace")
    method, _, rest = request_line.partition(" ")
    parts = urlsplit(rest.partition(" ")[0])
    if method != "GET" or parts.path != "/" or not parts.query:
        return None
    fields = parse_qs(parts.query)
    return {key: values[0] for key, values in fields.items() if len(values) == 1}


def _reply(connection: socket.socket, status: str, sentence: str) -> None:
    body = PAGE.format(sentence=sentence).encode()
    head = ANSWER.format(status=status, length=len(body)).encode()
    try:
        connection.sendall(head + body)
    except OSError:
        # The browser is gone; its answer was read.
        return
