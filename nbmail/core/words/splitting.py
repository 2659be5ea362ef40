"""Splitting of text into words, normalized so that look-alikes are equal.

Invisible characters are removed, full-width and mathematical letters become plain ones, accents
stay. A word that mixes Latin letters with similar Cyrillic or Greek letters is read as Latin.
Scripts without spaces become character pairs.
"""

import re
import unicodedata
from functools import cache
from itertools import pairwise

from nbmail.core.bounded_cache import BoundedCache

# Signs that belong to a word besides letters and digits: "$19", "50%" and "free!" differ from "19",
# "50" and "free". They remove a quarter of the errors in bodies (`tests/bench/MEASUREMENTS.md`,
# "Words and facts").
_WORD_SIGNS = "$%!'-_"
_ASCII = (
    bytes(code if chr(code).isalnum() or chr(code) in _WORD_SIGNS else 32 for code in range(128))
    + b" " * 128
)
_ASCII_LOWER = _ASCII.lower()
_LOOKALIKES = str.maketrans(
    "аеорсухівԁԛԝһӏјѕкмнтгпбьαεοινρτυκχγωηѵց", "aeopcyxibdqwhljskmhtrnbbaeoivptukxywnvg"
)
_MIXED = re.compile(
    "[a-z][\u0370-\u03ff\u0400-\u052f\u0578-\u0587]|[\u0370-\u03ff\u0400-\u052f\u0578-\u0587][a-z]"
)
_LOOKALIKE = re.compile("[\u0370-\u03ff\u0400-\u052f\u0578-\u0587]")
# Typographic signs of otherwise Western text, and their replacements.
_TYPOGRAPHY = (
    ("\u2019", "'"), ("\u2018", "'"), ("\u201c", " "), ("\u201d", " "), ("\u2013", "-"), ("\u2014", " "),
    ("\u2026", " "), ("\u2022", " "), ("\u200b", ""), ("\u200c", ""), ("\ufeff", ""), ("\u2122", " "),
    ("\u034f", ""), ("\u2007", " "),
)  # fmt: skip
_DELETED = b"\xad"


@cache
def _dense_scripts() -> re.Pattern[str]:
    """Return the pattern of Thai, Lao, Burmese, Khmer, kana, Hangul and Han, compiled at the first
    use: 1 ms.
    """
    return re.compile(
        "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
        "\uf900-\ufaff\U00020000-\U0003ffff]+"
    )


def _normalize(character: str) -> str:
    if character.isascii():
        return chr(_ASCII[ord(character)])
    kind = unicodedata.category(character)
    if kind == "Cf" or (kind in ("Mn", "Me") and not "\u0900" <= character <= "\u17ff"):
        return ""
    plain = unicodedata.normalize("NFKC", character)
    if character < "\u0100" and not (len(plain) == 1 and plain < "\u0100"):
        # Western text is read byte by byte, so its characters must stay below U+0100.
        plain = character if character.isalpha() else " "
    if plain.isascii():
        return plain.encode("ascii").translate(_ASCII).decode("ascii")
    # A pictogram is a word by itself, anything else that is no letter or number a space.
    if kind == "So" and character >= "\u2190":
        return f" {character} "
    return plain.replace(" ", "") if kind[0] in "LNM" or kind == "Sc" else " "


# Normalizing a whole text with long runs of combining marks would take quadratic time.
_NORMALIZED = BoundedCache[int, str](lambda code: _normalize(chr(code)), 20_000)


def _normalize_byte(code: int) -> int:
    """Return the lower-case form of a character of Western text."""
    normalized = _normalize(chr(code)).lower()
    return ord(normalized) if len(normalized) == 1 and ord(normalized) < 256 else 32


_WESTERN = bytes(map(_normalize_byte, range(256)))
BYTE_MAP = _WESTERN[: _DELETED[0]] + b"\0" + _WESTERN[_DELETED[0] + 1 :]
"""Normalized form of each byte of Western text, for the compiled table of words. Zero means a
deleted character.
"""


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order. Pairs of dense scripts follow the
    other words.
    """
    text, is_western = without_typography(text)
    return split_western(text) if is_western else split_mixed(text)[0]


def without_typography(text: str) -> tuple[str, bool]:
    """Return text, with typographic signs replaced unless it is Western; True if all is below
    U+0100 then.
    """
    if text.isascii() or _is_western(text):
        return text, True
    for sign, plain in _TYPOGRAPHY:
        text = text.replace(sign, plain)
    return text, _is_western(text)


def _is_western(text: str) -> bool:
    # A pattern takes a hundred times as long, and 8 ms to compile.
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


def split_western(text: str) -> list[str]:
    if text.isascii():
        return text.encode("ascii").translate(_ASCII_LOWER).decode("ascii").split()
    return text.encode("latin-1").translate(_WESTERN, _DELETED).decode("latin-1").split()


def split_mixed(text: str) -> tuple[list[str], bool]:
    """Return the words of any text, and True if some mix Latin letters with look-alikes of another
    script.
    """
    text = text.translate(_NORMALIZED).lower()
    pairs: list[str] = []
    if runs := _dense_scripts().findall(text):
        text = _dense_scripts().sub(" ", text)
        for run in runs:
            pairs += [run] if len(run) == 1 else map("".join, pairwise(run))
    words = text.split()
    mixed = _LOOKALIKE.search(text) is not None and _MIXED.search(text) is not None
    if mixed:
        words = [word.translate(_LOOKALIKES) if _MIXED.search(word) else word for word in words]
    return words + pairs, mixed


def lookalikes_in(text: str, *, whole: bool = False) -> list[str]:
    """Return letters of other scripts that look Latin, in words with Latin letters, or `whole`
    words of them.
    """
    found: list[str] = []
    for word in text.lower().split():
        letters = [letter for letter in word if ord(letter) in _LOOKALIKES]
        if any("a" <= letter <= "z" for letter in word) or (
            whole and word.translate(_LOOKALIKES).isascii()
        ):
            found += letters
    return found
