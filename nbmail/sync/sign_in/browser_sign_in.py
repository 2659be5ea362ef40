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
    "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: "
    "{length}\r\nConnection: close\r\n"
    "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n"
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
    """Listen for the browser's answer to the page that `on_page` opens, and exchange its code for
    the grant.
    """
    from oauthlib.oauth2 import WebApplicationClient

    client = WebApplicationClient(issuer.client_id)
    verifier = client.create_code_verifier(64)
    state = client.create_code_verifier(43)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(TICK)
        redirect = f"http://{issuer.loopback}:{listener.getsockname()[1]}/"
        address = client.prepare_request_uri(
            issuer.authorization,
            redirect_uri=redirect,
            scope=issuer.scope or None,
            state=state,
            code_challenge=client.create_code_challenge(verifier, "S256"),
            code_challenge_method="S256",
            **dict(issuer.extra) | ({"login_hint": user} if user else {}),
        )
        on_page(SignInPage(address))
        until = time.monotonic() + patience
        code = _receive(
            listener, issuer, state, page, lambda: cancelled() or time.monotonic() >= until
        )
    more = {"client_secret": issuer.client_secret} if issuer.client_secret else {}
    body = client.prepare_request_body(
        code=code, redirect_uri=redirect, code_verifier=verifier, **more
    )
    return signed_in(web.post(issuer.token, body.encode()), issuer)


def _receive(
    listener: socket.socket, issuer: Issuer, state: str, page: Page, ended: Callable[[], bool]
) -> str:
    """Return the code of the one request with the right path and state. Others get an error and
    change nothing.
    """
    while not ended():
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            continue
        with connection:
            connection.settimeout(5.0)
            answer = _query(connection)
            if answer is None or answer.get("state") != state:
                _reply(connection, "400 Bad Request", page[1])
                continue
            problem = _problem(issuer, answer)
            _reply(connection, "200 OK", page[bool(problem)])
        if problem:
            raise KnownError(ErrorCode.SIGN_IN_FAILED, problem)
        return answer["code"]
    raise KnownError(ErrorCode.SIGN_IN_FAILED, "the browser did not answer in time")


def _problem(issuer: Issuer, answer: dict[str, str]) -> str:
    if error := answer.get("error"):
        return f"{issuer.name}: {error} {answer.get('error_description', '')}".strip()
    if (issuer.sends_issuer or "iss" in answer) and answer.get("iss", "").rstrip(
        "/"
    ) != issuer.issuer:
        return f"the answer came from {answer.get('iss') or 'nobody'}, not from {issuer.issuer}"
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
    method, _, rest = head.split(b"\r\n", 1)[0].decode("ascii", "replace").partition(" ")
    parts = urlsplit(rest.partition(" ")[0])
    if method != "GET" or parts.path != "/" or not parts.query:
        return None
    return {key: values[0] for key, values in parse_qs(parts.query).items() if len(values) == 1}


def _reply(connection: socket.socket, status: str, sentence: str) -> None:
    style = (
        "font: 18px system-ui, sans-serif; margin: 4em auto; max-width: 30em; text-align: center"
    )
    body = (
        f"<!doctype html><meta charset=utf-8><title>nbmail</title><p style='{style}'>{sentence}</p>"
    ).encode()
    try:
        connection.sendall(ANSWER.format(status=status, length=len(body)).encode() + body)
    except OSError:
        # The browser is gone; its answer was read.
        return
