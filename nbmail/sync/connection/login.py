"""Who we are: passwords said once, in the safest way the server offers."""

from __future__ import annotations

import re
from base64 import b64encode

from nbmail.errors import KnownError, Trouble
from nbmail.sync.connection.imap_protocol import Refusal, Reply, Talk, quote

# With these a server says that it, and not the password, is what is wrong (RFC 5530): trying later makes sense.
PASSING = {"UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "CONTACTADMIN", "OVERQUOTA"}

# Providers that say the same without a code: Gmail ("[ALERT] Too many simultaneous connections"), Yahoo, Exchange.
_PASSING_WORDS = re.compile(
    r"too many|simultaneous|try again|temporar|unavailable|exceeded|rate limit|server (?:error|busy)|internal error",
    re.IGNORECASE,
)
_LASTING_CODES = {"AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED"}

_ABILITIES = re.compile(rb"\[?CAPABILITY ([^\]]*)", re.IGNORECASE)


def abilities_in(replies: list[Reply]) -> frozenset[str]:
    """What the server can do, where one of the replies says so."""
    for reply in replies:
        if found := _ABILITIES.search(reply[0]):
            return frozenset(found.group(1).decode("ascii", "replace").upper().split())
    return frozenset()


def ask_abilities(talk: Talk) -> frozenset[str]:
    """What the server can do."""
    return abilities_in(talk.ask(b"CAPABILITY"))


def log_in(talk: Talk, user: str, password: str) -> frozenset[str]:
    """Log in; what the server can do for this user. Call it only on a line that is protected, or chosen not to be."""
    try:
        f"{user}{password}".encode()
    except UnicodeEncodeError:
        # What the system's error would show is the password.
        raise KnownError(Trouble.WRONG_PASSWORD, "it holds what no server understands") from None
    before = ask_abilities(talk)
    try:
        replies = _say_password(talk, user, password, before)
    except Refusal as refusal:
        if refusal.code in PASSING or _is_passing(refusal):
            raise
        raise KnownError(Trouble.WRONG_PASSWORD, refusal.detail) from refusal
    return abilities_in(replies) or ask_abilities(talk)


def _is_passing(refusal: Refusal) -> bool:
    return refusal.code not in _LASTING_CODES and bool(_PASSING_WORDS.search(refusal.detail))


def _say_password(talk: Talk, user: str, password: str, abilities: frozenset[str]) -> list[Reply]:
    if "AUTH=PLAIN" in abilities:
        return _plain(talk, b64encode(f"\0{user}\0{password}".encode()), at_once="SASL-IR" in abilities)
    if "LOGINDISABLED" in abilities:
        raise KnownError(Trouble.SERVER_REFUSED, "the server takes no password on this line")
    if f"{user}{password}".isascii():
        return talk.ask(b"LOGIN " + quote(user.encode()) + b" " + quote(password.encode()))
    return talk.ask(b"LOGIN ", user.encode(), b" ", password.encode())


def _plain(talk: Talk, token: bytes, *, at_once: bool) -> list[Reply]:
    if at_once:
        return talk.ask(b"AUTHENTICATE PLAIN " + token)
    tag = talk.begin(b"AUTHENTICATE PLAIN")
    talk.expect_go_ahead(tag)
    talk.wire.send(token + b"\r\n")
    return talk.rest(tag)
