"""Words of a search, and their places in a text."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from nbmail.text.search_query import read_query

SPACELESS = "\u0e00"
"""First letter of the scripts without spaces between words. Their words match anywhere."""


def fold(text: str) -> str:
    """Return the text in one case. Accents stay."""
    return text.casefold()


def search_words(text: str) -> list[str]:
    """Return the folded words and phrases of a query that a message shows."""
    query = read_query(text)
    shown = (*query.words, *query.senders, *query.recipients, *query.subjects)
    return [fold(each) for each in shown]


def found_places(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Return start and end of each match. At most five characters separate words of a phrase."""
    patterns = [pattern for pattern in map(_pattern, words) if pattern]
    if not patterns:
        return
    folded, places = _folded_with_places(text)
    for found in re.finditer("|".join(patterns), folded):
        end = places[found.end() - 1] + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        yield places[found.start()], end


def _pattern(phrase: str) -> str:
    folded = "".join(map(_folded, phrase))
    words = re.findall(r"\w+", folded)
    if not words:
        return ""
    beginning = r"(?<!\w)" if words[0][0] < SPACELESS else ""
    return beginning + r"[^\w]{1,5}".join(map(re.escape, words))


def _folded_with_places(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded text, and the place of each of its letters in the original.

    Folding turns some letters into two or none.
    """
    if text.isascii():
        return text.lower(), range(len(text))
    folded = list[str]()
    places = list[int]()
    for place, letter in enumerate(text):
        letters = _folded(letter)
        folded.append(letters)
        places += [place] * len(letters)
    return "".join(folded), places


@lru_cache(4096)
def _folded(letter: str) -> str:
    """Return a letter in one case, without accents."""
    letters = unicodedata.normalize("NFKD", letter.casefold())
    bare = "".join(each for each in letters if not unicodedata.combining(each))
    return unicodedata.normalize("NFC", bare)
