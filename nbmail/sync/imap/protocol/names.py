"""Names of folders and users as arguments of IMAP commands."""

from __future__ import annotations

from nbmail.errors import ErrorCode, KnownError


def wire_text(raw: bytes) -> str:
    """Return `raw` as imapclient sends it. Line breaks are an error: they would begin another
    command.
    """
    if any(byte in raw for byte in (b"\r", b"\n", b"\0")):
        raise KnownError(ErrorCode.BAD_INPUT, "a line break in a name")
    return raw.decode("latin-1")


def astring(raw: bytes) -> bytes:
    """Return `raw` as an argument of a raw command: quoted if ASCII; imapclient sends others as
    literals.
    """
    text = wire_text(raw).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'.encode() if raw.isascii() else raw
