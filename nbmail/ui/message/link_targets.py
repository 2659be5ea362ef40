"""Where a link leads, in letters that can't be mistaken for others."""

from __future__ import annotations

from PySide6.QtCore import QUrl

SHARED = frozenset({"ac", "co", "com", "edu", "go", "gob", "gov", "ne", "net", "nom", "or", "org"})
"""Names that stand before a country's, as in "co.uk", and belong to nobody."""
_ENCODED = QUrl.ComponentFormattingOption.FullyEncoded


def encoded(address: QUrl) -> str:
    """The address in plain ASCII, as it is sent; empty for one that makes no sense."""
    return address.toString(_ENCODED)


def server_of(address: QUrl) -> str:
    """The server's whole name in ASCII: "xn--…" where it has letters of other scripts."""
    return address.host(_ENCODED)


def owner_of(server: str) -> str:
    """The part of a server's name that somebody has registered: its end, for anybody may put anything in front."""
    if _is_number(server):
        return server
    parts = server.rstrip(".").split(".")
    shared = len(parts) > 2 and len(parts[-1]) == 2 and parts[-2] in SHARED
    return ".".join(parts[-3 if shared else -2 :])


def _is_number(server: str) -> bool:
    return ":" in server or server.replace(".", "").isdecimal()
