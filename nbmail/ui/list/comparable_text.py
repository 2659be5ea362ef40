"""Texts made comparable: for searching without regard to case, and for sorting a million of them in one breath.

Texts are sorted by their first `WIDTH` bytes after folding, as 64-bit numbers: numpy sorts a million of these in 0.1 s,
where a list of strings takes Python over a second. One more number stands for the whole text: only different texts that
begin alike are compared as texts.
"""

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
    """The place of each text among all; equal texts share theirs. `folded` gives a text by its place in the keys.

    Mail repeats itself: each text is sorted once, however many messages bear it.
    """
    _, which = np.unique(keys[:, -1], return_inverse=True)
    bearer = np.empty(int(which.max(initial=-1)) + 1, np.int64)
    bearer[which] = np.arange(len(keys))
    beginnings = keys[bearer, :-1]
    order = np.lexsort(beginnings.T[::-1])
    alike = np.flatnonzero((beginnings[order[1:]] == beginnings[order[:-1]]).all(axis=1))
    for run in np.split(alike, np.flatnonzero(np.diff(alike) > 1) + 1):
        if len(run):
            tied = slice(run[0], run[-1] + 2)
            order[tied] = sorted(order[tied].tolist(), key=lambda text: sort_text(folded(int(bearer[text]))))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[which]
