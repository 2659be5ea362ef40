"""Web addresses from strangers, split as browsers do."""

import re
from functools import lru_cache
from typing import NamedTuple

_SERVER_END = re.compile(r"[/\\?#]")
# Second levels under which a country registers names: "shop.co.uk" belongs to shop.co.uk, not to
# co.uk.
_SHARED = frozenset(
    ("ac", "co", "com", "edu", "gob", "gov", "go", "mil", "ne", "net", "nom", "or", "org")
)


class WebPlace(NamedTuple):
    """Location behind the scheme of a web address.

    `server` may include a port. `path` starts with its separator.
    """

    has_user: bool
    server: str
    path: str


def read_place(rest: str) -> WebPlace:
    """Split what follows "http://" as a browser does (WHATWG URL).

    The last "@" before the path ends a user name.
    """
    end = _SERVER_END.search(rest)
    length = end.start() if end else len(rest)
    _, at, host = rest[:length].rpartition("@")
    return WebPlace(bool(at), host, rest[length:])


@lru_cache(4096)
def domain_of(host: str) -> str:
    """Return the registered part of a name: two labels, three under a shared second level."""
    labels = host.rstrip(".").rsplit(".", 3)
    if len(labels) > 2 and labels[-2] in _SHARED and len(labels[-1]) == 2:
        return ".".join(labels[-3:])
    return ".".join(labels[-2:])
