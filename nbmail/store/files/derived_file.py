"""Database of derived data: not durable, and created again if it is damaged."""

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
    """File with the tables of `schema`, opened at its first use. `shrinking`: deleted rows shrink the file."""

    def __init__(self, path: Path, schema: str, *, shrinking: bool = False, read_only: bool = False) -> None:
        self.path, self._read_only = path, read_only
        self._schema, self._shrinking = schema, shrinking
        # None before the first use, and while the file can't be created: every use tries again.
        self._connection: Connection | None = None

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.retried(lambda connection: connection.rows(sql, parameters))

    def write(self, sql: str, rows: Sequence[Sequence[Any]]) -> int:
        """Run a statement for all rows in one transaction. Return the number of changed rows."""

        def write(connection: Connection) -> int:
            with connection.transaction():
                return connection.execute_many(sql, rows)

        return self.retried(write)

    def retried(self, work: Callable[[Connection], Result]) -> Result:
        """Return the result of `work`. If the file is damaged, run it again with an empty one."""
        try:
            return work(self.opened())
        except KnownError as error:
            if error.error_code is not ErrorCode.DATABASE_DAMAGED:
                raise
            log.warning("%s is created again: %s", self.path.name, error.detail)
            self.recreate()
            return work(self.opened())

    def relieve(self) -> None:
        """Write the write-ahead log into the file, unless the disk refuses."""
        try:
            self.retried(Connection.relieve)
        except KnownError as error:
            if error.error_code not in (ErrorCode.DISK_FULL, ErrorCode.DISK_ERROR):
                raise
            log.warning("%s keeps its log: %s", self.path.name, error.detail)

    def tidy(self) -> None:
        """Write the write-ahead log into the file and shrink it, if it is open."""
        if self._connection is not None:
            self.retried(Connection.checkpoint)

    def recreate(self) -> None:
        """Delete the file. The next use creates an empty one."""
        with suppress(KnownError):
            self.close()
        _remove(self.path)

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def opened(self) -> Connection:
        """Return the connection, for callers that handle damage."""
        if self._connection is None:
            self._connection = self._open()
        return self._connection

    def _open(self) -> Connection:
        if self._read_only:
            raise KnownError(ErrorCode.READ_ONLY, str(self.path))
        with file_error_codes(self.path):
            # The user may have deleted it.
            make_private_folder(self.path.parent)
            # Empty if the disk was full when it was created.
            fresh = not self.path.exists() or not self.path.stat().st_size
            make_private_file(self.path)
        try:
            connection = Connection(self.path, durable=False, incremental_vacuum=fresh and self._shrinking)
        except FileNotFoundError:
            # Deleted since it was created above.
            return self._open()
        try:
            wanted = [each.strip().rstrip(";") for each in statements(self._schema)]
            tables, count_all = (
                [each for each in wanted if each.startswith("CREATE")],
                "SELECT count(*) FROM sqlite_master",
            )
            stored = connection.value(count_all)
            same = connection.value(f"{count_all} WHERE sql IN ({', '.join('?' * len(tables))})", tables)
            if stored and same < len(tables):
                log.info("%s has another schema and is created again", self.path.name)
                connection.close()
                _remove(self.path)
                return self._open()
            if not stored:
                with connection.transaction():
                    for statement in wanted:
                        connection.execute(statement)
        except BaseException:
            connection.close()
            raise
        return connection


def _remove(path: Path) -> None:
    with file_error_codes(path):
        for name in (path.name, path.name + "-wal", path.name + "-shm"):
            path.with_name(name).unlink(missing_ok=True)
