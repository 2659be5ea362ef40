"""Where in a message a word stands: what is before its colon, as in "subject:free". Words of the text have no colon."""

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
