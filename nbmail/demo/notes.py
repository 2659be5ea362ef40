"""Text files of the demo: their messages as notes, and their senders.

A file contains many messages, each with a first line, header lines, an empty line and the body. The
first line is `@ FOLDER DAYS CLOCK [new] [flagged] [answered] [spam] [ham]` or `@ arrives SECONDS`.
`spam` and `ham`, as folder or after the clock, mean that Robin has marked the message. `From:` and
`Dress:` name sections of `senders.ini`.
"""

from __future__ import annotations

import re
from configparser import ConfigParser
from pathlib import Path
from typing import NamedTuple

FOLDERS = {"inbox": "INBOX", "spam": "Sorted", "sorted": "Sorted"}
FLAGS = {
    "flagged": "\\Flagged",
    "answered": "\\Answered",
    "spam": "$Junk",
    "ham": "$NotJunk",
    "sorted": "$NotJunk",
}
"""Flags by the words of a first line. The keywords are those of the marks that Robin made in
another mail program.
"""
DAY = 86400.0


class Note(NamedTuple):
    """Message of a text file.

    `source`: file name, which begins with the true class. `age`: seconds before the start.
    """

    source: str
    number: int
    folder: str
    age: float
    flags: frozenset[str]
    headers: tuple[tuple[str, str], ...]
    body: str

    def header(self, name: str, otherwise: str = "") -> str:
        """Return the first header with a name."""
        found = self.every(name)
        return found[0] if found else otherwise

    def every(self, name: str) -> list[str]:
        """Return all headers with a name."""
        return [value for key, value in self.headers if key.lower() == name.lower()]

    @property
    def is_spam(self) -> bool:
        return self.source.startswith("spam")


class Sender(NamedTuple):
    """Sender with the headers that mail program and provider add to each message."""

    address: str
    headers: tuple[tuple[str, str], ...]
    settings: dict[str, str]


def read_notes(folder: Path, midnight: float, now: float) -> list[Note]:
    """Return the notes of all text files. `midnight`: beginning of the current day."""
    notes = []
    for path in sorted(folder.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        _, *parts = re.split(r"^(?=@ )", text, flags=re.MULTILINE)
        for number, part in enumerate(parts):
            notes.append(_note(path.stem, number, part.splitlines(), midnight, now))
    return notes


def _note(source: str, number: int, lines: list[str], midnight: float, now: float) -> Note:
    words = lines[0].split()
    end = lines.index("", 1) if "" in lines else len(lines)
    headers = []
    for line in lines[1:end]:
        name, _, value = line.partition(":")
        headers.append((name.strip(), value.strip()))
    body = "\n".join(lines[end + 1 :]).strip("\n") + "\n"

    if words[1] == "arrives":
        folder = "INBOX"
        age = -float(words[2])
        flags = frozenset[str]()
    else:
        folder = FOLDERS[words[1]]
        age = _age(int(words[2]), words[3], midnight, now)
        flags = _flags(words)
    return Note(source, number, folder, age, flags, tuple(headers), body)


def _age(days: int, clock: str, midnight: float, now: float) -> float:
    """Return the seconds since a time some days ago."""
    hours, _, minutes = clock.partition(":")
    moment = midnight - days * DAY + int(hours) * 3600 + int(minutes) * 60
    if moment < now:
        return now - moment
    # A later time of the current day becomes a few minutes ago.
    return 60.0 * (1 + int(minutes))


def _flags(words: list[str]) -> frozenset[str]:
    flags = {FLAGS[word] for word in words if word in FLAGS}
    if "new" not in words:
        flags.add("\\Seen")
    return frozenset(flags)


def read_senders(path: Path) -> dict[str, Sender]:
    """Read `senders.ini`: senders with `from`, and styles without it."""
    parser = ConfigParser(interpolation=None, delimiters=("=",), strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path, encoding="utf-8")
    senders = {}
    for name in parser.sections():
        own = dict(parser[name])
        values = own
        if "dress" in own:
            values = dict(parser[own["dress"]]) | own
        headers = []
        settings = {}
        for key, value in values.items():
            if key[0].isupper():
                headers.append((key, value))
            else:
                settings[key] = value
        senders[name] = Sender(values.get("from", ""), tuple(headers), settings)
    return senders
