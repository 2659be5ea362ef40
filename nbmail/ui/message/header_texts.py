"""What stands above a message, made readable: people, subjects, names of files."""

from __future__ import annotations

import re
import unicodedata

LONGEST_NAME = 60
"""Characters of a file's name; of a longer one the middle is left out, for its ending says what it does."""
ENDING = 24
STRETCH = 18
"""Letters after which a name without a space may be broken."""
_QUOTED = re.compile(r'"([^"\\,;<>]*)"(?=\s*<)')
_BARE = re.compile(r"(^|,\s*)<([^<>\s]+)>")
_BREAK = "\u200b"


def tidy_spaces(text: str) -> str:
    """The text in one line, its words one space apart."""
    return " ".join(text.split())


def tidy_people(text: str) -> str:
    """Names without quotes where none are needed, addresses without a name without brackets."""
    return _BARE.sub(r"\1\2", _QUOTED.sub(r"\1", tidy_spaces(text))).strip()


def file_name(name: str) -> str:
    """A file's name with its ending, whatever its length, in the order in which it is written.

    Marks that turn the direction of writing are left out: they make "cod.exe" of a name that ends in "exe.doc".
    """
    seen = "".join(each for each in tidy_spaces(name) if unicodedata.category(each) not in ("Cf", "Cc"))
    if len(seen) > LONGEST_NAME:
        seen = f"{seen[: LONGEST_NAME - ENDING].rstrip()}…{seen[-ENDING:].lstrip()}"
    return re.sub(rf"(\S{{{STRETCH}}})(?=\S)", rf"\1{_BREAK}", seen)
