"""Logging in with an OAuth 2 access token instead of a password."""

import json
from collections.abc import Callable

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.protocol.imap_connection import ImapClient
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.text.redaction import keep_out

_MECHANISMS = ("OAUTHBEARER", "XOAUTH2")
# Words of a server that took the token and then found no mailbox for it (Microsoft), and of one
# that wants more rights.
_NOT_CONNECTED = "authenticated but not connected"
_SCOPE_WORDS = ("scope", "403")


class AccessToken(str):
    """Access token instead of a password. `renew` returns the next one, never the same again."""

    __slots__ = ("renew",)

    renew: Callable[[], "AccessToken"]

    def __new__(cls, text: str, renew: Callable[[], "AccessToken"]) -> "AccessToken":
        token = super().__new__(cls, text)
        token.renew = renew
        return token


def log_in_with_token(client: ImapClient, user: str, token: AccessToken) -> str:
    """Log in with the token or, if the server refuses it, with a renewed one.

    Return the mechanism. Raise `KnownError`: SIGN_IN_AGAIN if the new token is refused too,
    WRONG_SCOPE if the token is not for mail, NOT_ENCRYPTED without TLS.
    """
    if not client.connection.sock.tls_version:
        raise KnownError(ErrorCode.NOT_ENCRYPTED, "tokens are sent only over TLS")
    capabilities = client.connection.capabilities
    mechanism = next((name for name in _MECHANISMS if f"AUTH={name}" in capabilities), "")
    if not mechanism:
        raise KnownError(ErrorCode.SERVER_REFUSED, "the server takes no sign-in tokens")
    try:
        _attempt(client, mechanism, user, token)
    except _TokenRefused:
        try:
            _attempt(client, mechanism, user, token.renew())
        except _TokenRefused as refused:
            raise KnownError(ErrorCode.SIGN_IN_AGAIN, refused.reason) from refused
    return mechanism


class _TokenRefused(Exception):
    """The server refuses a token for a reason that a new one may remove."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _attempt(client: ImapClient, mechanism: str, user: str, token: AccessToken) -> None:
    """Log in with this token. Raise `_TokenRefused` if the server doesn't accept it."""
    keep_out(token)
    has_bearer = mechanism == "OAUTHBEARER"
    identity = f"user={user}"
    if has_bearer:
        identity = f"n,a={user.replace('=', '=3D').replace(',', '=2C')},"
    reason = ""

    def answer(challenge: bytes) -> bytes:
        """Answer the server: with the token at first, then with what ends a refused attempt."""
        nonlocal reason
        if not challenge:
            return f"{identity}\x01auth=Bearer {token}\x01\x01".encode()
        reason = _reason(challenge)
        return b"\x01" if has_bearer else b""

    try:
        client.sasl_login(mechanism, answer)
    except Refusal as refusal:
        if refusal.temporary:
            raise
        reason = reason or refusal.detail
        if any(word in reason.lower() for word in _SCOPE_WORDS):
            raise KnownError(ErrorCode.WRONG_SCOPE, reason) from refusal
        raise _TokenRefused(reason) from refusal
    except KnownError as error:
        if _NOT_CONNECTED in error.detail.lower():
            raise KnownError(ErrorCode.WRONG_SCOPE, error.detail) from error
        raise


def _reason(challenge: bytes) -> str:
    """Return the server's reason for refusing a token."""
    try:
        found = json.loads(challenge)
    except ValueError:
        return challenge.decode("utf-8", "replace")[:200]
    if not isinstance(found, dict):
        return str(found)[:200]
    # The scope that the server names beside "invalid_token" is advice for the next request, no
    # reason.
    named = [str(found[key]) for key in ("error", "error_description") if key in found]
    return " ".join(named) or str(found.get("status", ""))
