"""Identity of a message: equal in all folders and after all moves, different for different
contents.

Without numpy: processes that only read mail are forked before it is imported.
"""

import hashlib
import re
from typing import NamedTuple

# The rest of a header with its continuation lines. Possessive quantifiers, since backtracking took
# 148 MB for a header of one megabyte.
_REST = rb"[^\n]*+(?:\n[ \t][^\n]*+)*+"
_MESSAGE_ID = re.compile(
    rb"^message-id[ \t]*+:[ \t]*+(" + _REST + rb")", re.IGNORECASE | re.MULTILINE
)
_INSTEAD = re.compile(rb"^(?:date|from|subject)[ \t]*+:" + _REST, re.IGNORECASE | re.MULTILINE)
# The headers that are shown, and those that decide how the body is read. Each follows a line end:
# the search for a character takes a third of the time of the search for the beginning of a line.
_SHOWN = re.compile(
    rb"\n(from|subject|content-type|content-transfer-encoding)[ \t]*+:(" + _REST + rb")",
    re.IGNORECASE,
)
# Bytes of the body that count. Accounts fetch only the first million bytes of a large message,
# 600,000 at least. Line ends and headers differ between servers and files.
BODY = 400_000
_SPACES = b" \t\n\r\v\f"
_TO_SPACES = bytes.maketrans(_SPACES, b" " * len(_SPACES))


VERSION = 2
FORMER_VERSION = 1
"""Versions of the hash. Version 1 left out the headers that decide what is shown."""


class Identity(NamedTuple):
    """Equal in all folders and after all moves: hashes of 16 bytes by the current version and by
    the former one.
    """

    current: bytes = b""
    former: bytes = b""


def identify(raw: bytes) -> bytes:
    """Return the current identity of a message."""
    return identities_of(raw).current


def identities_of(raw: bytes) -> Identity:
    """Return the identities of a message by both versions.

    Message-ID, body, From, Subject, Content-Type and Content-Transfer-Encoding count. Line ends,
    folded lines and blank lines at the end don't: a mail file, a Maildir and a server differ in
    them. Nor does the text after the first `BODY` bytes of a body. Other headers don't count,
    because servers and filters add theirs. Without a Message-ID, date, sender and subject replace
    it.

    A large message has several identities if its headers leave less than `BODY` bytes of the
    fetched part. That needs headers of more than 200,000 bytes of a million, or 100,000 of 600,000.
    """
    # A search for one character is many times as fast as for two.
    text = raw.replace(b"\r\n", b"\n") if b"\r" in raw else raw
    head, _, body = text.partition(b"\n\n")
    # A plain search is ten times as fast as the pattern.
    place = head.lower().find(b"message-id")
    found = _MESSAGE_ID.search(head, place) if place >= 0 else None
    name = found[1].translate(None, _SPACES) if found else b""
    if not name:
        name = b"\n".join(sorted(_single_spaced(line).lower() for line in _INSTEAD.findall(head)))
    digest = hashlib.blake2b(name + b"\0" + body[:BODY].rstrip(), digest_size=16)
    former = digest.digest()
    shown = [
        field.lower() + b":" + _single_spaced(value)
        for field, value in _SHOWN.findall(b"\n" + head)
    ]
    digest.update(b"\0" + b"\n".join(shown))
    return Identity(digest.digest(), former)


def _single_spaced(line: bytes) -> bytes:
    """Return the line with single spaces. Splitting would make an object for each word."""
    line = line.translate(_TO_SPACES)
    while b"  " in line:
        line = line.replace(b"  ", b" ")
    return line.strip()
