"""Keys that sort texts of strangers: bytes of equal length, and their ranks."""

import re
import unicodedata

import numpy as np
import numpy.typing as npt

from nbmail.ui.list.contents.positions import Positions

LONGEST = 400
"""Characters of a text that are compared, more than any screen shows."""
KEY_BYTES = 48
"""UTF-8 bytes of a sort key. Texts with an equal key keep the order by date."""
KEYS = f"S{KEY_BYTES}"
"""Type of an array of sort keys."""
_ANSWER = re.compile(r"(?:(?:re|aw|sv|fwd?|wg|tr)\s*(?:\[\d+\])?:\s*)+")
_LEADING = " \t\"'([<«„“”‘’*-"


def sort_text(folded: str) -> str:
    """Return the sorted part of a folded text: without accents, "Re:", leading punctuation."""
    folded = folded[:LONGEST]
    if "  " in folded or not folded.isprintable():
        folded = " ".join(folded.split())
    if not folded.isascii():
        letters = unicodedata.normalize("NFKD", folded)
        folded = "".join(each for each in letters if not unicodedata.combining(each))
    answer = _ANSWER.match(folded)
    if answer:
        folded = folded[answer.end() :]
    return folded.lstrip(_LEADING)


def sort_key(folded: str) -> bytes:
    """Return the first bytes of the sort text. UTF-8 sorts like the text itself."""
    return sort_text(folded).encode("utf-8", "surrogatepass")[:KEY_BYTES]


def ranks(keys: npt.NDArray[np.bytes_]) -> Positions:
    """Return the rank of each key, equal for equal keys.

    200,000 keys sort in 20 ms as numbers, in 80 ms as texts.
    """
    columns = keys.view(">u8").reshape(len(keys), KEY_BYTES // 8).T
    order = np.lexsort(columns[::-1])
    ordered = keys[order]
    rank = np.zeros(len(keys), np.int64)
    rank[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return rank
