"""Encoding of folder names in modified UTF-7."""

from imapclient import imap_utf7


def encoded(name: str) -> bytes:
    return bytes(imap_utf7.encode(name))


def readable(raw: bytes) -> str:
    """Decode a folder name from modified UTF-7, otherwise from UTF-8."""
    try:
        return str(imap_utf7.decode(raw)) if raw.isascii() else raw.decode("utf-8", "replace")
    except (UnicodeError, ValueError):
        return raw.decode("utf-8", "replace")
