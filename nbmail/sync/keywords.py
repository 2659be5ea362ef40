"""Labels that live on the server: the registered keywords, and those that Thunderbird uses beside them."""

from __future__ import annotations

from collections.abc import Iterable

JUNK = "$Junk"
NOT_JUNK = "$NotJunk"
_TWINS = {JUNK: "Junk", NOT_JUNK: "NonJunk"}


def widened(keywords: Iterable[str]) -> frozenset[str]:
    """The keywords and, for each that has one, its twin: what one program sets, the others understand."""
    named = frozenset(keywords)
    return named | {twin for name, twin in _TWINS.items() if name in named}
