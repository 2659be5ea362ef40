"""The demo mailbox as it is written down: plain text files that a person can read and change.

A file holds many messages. Each begins with a line `@ FOLDER DAYS CLOCK [new] [flagged] [answered] [junk] [good]`
(or `@ arrives SECONDS`), then header lines, an empty line and the body. `junk` and `good`, be it as folder or behind
the clock, say that Robin has sorted it already. `From:` and `Dress:` name sections of
`senders.ini`.
"""

from collections.abc import Iterator
from configparser import ConfigParser
from dataclasses import dataclass, field
from pathlib import Path

FOLDERS = {"inbox": "INBOX", "junk": "Sorted", "sorted": "Sorted"}
KEYWORDS = {"junk": "$Junk", "good": "$NotJunk", "sorted": "$NotJunk"}
"""What Robin has said with another mail program, in words that mail programs share."""
DAY = 86400.0
START = "@ "


@dataclass(frozen=True, slots=True)
class Note:
    """One message as written. `age` is in seconds before the start; a negative age comes while you watch.

    `source` is the file's name without its ending: it begins with `junk` or `good`, which is the truth about it.
    """

    source: str
    number: int
    folder: str
    age: float
    flags: frozenset[str]
    headers: tuple[tuple[str, str], ...]
    body: str

    def header(self, name: str, otherwise: str = "") -> str:
        return next((value for key, value in self.headers if key.lower() == name.lower()), otherwise)

    def every(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]

    @property
    def is_junk(self) -> bool:
        """What a sensible owner would say of it."""
        return self.source.startswith("junk")


@dataclass(frozen=True, slots=True)
class Sender:
    """Who writes, and the headers that his or her mail program and provider put on every letter."""

    address: str
    headers: tuple[tuple[str, str], ...] = ()
    settings: dict[str, str] = field(default_factory=dict)


def read_notes(folder: Path, midnight: float, now: float) -> list[Note]:
    """All notes of the folder's text files. Clock times count from `midnight` of the day of the start."""
    notes: list[Note] = []
    for path in sorted(folder.glob("*.txt")):
        for number, lines in enumerate(_split(path.read_text(encoding="utf-8"))):
            notes.append(_note(path.stem, number, lines, midnight, now))
    return notes


def _split(text: str) -> Iterator[list[str]]:
    """The lines of each message."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith(START) and lines:
            yield lines
            lines = []
        if lines or line.startswith(START):
            lines.append(line)
    if lines:
        yield lines


def _note(source: str, number: int, lines: list[str], midnight: float, now: float) -> Note:
    words = lines[0].split()
    end = lines.index("", 1) if "" in lines else len(lines)
    headers = tuple(_header(line) for line in lines[1:end])
    body = "\n".join(lines[end + 1 :]).strip("\n") + "\n"
    if words[1] == "arrives":
        return Note(source, number, "INBOX", -float(words[2]), frozenset(), headers, body)
    return Note(source, number, FOLDERS[words[1]], _age(words, midnight, now), _flags(words), headers, body)


def _header(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip(), value.strip()


def _age(words: list[str], midnight: float, now: float) -> float:
    """Seconds before now. A clock time of today that is still to come is taken as a little while ago."""
    hours, _, minutes = words[3].partition(":")
    moment = midnight - int(words[2]) * DAY + int(hours) * 3600 + int(minutes) * 60
    return now - moment if moment < now else 60.0 * (1 + int(minutes))


def _flags(words: list[str]) -> frozenset[str]:
    flags = {"flagged": "\\Flagged", "answered": "\\Answered", **KEYWORDS}
    seen = set() if "new" in words else {"\\Seen"}
    return frozenset(seen | {flags[word] for word in words if word in flags})


def read_senders(path: Path) -> dict[str, Sender]:
    """The sections of `senders.ini`: people and shops with a `from`, and dresses without one."""
    parser = ConfigParser(interpolation=None, delimiters=("=",), strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(path, encoding="utf-8")
    return {name: _sender(parser, name) for name in parser.sections()}


def _sender(parser: ConfigParser, name: str) -> Sender:
    own = dict(parser[name])
    dress = dict(parser[own["dress"]]) if "dress" in own else {}
    both = dress | own
    headers = tuple((key, value) for key, value in both.items() if key[0].isupper())
    return Sender(both.get("from", ""), headers, {key: value for key, value in both.items() if key[0].islower()})
