"""Who we are: a password said once, in the safest way the server offers."""

from __future__ import annotations

import re

from nbmail.errors import KnownError, Trouble
from nbmail.sync.connection.imap_connection import ImapClient, Refusal
from nbmail.sync.imap.folder_names import astring

# With these a server says that it, and not the password, is what is wrong (RFC 5530): trying later makes sense.
PASSING = {"UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "CONTACTADMIN", "OVERQUOTA"}

# Providers that say the same without a code: Gmail ("[ALERT] Too many simultaneous connections"), Yahoo, Exchange.
_PASSING_WORDS = re.compile(
    r"too many|simultaneous|try again|temporar|unavailable|exceeded|rate limit|server (?:error|busy)|internal error",
    re.IGNORECASE,
)
_LASTING_CODES = {"AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED"}


def log_in(client: ImapClient, user: str, password: str) -> None:
    """Log in, if the server doesn't take us for somebody already. The connection is protected, or chosen not to be."""
    if client.connection.state != "NONAUTH":
        return
    try:
        f"{user}{password}".encode()
    except UnicodeEncodeError:
        # What the system's error would show is the password.
        raise KnownError(Trouble.WRONG_PASSWORD, "it holds what no server understands") from None
    try:
        _say_password(client, user, password)
    except Refusal as refusal:
        if refusal.code in PASSING or _is_passing(refusal):
            raise
        raise KnownError(Trouble.WRONG_PASSWORD, refusal.detail) from refusal


def _is_passing(refusal: Refusal) -> bool:
    return refusal.code not in _LASTING_CODES and bool(_PASSING_WORDS.search(refusal.detail))


def _say_password(client: ImapClient, user: str, password: str) -> None:
    if "AUTH=PLAIN" in client.connection.capabilities:
        client.plain_login(user, password)
    elif "LOGINDISABLED" in client.connection.capabilities:
        raise KnownError(Trouble.SERVER_REFUSED, "the server takes no password on this line")
    else:
        # Not by imapclient's `login`: it neither quotes a user's name nor sends anything that is not ASCII.
        words = [astring(user.encode()), astring(password.encode())]
        client._raw_command(b"LOGIN", words, uid=False)
        client.connection.state = "AUTH"
