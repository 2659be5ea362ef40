"""Identity of a message: the same wherever it lies, another one for another content.

Without numpy: processes that only read mail are forked before it is imported.
"""

import hashlib
import re

# The rest of a header with its continuation lines. Possessive quantifiers, since backtracking took
# 148 MB for a header of one megabyte.
_REST = rb"[^\n]*+(?:\n[ \t][^\n]*+)*+"
_MESSAGE_ID = re.compile(
    rb"^message-id[ \t]*+:[ \t]*+(" + _REST + rb")", re.IGNORECASE | re.MULTILINE
)
_INSTEAD = re.compile(rb"^(?:date|from|subject)[ \t]*+:" + _REST, re.IGNORECASE | re.MULTILINE)
# The headers that are shown or used for an answer, and those that decide how the body is read. Each
# follows a line end: the search for a character takes a third of the time of the search for the
# beginning of a line.
_SHOWN = re.compile(
    rb"\n(from|reply-to|subject|content-type|content-transfer-encoding)[ \t]*+:(" + _REST + rb")",
    re.IGNORECASE,
)
# Bytes of the body that count. Accounts fetch only the first million bytes of a large message,
# 600,000 at least. Line ends and headers differ between servers and files.
BODY = 400_000
SIZE = 16
"""Length of an identity in bytes."""
_SPACES = b" \t\n\r\v\f"
_TO_SPACES = bytes.maketrans(_SPACES, b" " * len(_SPACES))


def identify(raw: bytes) -> bytes:
    """Return the identity of a message, a hash.

    Message-ID, body, From, Reply-To, Subject, Content-Type and Content-Transfer-Encoding count.
    Line ends, folded lines and blank lines at the end don't: a mail file, a Maildir and a server
    differ in them. Nor does the text after the first `BODY` bytes of a body. Other headers don't
    count, because servers and filters add theirs. Without a Message-ID, date, sender and subject
    replace it.

    A large message has several identities if its headers leave less than `BODY` bytes of the
    fetched part. That needs headers of more than 200,000 bytes of a million, or 100,000 of 600,000.
    """
    head, body = divide(raw)
    digest = hashlib.blake2b(content_of(head, body), digest_size=SIZE)
    digest.update(b"\0" + headers_in(head, _SHOWN))
    return digest.digest()


def divide(raw: bytes) -> tuple[bytes, bytes]:
    """Return the headers and the body of a message, with line ends of one character."""
    # A search for one character is many times as fast as for two.
    text = raw.replace(b"\r\n", b"\n") if b"\r" in raw else raw
    head, _, body = text.partition(b"\n\n")
    return head, body


def content_of(head: bytes, body: bytes) -> bytes:
    """Return the name of a message, and the part of its body that counts."""
    return _name_in(head) + b"\0" + body[:BODY].rstrip()


def headers_in(head: bytes, pattern: re.Pattern[bytes]) -> bytes:
    """Return the headers that a pattern finds, as lines with single spaces."""
    lines = []
    for field, value in pattern.findall(b"\n" + head):
        lines.append(field.lower() + b":" + _single_spaced(value))
    return b"\n".join(lines)


def _name_in(head: bytes) -> bytes:
    """Return the Message-ID of a message, or the headers that replace it."""
    # A plain search is ten times as fast as the pattern.
    place = head.lower().find(b"message-id")
    found = _MESSAGE_ID.search(head, place) if place >= 0 else None
    name = found[1].translate(None, _SPACES) if found else b""
    if name:
        return name
    return b"\n".join(sorted(_single_spaced(line).lower() for line in _INSTEAD.findall(head)))


def _single_spaced(line: bytes) -> bytes:
    """Return the line with single spaces. Splitting would make an object for each word."""
    line = line.translate(_TO_SPACES)
    while b"  " in line:
        line = line.replace(b"  ", b" ")
    return line.strip()
