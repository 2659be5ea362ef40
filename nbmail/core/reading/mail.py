"""Parser from raw mail to `Mail`: decoded headers, text parts and attached files. Never raises,
whatever the bytes.

The time is linear in the input: header blocks are split once, bodies once for each level of parts.
Levels and parts are limited. At most `TEXT_CAP` bytes of each part are decoded.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from nbmail.core.compiled import compiled
from nbmail.core.reading.part_text import (
    TEXT_CAP,
    decode_parameter,
    decode_text,
    decode_transfer,
    decode_words,
    decoded_size,
)
from nbmail.core.reading.words import BoundedCache

# No mail program writes deeper or more parts. They contain nothing to learn from, and each of them
# costs time.
DEPTH_CAP = 20
PART_CAP = 200
HEADER_CAP = 1000
PARAMETERS_CAP = 1000

_PARAMETER = re.compile(r';\s*([\w*.-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s"]*)')
_FIELD = re.compile(rb"[!-9;-~]{1,100}[ \t]*:")
_FOLD = re.compile(r"\n[ \t]")
_CHARSET = re.compile(rb'charset="?([\w.:-]{1,40})', re.IGNORECASE)
_MARKUP = ("<html", "<!doctype html", "<head", "<body", "<table", "<div", "<meta")

Headers = list[tuple[str, str]]


class TextPart(NamedTuple):
    """Text part, decoded, of at most `TEXT_CAP` characters. `attached` is True for a page that is
    an attachment.
    """

    kind: str
    charset: str
    text: str
    attached: bool = False


class AttachedFile(NamedTuple):
    """Attachment without its content. `size` is in bytes."""

    name: str
    kind: str
    size: int


class Mail(NamedTuple):
    """Parsed message. `headers`: decoded, in order, names in lower case. `first_headers`: the first
    of each name.
    """

    headers: tuple[tuple[str, str], ...]
    texts: tuple[TextPart, ...]
    files: tuple[AttachedFile, ...]
    size: int
    first_headers: Mapping[str, str]

    def header(self, name: str) -> str:
        return self.first_headers.get(name, "")


class Heading(NamedTuple):
    """Row of a message list, and the Message-ID. `date` is the sender's: seconds since 1970, 0 if
    it is invalid.
    """

    sender: str
    subject: str
    date: float
    size: int
    attachments: bool
    message_id: str = ""


def parse(raw: bytes) -> Mail:
    reader = _PartReader()
    headers, first_headers = reader.read_message(raw)
    return Mail(tuple(headers), tuple(reader.texts), tuple(reader.files), len(raw), first_headers)


def attached_file(raw: bytes, number: int) -> tuple[str, bytes] | None:
    """Return name and content of `Mail.files[number]`; None if there is no such file."""
    reader = _PartReader(number)
    reader.read_message(raw)
    return (reader.files[number].name, reader.content) if 0 <= number < len(reader.files) else None


def inline_files(raw: bytes, most: int) -> dict[str, bytes]:
    """Return the pictures that have a Content-ID by that id, together at most `most` bytes before
    decoding.
    """
    reader = _PartReader(inline=most)
    reader.read_message(raw)
    return reader.inline


def heading_of(mail: Mail) -> Heading:
    first = mail.first_headers.get
    date = moment_of(first("date", ""))
    message_id = "".join(first("message-id", "").split())
    return Heading(
        first("from", ""), first("subject", ""), date, mail.size, bool(mail.files), message_id
    )


def moment_of(date: str) -> float:
    """Return a date header as seconds since 1970, 0.0 if it is invalid."""
    # Importing this module takes 5 ms, and scoring needs no dates.
    from email.utils import mktime_tz, parsedate_tz

    try:
        parts = parsedate_tz(date)
        return float(mktime_tz(parts)) if parts else 0.0
    except (ValueError, OverflowError, IndexError):
        return 0.0


def _split_head(raw: bytes) -> tuple[Headers, bytes]:
    """Return headers and body. Input that doesn't start with a header is all body."""
    if raw.startswith(b"\n"):
        return [], raw[1:]
    start = raw
    if raw.startswith((b" ", b"\t")):
        start = raw.lstrip(b" \t")
        if not _FIELD.match(start):
            start = start[start.find(b"\n") + 1 :]
    if not _FIELD.match(start):
        return [], raw
    block, _, body = start.partition(b"\n\n")
    headers, strays = _read_headers(block)
    if strays and not body.strip():
        body = "\n".join(strays).encode("utf-8", "replace")
    return headers, body


def _read_headers(block: bytes) -> tuple[Headers, list[str]]:
    """Return the unfolded and decoded headers of a block, and the lines that are no headers."""
    if (
        _split_headers is not None
        and (found := _split_headers(block, _NAMES, HEADER_CAP)) is not None
    ):
        return found, []
    # Raw bytes in headers usually have the charset that the body declares.
    declared = None if block.isascii() else _CHARSET.search(block)
    text = decode_text(block, declared[1].decode("ascii", "replace") if declared else "")
    # A search for one character is many times as fast as one for two.
    encoded = "?" in text and "=?" in text
    lines = _FOLD.sub(" ", text).split("\n", HEADER_CAP)[:HEADER_CAP]
    fields = map(str.partition, lines, repeat(":"))
    headers = [
        (name, value.strip())
        for written, colon, value in fields
        if colon and (name := _NAMES[written])
    ]
    parted = (line.partition(":") for line in lines) if len(headers) < len(lines) else ()
    strays = ["".join(parts) for parts in parted if not (parts[1] and _NAMES[parts[0]])]
    if encoded:
        headers = [(name, decode_words(value[:TEXT_CAP])) for name, value in headers]
    return headers, strays


