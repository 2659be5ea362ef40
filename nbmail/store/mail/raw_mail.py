"""Raw mail, kept as long as there is room: a cache in a file of its own, by what a message is, not by its number.

Losing it costs fetching again, so it isn't made durable, and a damaged file is replaced by an empty one, whenever the
damage is met.
"""

import logging
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from nbmail.errors import KnownError, Trouble
from nbmail.store.files.connection import Connection
from nbmail.store.files.database_file import make_private, statements
from nbmail.store.files.disk_errors import file_troubles
from nbmail.store.files.schema import RAW_MAIL

IDENTITIES_AT_ONCE = 500
# More than arrive before the database's log is made sure of on the disk: among so many are those whose messages a crash
# has taken back.
LATEST = 1000

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class RawMail:
    """Compressed raw messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # None where the file could not be begun anew: every use tries that again.
        self._connection: Connection | None = None
        self._surely(lambda connection: None)

    def get(self, identity: bytes) -> bytes | None:
        """The raw message, None where it isn't kept (any more)."""
        found = self._rows("SELECT raw FROM bodies WHERE identity = ?", (identity,))
        try:
            return zlib.decompress(found[0][0]) if found else None
        except zlib.error:
            log.warning("%s: a damaged message is dropped", self.path)
            self.drop([identity])
            return None

    def put(self, bodies: Iterable[tuple[bytes, bytes]], moment: float) -> None:
        """Keep raw messages by their identities."""
        self.put_packed(((identity, pack(raw)) for identity, raw in bodies), moment)

    def put_packed(self, bodies: Iterable[tuple[bytes, bytes]], moment: float) -> None:
        """The same for what was packed before: a quarter of the time that storing a message takes."""
        rows = [(identity, moment, len(stored), stored) for identity, stored in bodies if stored]
        self._write("INSERT OR REPLACE INTO bodies VALUES (?, ?, ?, ?)", rows)

    def evict(self, most_bytes: int) -> int:
        """Let the oldest go until the rest fits; how many went."""
        surplus = self.size() - most_bytes
        if surplus <= 0:
            return 0
        return self._write(
            "DELETE FROM bodies WHERE identity IN (SELECT identity FROM"
            " (SELECT identity, size, sum(size) OVER (ORDER BY stored, identity) AS upto FROM bodies)"
            " WHERE upto - size < ?)",
            [(surplus,)],
        )

    def size(self) -> int:
        """How many bytes they take, compressed."""
        return int(self._rows("SELECT coalesce(sum(size), 0) FROM bodies")[0][0])

    def identities(self) -> Iterator[list[bytes]]:
        """Whose raw mail is kept, in pieces."""
        after = b""
        while rows := self._rows(
            "SELECT identity FROM bodies WHERE identity > ? ORDER BY identity LIMIT ?", (after, IDENTITIES_AT_ONCE)
        ):
            after = rows[-1][0]
            yield [row[0] for row in rows]

    def latest(self, count: int) -> list[bytes]:
        """Whose raw mail was put in last: so many, and all that came at the same moment as the first of them."""
        rows = self._rows(
            "SELECT identity FROM bodies WHERE stored >="
            " (SELECT min(stored) FROM (SELECT stored FROM bodies ORDER BY stored DESC LIMIT ?))",
            (count,),
        )
        return [row[0] for row in rows]

    def drop(self, identities: Iterable[bytes]) -> None:
        """Forget these."""
        self._write("DELETE FROM bodies WHERE identity = ?", [(identity,) for identity in identities])

    def tidy(self) -> None:
        """Give free room back to the disk."""
        self._surely(_tidy)

    def relieve(self) -> None:
        """Write the log so far into the file; where the disk won't have that, it stays in the log."""
        try:
            self._surely(Connection.relieve)
        except KnownError as error:
            if error.trouble not in (Trouble.DISK_FULL, Trouble.DISK_ERROR):
                raise
            log.warning("the cache of raw mail keeps its log: %s", error.detail)

    def close(self) -> None:
        """Close the file."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _rows(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return self._surely(lambda connection: connection.rows(sql, parameters))

    def _write(self, sql: str, rows: list[tuple[Any, ...]]) -> int:
        """Run a statement for all these rows, in one transaction; how many rows it changed."""

        def write(connection: Connection) -> int:
            with connection.transaction():
                return connection.execute_many(sql, rows)

        return self._surely(write)

    def _surely(self, work: Callable[[Connection], Result]) -> Result:
        """Work with the file; with an empty one where the file turns out to be damaged."""
        try:
            return work(self._opened())
        except KnownError as error:
            if error.trouble is not Trouble.DATABASE_DAMAGED:
                raise
            self._remove(error)
            return work(self._opened())

    def _opened(self) -> Connection:
        if self._connection is None:
            self._connection = _open(self.path)
        return self._connection

    def _remove(self, error: KnownError) -> None:
        log.warning("the cache of raw mail begins anew: %s", error.detail)
        with suppress(KnownError):
            self.close()
        _remove(self.path)


def _tidy(connection: Connection) -> None:
    connection.give_room_back()
    connection.checkpoint()


def pack(raw: bytes) -> bytes:
    """A raw message as it is kept; nothing of nothing."""
    # Level 1 packs mail to 45 % at 60 MB/s; level 6 to 41 % at 25 MB/s.
    return zlib.compress(raw, 1) if raw else b""


def _open(path: Path) -> Connection:
    with file_troubles(path):
        # Also one that was made, and no further for want of room.
        fresh = not path.exists() or not path.stat().st_size
        make_private(path)
    connection = Connection(path, durable=False, incremental_vacuum=fresh)
    try:
        if not connection.value("SELECT count(*) FROM sqlite_master"):
            with connection.transaction():
                for statement in statements(RAW_MAIL):
                    connection.execute(statement)
    except BaseException:
        connection.close()
        raise
    return connection


def _remove(path: Path) -> None:
    with file_troubles(path):
        for name in (path.name, path.name + "-wal", path.name + "-shm"):
            path.with_name(name).unlink(missing_ok=True)
