"""Read-only mailboxes on the disk, synchronized like folders of a server: Maildir, mbox, folders of
single messages.

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
# Seconds: a file system may give a change the time of the change before it, on FAT two seconds
# long.
SETTLED = 2.0


class Entry(NamedTuple):
    """Message of a box: its location in a file, its digest, and properties known without reading
    it.
    """

    path: Path
    size: int
    received: float
    digest: bytes
    flags: frozenset[str] = frozenset()
    start: int = 0


class Box(ABC):
    """A mailbox on the disk. `teaches`: the user chose it for training, so that its keywords are
    labels.
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
        """Return all messages by UID, which has 63 bits; scan again if the signature changed."""
        signature = self.signature()
        if signature != self._signature:
            self._entries = {}
            times = Counter[int]()
            for entry in self.scan():
                uid = first = min(max(int(entry.received), 1), LATEST) << 32 | int.from_bytes(
                    entry.digest
                )
                # Equal messages are numbered: probing for a free UID is quadratic.
                while uid in self._entries:
                    times[first] += 1
                    uid = first >> 32 << 32 | int.from_bytes(
                        digest_of(b"%d %d" % (first, times[first]))
                    )
                self._entries[uid] = entry
            self._signature = signature
        return self._entries

    def server_state(self, stored: StoredFolder) -> ServerState:
        known = stored.flags
        no_flags = frozenset[str]()
        flags = {
            uid: self._flags(entry, known.get(uid, no_flags))
            for uid, entry in self.entries().items()
        }
        return ServerState(VALIDITY, 0, flags)

    def arrivals(self, uids: Iterable[int], limit: int = 0) -> Iterator[Arrival]:
        """Yield messages that still exist, cut at `limit` bytes; 0 for the account's limit."""
        for uid in uids:
            if entry := self._entries.get(uid):
                with suppress(FileNotFoundError):
                    raw = self.read(entry, limit or self._largest)
                    yield Arrival(uid, self._flags(entry), entry.received, raw, entry.size)

    def _flags(self, entry: Entry, stored: frozenset[str] = frozenset()) -> frozenset[str]:
        """Return the flags of a message. Without training its label keywords are the stored
        ones.
        """
        if self.teaches:
            return entry.flags
        return (entry.flags - _label_keywords(entry.flags)) | _label_keywords(stored)

    def read(self, entry: Entry, limit: int) -> bytes:
        """Return the first bytes of a message. `FileNotFoundError` if another program removed
        it.
        """
        with entry.path.open("rb") as file:
            file.seek(entry.start)
            return file.read(min(entry.size, limit))


def changed_at(status: os.stat_result) -> object:
    """Return the time of the latest change; a unique value while another change could get the same
    time.
    """
    return status.st_mtime_ns if abs(time.time() - status.st_mtime) > SETTLED else object()


@lru_cache
def _label_keywords(flags: frozenset[str]) -> frozenset[str]:
    return frozenset(flag for flag in flags if flag.lower() in LABEL_KEYWORDS)


def digest_of(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=4)
    for part in parts:
        digest.update(part)
    return digest.digest()