def _read_name(written: str) -> str:
    """Return the name of a header in lower case, empty for text that can't be one."""
    name = written.strip().lower()
    return "" if " " in name else name


_NAMES = BoundedCache(_read_name, 10_000, lambda written, name: len(written) < 100)
_compiled = compiled("headers", 1)
_split_headers: Callable[[bytes, Mapping[str, str], int], Headers | None] | None = (
    _compiled and _compiled.split_headers
)


def parameters(value: str) -> Mapping[str, str]:
    """Return the parameters of a header by names in lower case, with extended and split parameters
    joined.
    """
    return _parameters(value[:PARAMETERS_CAP])


@lru_cache(512)
def _parameters(value: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for written, text in _PARAMETER.findall(value):
        name, star, rest = written.lower().partition("*")
        if text.startswith('"'):
            plain = text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        else:
            plain = decode_parameter(text) if star and (not rest or rest.endswith("*")) else text
        if star and rest.rstrip("*").isdigit():
            found[name] = found.get(name, "") + plain
        elif star or name not in found:
            found[name] = plain
    return found


class _PartReader:
    """Collects text parts and files. `content`: that of file `wanted`. `inline`: pictures that have
    a Content-ID.
    """

    def __init__(self, wanted: int = -1, inline: int = 0) -> None:
        self.texts: list[TextPart] = []
        self.files: list[AttachedFile] = []
        self.parts = 0
        self.content = b""
        self._wanted = wanted
        self._room = inline
        self.inline: dict[str, bytes] = {}

    def read_message(self, raw: bytes) -> tuple[Headers, dict[str, str]]:
        """Read a whole message. Return its headers, and the first header of each name."""
        if b"\r" in raw:
            raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        # Without the line before a message in an mbox file.
        if raw.startswith((b"From ", b">From ")):
            raw = raw[raw.find(b"\n") + 1 :]
        headers, body = _split_head(raw)
        first_headers = dict(reversed(headers))
        self._read_part(first_headers, body, 0, "text/plain")
        return headers, first_headers

    def _read_part(self, headers: dict[str, str], body: bytes, depth: int, default: str) -> None:
        """Read one part and the parts inside it. `default` is its type unless it declares one."""
        declared = headers.get("content-type", "")
        kind = declared.partition(";")[0].strip().lower()[:80] or default
        self.parts += 1
        if kind.startswith("multipart/") and self._read_multipart(
            parameters(declared), kind, body, depth
        ):
            return
        if kind in ("message/rfc822", "message/global") and depth < DEPTH_CAP:
            self._read_raw(body.lstrip(b"\n"), depth, "text/plain")
            return
        self._read_leaf(headers, kind if "/" in kind else default, declared, body)

    def _read_multipart(self, given: Mapping[str, str], kind: str, body: bytes, depth: int) -> bool:
        """Read the parts. False if the boundary doesn't occur: the body is text then."""
        boundary = given.get("boundary", "").rstrip()
        if not boundary:
            return False
        chunks = _split_parts(body, b"--" + boundary.encode("utf-8", "replace"))
        default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        for chunk in chunks:
            if depth >= DEPTH_CAP or self.parts >= PART_CAP:
                break
            self._read_raw(chunk, depth, default)
        return bool(chunks)

    def _read_raw(self, raw: bytes, depth: int, default: str) -> None:
        headers, body = _split_head(raw)
        self._read_part(dict(reversed(headers)), body, depth + 1, default)

    def _read_leaf(self, headers: dict[str, str], kind: str, declared: str, body: bytes) -> None:
        given = parameters(declared)
        disposition = headers.get("content-disposition", "")
        name = parameters(disposition).get("filename", "") if disposition else ""
        name = name or given.get("name", "")
        encoding = headers.get("content-transfer-encoding", "")
        attached = disposition.lower().startswith("attachment")
        if name or attached or not kind.startswith(("text/", "multipart/")):
            if len(self.files) == self._wanted:
                self.content = decode_transfer(body, encoding, len(body))
            if len(body) <= self._room and kind.startswith("image/") and "content-id" in headers:
                self._room -= len(body)
                self.inline[headers["content-id"].strip().strip("<>")] = decode_transfer(
                    body, encoding, len(body)
                )
            self.files.append(AttachedFile(decode_words(name), kind, decoded_size(body, encoding)))
        # An attached page is text as well, because phishing mail is sent this way.
        if kind == "text/html" or (kind.startswith(("text/", "multipart/")) and not attached):
            # The body itself may have a name. A page with a name behind a body is a file.
            is_file = kind == "text/html" and (attached or bool(name and self.texts))
            charset = given.get("charset", "")[:40]
            text = decode_text(decode_transfer(body, encoding), charset)[:TEXT_CAP]
            if text[:256].lstrip().lower().startswith(_MARKUP):
                kind = "text/html"
            elif kind.startswith("multipart/"):
                kind = "text/plain"
            self.texts.append(TextPart(kind, charset.lower(), text, is_file))


def _split_parts(body: bytes, mark: bytes) -> list[bytes]:
    """Return the parts between the boundary lines, without the text before the first and after the
    last line.
    """
    chunks = (b"\n" + body).split(b"\n" + mark)
    parts: list[list[bytes]] = []
    for chunk in chunks[1:]:
        line, newline, rest = chunk.partition(b"\n")
        if line.startswith(b"--"):
            break
        if line.strip():
            # A longer boundary with the same beginning belongs to an inner part.
            if parts:
                parts[-1] += (b"\n" + mark, chunk)
        elif newline:
            parts.append([rest])
    return [b"".join(part) for part in parts]
