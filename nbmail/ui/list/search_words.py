"""Words that are searched for, and where they stand in a text. No numpy, which comes with the first mail."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

_WANTED = re.compile(r'"([^"]*)"?|([^\s"]+)')


SPACELESS = "\u0e00"
"""From here on most scripts put no spaces between words: there a word may begin anywhere."""


def fold(text: str) -> str:
    """Without case; accents stay."""
    return text.casefold()


def search_words(text: str) -> list[str]:
    """What is searched for: words, and what stands in quotes as a whole, folded."""
    return [fold(phrase or word) for phrase, word in _WANTED.findall(text) if phrase.strip() or word]


def found_places(text: str, wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Beginnings and ends of the words and phrases. Other signs may stand between the words of a phrase."""
    patterns = [pattern for each in wanted if (pattern := _pattern(each))]
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
    """The text folded, and for each letter of that where it comes from: folding makes two letters of some, or none."""
    if text.isascii():
        return text.lower(), range(len(text))
    chunks = [_folded(letter) for letter in text]
    return "".join(chunks), [place for place, chunk in enumerate(chunks) for _ in chunk]


@lru_cache(4096)
def _folded(letter: str) -> str:
    apart = unicodedata.normalize("NFKD", letter.casefold())
    return unicodedata.normalize("NFC", _without_accents(apart))


def _without_accents(letters: Iterable[str]) -> str:
    return "".join(each for each in letters if not unicodedata.combining(each))
