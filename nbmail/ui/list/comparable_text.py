"""Texts made comparable: for searching without regard to case, and for sorting a million of them in one breath.

Texts are sorted by their first `WIDTH` bytes after folding, as three 64-bit numbers each: numpy sorts these in 0.1 s,
where a list of a million strings takes Python over a second. A fourth number tells apart the texts that go on
differently, and only these are compared as texts, each once, however many messages bear it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

WIDTH = 24
LONGEST = 400
"""Characters of a text that count: more than any screen shows."""
KEYS = WIDTH // 8 + 1
"""Numbers a text."""
KeyArray = npt.NDArray[np.uint64]
_ANSWER = re.compile(r"(?:(?:re|aw|sv|fwd?|wg|tr)\s*(?:\[\d+\])?:\s*)+")


def fold(text: str) -> str:
    """Without case; accents stay."""
    return text.casefold()


def sort_text(folded: str) -> str:
    """What a folded text sorts by: no accents, no "Re:", nothing that isn't a letter or a digit in front."""
    folded = folded[:LONGEST]
    if "  " in folded or not folded.isprintable():
        folded = " ".join(folded.split())
    if not folded.isascii():
        folded = "".join(each for each in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(each))
    answer = _ANSWER.match(folded)
    return (folded[answer.end() :] if answer else folded).lstrip(" \t\"'([<«„“”‘’*-")


class Backwards(str):
    """A text that sorts the other way round."""

    __slots__ = ()

    def __lt__(self, other: str) -> bool:
        return str.__gt__(self, other)


def sort_keys(folded: Sequence[str]) -> KeyArray:
    """The first bytes of each text as numbers, most significant first, then a number for its whole."""
    texts = [sort_text(text) for text in folded]
    keys = np.empty((len(texts), KEYS), np.uint64)
    cut = [text.encode("utf-8", "surrogatepass")[:WIDTH] for text in texts]
    keys[:, :-1] = np.array(cut, f"S{WIDTH}").view(">u8").reshape(len(cut), KEYS - 1)
    keys[:, -1] = np.array([hash(text) for text in texts], np.int64).view(np.uint64)
    return keys


def ranks(keys: KeyArray, folded: Callable[[int], str]) -> npt.NDArray[np.int64]:
    """The place of each text among all; equal texts share theirs. `folded` gives a text by its place in the keys."""
    rank = np.zeros(len(keys), np.int64)
    for column in range(KEYS):
        key = np.ascontiguousarray(keys[:, column])
        tied = _differing(rank, key)
        if len(tied):
            _refine(rank, key if column < KEYS - 1 else _in_order(rank, key, tied, folded), tied)
    return rank


def _in_order(
    rank: npt.NDArray[np.int64], key: npt.NDArray[np.uint64], tied: npt.NDArray[np.int64], folded: Callable[[int], str]
) -> npt.NDArray[np.uint64]:
    """For those of equal rank and different texts: numbers in the order of the texts, each text looked at once."""
    order = tied[np.lexsort((key[tied], rank[tied]))]
    new = np.append(True, (key[order[1:]] != key[order[:-1]]) | (rank[order[1:]] != rank[order[:-1]]))
    different = order[new].tolist()
    texts = [sort_text(folded(place)) for place in different]
    numbers = np.empty(len(texts), np.uint64)
    numbers[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts), dtype=np.uint64)
    found = np.zeros(len(key), np.uint64)
    found[order] = numbers[np.cumsum(new) - 1]
    return found


def _differing(rank: npt.NDArray[np.int64], key: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Those of equal rank whose keys are not all equal. Mail repeats itself: most ties are equal texts, left alone."""
    one_of_them = np.zeros(len(rank), np.int64)
    one_of_them[rank] = np.arange(len(rank))
    mixed = np.zeros(len(rank), bool)
    mixed[rank[key != key[one_of_them[rank]]]] = True
    return np.flatnonzero(mixed[rank])


def _refine(rank: npt.NDArray[np.int64], key: npt.NDArray[np.uint64], tied: npt.NDArray[np.int64]) -> None:
    """Part those of equal rank by their key; `rank` counts how many stand before the group."""
    order = tied[np.argsort(key[tied], kind="stable")]
    if rank[tied].any():
        order = order[np.argsort(rank[order], kind="stable")]
    group, value = rank[order], key[order]
    index = np.arange(len(order))
    new_group = np.append(True, group[1:] != group[:-1])
    new_value = new_group | np.append(True, value[1:] != value[:-1])
    start = np.maximum.accumulate(np.where(new_group, index, 0))
    first = np.maximum.accumulate(np.where(new_value, index, 0))
    rank[order] = group + first - start
