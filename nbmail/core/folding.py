"""Text to words: folded so that tricks don't change them, scripts without spaces cut into pairs of characters.

Invisible characters go, full-width and mathematical letters become plain ones, accents stay; a word that mixes Latin
with look-alike Cyrillic or Greek letters is read as the Latin it imitates.
"""

from __future__ import annotations

import re
import unicodedata

# What stands inside a word besides letters and digits: it tells "$19" from "19", "50%" from "50", "free!" from "free".
# Letters and digits alone cost a third more mistakes in bodies (1-AUC 0.218 % against 0.163 %, shuffled order); other
# signs changed nothing that could be told from chance.
WORD_SIGNS = "$%!'-_"
_ASCII = bytes(code if chr(code).isalnum() or chr(code) in WORD_SIGNS else 32 for code in range(128)) + b" " * 128
_LOOKALIKES = str.maketrans(
    "аеорсухівԁԛԝһӏјѕкмнтгпбьαεοινρτυκχγωηѵց",
    "aeopcyxibdqwhljskmhtrnbbaeoivptukxywnvg",
)
_MIXED = re.compile("[a-z][\u0370-\u03ff\u0400-\u052f\u0578-\u0587]|[\u0370-\u03ff\u0400-\u052f\u0578-\u0587][a-z]")
# Thai, Lao, Burmese, Khmer, kana, Hangul, Han: no spaces between words, or words with much glued on.
_DENSE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_CACHE_CAP = 20000


class _Fold(dict[int, str]):
    """What each character becomes, worked out once a character.

    Character by character on purpose: `unicodedata.normalize` over a whole text sorts long runs of combining marks
    in quadratic time.
    """

    def __missing__(self, code: int) -> str:
        folded = _folded(chr(code))
        if len(self) < _CACHE_CAP:
            self[code] = folded
        return folded


def _folded(character: str) -> str:
    if character.isascii():
        return chr(_ASCII[ord(character)])
    kind = unicodedata.category(character)
    if kind == "Cf" or (kind in ("Mn", "Me") and not "\u0900" <= character <= "\u17ff"):
        return ""
    plain = unicodedata.normalize("NFKC", character)
    if plain.isascii():
        return plain.encode("ascii").translate(_ASCII).decode("ascii")
    if kind == "So" and character >= "\u2190":
        return f" {character} "
    if kind[0] in "LNM" or kind == "Sc":
        return plain.replace(" ", "")
    return " "


_FOLD = _Fold()


def split_words(text: str) -> list[str]:
    """The words of a text in lower case, in their order; pairs of dense scripts after all others."""
    if text.isascii():
        return text.encode("ascii").translate(_ASCII).lower().decode("ascii").split()
    return _split_folded(text.translate(_FOLD).lower())


def split_with_capitals(text: str) -> tuple[list[str], set[str]]:
    """The words in lower case, and the spellings with capitals in them."""
    if text.isascii():
        cased = text.encode("ascii").translate(_ASCII)
        words = cased.lower().decode("ascii").split()
        return words, set(cased.decode("ascii").split()).difference(words)
    folded = text.translate(_FOLD)
    words = _split_folded(folded.lower())
    return words, {word for word in set(folded.split()).difference(words) if word != word.lower()}


def _split_folded(folded: str) -> list[str]:
    pairs: list[str] = []
    if runs := _DENSE.findall(folded):
        folded = _DENSE.sub(" ", folded)
        for run in runs:
            pairs += [run] if len(run) == 1 else map("".join, zip(run, run[1:], strict=False))
    words = folded.split()
    if _MIXED.search(folded):
        words = [word.translate(_LOOKALIKES) if _MIXED.search(word) else word for word in words]
    return words + pairs


def mixes_scripts(text: str) -> bool:
    """Whether a word mixes Latin letters with Cyrillic or Greek ones."""
    return not text.isascii() and _MIXED.search(text.lower()) is not None
