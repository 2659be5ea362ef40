"""Raw mail to a `Mail`: headers and text as a person reads them. Never raises, whatever the bytes.

The work is linear in the input: a header block is split once, a body once for each level of parts, and levels and
parts are bounded. Of each part at most `TEXT_CAP` bytes are decoded.
"""

import re
from collections.abc import Mapping
from email.utils import mktime_tz, parsedate_tz
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from nbmail.core.reading.decoding import (
    TEXT_CAP,
    decode_parameter,
    decode_text,
    decode_transfer,
    decode_words,
    decoded_size,
)

__all__ = ["TEXT_CAP", "AttachedFile", "Mail", "TextPart", "parse"]

# Deeper or more parts than any mail program writes hold nothing to learn from, only work.
DEPTH_CAP = 20
PART_CAP = 200
HEADER_CAP = 1000
PARAMETERS_CAP = 1000

_PARAMETER = re.compile(r';\s*([\w*.-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s"]*)')
_FIELD = re.compile(rb"[!-9;-~]{1,100}[ \t]*:")
_MARKUP = ("<html", "<!doctype html", "<head", "<body", "<table", "<div", "<meta")


class TextPart(NamedTuple):
    """A part to read: decoded text, at most `TEXT_CAP` characters of it. `attached` is a page that came as a file."""

    kind: str
    charset: str
    text: str
    attached: bool = False


class AttachedFile(NamedTuple):
    """A file that came along; its bytes are not kept."""

    name: str
    kind: str
    size: int


class Mail(NamedTuple):
    """A message taken apart. `headers` are decoded, with names in lower case, in their order."""

    headers: tuple[tuple[str, str], ...]
    texts: tuple[TextPart, ...]
    files: tuple[AttachedFile, ...]
    size: int

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")


def parse(raw: bytes) -> Mail:
    """Take raw mail apart."""
    reader = _PartReader()
    headers = reader.read_whole(raw)
    return Mail(tuple(headers), tuple(reader.texts), tuple(reader.files), len(raw))


def attached_file(raw: bytes, number: int) -> tuple[str, bytes] | None:
    """The name and the bytes of the file that stands at this place of `Mail.files`; None where none does."""
    reader = _PartReader(number)
    reader.read_whole(raw)
    return (reader.files[number].name, reader.content) if 0 <= number < len(reader.files) else None


def _plain_lines(raw: bytes) -> bytes:
    """With one kind of line ends, and without the line that a mail file puts in front."""
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if raw.startswith((b"From ", b">From ")):
        raw = raw[raw.find(b"\n") + 1 :]
    return raw


def _open(raw: bytes) -> tuple[list[tuple[str, str]], bytes]:
    """Headers and body. What doesn't begin like a header is all body, and so is a block of them gone wrong."""
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
    headers, strays = _headers(block)
    if strays and not body.strip():
        body = "\n".join(strays).encode("utf-8", "replace")
    return headers, body


def _headers(block: bytes) -> tuple[list[tuple[str, str]], list[str]]:
    """The lines of a header block, unfolded, their encoded words and raw bytes read; and lines that are no headers."""
    text = block.decode("ascii") if block.isascii() else decode_text(block, _declared_charset(block))
    encoded = "=?" in text
    if "\n " in text or "\n\t" in text:
        text = text.replace("\n ", " ").replace("\n\t", " ")
    lines = text.split("\n", HEADER_CAP)[:HEADER_CAP]
    parted = list(map(str.partition, lines, repeat(":")))
    found = [(name, value.strip()) for written, colon, value in parted if colon and (name := _NAMES[written])]
    strays = len(found) < len(lines)
    if encoded:
        found = [(name, decode_words(value[:TEXT_CAP])) for name, value in found]
    return found, ["".join(line) for line in parted if not (line[1] and _NAMES[line[0]])] if strays else []


class _Names(dict[str, str]):
    """Header names in lower case, worked out once; empty for what can't be one."""

    def __missing__(self, written: str) -> str:
        name = written.strip().lower()
        name = name if name and " " not in name else ""
        if len(self) < 10_000 and len(written) < 100:
            self[written] = name
        return name


_NAMES = _Names()


def _declared_charset(block: bytes) -> str:
    """What charset the body declares: raw bytes in headers are most often in the same."""
    found = re.search(rb'charset="?([\w.:-]{1,40})', block, re.IGNORECASE)
    return found[1].decode("ascii", "replace") if found else ""


