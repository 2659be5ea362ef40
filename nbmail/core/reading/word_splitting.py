"""Text to words: folded so that tricks don't change them, scripts without spaces cut into pairs of characters.

Invisible characters go, full-width and mathematical letters become plain ones, accents stay; a word that mixes Latin
with look-alike Cyrillic or Greek letters is read as the Latin it imitates.
"""

import re
import unicodedata
from itertools import pairwise

# What stands inside a word besides letters and digits: it tells "$19" from "19", "50%" from "50", "free!" from "free".
# A quarter fewer errors in bodies; other signs changed nothing (`tests/bench/MEASUREMENTS.md`, "Words and facts").
_WORD_SIGNS = "$%!'-_"
_ASCII = bytes(code if chr(code).isalnum() or chr(code) in _WORD_SIGNS else 32 for code in range(128)) + b" " * 128
_ASCII_LOWER = _ASCII.lower()
_LOOKALIKES = str.maketrans(
    "аеорсухівԁԛԝһӏјѕкмнтгпбьαεοινρτυκχγωηѵց",
    "aeopcyxibdqwhljskmhtrnbbaeoivptukxywnvg",
)
_MIXED = re.compile("[a-z][\u0370-\u03ff\u0400-\u052f\u0578-\u0587]|[\u0370-\u03ff\u0400-\u052f\u0578-\u0587][a-z]")
_LOOKALIKE = re.compile("[\u0370-\u03ff\u0400-\u052f\u0578-\u0587]")
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
    if character < "\u0100" and not (len(plain) == 1 and plain < "\u0100"):
        # Read by the byte it must stay one character of the first 256.
        plain = character if character.isalpha() else " "
    return _separated(character, kind, plain)


def _separated(character: str, kind: str, plain: str) -> str:
    """The plain form if it belongs into a word; a picture is a word of its own, anything else parts words."""
    if plain.isascii():
        return plain.encode("ascii").translate(_ASCII).decode("ascii")
    if kind == "So" and character >= "\u2190":
        return f" {character} "
    if kind[0] in "LNM" or kind == "Sc":
        return plain.replace(" ", "")
    return " "


_FOLD = _Fold()


def _western(code: int) -> int:
    """What a byte of Western text becomes, in lower case."""
    folded = _folded(chr(code)).lower()
    return ord(folded) if len(folded) == 1 and ord(folded) < 256 else 32


_WESTERN = bytes(map(_western, range(256)))

# Typographic signs that keep an otherwise Western text from being read by the byte; what they stand for here.
_TYPOGRAPHY = (
    ("\u2019", "'"), ("\u2018", "'"), ("\u201c", " "), ("\u201d", " "), ("\u2013", "-"), ("\u2014", " "),
    ("\u2026", " "), ("\u2022", " "), ("\u200b", ""), ("\u200c", ""), ("\ufeff", ""), ("\u2122", " "),
    ("\u034f", ""), ("\u2007", " "),
)  # fmt: skip
_BEYOND_WESTERN = re.compile("[\u0100-\U0010ffff]")
_DELETED = b"\xad"
# For the compiled table of words: what is deleted becomes zero, which nothing else does.
FOLDING = _WESTERN[: _DELETED[0]] + b"\0" + _WESTERN[_DELETED[0] + 1 :]


def split_words(text: str) -> list[str]:
    """The words of a text in lower case, in their order; pairs of dense scripts after all others."""
    return split_and_judge(text)[0]


def split_and_judge(text: str) -> tuple[list[str], bool]:
    """The words of a text, and whether some of them mix Latin letters with look-alikes of another script."""
    western = as_western(text)
    if western is None:
        return _split_folded(_without_typography(text).translate(_FOLD).lower())
    return split_western(western), False


def as_western(text: str) -> str | None:
    """The text in characters below U+0100, its typographic signs replaced; None if other scripts are in it."""
    if text.isascii() or not _BEYOND_WESTERN.search(text):
        return text
    text = _without_typography(text)
    return None if _BEYOND_WESTERN.search(text) else text


def split_western(text: str) -> list[str]:
    """The words of a text of characters below U+0100, read by the byte."""
    if text.isascii():
        return text.encode("ascii").translate(_ASCII_LOWER).decode("ascii").split()
    return text.encode("latin-1").translate(_WESTERN, _DELETED).decode("latin-1").split()


def _without_typography(text: str) -> str:
    for sign, plain in _TYPOGRAPHY:
        text = text.replace(sign, plain)
    return text


def _split_folded(folded: str) -> tuple[list[str], bool]:
    pairs: list[str] = []
    if runs := _DENSE.findall(folded):
        folded = _DENSE.sub(" ", folded)
        for run in runs:
            pairs += [run] if len(run) == 1 else map("".join, pairwise(run))
    words = folded.split()
    mixed = _LOOKALIKE.search(folded) is not None and _MIXED.search(folded) is not None
    if mixed:
        words = [word.translate(_LOOKALIKES) if _MIXED.search(word) else word for word in words]
    return words + pairs, mixed


BODY = "body"
# Headers of a few words that mean something; their words carry the header's own name.
WORDED_HEADERS = (
    "organization", "x-priority", "precedence", "importance", "x-msmail-priority", "mime-version",
    "content-transfer-encoding", "auto-submitted", "content-language",
)  # fmt: skip
PLACES = (
    BODY, "start", "text", "html", "link", "path", "file",
    "subject", "from", "to", "reply", "return", "sender", "mailer", "list-id", "id", "signed", "received", "origin",
    "header", "fact", "measure",
    *WORDED_HEADERS,
)  # fmt: skip
"""All that a word can carry. An explanation by the method `tree` also has "pair", for two words together."""
_REMEMBERED = 50_000


def place_of(word: str) -> str:
    """The place that the word carries."""
    place, colon, _ = word.partition(":")
    return place if colon else BODY


class PlacedWords(dict[str, str]):
    """`PlacedWords("subject")["free"]` is "subject:free". A word that is met again costs neither building nor hashing.

    What doesn't fit any more is made anew each time.
    """

    def __init__(self, place: str) -> None:
        super().__init__()
        self._place = place

    def __missing__(self, word: str) -> str:
        placed = f"{self._place}:{word}"
        if len(self) < _REMEMBERED and len(word) < 50:
            self[word] = placed
        return placed

    def all_of(self, words: list[str]) -> list[str]:
        return [self[word] for word in words]
