"""Parser of FETCH responses."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from nbmail.core.mail.message import moment_of
from nbmail.sync.imap.protocol.imap_connection import Reply

_FETCH = re.compile(rb"\* \d+ FETCH \(", re.IGNORECASE)
# Digits are limited as in the protocol, and no pattern matches beyond the next opening bracket.
# Otherwise a line that repeats a beginning without its end would be searched in quadratic time.
_UID = re.compile(rb"[( ]UID (\d{1,10})(?!\d)", re.IGNORECASE)
_FLAGS = re.compile(rb"[( ]FLAGS \(([^()]*)\)", re.IGNORECASE)
_SIZE = re.compile(rb"[( ]RFC822\.SIZE (\d{1,18})(?!\d)", re.IGNORECASE)
_DATE = re.compile(rb'[( ]INTERNALDATE "([^"]*)"', re.IGNORECASE)
_BODY = re.compile(
    rb'[( ]BODY\[[^\[\]]*\](?:<\d{1,18}>)? (?:(NIL)|"((?:[^"\\]|\\.)*)"|(?=\{))', re.IGNORECASE
)


class Fetched(NamedTuple):
    """Message of a FETCH response. `flags` and `body` are None if the response lacks them."""

    uid: int
    flags: frozenset[str] | None = None
    size: int = 0
    received: float = 0.0
    body: bytes | None = None


def fetched(reply: Reply) -> Fetched | None:
    """Parse a FETCH response; None for other responses and for those without a UID."""
    if not _FETCH.match(reply[0]):
        return None
    text, body = _separated(reply)
    uid = _UID.search(text)
    if uid is None:
        return None
    flags = _FLAGS.search(text)
    size = _SIZE.search(text)
    date = _DATE.search(text)
    return Fetched(
        uid=int(uid[1]),
        flags=flag_set(flags[1]) if flags else None,
        size=int(size[1]) if size else 0,
        received=moment_of(date[1].decode("latin-1")) if date else 0.0,
        body=body,
    )


def _separated(reply: Reply) -> tuple[bytes, bytes | None]:
    """Return the text without the message, which may contain anything, and the message."""
    if len(reply) > 1:
        return b" ".join(reply[::2]), reply[1]
    text = reply[0]
    inline = _BODY.search(text)
    if inline is None:
        return text, None
    outside = text[: inline.start()] + b" " + text[inline.end() :]
    # NIL stands for an expunged message, not for an empty one.
    if inline[1]:
        return outside, None
    return outside, re.sub(rb"\\(.)", rb"\1", inline[2] or b"")


@lru_cache(maxsize=4096)
def flag_set(text: bytes) -> frozenset[str]:
    """Return flags and keywords without \\Recent, which is a property of the session."""
    names = text.decode("ascii", "replace").split()
    return frozenset(name for name in names if name.lower() != "\\recent")
