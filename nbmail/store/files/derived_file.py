"""Database derived from mail: neither durable nor repaired, and created again if it is damaged."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from nbmail.errors import ErrorCode, KnownError
from nbmail.private_files import make_private_file, make_private_folder
from nbmail.store.files.connection import Connection, Row
from nbmail.store.files.database_file import definitions
from nbmail.store.files.file_errors import file_error_codes

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class DerivedFile:
    """File with the tables of `schema`, opened at its first use.

    `shrinking`: deleted rows shrink the file.
    """

    def __init__(
        self, path: Path, schema: str, *, shrinking: bool = False, read_only: bool = False
    ) -> None:
        self.path = path
        self._read_only = read_only
        self._schema = schema
        self._shrinking = shrinking
        # None before the first use, and while the file can't be created: every use tries again.
        self._connection: Connection | None = None

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        return self.retried(lambda connection: connection.rows(sql, parameters))

    def number(self, sql: str) -> int:
        return int(self.rows(sql)[0][0] or 0)

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
            _log.warning("%s is created again: %s", self.path.name, error.detail)
            self.recreate()
            return work(self.opened())

    def relieve(self) -> None:
        """Write the write-ahead log into the file, unless the disk refuses."""
        try:
            self.retried(Connection.relieve)
        except KnownError as error:
            if error.error_code not in (ErrorCode.DISK_FULL, ErrorCode.DISK_ERROR):
                raise
            _log.warning("%s keeps its log: %s", self.path.name, error.detail)

    def tidy(self) -> None:
        """Write the write-ahead log into the file and shrink it, if it is open."""
        if self._connection is not None:
            self.retried(Connection.checkpoint)

    def recreate(self) -> None:
        """Delete the file. The next use creates an empty one."""
        with suppress(KnownError):
            self.close()
        self._remove()

    def close(self) -> None:
        connection = self._connection
        self._connection = None
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
            is_new = not self.path.exists() or not self.path.stat().st_size
            make_private_file(self.path)
        try:
            connection = Connection(
                self.path, durable=False, incremental_vacuum=is_new and self._shrinking
            )
        except FileNotFoundError:
            # Deleted since it was created above.
            return self._open()

        try:
            has_tables = self._make_tables(connection)
        except BaseException:
            connection.close()
            raise
        if not has_tables:
            _log.info("%s has another schema and is created again", self.path.name)
            connection.close()
            self._remove()
            return self._open()
        return connection

    def _make_tables(self, connection: Connection) -> bool:
        """Create the tables in an empty file. False if the file has others."""
        wanted = definitions(self._schema)
        count = "SELECT count(*) FROM sqlite_schema"
        if connection.number(count):
            tables = [each for each in wanted if each.startswith("CREATE")]
            marks = ", ".join("?" * len(tables))
            return connection.number(f"{count} WHERE sql IN ({marks})", tables) == len(tables)
        with connection.transaction():
            for statement in wanted:
                connection.execute(statement)
        return True

    def _remove(self) -> None:
        with file_error_codes(self.path):
            for ending in ("", "-wal", "-shm"):
                self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
