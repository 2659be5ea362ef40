"""Cache of raw mail, by identity.

Lost mail is fetched again, so that the file isn't durable, and an empty one replaces a damaged one.
"""

import logging
import zlib
from collections.abc import Generator, Iterable
from itertools import accumulate
from pathlib import Path

from nbmail.store.files.derived_file import DerivedFile
from nbmail.store.files.schema import RAW_MAIL

log = logging.getLogger(__name__)

# Messages deleted at once; size of a page of SQLite in bytes.
_AT_ONCE, _PAGE = 200, 4096


class RawMail(DerivedFile):
    """Table of compressed raw messages."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(path, RAW_MAIL, shrinking=True, read_only=read_only)
        if not read_only:
            self.retried(lambda connection: None)

    def get(self, identity: bytes) -> bytes | None:
        """Return a raw message; None if it isn't cached."""
        found = self.rows("SELECT raw FROM bodies WHERE identity = ?", (identity,))
        try:
            return zlib.decompress(found[0][0]) if found else None
        except zlib.error:
            log.warning("%s: a damaged message is dropped", self.path)
            self.drop([identity])
            return None

    def put(self, bodies: Iterable[tuple[bytes, bytes]], moment: float) -> None:
        """Store raw messages by identity, as `pack` makes them."""
        rows = [(identity, moment, len(stored), stored) for identity, stored in bodies if stored]
        self.write("INSERT OR REPLACE INTO bodies VALUES (?, ?, ?, ?)", rows)

    def evicting(self, most_bytes: int) -> Generator[None, None, None]:
        """Delete the oldest messages in batches until the file is small enough, and shrink the file."""
        while (surplus := self.size() - most_bytes) > 0:
            oldest = self.rows("SELECT identity, size FROM bodies ORDER BY stored, identity LIMIT ?", (_AT_ONCE,))
            if not oldest:
                return
            upto = accumulate(size + _PAGE for _, size in oldest)
            going = [identity for (identity, _), freed in zip(oldest, upto, strict=True) if freed <= surplus]
            self.drop(going or [identity for identity, _ in oldest[:8]])
            yield
            self.tidy()
            yield

    def size(self) -> int:
        """Return the size on disk in bytes. A message takes whole pages."""
        pages = self.rows("SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count")
        return int(pages[0][0]) * _PAGE

    def drop(self, identities: Iterable[bytes]) -> None:
        self.write("DELETE FROM bodies WHERE identity = ?", [(identity,) for identity in identities])


def pack(raw: bytes) -> bytes:
    """Compress a raw message; empty for none."""
    # Level 1 packs mail to 45 % at 60 MB/s; level 6 to 41 % at 25 MB/s.
    return zlib.compress(raw, 1) if raw else b""
