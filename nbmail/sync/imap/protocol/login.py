"""Logging in to an IMAP server."""

import re

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.protocol.imap_connection import ImapClient
from nbmail.sync.imap.protocol.names import astring
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.sync.imap.protocol.token_login import AccessToken, log_in_with_token
from nbmail.text.redaction import keep_out

# Providers without such codes: Gmail ("[ALERT] Too many simultaneous connections"), Yahoo,
# Exchange.
_TEMPORARY_TEXT = re.compile(
    r"too many|simultaneous|try again|temporar|unavailable|exceeded|rate limit"
    r"|server (?:error|busy)|internal error",
    re.IGNORECASE,
)
_PERMANENT_CODES = {"AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED"}


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
        if refusal.temporary or _sounds_temporary(refusal):
            raise
        raise KnownError(ErrorCode.WRONG_PASSWORD, refusal.detail) from refusal


def _sounds_temporary(refusal: Refusal) -> bool:
    if refusal.code in _PERMANENT_CODES:
        return False
    return _TEMPORARY_TEXT.search(refusal.detail) is not None


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
