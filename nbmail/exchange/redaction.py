"""Which words of a model say something about somebody: left out of a model that is given away."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from nbmail.core.judging.model import GOOD
from nbmail.exchange.model_tables import ModelTables

# Places whose words are addresses, names, servers and memberships.
PRIVATE_PLACES = frozenset(
    ("from", "to", "reply", "return", "sender", "received", "origin", "id", "signed", "list-id", "path")
)
_PEOPLE = ("from:", "to:")
_NUMBER_OR_ADDRESS = re.compile(r"[@\d]")
_PARTS = re.compile(r"[^\W_]+")
_SHORTEST_NAME = 3


def personal(tables: ModelTables) -> list[bool]:
    """For each word whether it is an address or a number, tells the way of the mail, or names one of the own people."""
    names = _names(tables)
    return [_is_personal(word, names) for word in tables.words]


def _is_personal(word: str, names: set[str]) -> bool:
    place, colon, text = word.partition(":")
    if not colon:
        place, text = "", word
    if place in PRIVATE_PLACES or (place not in ("fact", "measure") and _NUMBER_OR_ADDRESS.search(text)):
        return True
    return not names.isdisjoint(_PARTS.findall(text.lower()))


def _names(tables: ModelTables) -> set[str]:
    """The words in and beside addresses of those who write good mail, or to whom it is written."""
    if GOOD not in tables.classes:
        return set()
    good = tables.documents[tables.classes.index(GOOD)]
    held: Sequence[int] = np.flatnonzero(good).tolist()
    people: Iterable[str] = (tables.words[place] for place in held if tables.words[place].startswith(_PEOPLE))
    parts = (part for word in people for part in _PARTS.findall(word.partition(":")[2].partition("@")[0]))
    return {part for part in parts if len(part) >= _SHORTEST_NAME}
