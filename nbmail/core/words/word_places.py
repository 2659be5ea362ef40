"""Places of words in a message, such as "subject" in "subject:free"."""

from nbmail.core.bounded_cache import BoundedCache

BODY = "body"
# Headers with few values. The name of the header is the place of their words.
WORDED_HEADERS = (
    "organization",
    "x-priority",
    "precedence",
    "importance",
    "x-msmail-priority",
    "mime-version",
    "content-transfer-encoding",
    "auto-submitted",
    "content-language",
)
PLACES = (
    BODY, "phrase", "start", "text", "hidden", "html", "link", "path", "file", "subject", "from",
    "to", "reply", "return", "sender", "mailer", "list-id", "id", "signed", "received", "origin",
    "header", "fact", "measure", *WORDED_HEADERS,
)  # fmt: skip
"""All places of words.

Explanations by the method `tree` also use "pair", for two words together.
"""

# Bounds of the cache of words with their place.
_MOST = 50_000
_LONGEST = 50


def place_of(word: str) -> str:
    """Return the place of a word: the text before its first colon, `BODY` without one."""
    place, colon, _ = word.partition(":")
    return place if colon else BODY


class PlacedWords(BoundedCache[str, str]):
    """Words with their place: `PlacedWords("subject")["free"]` is "subject:free"."""

    def __init__(self, place: str) -> None:
        super().__init__(
            lambda word: f"{place}:{word}", _MOST, lambda word, _: len(word) < _LONGEST
        )

    def place(self, words: list[str]) -> list[str]:
        return list(map(self.__getitem__, words))