def parameters(value: str) -> Mapping[str, str]:
    """The parameters after a header's first value, names in lower case, extended and split ones put together."""
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
    """Walks the tree of parts and collects what there is to read and what came along.

    Of the file at the place `wanted` it keeps the `content`.
    """

    def __init__(self, wanted: int = -1) -> None:
        self.texts: list[TextPart] = []
        self.files: list[AttachedFile] = []
        self.parts = 0
        self.content = b""
        self._wanted = wanted

    def read_whole(self, raw: bytes) -> list[tuple[str, str]]:
        """Take up a message; its headers."""
        headers, body = _open(_plain_lines(raw))
        self.read(dict(reversed(headers)), body, 0, "text/plain")
        return headers

    def read(self, headers: dict[str, str], body: bytes, depth: int, usual: str) -> None:
        """Take up one part, and the parts inside it."""
        declared = headers.get("content-type", "")
        kind = declared.partition(";")[0].strip().lower()[:80] or usual
        self.parts += 1
        if kind.startswith("multipart/") and self._read_multipart(parameters(declared), kind, body, depth):
            return
        if kind in ("message/rfc822", "message/global") and depth < DEPTH_CAP:
            self._read_raw(body.lstrip(b"\n"), depth, "text/plain")
            return
        self._read_leaf(headers, kind if "/" in kind else usual, declared, body)

    def _read_multipart(self, given: Mapping[str, str], kind: str, body: bytes, depth: int) -> bool:
        """Read the parts; False if the boundary doesn't occur, so that the body is better read as text."""
        boundary = given.get("boundary", "").rstrip()
        if not boundary:
            return False
        chunks = _split_parts(body, b"--" + boundary.encode("utf-8", "replace"))
        usual = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        for chunk in chunks:
            if depth >= DEPTH_CAP or self.parts >= PART_CAP:
                break
            self._read_raw(chunk, depth, usual)
        return bool(chunks)

    def _read_raw(self, raw: bytes, depth: int, usual: str) -> None:
        headers, body = _open(raw)
        self.read(dict(reversed(headers)), body, depth + 1, usual)

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
            self.files.append(AttachedFile(decode_words(name), kind, decoded_size(body, encoding)))
        # A page sent as a file is meant to be read: phishing travels so.
        if kind == "text/html" or (kind.startswith(("text/", "multipart/")) and not attached):
            # A body may have a name, too; a page that has one behind a body is a file.
            is_file = kind == "text/html" and (attached or bool(name and self.texts))
            text = decode_transfer(body, encoding)
            self.texts.append(_text_part(kind, given.get("charset", "")[:40], text, attached=is_file))


def _text_part(kind: str, charset: str, body: bytes, *, attached: bool) -> TextPart:
    text = decode_text(body, charset)[:TEXT_CAP]
    if kind != "text/html" and text[:256].lstrip().lower().startswith(_MARKUP):
        kind = "text/html"
    elif kind.startswith("multipart/"):
        kind = "text/plain"
    return TextPart(kind, charset.lower(), text, attached)


def _split_parts(body: bytes, mark: bytes) -> list[bytes]:
    """The parts between the boundary lines, without what stands before the first and after the last."""
    chunks = (b"\n" + body).split(b"\n" + mark)
    parts: list[list[bytes]] = []
    for chunk in chunks[1:]:
        line, newline, rest = chunk.partition(b"\n")
        if line.startswith(b"--"):
            break
        if line.strip():
            # A longer boundary that begins like this one belongs to a part inside.
            if parts:
                parts[-1] += (b"\n" + mark, chunk)
        elif newline:
            parts.append([rest])
    return [b"".join(part) for part in parts]


class Heading(NamedTuple):
    """What a list shows of a message, and its Message-ID. `date` is what the sender says, 0 where that's nothing."""

    sender: str
    subject: str
    date: float
    size: int
    attachments: bool
    message_id: str = ""


def heading_of(mail: Mail) -> Heading:
    """What a list shows of it, and its Message-ID."""
    date, name = moment_of(mail.header("date")), "".join(mail.header("message-id").split())
    return Heading(mail.header("from"), mail.header("subject"), date, mail.size, bool(mail.files), name)


def moment_of(date: str) -> float:
    """A date header as seconds since 1970; 0.0 where it says nothing."""
    try:
        parts = parsedate_tz(date)
        return float(mktime_tz(parts)) if parts else 0.0
    except (ValueError, OverflowError, IndexError):
        return 0.0
