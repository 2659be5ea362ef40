"""Parser from raw mail to `Mail`: decoded headers, text parts and attached files. Never raises,
whatever the bytes.

The time is linear in the input: header blocks are split once, bodies once for each level of parts.
Levels and parts are limited. At most `TEXT_CAP` bytes of each part are decoded.
"""

from collections.abc import Mapping

from nbmail.core.mail.decoding import (
    TEXT_CAP,
    decode_text,
    decode_transfer,
    decode_words,
    decoded_size,
)
from nbmail.core.mail.headers import Headers, parameters, split_head
from nbmail.core.mail.message import AttachedFile, Mail, TextPart

# No mail program writes deeper or more parts. They contain nothing to learn from, and each of them
# costs time.
DEPTH_CAP = 20
PART_CAP = 200
_MARKUP = ("<html", "<!doctype html", "<head", "<body", "<table", "<div", "<meta")


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
        headers, body = split_head(raw)
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
        headers, body = split_head(raw)
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
