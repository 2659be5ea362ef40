"""Where links lead: hosts, the domains they belong to, and what is odd about them."""

from __future__ import annotations

import re

# Second levels under which a country hands out names: "shop.co.uk" belongs to shop.co.uk, not to co.uk.
_SHARED = frozenset(("ac", "co", "com", "edu", "gob", "gov", "go", "mil", "ne", "net", "nom", "or", "org"))
_WEB_ADDRESS = re.compile(r"(?:https?|ftp)://[^\s<>\"')\]]{1,500}|www\.[^\s<>\"')\]]{4,500}", re.IGNORECASE)
_HOST_END = re.compile(r"[/?#\\]")
_NUMERIC = re.compile(r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\d{6,}|0x[0-9a-f]+")


def addresses_in(text: str) -> list[str]:
    """Web addresses written out in plain text."""
    return _WEB_ADDRESS.findall(text) if "://" in text or "www." in text else []


def split_address(address: str) -> tuple[str, str, str]:
    """Scheme, host (with user and port, in lower case) and path of a web address."""
    scheme, mark, rest = address.partition("://")
    if not mark:
        scheme, rest = ("http", address) if address[:4].lower() == "www." else ("", address)
    if not scheme:
        scheme, _, rest = address.partition(":")
        return scheme.lower()[:20], "", rest
    end = _HOST_END.search(rest)
    if end is None:
        return scheme.lower()[:20], rest.lower(), ""
    return scheme.lower()[:20], rest[: end.start()].lower(), rest[end.start() :]


def domain_of(host: str) -> str:
    """The name somebody registered: the last two labels, three under a shared second level."""
    labels = host.rstrip(".").rsplit(".", 3)
    if len(labels) > 2 and labels[-2] in _SHARED and len(labels[-1]) == 2:
        return ".".join(labels[-3:])
    return ".".join(labels[-2:])


def is_numeric(host: str) -> bool:
    """Whether the host is an address in numbers, as honest senders never link to."""
    return _NUMERIC.fullmatch(host) is not None
