"""Queries of the search field."""

import math
import re
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

OPERATORS = (
    "from:",
    "to:",
    "subject:",
    "has:attachment",
    "is:unread",
    "is:verified",
    "is:first",
    "before:",
    "after:",
)
_PARTS = re.compile(
    r'(?:(?P<name>from|to|subject|has|is|before|after):)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))',
    re.I,
)
# Characters that no database accepts: an input method or a paste may leave half of a pair.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_BEGUN = {each.partition(":")[0] + ":" for each in OPERATORS}
_DATES = ("%Y-%m-%d", "%d.%m.%Y", "%Y-%m", "%Y")


class SearchQuery(NamedTuple):
    """Conditions that a message must meet.

    - `before`: earlier than this second since 1970. `after`: not earlier.
    - `first`: the earliest message from its sender.
    - `typing`: the last of `words` may be the beginning of a word.
    """

    words: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    attachment: bool = False
    unread: bool = False
    verified: bool = False
    first: bool = False
    before: float = math.inf
    after: float = -math.inf
    typing: bool = False

    @property
    def has_text(self) -> bool:
        """True if the texts of messages have to be searched."""
        return bool(self.words or self.senders or self.recipients or self.subjects)


def read_query(text: str) -> SearchQuery:
    """Parse a query. An operator without a value that it understands is left out."""
    found: dict[str, list[str]] = {}
    last = ""
    for part in _PARTS.finditer(_NO_TEXT.sub(" ", text)):
        last = (part["name"] or "").lower()
        value = part["phrase"] or part["word"] or ""
        if not part["name"] and value.lower() in _BEGUN:
            continue
        if value.strip():
            found.setdefault(last, []).append(value)
    states = [each.lower() for each in found.get("is", ())]
    return SearchQuery(
        words=tuple(found.get("", ())),
        senders=tuple(found.get("from", ())),
        recipients=tuple(found.get("to", ())),
        subjects=tuple(found.get("subject", ())),
        attachment="attachment" in map(str.lower, found.get("has", ())),
        unread="unread" in states,
        verified="verified" in states,
        first="first" in states,
        before=min(_days(found.get("before", [])), default=math.inf),
        after=max(_days(found.get("after", [])), default=-math.inf),
        typing="" in found and not last and not text.endswith((" ", '"')),
    )


def _days(texts: list[str]) -> list[float]:
    """Return the beginnings of the days, months and years that are dates."""
    days = map(_day, texts)
    return [day for day in days if day is not None]


def _day(text: str) -> float | None:
    """Return the beginning of a day, month or year, None if the text is not a date."""
    for form in _DATES:
        with suppress(ValueError, OverflowError, OSError):
            return datetime.strptime(text, form).timestamp()
    return None
