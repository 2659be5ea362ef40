"""Mailboxes on the disk, seen like any folder: Maildir, mbox and folders of single messages. They are never written.

A message's UID is made of its moment and a digest, so that it stays the same over restarts without a file of ours
beside the mail, and newer mail has larger UIDs as on a server.
"""

from __future__ import annotations

import mailbox
import os
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

from nbmail.sync.desk import Arrival, FolderMemory
from nbmail.sync.sync_plan import Survey

# Nothing on the disk says that a mailbox was made anew; equal UIDs are equal messages anyway.
VALIDITY = 1
LATEST = 2**31 - 1
MAILDIR_FLAGS = {"S": "\\Seen", "R": "\\Answered", "F": "\\Flagged", "T": "\\Deleted", "D": "\\Draft"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of a box: where its bytes are, and what is known without reading it."""

    path: Path
    start: int
    size: int
    received: float
    flags: frozenset[str] = frozenset()


class Box(mailbox.Mailbox[mailbox.Message]):
    """A mailbox on the disk that is only read. It has the verbs of `mailbox.Mailbox`, and can be kept in step."""

    def __init__(self, path: Path, largest: int) -> None:
        super().__init__(str(path), create=False)
        self.path = path
        self._largest = largest
        self._entries: dict[int, Entry] = {}
        self._signature: object = None

    @abstractmethod
    def signature(self) -> object:
        """What changes when the box may have changed, had without reading mail."""

    @abstractmethod
    def scan(self) -> dict[int, Entry]:
        """All messages by UID."""

    def refresh(self) -> None:
        """Look again, if anything changed."""
        signature = self.signature()
        if signature != self._signature:
            self._entries = self.scan()
            self._signature = signature

    def survey(self, memory: FolderMemory, *, thorough: bool = True) -> Survey:
        """What is there."""
        self.refresh()
        return Survey(VALIDITY, 0, {uid: entry.flags for uid, entry in self._entries.items()})

    def arrivals(self, uids: Iterable[int], most: int = 0) -> Iterator[Arrival]:
        """These messages, of each as much as the account takes or `most`; those that have gone are left out."""
        for uid in uids:
            entry = self._entries.get(uid)
            raw = _read(entry, most or self._largest) if entry is not None else None
            if entry is not None and raw is not None:
                yield Arrival(uid, entry.flags, entry.received, raw, entry.size)

    def iterkeys(self) -> Iterator[Any]:
        """UIDs, oldest first."""
        self.refresh()
        return iter(sorted(self._entries))

    def __contains__(self, key: object) -> bool:
        """Whether there is a message with this UID."""
        self.refresh()
        return key in self._entries

    def __len__(self) -> int:
        """How many messages."""
        self.refresh()
        return len(self._entries)

    def get_bytes(self, key: Any) -> bytes:
        """The message whole."""
        entry = self._entries[key]
        raw = _read(entry, entry.size)
        if raw is None:
            raise KeyError(key)
        return raw

    def get_message(self, key: Any) -> mailbox.Message:
        """The message, taken apart by the standard library."""
        return mailbox.Message(self.get_bytes(key))

    def get_file(self, key: Any) -> BytesIO:
        """The message as a file."""
        return BytesIO(self.get_bytes(key))

    def add(self, message: Any) -> NoReturn:
        """Refused: what is on the disk belongs to another program."""
        raise PermissionError(f"{self.path} is only read")

    def remove(self, key: Any) -> NoReturn:
        """Refused as well."""
        raise PermissionError(f"{self.path} is only read")

    def __setitem__(self, key: Any, message: Any) -> NoReturn:
        """Refused as well."""
        raise PermissionError(f"{self.path} is only read")

    def flush(self) -> None:
        """There is never anything to write."""

    def lock(self) -> None:
        """Who only reads needs none."""

    def unlock(self) -> None:
        """Who only reads has none."""

    def close(self) -> None:
        """No file stays open between calls."""


class MaildirBox(Box):
    """A Maildir: one file a message, its flags in its name."""

    def signature(self) -> object:
        """Every delivery, removal and flag is a change of one of the two folders."""
        return tuple((self.path / part).stat().st_mtime_ns for part in ("new", "cur"))

    def scan(self) -> dict[int, Entry]:
        """All messages of new and cur."""
        found: dict[int, Entry] = {}
        for part in ("new", "cur"):
            for each in _files(self.path / part):
                key, _, info = each.name.partition(":2,")
                flags = frozenset(MAILDIR_FLAGS[letter] for letter in info if letter in MAILDIR_FLAGS)
                status = each.stat()
                head = key.partition(".")[0]
                moment = int(head) if head.isdigit() and len(head) < 12 else int(status.st_mtime)
                entry = Entry(Path(each.path), 0, status.st_size, float(moment), flags)
                found[unique_uid(moment, key.encode("utf-8", "surrogateescape"), found)] = entry
        return found


class LetterBox(Box):
    """A folder of single messages, one `.eml` file each, also in folders below."""

    def signature(self) -> object:
        """Names, moments and sizes of all files."""
        return tuple((str(path), status.st_mtime_ns, status.st_size) for path, status in self._letters())

    def scan(self) -> dict[int, Entry]:
        """All files."""
        found: dict[int, Entry] = {}
        for path, status in self._letters():
            moment = int(status.st_mtime)
            name = str(path.relative_to(self.path)).encode("utf-8", "surrogateescape")
            uid = unique_uid(moment, name + b"%d" % status.st_size, found)
            found[uid] = Entry(path, 0, status.st_size, float(moment))
        return found

    def _letters(self) -> list[tuple[Path, os.stat_result]]:
        return [(path, path.stat()) for path in sorted(self.path.rglob("*.eml")) if path.is_file()]


def unique_uid(moment: int, name: bytes, taken: dict[int, Entry]) -> int:
    """A UID of 63 bits; what is there twice gets the next free one."""
    uid = (min(max(moment, 1), LATEST) << 32) | int.from_bytes(blake2b(name, digest_size=4).digest())
    while uid in taken:
        uid += 1
    return uid


def _files(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted((each for each in entries if each.is_file()), key=lambda each: each.name)


def _read(entry: Entry, most: int) -> bytes | None:
    """The message's bytes, None if another program took them away."""
    try:
        with entry.path.open("rb") as file:
            file.seek(entry.start)
            return file.read(min(entry.size, most))
    except FileNotFoundError:
        return None
