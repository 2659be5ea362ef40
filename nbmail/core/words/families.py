"""Families of words: what a message says, who sent it and where it leads, how it was sent.

Each place of a word belongs to one family. The default method scores each family by itself, beside
all words together.
"""

from nbmail.core.words.word_places import WORDED_HEADERS, place_of

HIDDEN = "hidden"
"""Place of the words that nobody is shown."""

SAYS = 0
WHO = 1
HOW = 2
FAMILIES = 3
UNSEEN = 3
"""Mark of a word in text that nobody is shown: of the family `HOW`, and not counted in lengths."""

FAMILY_OF_PLACE = {
    **dict.fromkeys(("body", "phrase", "start", "text", "subject"), SAYS),
    **dict.fromkeys(("from", "to", "reply", "return", "sender", "list-id"), WHO),
    **dict.fromkeys(("link", "signed"), WHO),
    **dict.fromkeys((HIDDEN, "html", "path", "file", "measure", "fact"), HOW),
    **dict.fromkeys(("mailer", "id", "received", "origin", "header"), HOW),
    **dict.fromkeys(WORDED_HEADERS, HOW),
}
"""Family of each place. Facts about senders (`SENDER_FACTS`) are an exception."""
SENDER_FACTS = (
    "from", "reply-to", "return-path", "sender", "message-id", "known", "thread", "reply",
    "spf", "dkim", "dmarc",
)  # fmt: skip
_SENDER_FACTS = frozenset(SENDER_FACTS)


def family_of(word: str) -> int:
    """Return the family of a word. A word without a known place is text."""
    place = place_of(word)
    if place == "fact" and word[len("fact:") :].partition("=")[0] in _SENDER_FACTS:
        return WHO
    return FAMILY_OF_PLACE.get(place, SAYS)


def family_mark(word: str) -> int:
    """Return the family of a word, or `UNSEEN`."""
    return UNSEEN if place_of(word) == HIDDEN else family_of(word)
