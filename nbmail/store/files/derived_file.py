"""A database of what can be had again: not made durable, and begun anew wherever it turns out to be damaged."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import make_private_file, make_private_folder
from nbmail.store.files.connection import Connection
from nbmail.store.files.database_file import statements
from nbmail.store.files.disk_errors import file_error_codes

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class DerivedFile:
    """A file laid out by `schema` at its first use; damaged, it begins anew. `shrinking` ones give room back."""

    def __init__(self, path: Path, schema: str, *, shrinking: bool = False, read_only: bool = False) -> None:
        self.path, self._read_only = path, read_only
        self._schema, self._shrinking = schema, shrinking
        # None before the first use, and where the file could not be begun anew: every use tries that again.
        self._connection: Connection | None = None

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.retried(lambda connection: connection.rows(sql, parameters))

    def write(self, sql: str, rows: Sequence[Sequence[Any]]) -> int:
        """Run a statement for all these rows, in one transaction; how many rows it changed."""

        def write(connection: Connection) -> int:
            with connection.transaction():
                return connection.execute_many(sql, rows)

        return self.retried(write)

    def retried(self, work: Callable[[Connection], Result]) -> Result:
        """Work with the file; with an empty one where the file turns out to be damaged."""
        try:
            return work(self.opened())
        except KnownError as error:
            if error.error_code is not ErrorCode.DATABASE_DAMAGED:
                raise
            log.warning("%s begins anew: %s", self.path.name, error.detail)
            self.recreate()
            return work(self.opened())

    def relieve(self) -> None:
        """Write the log so far into the file; where the disk won't have that, it stays in the log."""
        try:
            self.retried(Connection.relieve)
        except KnownError as error:
            if error.error_code not in (ErrorCode.DISK_FULL, ErrorCode.DISK_ERROR):
                raise
            log.warning("%s keeps its log: %s", self.path.name, error.detail)

    def tidy(self) -> None:
        """Write the log into the file and give free room back to the disk, where it was ever used."""
        if self._connection is not None:
            self.retried(Connection.checkpoint)

    def recreate(self) -> None:
        """Drop the file; the next use makes an empty one."""
        with suppress(KnownError):
            self.close()
        _remove(self.path)

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def opened(self) -> Connection:
        """The file, for who sees to its damage himself."""
        if self._connection is None:
            self._connection = self._open()
        return self._connection

    def _open(self) -> Connection:
        if self._read_only:
            raise KnownError(ErrorCode.READ_ONLY, str(self.path))
        with file_error_codes(self.path):
            # Somebody may just have deleted it.
            make_private_folder(self.path.parent)
            # Also one that was made, and no further for want of room.
            fresh = not self.path.exists() or not self.path.stat().st_size
            make_private_file(self.path)
        connection = Connection(self.path, durable=False, incremental_vacuum=fresh and self._shrinking)
        try:
            if not connection.value("SELECT count(*) FROM sqlite_master"):
                with connection.transaction():
                    for statement in statements(self._schema):
                        connection.execute(statement)
        except BaseException:
            connection.close()
            raise
        return connection


def _remove(path: Path) -> None:
    with file_error_codes(path):
        for name in (path.name, path.name + "-wal", path.name + "-shm"):
            path.with_name(name).unlink(missing_ok=True)
