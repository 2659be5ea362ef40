"""File names from strangers."""

import re
import unicodedata

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
