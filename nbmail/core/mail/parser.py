"""Parser of raw mail: decoded headers, text parts and attached files. It never raises.

The time is linear in the input: header blocks are split once, bodies once for each level of parts.
Levels and parts are limited. At most `TEXT_CAP` bytes of each part are decoded.
"""

from nbmail.core.mail.decoding import (
    TEXT_CAP,
    decode_text,
    decode_transfer,
    decode_words,
    decoded_size,
)
from nbmail.core.mail.headers import Headers, parameters, skip_strays, split_head
from nbmail.core.mail.message import AttachedFile, Mail, TextPart

# No mail program writes deeper or more parts. They contain nothing to learn from, and each of them
# costs time.
DEPTH_CAP = 20
PART_CAP = 200
_LONGEST_KIND = 80
_LONGEST_CHARSET = 40
# Characters of a text among which markup is looked for.
_START = 256
# A page for few programs, beside one for all others.
_ACCELERATED = "text/x-amp-html"
_MARKUP = ("<html", "<!doctype html", "<head", "<body", "<table", "<div", "<meta")


def parse(raw: bytes) -> Mail:
    reader = _PartReader()
    headers, first_headers = reader.read_message(raw)
    return Mail(tuple(headers), tuple(reader.texts), tuple(reader.files), len(raw), first_headers)


def attached_file(raw: bytes, number: int) -> tuple[str, bytes] | None:
    """Return name and content of `Mail.files[number]`; None if there is no such file."""
    reader = _PartReader(number)
    reader.read_message(raw)
    if not 0 <= number < len(reader.files):
        return None
    return reader.files[number].name, reader.content


def inline_files(raw: bytes, most: int) -> dict[str, bytes]:
    """Return the pictures that have a Content-ID by that id.

    Together they have at most `most` bytes before decoding.
    """
    reader = _PartReader(inline=most)
    reader.read_message(raw)
    return reader.inline


class _PartReader:
    """Collects text parts and files.

    `content`: that of file `wanted`. `inline`: pictures that have a Content-ID.
    """

    def __init__(self, wanted: int = -1, inline: int = 0) -> None:
        self.texts: list[TextPart] = []
        self.files: list[AttachedFile] = []
        self.parts = 0
        self._alternatives = 0
        # Number of the outermost multipart/alternative around what is read.
        self._alternative = 0
        self.content = b""
        self.inline: dict[str, bytes] = {}
        self._wanted = wanted
        self._room = inline

    def read_message(self, raw: bytes) -> tuple[Headers, dict[str, str]]:
        """Read a whole message. Return its headers, and the first header of each name."""
        if b"\r" in raw:
            raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        # Without the line before a message in an mbox file.
        if raw.startswith((b"From ", b">From ")):
            raw = raw[raw.find(b"\n") + 1 :]
        headers, body = split_head(skip_strays(raw))
        first_headers = dict(reversed(headers))
        self._read_part(first_headers, body, 0, "text/plain")
        return headers, first_headers

    def _read_part(self, headers: dict[str, str], body: bytes, depth: int, default: str) -> None:
        """Read one part and the parts inside it. `default` is its type unless it declares one."""
        declared = headers.get("content-type", "")
        kind = declared.partition(";")[0].strip().lower()[:_LONGEST_KIND] or default
        self.parts += 1
        if kind.startswith("multipart/"):
            boundary = parameters(declared).get("boundary", "").rstrip()
            if boundary and self._read_multipart(boundary, kind, body, depth):
                return
        if kind in ("message/rfc822", "message/global") and depth < DEPTH_CAP:
            inner = skip_strays(body.lstrip(b"\n"))
            self._read_raw(inner, depth, "text/plain")
            return
        self._read_leaf(headers, kind if "/" in kind else default, declared, body)

    def _read_multipart(self, boundary: str, kind: str, body: bytes, depth: int) -> bool:
        """Read the parts. False if the boundary doesn't occur: the body is text then."""
        chunks = _split_parts(body, b"--" + boundary.encode("utf-8", "replace"))
        default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        is_outermost = kind == "multipart/alternative" and not self._alternative
        if is_outermost:
            self._alternatives += 1
            self._alternative = self._alternatives
        for chunk in chunks:
            if depth >= DEPTH_CAP or self.parts >= PART_CAP:
                break
            self._read_raw(chunk, depth, default)
        if is_outermost:
            self._alternative = 0
        return bool(chunks)

    def _read_raw(self, raw: bytes, depth: int, default: str) -> None:
        headers, body = split_head(raw)
        self._read_part(dict(reversed(headers)), body, depth + 1, default)

    def _read_leaf(self, headers: dict[str, str], kind: str, declared: str, body: bytes) -> None:
        """Read a part without parts, as a file, as text, or as both."""
        given = parameters(declared)
        disposition = headers.get("content-disposition", "")
        name = parameters(disposition).get("filename", "") if disposition else ""
        name = name or given.get("name", "")
        is_attached = disposition.lower().startswith("attachment")
        is_text = kind.startswith(("text/", "multipart/"))
        if name or is_attached or not is_text:
            self._add_file(headers, name, kind, body)
        # An attached page is text as well, because phishing mail is sent this way.
        if kind == "text/html" or (is_text and not is_attached):
            # The body itself may have a name. A page with a name behind a body is a file.
            is_file = kind == "text/html" and (is_attached or bool(name and self.texts))
            charset = given.get("charset", "")[:_LONGEST_CHARSET]
            encoding = headers.get("content-transfer-encoding", "")
            text = decode_text(decode_transfer(body, encoding), charset)[:TEXT_CAP]
            part = TextPart(_kind_of(text, kind), charset.lower(), text, is_file, self._alternative)
            self.texts.append(part)

    def _add_file(self, headers: dict[str, str], name: str, kind: str, body: bytes) -> None:
        encoding = headers.get("content-transfer-encoding", "")
        if len(self.files) == self._wanted:
            self.content = decode_transfer(body, encoding, len(body))
        if len(body) <= self._room and kind.startswith("image/") and "content-id" in headers:
            identifier = headers["content-id"].strip().strip("<>")
            self._room -= len(body)
            self.inline[identifier] = decode_transfer(body, encoding, len(body))
        size = decoded_size(body, encoding)
        self.files.append(AttachedFile(decode_words(name), kind, size))


def _kind_of(text: str, declared: str) -> str:
    """Return the type of a text part: HTML if it looks like a page, whatever was declared."""
    if declared == _ACCELERATED:
        return declared
    start = text[:_START].lstrip().lower()
    if start.startswith(_MARKUP):
        return "text/html"
    return "text/plain" if declared.startswith("multipart/") else declared


def _split_parts(body: bytes, mark: bytes) -> list[bytes]:
    """Return the parts between the boundary lines, without the text before and after them."""
    _, *chunks = (b"\n" + body).split(b"\n" + mark)
    parts: list[list[bytes]] = []
    for chunk in chunks:
        line, newline, rest = chunk.partition(b"\n")
        if line.startswith(b"--"):
            break
        if not line.strip():
            if newline:
                parts.append([rest])
        elif parts:
            # A longer boundary with the same beginning belongs to an inner part.
            parts[-1] += (b"\n" + mark, chunk)
    return [b"".join(part) for part in parts]
