"""Identity of a message: hash of its Message-ID and body, equal in all folders and after all moves."""

import hashlib
import re

# The rest of a header with its continuation lines. Possessive quantifiers, since backtracking took 148 MB for a
# header of one megabyte.
_REST = rb"[^\n]*+(?:\n[ \t][^\n]*+)*+"
_MESSAGE_ID = re.compile(rb"^message-id[ \t]*+:[ \t]*+(" + _REST + rb")", re.IGNORECASE | re.MULTILINE)
_INSTEAD = re.compile(rb"^(?:date|from|subject)[ \t]*+:" + _REST, re.IGNORECASE | re.MULTILINE)
# Bytes of the body that count. Accounts fetch only the first million bytes of a large message, 600,000 at least.
# Line ends and headers differ between servers and files.
BODY = 400_000
_SPACES = b" \t\n\r\v\f"
_TO_SPACES = bytes.maketrans(_SPACES, b" " * len(_SPACES))


def identify(raw: bytes) -> bytes:
    """Return 16 bytes that identify a message.

    Line ends and blank lines at the end don't count, since mail files, Maildirs and servers differ in them. Nor do
    bytes of the body behind `BODY`, and other headers, which servers and filters add. Messages without a Message-ID are
    identified by date, sender and subject.

    A large message has several identities if its headers leave less than `BODY` bytes of the fetched part. That needs
    headers of more than 200,000 bytes of a million, or 100,000 of 600,000.
    """
    # A search for one character is many times as fast as for two.
    text = raw.replace(b"\r\n", b"\n") if b"\r" in raw else raw
    head, _, body = text.partition(b"\n\n")
    name = _message_id(head)
    if not name:
        name = b"\n".join(sorted(_single_spaced(line).lower() for line in _INSTEAD.findall(head)))
    return hashlib.blake2b(name + b"\0" + body[:BODY].rstrip(), digest_size=16).digest()


def message_id(raw: bytes) -> bytes:
    """Return the Message-ID, empty if there is none."""
    return _message_id(raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0])


def _message_id(head: bytes) -> bytes:
    # A plain search is ten times as fast as the pattern.
    place = head.lower().find(b"message-id")
    found = _MESSAGE_ID.search(head, place) if place >= 0 else None
    return found[1].translate(None, _SPACES) if found else b""


def _single_spaced(line: bytes) -> bytes:
    """Return the line with single spaces. Splitting would make an object for each word."""
    line = line.translate(_TO_SPACES)
    while b"  " in line:
        line = line.replace(b"  ", b" ")
    return line.strip()
