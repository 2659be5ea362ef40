"""One SQLite file: opened safely, written in transactions, its errors put into words a user understands."""

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from nbmail.paths import replacing
from nbmail.store.files.disk_errors import database_error_codes, file_error_codes

Row = tuple[Any, ...]
# A file system that gives a file another number all the time is not believed for ever.
_OFTEN = 3
_SYNCHRONOUS = {True: "FULL", False: "NORMAL"}


class Connection:
    """A database file. Belongs to the thread that opened it.

    `durable` asks the disk to confirm every transaction: what is acknowledged survives a power cut. The home's lock
    keeps others out, so SQLite's own lock is taken once and kept: no shared-memory file, nothing left by a kill.
    """

    def __init__(self, path: Path, *, durable: bool, incremental_vacuum: bool = False, read_only: bool = False) -> None:
        self.path, self.read_only = path, read_only
        self.transactions = 0
        """How many transactions were begun, nested ones not counted."""
        self._depth = 0
        self._doomed = False
        self._anew = 0
        self._when_rolled_back: list[Callable[[], None]] = []
        self._when_committed: list[Callable[[], None]] = []
        self.durable = durable
        """Whether what is committed now is on the disk."""
        self.when_gone: Callable[[Callable[[], None]], None] = lambda write_anew: None
        """What is done where somebody has deleted the file; it may write all that was in it to its place."""
        self._open(incremental_vacuum)

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run one statement; how many rows it changed."""
        with database_error_codes(self.path):
            return self._sqlite.execute(sql, parameters).rowcount

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run one statement for many rows; how many it changed in all."""
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
        """Run a statement that ends in a column, for those rows in which this is one of the values."""
        return self.rows(f"{sql} IN (SELECT value FROM json_each(?)) {rest}", (listed(values),))

    def value(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """The first column of the first row; None without a row."""
        found = self.row(sql, parameters)
        return found[0] if found else None

    @property
    def changes(self) -> int:
        return self._sqlite.total_changes

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of what happens inside, or nothing. Nested ones join the outermost."""
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
                self._roll_back()

    @contextmanager
    def relaxed(self) -> Iterator[None]:
        """Transactions inside don't wait for the disk: after a power cut the last of them may never have happened.

        For what can be had again from where it came, many small transactions of it. A later one that waits makes them
        all last.
        """
        before, self.durable = self.durable, False
        self.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self.durable = before
            self.execute(f"PRAGMA synchronous = {_SYNCHRONOUS[before]}")

    def relieve(self) -> None:
        """Write the log so far into the file, so that no transaction has to: between those of a long job."""
        self.rows("PRAGMA wal_checkpoint(PASSIVE)")

    def when_rolled_back(self, action: Callable[[], None]) -> None:
        """Run this if the transaction under way fails: what lives in memory beside the file is put right there."""
        self._when_rolled_back.append(action)

    def when_committed(self, action: Callable[[], None]) -> None:
        self._when_committed.append(action)

    def checkpoint(self) -> None:
        """Write the log into the file and start it anew; free pages are cut off where the file was made for that."""
        with database_error_codes(self.path):
            # Steps through all pages; `execute` would stop after the first.
            self._sqlite.executescript("PRAGMA incremental_vacuum")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        # What was read is in the system's cache as well.
        self.rows("PRAGMA shrink_memory")

    def look_for_file(self) -> None:
        """See whether the file still lies where it was opened; if not, `when_gone` is done."""
        try:
            found = os.stat(self.path)
            gone = (found.st_dev, found.st_ino) != self._file
        except OSError as error:
            gone = isinstance(error, FileNotFoundError | NotADirectoryError)
        if gone and self._anew < _OFTEN:
            self._anew += 1
            self.when_gone(self._write_anew)

    def _write_anew(self) -> None:
        """Write all that is in the open file to where it was, and go on with that."""
        with (
            database_error_codes(self.path),
            file_error_codes(self.path),
            replacing(self.path) as new,
            closing(sqlite3.connect(new)) as copy,
        ):
            self._sqlite.backup(copy)
        # Closing takes a log of this name away, so it comes before opening.
        with database_error_codes(self.path):
            self._sqlite.close()
        self._open()

    def close(self) -> None:
        """Close the file; its log is written into it first."""
        with database_error_codes(self.path):
            self._sqlite.close()

    def _open(self, incremental_vacuum: bool = False) -> None:
        with database_error_codes(self.path):
            # Immutable: SQLite needs no write-ahead log and no other file.
            where = f"{self.path.resolve().as_uri()}?immutable=1" if self.read_only else self.path
            self._sqlite = sqlite3.connect(where, timeout=0.0, isolation_level=None, uri=self.read_only)
            try:
                if incremental_vacuum:
                    self._sqlite.execute("PRAGMA auto_vacuum = INCREMENTAL")
                self._prepare()
            except sqlite3.Error:
                self._sqlite.close()
                raise
        found = os.stat(self.path)
        self._file = (found.st_dev, found.st_ino)

    def _prepare(self) -> None:
        run = self._sqlite.execute
        if not self.read_only:
            run("PRAGMA locking_mode = EXCLUSIVE")
            run("PRAGMA journal_mode = WAL")
        run(f"PRAGMA synchronous = {_SYNCHRONOUS[self.durable]}")
        run("PRAGMA foreign_keys = ON")
        run("PRAGMA cache_size = -16000")
        run("PRAGMA temp_store = MEMORY")
        # Writing the log into the file takes a mark's time many times over: in idle moments (`checkpoint`), and only
        # where none comes for 32 MB of log in the middle of things (`relieve`).
        run("PRAGMA wal_autocheckpoint = 8000")

    def _commit(self) -> None:
        if self._doomed:
            raise RuntimeError("an error inside this transaction was swallowed")
        self.execute("COMMIT")
        done, self._when_committed, self._when_rolled_back = self._when_committed, [], []
        for action in done:
            action()

    def _roll_back(self) -> None:
        self._doomed = False
        # SQLite has already rolled back by itself where the disk was full or failed.
        if self._sqlite.in_transaction:
            self.execute("ROLLBACK")
        undone, self._when_rolled_back, self._when_committed = self._when_rolled_back, [], []
        for action in undone:
            action()


class SettingsTable:
    """Small settings that belong to the labels and the model: JSON values by name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, name: str, default: Any = None) -> Any:
        found = self._connection.value("SELECT value FROM settings WHERE name = ?", (name,))
        return default if found is None else json.loads(found)

    def set(self, name: str, value: Any) -> None:
        """Keep the value; joins a transaction under way."""
        self._connection.execute(
            "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, json.dumps(value)),
        )


def listed(values: Iterable[int]) -> str:
    """Many numbers as one parameter, for `IN (SELECT value FROM json_each(?))`."""
    return json.dumps(list(values))
