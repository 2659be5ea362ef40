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


def _is_word_sign(code: int) -> bool:
    return chr(code).isalnum() or chr(code) in _WORD_SIGNS


_ASCII = bytes(code if _is_word_sign(code) else 32 for code in range(128)) + b" " * 128
_ASCII_LOWER = _ASCII.lower()
_LOOKALIKES = str.maketrans(
    "аеорсухівԁԛԝһӏјѕкмнтгпбьαεοινρτυκχγωηѵց", "aeopcyxibdqwhljskmhtrnbbaeoivptukxywnvg"
)
_MIXED = re.compile(
    "[a-z][\u0370-\u03ff\u0400-\u052f\u0578-\u0587]|[\u0370-\u03ff\u0400-\u052f\u0578-\u0587][a-z]"
)
_LOOKALIKE = re.compile("[\u0370-\u03ff\u0400-\u052f\u0578-\u0587]")
# Typographic signs of otherwise Western text, and their replacements.
_TYPOGRAPHY = {
    "\u2019": "'",
    "\u2018": "'",
    "\u201c": " ",
    "\u201d": " ",
    "\u2013": "-",
    "\u2014": " ",
    "\u2026": " ",
    "\u2022": " ",
    "\u200b": "",
    "\u200c": "",
    "\ufeff": "",
    "\u2122": " ",
    "\u034f": "",
    "\u2007": " ",
}
_DELETED = b"\xad"


@cache
def _dense_scripts() -> re.Pattern[str]:
    """Return the pattern of Thai, Lao, Burmese, Khmer, kana, Hangul and Han.

    It is compiled at the first use, which takes 1 ms.
    """
    return re.compile(
        "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
        "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
    )


def _normalize(character: str) -> str:
    if character.isascii():
        return chr(_ASCII[ord(character)])
    kind = unicodedata.category(character)
    is_mark = kind in ("Mn", "Me") and not "\u0900" <= character <= "\u17ff"
    if kind == "Cf" or is_mark:
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
    if kind[0] in "LNM" or kind == "Sc":
        return plain.replace(" ", "")
    return " "


# Normalizing a whole text with long runs of combining marks would take quadratic time.
_NORMALIZED = BoundedCache[int, str](lambda code: _normalize(chr(code)), 20_000)


def _normalize_byte(code: int) -> int:
    """Return the lower-case form of a character of Western text."""
    normalized = _normalize(chr(code)).lower()
    if len(normalized) != 1 or ord(normalized) > 255:
        return 32
    return ord(normalized)


_WESTERN = bytes(map(_normalize_byte, range(256)))
BYTE_MAP = _WESTERN[: _DELETED[0]] + b"\0" + _WESTERN[_DELETED[0] + 1 :]
"""Normalized form of each byte of Western text, for the compiled table of words.

Zero means a deleted character.
"""


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order.

    Pairs of dense scripts follow the other words.
    """
    text, is_western = without_typography(text)
    if is_western:
        return split_western(text)
    words, _ = split_mixed(text)
    return words


def without_typography(text: str) -> tuple[str, bool]:
    """Return text, with typographic signs replaced unless it is Western.

    Also return True if all is below U+0100 then.
    """
    if text.isascii() or _is_western(text):
        return text, True
    for sign, plain in _TYPOGRAPHY.items():
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
    """Return the words of any text, and True if some mix Latin letters with look-alikes."""
    text = text.translate(_NORMALIZED).lower()
    text, pairs = _split_dense_scripts(text)
    words = text.split()
    has_mixed = _LOOKALIKE.search(text) is not None and _MIXED.search(text) is not None
    if has_mixed:
        words = [word.translate(_LOOKALIKES) if _MIXED.search(word) else word for word in words]
    return words + pairs, has_mixed


def _split_dense_scripts(text: str) -> tuple[str, list[str]]:
    """Return the text without dense scripts, and the pairs of their neighbouring characters."""
    pairs: list[str] = []
    runs = _dense_scripts().findall(text)
    for run in runs:
        if len(run) == 1:
            pairs.append(run)
        else:
            pairs += map("".join, pairwise(run))
    if runs:
        text = _dense_scripts().sub(" ", text)
    return text, pairs


def lookalikes_in(text: str, *, whole: bool = False) -> list[str]:
    """Return letters of other scripts that look Latin, in words with Latin letters.

    `whole`: also in words of look-alikes alone.
    """
    found: list[str] = []
    for word in text.lower().split():
        has_latin = any("a" <= letter <= "z" for letter in word)
        looks_latin = whole and word.translate(_LOOKALIKES).isascii()
        if has_latin or looks_latin:
            found += [letter for letter in word if ord(letter) in _LOOKALIKES]
    return found
