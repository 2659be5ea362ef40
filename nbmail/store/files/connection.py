"""SQLite file with transactions, whose errors become `KnownError`."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from nbmail.private_files import replacing
from nbmail.store.files.columns import listed
from nbmail.store.files.file_errors import database_error_codes, file_error_codes

Row = tuple[Any, ...]
# Some file systems change the number of a file all the time: so often the file is written again.
_MOST_REWRITES = 3
_SYNCHRONOUS = {True: "FULL", False: "NORMAL"}


class Connection:
    """Database file, owned by the thread that opened it.

    `durable`: every commit waits for the disk, so that it survives a power cut. The lock on the
    data folder keeps other processes out. So SQLite's own lock is taken once: there is no
    shared-memory file, and a kill leaves nothing.
    """

    def __init__(
        self,
        path: Path,
        *,
        durable: bool,
        incremental_vacuum: bool = False,
        read_only: bool = False,
    ) -> None:
        self.path = path
        self.read_only = read_only
        self.transactions = 0
        """Number of transactions, without nested ones."""
        self._depth = 0
        self._doomed = False
        self._rewrites = 0
        self.when_rolled_back: list[Callable[[], None]] = []
        """Actions that are run if the transaction in progress fails, to revert data in memory."""
        self.when_committed: list[Callable[[], None]] = []
        """Actions that are run after the commit of the transaction in progress."""
        self.durable = durable
        """True if commits wait for the disk."""
        self.when_gone: Callable[[Callable[[], None]], None] = lambda rewrite: None
        """Called if the file was deleted, with a function that writes it again."""
        self._open(incremental_vacuum)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run one statement. Return the number of changed rows."""
        with database_error_codes(self.path):
            return self._sqlite.execute(sql, parameters).rowcount

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        with database_error_codes(self.path):
            return self._sqlite.executemany(sql, rows).rowcount

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        with database_error_codes(self.path):
            return self._sqlite.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        with database_error_codes(self.path):
            found: Row | None = self._sqlite.execute(sql, parameters).fetchone()
            return found

    def among(self, sql: str, values: Iterable[int], rest: str = "") -> list[Row]:
        """Run a query that ends with a column, for the rows whose column has one of the values."""
        return self.rows(f"{sql} IN (SELECT value FROM json_each(?)) {rest}", (listed(values),))

    def column(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        return [row[0] for row in self.rows(sql, parameters)]

    def column_among(self, sql: str, values: Iterable[int]) -> frozenset[Any]:
        """Return the different values in the first column of `among`."""
        return frozenset(row[0] for row in self.among(sql, values))

    def value(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """Return the first column of the first row; None without a row."""
        found = self.row(sql, parameters)
        return found[0] if found else None

    def number(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Return the number in the first column of the first row; 0 without a row, or for NULL."""
        return int(self.value(sql, parameters) or 0)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block in a transaction. Nested ones join the outermost."""
        if self._depth == 0:
            self.look_for_file()
            self.execute("BEGIN IMMEDIATE")
            self.transactions += 1
        self._depth += 1
        try:
            yield
            if self._depth == 1:
                self._commit()
        except BaseException:
            self._doomed = True
            raise
        finally:
            self._depth -= 1
            if self._depth == 0 and self._doomed:
                self._doomed = False
                # SQLite rolls back automatically if the disk is full or fails.
                if self._sqlite.in_transaction:
                    self.execute("ROLLBACK")
                self._run(self.when_rolled_back)

    @contextmanager
    def relaxed(self) -> Iterator[None]:
        """Let transactions in the block not wait for the disk.

        A power cut may undo the last of them. For many small transactions whose data can be fetched
        again. The next durable transaction makes them durable.
        """
        before = self.durable
        self.durable = False
        self.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self.durable = before
            self.execute(f"PRAGMA synchronous = {_SYNCHRONOUS[before]}")

    def relieve(self) -> None:
        """Write the write-ahead log into the file, so that no commit of a long job has to."""
        self.rows("PRAGMA wal_checkpoint(PASSIVE)")

    def checkpoint(self) -> None:
        """Write the write-ahead log into the file, empty it, and shrink a file made for that."""
        with database_error_codes(self.path):
            # `execute` would stop after the first page.
            self._sqlite.executescript("PRAGMA incremental_vacuum")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        # The system caches the pages as well.
        self.rows("PRAGMA shrink_memory")

    def look_for_file(self) -> None:
        """Check that the file still exists. If it doesn't, call `when_gone`."""
        if self._is_gone() and self._rewrites < _MOST_REWRITES:
            self._rewrites += 1
            self.when_gone(self._rewrite)

    def _is_gone(self) -> bool:
        """True if the path leads to no file, or to another one."""
        try:
            return self._number_of_file() != self._file
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False

    def _number_of_file(self) -> tuple[int, int]:
        found = os.stat(self.path)
        return found.st_dev, found.st_ino

    def _rewrite(self) -> None:
        """Write the content of the open file to its path, and open the new file."""
        with (
            database_error_codes(self.path),
            file_error_codes(self.path),
            replacing(self.path) as new,
            closing(sqlite3.connect(new)) as copy,
        ):
            self._sqlite.backup(copy)
        # Closing deletes a write-ahead log of this name, so that it comes before opening.
        with database_error_codes(self.path):
            self._sqlite.close()
        self._open()

    def close(self) -> None:
        """Close the file, after writing its write-ahead log into it."""
        with database_error_codes(self.path):
            self._sqlite.close()

    def _open(self, incremental_vacuum: bool = False) -> None:
        with database_error_codes(self.path):
            # Immutable: SQLite needs no write-ahead log and no other file.
            where = f"{self.path.resolve().as_uri()}?immutable=1" if self.read_only else self.path
            self._sqlite = sqlite3.connect(
                where, timeout=0.0, isolation_level=None, uri=self.read_only
            )
            try:
                for choice in self._choices(incremental_vacuum):
                    self._sqlite.execute(f"PRAGMA {choice}")
            except sqlite3.Error:
                self._sqlite.close()
                raise
        self._file = self._number_of_file()

    def _choices(self, incremental_vacuum: bool) -> Iterator[str]:
        """Yield the settings of the connection, in the order in which SQLite accepts them."""
        if incremental_vacuum:
            yield "auto_vacuum = INCREMENTAL"
        if not self.read_only:
            yield "locking_mode = EXCLUSIVE"
            yield "journal_mode = WAL"
        yield f"synchronous = {_SYNCHRONOUS[self.durable]}"
        yield "foreign_keys = ON"
        yield "cache_size = -16000"
        yield "temp_store = MEMORY"
        # Writing the log into the file takes many times as long as a mark. So it waits for an idle
        # moment, up to 32 MB.
        yield "wal_autocheckpoint = 8000"

    def _commit(self) -> None:
        if self._doomed:
            raise RuntimeError("an error inside this transaction was swallowed")
        self.execute("COMMIT")
        self._run(self.when_committed)

    def _run(self, actions: Iterable[Callable[[], None]]) -> None:
        self.when_committed = []
        self.when_rolled_back = []
        for action in actions:
            action()


class Table:
    """Part of the database with SQL of its own."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
