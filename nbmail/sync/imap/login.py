"""Connecting to an IMAP server and logging in: TLS first, the password or an OAuth 2 access token
once.
"""

import json
import re
import ssl
from collections.abc import Callable

from imapclient import SocketTimeout

from nbmail.errors import ErrorCode, KnownError
from nbmail.log import keep_out
from nbmail.settings import Security
from nbmail.sync.imap.imap_connection import ImapClient, Refusal, astring
from nbmail.sync.imap.imap_socket import WakeSignal
from nbmail.sync.mailbox_values import MailServer

_MECHANISMS = ("OAUTHBEARER", "XOAUTH2")
# Words of a server that took the token and then found no mailbox for it (Microsoft), and of one
# that wants more rights.
_NOT_CONNECTED = "authenticated but not connected"
_SCOPE_WORDS = ("scope", "403")


class AccessToken(str):
    """An access token instead of a password. `renew` returns the next one, and never the same
    again.
    """

    __slots__ = ("renew",)

    renew: Callable[[], "AccessToken"]

    def __new__(cls, text: str, renew: Callable[[], "AccessToken"]) -> "AccessToken":
        token = super().__new__(cls, text)
        token.renew = renew
        return token


def log_in_with_token(client: ImapClient, user: str, token: AccessToken) -> str:
    """Log in with the token and, if the server refuses it, once more with a renewed one. Return the
    mechanism.

    Raise `KnownError`: SIGN_IN_AGAIN if the new token is refused too, WRONG_SCOPE if the token is
    not for mail, NOT_ENCRYPTED without TLS.
    """
    if not client.connection.sock.tls_version:
        raise KnownError(ErrorCode.NOT_ENCRYPTED, "tokens are sent only over TLS")
    capabilities = client.connection.capabilities
    mechanism = next((name for name in _MECHANISMS if f"AUTH={name}" in capabilities), "")
    if not mechanism:
        raise KnownError(ErrorCode.SERVER_REFUSED, "the server takes no sign-in tokens")
    bearer = mechanism == "OAUTHBEARER"
    reason = ""
    identity = f"n,a={user.replace('=', '=3D').replace(',', '=2C')}," if bearer else f"user={user}"

    def answer(challenge: bytes) -> bytes:
        """Answer the server: with the token at first, then with what ends a refused attempt."""
        nonlocal reason
        if not challenge:
            return f"{identity}\x01auth=Bearer {current}\x01\x01".encode()
        reason = _reason(challenge)
        return b"\x01" if bearer else b""

    for attempt in (token, None):
        current = attempt or token.renew()
        reason = ""
        keep_out(current)
        try:
            client.sasl_login(mechanism, answer)
        except Refusal as refusal:
            if refusal.temporary:
                raise
            reason = reason or refusal.detail
            if any(word in reason.lower() for word in _SCOPE_WORDS):
                raise KnownError(ErrorCode.WRONG_SCOPE, reason) from refusal
            last = refusal
        except KnownError as error:
            if _NOT_CONNECTED in error.detail.lower():
                raise KnownError(ErrorCode.WRONG_SCOPE, error.detail) from error
            raise
        else:
            return mechanism
    raise KnownError(ErrorCode.SIGN_IN_AGAIN, reason) from last


def _reason(challenge: bytes) -> str:
    try:
        found = json.loads(challenge)
    except ValueError:
        return challenge.decode("utf-8", "replace")[:200]
    if not isinstance(found, dict):
        return str(found)[:200]
    status = str(found.get("status", ""))
    # The scope that the server names beside "invalid_token" is advice for the next request, no
    # reason.
    return (
        " ".join(str(found[key]) for key in ("error", "error_description") if key in found)
        or status
    )


CONNECT_TIMEOUT = 15.0
READ_TIMEOUT = 60.0

# Providers without such codes: Gmail ("[ALERT] Too many simultaneous connections"), Yahoo,
# Exchange.
_TEMPORARY_TEXT = re.compile(
    (
        r"too many|simultaneous|try again|temporar|unavailable|exceeded|rate limit|server "
        r"(?:error|busy)|internal error"
    ),
    re.IGNORECASE,
)
_PERMANENT_CODES = {"AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED"}


def connect(
    server: MailServer,
    wake_signal: WakeSignal,
    *,
    timeout: float = READ_TIMEOUT,
    connect_timeout: float = CONNECT_TIMEOUT,
) -> ImapClient:
    """Connect, start TLS if configured, and read the greeting. Raises `ConnectionRejected` without
    a greeting.
    """
    tls = None
    if server.security is not Security.PLAIN:
        # Before any connection, so that an unreadable certificate file is reported.
        try:
            tls = ssl.create_default_context(cafile=server.authority_file or None)
        except (OSError, ssl.SSLError) as error:
            raise KnownError(ErrorCode.CERTIFICATE, f"{server.authority_file}: {error}") from error
        tls.minimum_version = ssl.TLSVersion.TLSv1_2
    upgrade = server.security is Security.STARTTLS
    timeouts = SocketTimeout(connect_timeout, timeout)
    client = ImapClient(server.host, server.port, wake_signal, timeouts, tls=tls, upgrade=upgrade)
    if tls is not None and upgrade:
        try:
            _start_tls(client, tls)
        except BaseException:
            client.shutdown()
            raise
    return client


def log_in(client: ImapClient, user: str, password: str) -> str:
    """Log in, unless the server already did (PREAUTH). Return the mechanism."""
    keep_out(password)
    if client.connection.state != "NONAUTH":
        return "PREAUTH"
    try:
        f"{user}{password}".encode()
    except UnicodeEncodeError:
        # The original error would show the password.
        raise KnownError(
            ErrorCode.WRONG_PASSWORD, "it contains characters that no server accepts"
        ) from None
    try:
        if isinstance(password, AccessToken):
            return log_in_with_token(client, user, password)
        return _authenticate(client, user, password)
    except Refusal as refusal:
        if refusal.temporary or (
            refusal.code not in _PERMANENT_CODES and _TEMPORARY_TEXT.search(refusal.detail)
        ):
            raise
        raise KnownError(ErrorCode.WRONG_PASSWORD, refusal.detail) from refusal


def _start_tls(client: ImapClient, context: ssl.SSLContext) -> None:
    """Send STARTTLS without checking the capabilities: unprotected answers can be forged."""
    if client.connection.state != "NONAUTH":
        # PREAUTH leaves no moment for STARTTLS: a misconfigured server, or an attacker who strips
        # it.
        raise KnownError(ErrorCode.NOT_ENCRYPTED, "the server logs us in before encryption")
    try:
        client.starttls(context)
    except KnownError as error:
        if isinstance(error, Refusal) or error.error_code is ErrorCode.SERVER_BROKEN:
            raise KnownError(ErrorCode.NOT_ENCRYPTED, "the server refuses STARTTLS") from error
        raise


def _authenticate(client: ImapClient, user: str, password: str) -> str:
    if "AUTH=PLAIN" in client.connection.capabilities:
        client.plain_login(user, password)
        return "PLAIN"
    if "LOGINDISABLED" in client.connection.capabilities:
        raise KnownError(ErrorCode.SERVER_REFUSED, "the server takes no password on this line")
    # imapclient's `login` doesn't quote the user name and sends only ASCII.
    words = [astring(user.encode()), astring(password.encode())]
    client._raw_command(b"LOGIN", words, uid=False)
    client.connection.state = "AUTH"
    return "LOGIN"
