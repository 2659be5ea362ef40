"""Raw mail, kept as long as there is room: a cache in a file of its own, by what a message is, not by its number.

Losing it costs fetching again, so it isn't made durable, and a damaged file is replaced by an empty one.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbmail.errors import KnownError, Trouble
from nbmail.store.connection import Connection
from nbmail.store.schema import BODIES
from nbmail.store.troubles import file_troubles
from nbmail.store.upgrade import make_private, statements

IDENTITIES_AT_ONCE = 500


class Bodies:
    """Compressed raw messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._connection = _open(path)
        except KnownError as error:
            if error.trouble is not Trouble.DATABASE_DAMAGED:
                raise
            _remove(path)
            self._connection = _open(path)

    def get(self, identity: bytes) -> bytes | None:
        """The raw message, None where it isn't kept (any more)."""
        found = self._connection.value("SELECT raw FROM bodies WHERE identity = ?", (identity,))
        return None if found is None else zlib.decompress(found)

    def put(self, bodies: Iterable[tuple[bytes, bytes]], moment: float) -> None:
        """Keep raw messages by their identities."""
        self.put_packed(((identity, pack(raw)) for identity, raw in bodies), moment)

    def put_packed(self, bodies: Iterable[tuple[bytes, bytes]], moment: float) -> None:
        """The same for what was packed before: a quarter of the time that storing a message takes."""
        with self._connection.transaction():
            self._connection.execute_many(
                "INSERT OR REPLACE INTO bodies VALUES (?, ?, ?, ?)",
                ((identity, moment, len(stored), stored) for identity, stored in bodies if stored),
            )

    def evict(self, most_bytes: int) -> int:
        """Let the oldest go until the rest fits; how many went."""
        surplus = self.size() - most_bytes
        if surplus <= 0:
            return 0
        with self._connection.transaction():
            gone = self._connection.execute(
                "DELETE FROM bodies WHERE identity IN (SELECT identity FROM"
                " (SELECT identity, size, sum(size) OVER (ORDER BY stored, identity) AS upto FROM bodies)"
                " WHERE upto - size < ?)",
                (surplus,),
            )
        return gone

    def size(self) -> int:
        """How many bytes they take, compressed."""
        return int(self._connection.value("SELECT coalesce(sum(size), 0) FROM bodies"))

    def identities(self) -> Iterator[list[bytes]]:
        """Whose raw mail is kept, in pieces."""
        after = b""
        while rows := self._connection.rows(
            "SELECT identity FROM bodies WHERE identity > ? ORDER BY identity LIMIT ?", (after, IDENTITIES_AT_ONCE)
        ):
            after = rows[-1][0]
            yield [row[0] for row in rows]

    def latest(self) -> list[bytes]:
        """Whose raw mail was put in last: all that a crash can have left without a message."""
        rows = self._connection.rows("SELECT identity FROM bodies WHERE stored = (SELECT max(stored) FROM bodies)")
        return [row[0] for row in rows]

    def drop(self, identities: Iterable[bytes]) -> None:
        """Forget these."""
        with self._connection.transaction():
            self._connection.execute_many(
                "DELETE FROM bodies WHERE identity = ?", ((identity,) for identity in identities)
            )

    def tidy(self) -> None:
        """Give free room back to the disk."""
        self._connection.give_room_back()
        self._connection.checkpoint()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def pack(raw: bytes) -> bytes:
    """A raw message as it is kept; nothing of nothing."""
    # Level 1 packs mail to 45 % at 60 MB/s; level 6 to 41 % at 25 MB/s.
    return zlib.compress(raw, 1) if raw else b""


def _open(path: Path) -> Connection:
    with file_troubles(path):
        fresh = not path.exists()
        make_private(path)
    connection = Connection(path, durable=False, incremental_vacuum=fresh)
    try:
        if not connection.value("SELECT count(*) FROM sqlite_master"):
            with connection.transaction():
                for statement in statements(BODIES):
                    connection.execute(statement)
    except BaseException:
        connection.close()
        raise
    return connection


def _remove(path: Path) -> None:
    with file_troubles(path):
        for name in (path.name, path.name + "-wal", path.name + "-shm"):
            path.with_name(name).unlink(missing_ok=True)
