"""Mailboxes on the disk, kept in step like any folder: Maildir, mbox and folders of single messages. Never written.

A message's UID is made of its moment and a digest, so that it stays the same over restarts without a file of ours
beside the mail, and newer mail has larger UIDs as on a server.
"""

import calendar
import os
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate
from hashlib import blake2b
from pathlib import Path

from nbmail.sync.folder_sync import Survey
from nbmail.sync.local.mail_files import FileMessage, files_below, maildir_files, messages_in, unquoted
from nbmail.values import Arrival, StoredFolder

# Nothing on the disk says that a mailbox was made anew; equal UIDs are equal messages anyway.
VALIDITY = 1
LATEST = 2**31 - 1
MAILDIR_FLAGS = {"S": "\\Seen", "R": "\\Answered", "F": "\\Flagged", "T": "\\Deleted", "D": "\\Draft"}
STATUS_FLAGS = {"R": "\\Seen", "A": "\\Answered", "F": "\\Flagged", "D": "\\Deleted", "T": "\\Draft"}
MOZILLA_FLAGS = {0x1: "\\Seen", 0x2: "\\Answered", 0x4: "\\Flagged"}

# What programs write into a message of an mbox file after it came.
_NOTED = re.compile(rb"^(?:X-Mozilla-Status2?|X-Mozilla-Keys|Status|X-Status):[^\n]*\n", re.IGNORECASE | re.MULTILINE)
_KEYS = re.compile(rb"^X-Mozilla-Keys: *([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(rb"^(?:X-)?Status: *([A-Z]*)", re.IGNORECASE | re.MULTILINE)
_DATE = re.compile(rb"^Date: *([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
_BLANK = re.compile(rb"\n\r?\n")
_LONGEST_HEAD = 65_536


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of a box: where its bytes are, what tells it from others, and what is known without reading it."""

    path: Path
    size: int
    received: float
    digest: bytes
    flags: frozenset[str] = frozenset()
    start: int = 0


class Box(ABC):
    """A mailbox on the disk."""

    def __init__(self, path: Path, largest: int) -> None:
        self.path = path
        self._largest = largest
        self._entries: dict[int, Entry] = {}
        self._signature: object = None

    @abstractmethod
    def signature(self) -> object:
        """What changes when the box may have changed, had without reading mail."""

    @abstractmethod
    def scan(self) -> Iterator[Entry]:
        """All messages."""

    def entries(self) -> dict[int, Entry]:
        """All messages by UID, looked for again if anything changed."""
        signature = self.signature()
        if signature != self._signature:
            self._entries = _by_uid(self.scan())
            self._signature = signature
        return self._entries

    def survey(self, memory: StoredFolder, *, thorough: bool = True) -> Survey:
        return Survey(VALIDITY, 0, {uid: entry.flags for uid, entry in self.entries().items()})

    def arrivals(self, uids: Iterable[int], most: int = 0) -> Iterator[Arrival]:
        """These messages, of each as much as the account takes or `most`; those that have gone are left out."""
        for uid in uids:
            if entry := self._entries.get(uid):
                with suppress(FileNotFoundError):
                    raw = self.read(entry, most or self._largest)
                    yield Arrival(uid, entry.flags, entry.received, raw, entry.size)

    def read(self, entry: Entry, most: int) -> bytes:
        """The first bytes of a message; a `FileNotFoundError` if another program took it away."""
        with entry.path.open("rb") as file:
            file.seek(entry.start)
            return file.read(min(entry.size, most))


class MaildirBox(Box):
    """A Maildir: one file a message, its flags in its name."""

    def signature(self) -> object:
        """Every delivery, removal and flag is a change of one of the two folders."""
        return tuple((self.path / part).stat().st_mtime_ns for part in ("new", "cur"))

    def scan(self) -> Iterator[Entry]:
        """All messages of new and cur."""
        for each in maildir_files(self.path):
            key, _, info = each.name.partition(":2,")
            flags = frozenset(MAILDIR_FLAGS[letter] for letter in info if letter in MAILDIR_FLAGS)
            head = key.partition(".")[0]
            # Another program may be changing flags, and names with them.
            with suppress(FileNotFoundError):
                status = each.stat()
                moment = int(head) if head.isdecimal() and len(head) < 12 else int(status.st_mtime)
                yield Entry(Path(each.path), status.st_size, float(moment), _digest(os.fsencode(key)), flags)


class LetterBox(Box):
    """A folder of single messages, one `.eml` file each, also in folders below; or one such file."""

    def signature(self) -> object:
        """Names, moments and sizes of all files."""
        return tuple((str(path), status.st_mtime_ns, status.st_size) for path, status in self._letters())

    def scan(self) -> Iterator[Entry]:
        for path, status in self._letters():
            digest = _digest(os.fsencode(path.relative_to(self.path)), b"%d" % status.st_size)
            yield Entry(path, status.st_size, float(int(status.st_mtime)), digest)

    def _letters(self) -> Iterator[tuple[Path, os.stat_result]]:
        found = files_below(self.path)
        return ((path, path.stat()) for path, single in found if single and path.suffix.lower() == ".eml")


class MboxBox(Box):
    """A file, most often an mbox file. Programs write into it what becomes of a message: that makes no other UID."""

    def signature(self) -> object:
        """Moment and size of the file."""
        status = self.path.stat()
        return status.st_mtime_ns, status.st_size

    def scan(self) -> Iterator[Entry]:
        """All messages."""
        for message in messages_in(self.path):
            stored, start = message.stored, message.place + message.begin
            head = _head(stored)
            moment, flags = _moment(message.from_line, head), _flags(message, head)
            yield Entry(self.path, len(stored), moment, _digest_of(stored), flags, start)

    def read(self, entry: Entry, most: int) -> bytes:
        """The message as it was sent, if it still lies where it was found."""
        stored = super().read(entry, entry.size)
        if _digest_of(stored) != entry.digest:
            raise FileNotFoundError(entry.path)
        # At the very beginning of a file lies no message of an mbox file.
        return (unquoted(stored) if entry.start else stored)[:most]


def _by_uid(found: Iterable[Entry]) -> dict[int, Entry]:
    """UIDs of 63 bits. Equal messages are counted: in a file of a million, looking for a free UID takes hours."""
    entries: dict[int, Entry] = {}
    times: Counter[int] = Counter()
    for entry in found:
        uid = first = min(max(int(entry.received), 1), LATEST) << 32 | int.from_bytes(entry.digest)
        while uid in entries:
            times[first] += 1
            uid = first >> 32 << 32 | int.from_bytes(_digest(b"%d %d" % (first, times[first])))
        entries[uid] = entry
    return entries


def _digest(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=4)
    for part in parts:
        digest.update(part)
    return digest.digest()


def _digest_of(stored: bytes) -> bytes:
    head = _head(stored)
    return _digest(_NOTED.sub(b"", head), stored[len(head) :])


def _head(stored: bytes) -> bytes:
    blank = _BLANK.search(stored, 0, _LONGEST_HEAD)
    return stored[: blank.end() if blank else _LONGEST_HEAD]


def _moment(from_line: bytes, head: bytes) -> float:
    """When the message came: by its "From " line, else by its own date. Time zones are not looked at."""
    date = _DATE.search(head)
    for text in (from_line[5:].partition(b" ")[2], date.group(1) if date else b""):
        with suppress(ValueError, IndexError):
            parsed = parsedate(text.strip().decode("ascii", "replace"))
            moment = calendar.timegm(parsed) if parsed is not None else 0
            if 0 < moment <= LATEST:
                return float(moment)
    return 0.0


def _flags(message: FileMessage, head: bytes) -> frozenset[str]:
    flags = {name for bit, name in MOZILLA_FLAGS.items() if message.mozilla_status & bit}
    for found in _STATUS.finditer(head):
        flags |= {STATUS_FLAGS[letter] for letter in found.group(1).decode("ascii") if letter in STATUS_FLAGS}
    keys = _KEYS.search(head)
    return frozenset(flags | set(keys.group(1).decode("ascii", "replace").split() if keys else ()))
