"""Text from strangers and users: web addresses, file names, text for terminals, and queries of the
search field.
"""

import math
import re
import unicodedata
from argparse import ArgumentParser
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, TextIO

_SERVER_END = re.compile(r"[/\\?#]")
# Second levels under which a country registers names: "shop.co.uk" belongs to shop.co.uk, not to
# co.uk.
_SHARED = frozenset(
    ("ac", "co", "com", "edu", "gob", "gov", "go", "mil", "ne", "net", "nom", "or", "org")
)


class WebPlace(NamedTuple):
    """Location behind the scheme of a web address. `server` may include a port; `path` starts with
    its separator.
    """

    has_user: bool
    server: str
    path: str


def read_place(rest: str) -> WebPlace:
    """Split what follows "http://" as a browser does (WHATWG URL): the last "@" before the path
    ends a user name.
    """
    end = _SERVER_END.search(rest)
    server, path = (rest[: end.start()], rest[end.start() :]) if end else (rest, "")
    _, at, host = server.rpartition("@")
    return WebPlace(bool(at), host, path)


@lru_cache(4096)
def domain_of(host: str) -> str:
    """Return the registered part of a name: the last two labels, three under a shared second
    level.
    """
    labels = host.rstrip(".").rsplit(".", 3)
    if len(labels) > 2 and labels[-2] in _SHARED and len(labels[-1]) == 2:
        return ".".join(labels[-3:])
    return ".".join(labels[-2:])


MOST_BYTES = 240
"""Maximum UTF-8 size of a name. File systems allow 255 bytes; the rest is for a number after the
name.
"""
LONGEST_EXTENSION = 20
_JOINERS = "\u200c\u200d"
"""Invisible letters that some scripts need inside words. They are removed at the end of a name and
in extensions.
"""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Printable characters without a visible form."""
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)
"""Names of devices on Windows."""


def clean_file_name(written: str) -> str:
    """Return a name without folders and invisible characters. A long name keeps its extension."""
    last = re.split(r"[/\\]", written.rstrip("/\\"))[-1]
    shown = _BLANK.sub("", "".join(" " if each.isspace() else each for each in last))
    kept = "".join(
        each for each in shown if (each.isprintable() or each in _JOINERS) and each not in ':*?"<>|'
    )
    stem, dot, extension = " ".join(kept.split()).strip(f" .{_JOINERS}").rpartition(".")
    extension = " ".join("".join(each for each in extension if each not in _JOINERS).split())
    stem, extension = (unicodedata.normalize("NFC", each) for each in (stem, extension))
    if not stem or len(extension) > LONGEST_EXTENSION:
        stem = f"{stem}{dot}{extension}"
        dot = ""
        extension = ""
    shortened = stem.encode()[: MOST_BYTES - len(f"{dot}{extension}".encode())].decode(
        errors="ignore"
    )
    name = shortened.rstrip(f" .{_JOINERS}") + dot + extension
    return f"_{name}" if _RESERVED.match(name) else name


def printable(text: str) -> str:
    """Escape everything except visible characters and spaces, also bytes of a file name that are
    not UTF-8.
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text
    )


def encodable(text: str, stream: TextIO) -> str:
    """Escape what the encoding of a stream doesn't have."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


class PlainParser(ArgumentParser):
    """Argument parser that escapes the arguments in its messages."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message("\n".join(map(printable, message.split("\n"))), file)


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
_BEGUN = {each.partition(":")[0] + ":" for each in OPERATORS}
_DATES = ("%Y-%m-%d", "%d.%m.%Y", "%Y-%m", "%Y")


class SearchQuery(NamedTuple):
    """Conditions that a message must meet. `before`: earlier than this second since 1970; `after`:
    not earlier.

    `first`: the earliest message from its sender.

    `typing`: the last of `words` may be the beginning of a word.
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


def read_query(text: str) -> SearchQuery:
    """Parse a query. An operator without a value that it understands is left out."""
    found: dict[str, list[str]] = {}
    last = ""
    for part in _PARTS.finditer(text.replace("\0", " ")):
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
        before=min(
            (day for each in found.get("before", ()) if (day := _day(each)) is not None),
            default=math.inf,
        ),
        after=max(
            (day for each in found.get("after", ()) if (day := _day(each)) is not None),
            default=-math.inf,
        ),
        typing="" in found and not last and not text.endswith((" ", '"')),
    )


def _day(text: str) -> float | None:
    """Return the beginning of a day, month or year, None if the text is not a date."""
    for form in _DATES:
        with suppress(ValueError, OverflowError, OSError):
            return datetime.strptime(text, form).timestamp()
    return None
