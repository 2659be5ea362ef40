"""mbox files, those of Thunderbird with its status headers included: many messages in one file, never written here."""

from __future__ import annotations

import calendar
import mmap
import re
from collections.abc import Iterator
from email.utils import parsedate

from nbmail.sync.local.boxes import Box, Entry, unique_uid

# A line of a letter may begin with "From " too: only one that ends like a date and follows an empty line parts two.
_SEPARATOR = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*(?:\d{4}|\d\d:\d\d[^\n]*)\r?\n")
_STATUS = re.compile(rb"^(?:X-Mozilla-Status2?|X-Mozilla-Keys|Status|X-Status):[^\n]*\n", re.IGNORECASE | re.MULTILINE)
_MOZILLA = re.compile(rb"^X-Mozilla-Status: *([0-9a-f]{4})", re.IGNORECASE | re.MULTILINE)
_KEYS = re.compile(rb"^X-Mozilla-Keys: *([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
_UNIX = re.compile(rb"^(?:X-)?Status: *([A-Z]*)", re.IGNORECASE | re.MULTILINE)
_DATE = re.compile(rb"^Date: *([^\r\n]*)", re.IGNORECASE | re.MULTILINE)

READ, REPLIED, MARKED, EXPUNGED = 0x1, 0x2, 0x4, 0x8
UNIX_FLAGS = {"R": "\\Seen", "A": "\\Answered", "F": "\\Flagged", "D": "\\Deleted", "T": "\\Draft"}
LONGEST_HEAD = 65_536


class MboxBox(Box):
    """One mbox file. A message's UID is made of its content without what programs write into it later."""

    def signature(self) -> object:
        """Moment and size of the file."""
        status = self.path.stat()
        return status.st_mtime_ns, status.st_size

    def scan(self) -> dict[int, Entry]:
        """All messages, those left out that Thunderbird has deleted but not yet compacted away."""
        found: dict[int, Entry] = {}
        if self.path.stat().st_size == 0:
            return found
        with self.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            for separator, start, end in _messages(content):
                entry, digested = self._entry(content, separator, start, end)
                if entry is not None:
                    found[unique_uid(int(entry.received), digested, found)] = entry
        return found

    def _entry(self, content: mmap.mmap, separator: bytes, start: int, end: int) -> tuple[Entry | None, bytes]:
        raw = content[start:end]
        blank = re.search(rb"\n\r?\n", raw[:LONGEST_HEAD])
        head = raw[: blank.end()] if blank else raw[:LONGEST_HEAD]
        mozilla = _MOZILLA.search(head)
        status = int(mozilla.group(1), 16) if mozilla else 0
        if status & EXPUNGED:
            return None, b""
        entry = Entry(self.path, start, end - start, _moment(separator, head), _flags(head, status))
        return entry, _STATUS.sub(b"", head) + raw[len(head) :]


def looks_like_mbox(first: bytes) -> bool:
    """Whether a file that begins so is an mbox file."""
    return _SEPARATOR.match(first) is not None


def _messages(content: mmap.mmap) -> Iterator[tuple[bytes, int, int]]:
    """Each message's separating line, and where it begins and ends."""
    last: tuple[bytes, int] | None = None
    for found in _SEPARATOR.finditer(content):
        if last is not None:
            yield last[0], last[1], _without_blank(content, found.start())
        last = found.group(), found.end()
    if last is not None:
        yield last[0], last[1], _without_blank(content, len(content))


def _without_blank(content: mmap.mmap, end: int) -> int:
    """The empty line before the next separator, and at the end of the file, belongs to no message."""
    for blank in (b"\r\n\r\n", b"\n\n"):
        if content[end - len(blank) : end] == blank:
            return end - len(blank) // 2
    return end


def _moment(separator: bytes, head: bytes) -> float:
    """When the message came: by the separating line, else by its own date."""
    date = _DATE.search(head)
    for text in (separator[5:].partition(b" ")[2], date.group(1) if date else b""):
        parsed = parsedate(text.strip().decode("ascii", "replace"))
        if parsed is not None and 1970 <= parsed[0] <= 2037:
            return float(calendar.timegm(parsed))
    return 0.0


def _flags(head: bytes, status: int) -> frozenset[str]:
    flags = {name for bit, name in ((READ, "\\Seen"), (REPLIED, "\\Answered"), (MARKED, "\\Flagged")) if status & bit}
    for found in _UNIX.finditer(head):
        flags |= {UNIX_FLAGS[letter] for letter in found.group(1).decode("ascii") if letter in UNIX_FLAGS}
    keys = _KEYS.search(head)
    return frozenset(flags | set(keys.group(1).decode("ascii", "replace").split() if keys else ()))
