"""Conversions between values and columns of the database."""

import json
from collections.abc import Iterable


def listed(values: Iterable[int | str]) -> str:
    """Return values as one parameter for `IN (SELECT value FROM json_each(?))`."""
    return json.dumps(list(values))


def storable(text: str) -> str:
    """Return the text with lone surrogates replaced, which UTF-8 can't encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def joined(flags: frozenset[str]) -> str:
    """Return flags as one text in a fixed order. Flags have no spaces."""
    return " ".join(sorted(flags))


def parted(flags: str) -> frozenset[str]:
    """Return the flags of a text that `joined` made."""
    return frozenset(flags.split())
