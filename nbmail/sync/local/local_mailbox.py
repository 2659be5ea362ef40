"""Mailbox on the disk, which is only read, and synchronized like a folder of a server.

The UID of a message consists of its time and a digest. So it stays equal over restarts without an
additional file, and newer mail has larger UIDs as on a server.
"""

import os
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from nbmail.sync.fetch_plan import ServerState
from nbmail.values import Arrival, StoredFolder

# A recreated mailbox can't be recognized, and equal UIDs are equal messages anyway.
VALIDITY = 1
LATEST = 2**31 - 1

LABEL_KEYWORDS = frozenset(("$junk", "junk", "$notjunk", "notjunk", "nonjunk"))
# Seconds in which a file system may give a change the time of the change before it, as FAT does.
SETTLED = 2.0


class Entry(NamedTuple):
    """Message of a box: its location in a file, its digest, and properties known before reading."""

    path: Path
    size: int
    received: float
    digest: bytes
    flags: frozenset[str] = frozenset()
    start: int = 0


class Box(ABC):
    """A mailbox on the disk.

    `teaches`: the user chose it for training, so that its keywords are labels.
    """

    teaches = False

    def __init__(self, path: Path, largest: int) -> None:
        self.path = path
        self._largest = largest
        self._entries: dict[int, Entry] = {}
        self._signature: object = None

    @abstractmethod
    def signature(self) -> object:
        """Return a value that changes if the box may have changed, without reading mail."""

    @abstractmethod
    def scan(self) -> Iterator[Entry]:
        """Yield all messages."""

    def entries(self) -> dict[int, Entry]:
        """Return all messages by UID; scan again if the signature changed."""
        signature = self.signature()
        if signature != self._signature:
            self._entries = self._numbered(self.scan())
            self._signature = signature
        return self._entries

    def server_state(self, stored: StoredFolder) -> ServerState:
        no_flags = frozenset[str]()
        flags: dict[int, frozenset[str]] = {}
        for uid, entry in self.entries().items():
            flags[uid] = self._flags(entry, stored.flags.get(uid, no_flags))
        return ServerState(VALIDITY, 0, flags)

    def arrivals(self, uids: Iterable[int], limit: int = 0) -> Iterator[Arrival]:
        """Yield messages that still exist, cut at `limit` bytes; 0 for the account's limit."""
        for uid in uids:
            entry = self._entries.get(uid)
            if entry is not None:
                with suppress(FileNotFoundError):
                    raw = self.read(entry, limit or self._largest)
                    yield Arrival(uid, self._flags(entry), entry.received, raw, entry.size)

    def read(self, entry: Entry, limit: int) -> bytes:
        """Return the first bytes of a message.

        Raise `FileNotFoundError` if another program removed it.
        """
        with entry.path.open("rb") as file:
            file.seek(entry.start)
            return file.read(min(entry.size, limit))

    @staticmethod
    def _numbered(entries: Iterable[Entry]) -> dict[int, Entry]:
        """Return the messages by UID."""
        found: dict[int, Entry] = {}
        times = Counter[int]()
        for entry in entries:
            first = _uid(entry.received, entry.digest)
            uid = first
            # Equal messages are numbered: probing for a free UID is quadratic.
            while uid in found:
                times[first] += 1
                uid = _uid(first >> 32, digest_of(b"%d %d" % (first, times[first])))
            found[uid] = entry
        return found

    def _flags(self, entry: Entry, stored: frozenset[str] = frozenset()) -> frozenset[str]:
        """Return the flags of a message. Without training its label keywords are the `stored`."""
        if self.teaches:
            return entry.flags
        return (entry.flags - _label_keywords(entry.flags)) | _label_keywords(stored)


def changed_at(status: os.stat_result) -> object:
    """Return the time of the latest change.

    Return a unique value while another change could get the same time.
    """
    is_settled = abs(time.time() - status.st_mtime) > SETTLED
    return status.st_mtime_ns if is_settled else object()


def _uid(received: float, digest: bytes) -> int:
    """Return a UID, which has 63 bits."""
    seconds = min(max(int(received), 1), LATEST)
    return seconds << 32 | int.from_bytes(digest)


@lru_cache
def _label_keywords(flags: frozenset[str]) -> frozenset[str]:
    return frozenset(flag for flag in flags if flag.lower() in LABEL_KEYWORDS)


def digest_of(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=4)
    for part in parts:
        digest.update(part)
    return digest.digest()
