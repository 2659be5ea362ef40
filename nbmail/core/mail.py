"""Raw mail to a `Mail`: headers and text as a person reads them. Never raises, whatever the bytes."""

from __future__ import annotations

import email
import email.message
from dataclasses import dataclass
from email.header import decode_header, make_header

TEXT_CAP = 65536


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part to read: decoded text, at most `TEXT_CAP` characters of it."""

    kind: str
    charset: str
    text: str


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that came along; its bytes are not kept."""

    name: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class Mail:
    """A message taken apart. `headers` are decoded, with names in lower case, in their order."""

    headers: tuple[tuple[str, str], ...]
    texts: tuple[TextPart, ...]
    files: tuple[AttachedFile, ...]
    size: int

    def header(self, name: str) -> str:
        """The first header of that (lower-case) name, empty if there is none."""
        return next((value for key, value in self.headers if key == name), "")


def parse(raw: bytes) -> Mail:
    """Take raw mail apart."""
    message = email.message_from_bytes(raw)
    headers = tuple((name.lower(), _decoded(str(value))) for name, value in message.items())
    texts, files = [], []
    for part in message.walk():
        if part.is_multipart():
            continue
        payload = part.get_payload(decode=True)
        body = payload if isinstance(payload, bytes) else b""
        if part.get_content_maintype() == "text" and not part.get_filename():
            charset = part.get_content_charset() or "utf-8"
            texts.append(TextPart(part.get_content_type(), charset, _text(body[:TEXT_CAP], charset)))
        else:
            files.append(AttachedFile(part.get_filename() or "", part.get_content_type(), len(body)))
    return Mail(headers, tuple(texts), tuple(files), len(raw))


def _text(body: bytes, charset: str) -> str:
    try:
        return body.decode(charset, "replace")
    except LookupError:
        return body.decode("latin-1")


def _decoded(value: str) -> str:
    try:
        return str(make_header(decode_header(value)))
    except (ValueError, LookupError):
        return value
