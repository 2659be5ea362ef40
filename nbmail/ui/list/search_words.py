"""The words that are searched for, and texts without case. No numpy, which comes with the first mail."""

import re

_WANTED = re.compile(r'"([^"]*)"?|([^\s"]+)')


def fold(text: str) -> str:
    """Without case; accents stay."""
    return text.casefold()


def search_words(text: str) -> list[str]:
    """What is searched for: words, and what stands in quotes as a whole, folded."""
    return [fold(phrase or word) for phrase, word in _WANTED.findall(text) if phrase.strip() or word]
