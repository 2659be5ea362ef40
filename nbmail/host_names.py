"""The names of hosts: what of them somebody has registered."""

from __future__ import annotations

from functools import lru_cache

# Second levels under which a country hands out names: "shop.co.uk" belongs to shop.co.uk, not to co.uk.
_SHARED = frozenset(("ac", "co", "com", "edu", "gob", "gov", "go", "mil", "ne", "net", "nom", "or", "org"))


@lru_cache(4096)
def domain_of(host: str) -> str:
    """The name somebody registered: the last two labels, three under a shared second level."""
    labels = host.rstrip(".").rsplit(".", 3)
    if len(labels) > 2 and labels[-2] in _SHARED and len(labels[-1]) == 2:
        return ".".join(labels[-3:])
    return ".".join(labels[-2:])
