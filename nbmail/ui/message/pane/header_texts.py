"""Texts of headers: names, and values that strangers wrote."""

from nbmail.ui.texts.language import tr
from nbmail.ui.texts.people import MAX_SHOWN, people_text
from nbmail.ui.texts.plain_text import INVISIBLE

LONGEST_HEADER = 160
LONGEST_READ = 8_000
"""Maximum number of letters of a header that are read; a header may have a million."""
LONGEST_TIP = 2000
PEOPLE = frozenset({"from", "to", "cc", "bcc", "reply-to", "sender"})


def header_name(name: str) -> str:
    known = {
        "from": tr("From"),
        "to": tr("To"),
        "cc": tr("Cc"),
        "date": tr("Date"),
        "reply-to": tr("Reply to"),
    }
    return known.get(name.lower(), name.capitalize())


def tidy_spaces(text: str) -> str:
    """Return the text in one line with single spaces, without invisible characters, cut short."""
    return INVISIBLE.sub("", " ".join(text[:LONGEST_READ].split()))


def header_text(name: str, value: str) -> tuple[str, int]:
    """Return the text of a header and its maximum length.

    As many people are named as fit, with full addresses.
    """
    if name.lower() not in PEOPLE:
        return tidy_spaces(value), LONGEST_HEADER
    for most in range(MAX_SHOWN, 1, -1):
        text = people_text(value, most)
        if len(text) <= LONGEST_HEADER:
            return text, LONGEST_TIP
    return people_text(value, 1), LONGEST_TIP
