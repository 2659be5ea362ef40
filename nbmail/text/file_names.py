"""File names from strangers."""

import re
import unicodedata

MOST_BYTES = 240
"""Maximum UTF-8 size of a name. File systems allow 255 bytes; a number may follow the name."""
LONGEST_EXTENSION = 20
_JOINERS = "\u200c\u200d"
"""Invisible letters that some scripts need inside words, but not in extensions."""
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Printable characters without a visible form."""
_ENDS = f" .{_JOINERS}"
_FORBIDDEN = frozenset(':*?"<>|')
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)", re.IGNORECASE)
"""Names of devices on Windows."""


def clean_file_name(written: str) -> str:
    """Return a name without folders and invisible characters. A long name keeps its extension."""
    last = re.split(r"[/\\]", written.rstrip("/\\"))[-1]
    stem, dot, extension = _visible(last).strip(_ENDS).rpartition(".")
    for joiner in _JOINERS:
        extension = extension.replace(joiner, "")
    stem = unicodedata.normalize("NFC", stem)
    extension = unicodedata.normalize("NFC", " ".join(extension.split()))
    if not stem or len(extension) > LONGEST_EXTENSION:
        stem = f"{stem}{dot}{extension}"
        dot = ""
        extension = ""

    room = MOST_BYTES - len(f"{dot}{extension}".encode())
    shortened = stem.encode()[:room].decode(errors="ignore")
    name = shortened.rstrip(_ENDS) + dot + extension
    return f"_{name}" if _RESERVED.match(name) else name


def _visible(text: str) -> str:
    """Return the letters that a file name can have, with single spaces between words."""
    spaced = "".join(" " if letter.isspace() else letter for letter in text)
    kept = [
        letter
        for letter in _BLANK.sub("", spaced)
        if (letter.isprintable() or letter in _JOINERS) and letter not in _FORBIDDEN
    ]
    return " ".join("".join(kept).split())
