"""Search words and their places in a text."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from nbmail.foreign_text import read_query

SPACELESS = "\u0e00"
"""First letter of the scripts without spaces between words. Their words match anywhere."""


def fold(text: str) -> str:
    """Return the text in one case. Accents stay."""
    return text.casefold()


def search_words(text: str) -> list[str]:
    """Return the folded words and phrases of a query that a message shows."""
    query = read_query(text)
    return [fold(each) for each in (*query.words, *query.senders, *query.recipients, *query.subjects)]


def found_places(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Return start and end of each match. Up to five other characters may separate the words of a phrase."""
    patterns = [pattern for each in words if (pattern := _pattern(each))]
    if not patterns:
        return
    folded, places = _folded_with_places(text)
    for found in re.finditer("|".join(patterns), folded):
        end = places[found.end() - 1] + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        yield places[found.start()], end


def _pattern(phrase: str) -> str:
    words = re.findall(r"\w+", "".join(map(_folded, phrase)))
    if not words:
        return ""
    beginning = r"(?<!\w)" if words[0][0] < SPACELESS else ""
    return beginning + r"[^\w]{1,5}".join(map(re.escape, words))


def _folded_with_places(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded text and the origin of each letter: folding turns some letters into two or none."""
    if text.isascii():
        return text.lower(), range(len(text))
    chunks = [_folded(letter) for letter in text]
    return "".join(chunks), [place for place, chunk in enumerate(chunks) for _ in chunk]


@lru_cache(4096)
def _folded(letter: str) -> str:
    letters = unicodedata.normalize("NFKD", letter.casefold())
    return unicodedata.normalize("NFC", "".join(each for each in letters if not unicodedata.combining(each)))
