"""Names of folders and users as arguments of IMAP commands."""

from __future__ import annotations

from nbmail.errors import ErrorCode, KnownError


def wire_text(raw: bytes) -> str:
    """Return `raw` as imapclient sends it.

    Raise `KnownError` for a line break, which would begin another command.
    """
    if any(byte in raw for byte in (b"\r", b"\n", b"\0")):
        raise KnownError(ErrorCode.BAD_INPUT, "a line break in a name")
    return raw.decode("latin-1")


def astring(raw: bytes) -> bytes:
    """Return `raw` as an argument of a raw command.

    ASCII text is quoted. imapclient sends other text as a literal.
    """
    text = wire_text(raw)
    if not raw.isascii():
        return raw
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'.encode()
