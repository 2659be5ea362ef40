"""Where a link leads, in letters that can't be mistaken for others."""

from PySide6.QtCore import QUrl

from nbmail.host_names import domain_of

_ENCODED = QUrl.ComponentFormattingOption.FullyEncoded


def encoded(address: QUrl) -> str:
    """The address in plain ASCII, as it is sent; empty for one that makes no sense."""
    return address.toString(_ENCODED)


def server_of(address: QUrl) -> str:
    """The server's whole name in ASCII: "xn--…" where it has letters of other scripts."""
    return address.host(_ENCODED)


def owner_of(server: str) -> str:
    """The part of a server's name that somebody has registered: its end, for anybody may put anything in front."""
    return server if _is_number(server) else domain_of(server)


def _is_number(server: str) -> bool:
    return ":" in server or server.replace(".", "").isdecimal()
