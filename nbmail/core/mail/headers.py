"""Header blocks: decoded fields, and the parameters of a field."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from nbmail.core.bounded_cache import BoundedCache
from nbmail.core.compiled import compiled
from nbmail.core.mail.decoding import (
    TEXT_CAP,
    decode_parameter,
    decode_text,
    decode_words,
)

HEADER_CAP = 1000
PARAMETERS_CAP = 1000

_PARAMETER = re.compile(r';\s*([\w*.-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s"]*)')
_FIELD = re.compile(rb"[!-9;-~]{1,100}[ \t]*:")
_FIELD_OF_BLOCK = re.compile(b"^" + _FIELD.pattern, re.MULTILINE)
_FOLD = re.compile(r"\n[ \t]")
_CHARSET = re.compile(rb'charset="?([\w.:-]{1,40})', re.IGNORECASE)

Headers = list[tuple[str, str]]


def skip_strays(raw: bytes) -> bytes:
    """Return a message from its first header on, as Thunderbird reads it.

    Tools write lines above, and mbox files have one. A message without headers stays as it is.
    """
    if raw.startswith(b"\n") or _FIELD.match(raw.lstrip(b" \t")):
        return raw
    end = raw.find(b"\n\n")
    found = _FIELD_OF_BLOCK.search(raw, 0, end if end >= 0 else len(raw))
    return raw[found.start() :] if found else raw


def split_head(raw: bytes) -> tuple[Headers, bytes]:
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
    if _split_headers is not None:
        found = _split_headers(block, _NAMES, HEADER_CAP)
        if found is not None:
            return found, []
    text = decode_text(block, _declared_charset(block))
    lines = _FOLD.sub(" ", text).split("\n", HEADER_CAP)[:HEADER_CAP]
    headers: Headers = []
    strays: list[str] = []
    for line in lines:
        written, colon, value = line.partition(":")
        name = _NAMES[written] if colon else ""
        if name:
            headers.append((name, value.strip()))
        else:
            strays.append(line)
    # A search for one character is many times as fast as one for two.
    if "?" in text and "=?" in text:
        headers = [(name, decode_words(value[:TEXT_CAP])) for name, value in headers]
    return headers, strays


def _declared_charset(block: bytes) -> str:
    """Return the charset that raw bytes in headers usually have: the one that the body declares."""
    if block.isascii():
        return ""
    found = _CHARSET.search(block)
    return "" if found is None else found[1].decode("ascii", "replace")


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
    """Return the parameters of a header by names in lower case.

    Extended and split parameters are joined.
    """
    return _parameters(value[:PARAMETERS_CAP])


@lru_cache(512)
def _parameters(value: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for written, text in _PARAMETER.findall(value):
        name, star, rest = written.lower().partition("*")
        is_extended = star and (not rest or rest.endswith("*"))
        plain = text
        if text.startswith('"'):
            plain = text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        elif is_extended:
            plain = decode_parameter(text)
        is_piece = star and rest.rstrip("*").isdigit()
        if is_piece:
            found[name] = found.get(name, "") + plain
        elif star or name not in found:
            found[name] = plain
    return found
