"""SQLite file with transactions, whose errors become `KnownError`; conversions between values and
rows.
"""

import errno
import json
import logging
import os
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from nbmail.core.counting.sample import Sample
from nbmail.errors import ErrorCode, KnownError
from nbmail.private_files import replacing

Row = tuple[Any, ...]
Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Setting = TypeVar("Setting", bound=Json)
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
        """Let transactions in the block not wait for the disk: a power cut may undo the last of
        them.

        For many small transactions whose data can be fetched again. The next durable transaction
        makes them durable.
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
        """Write the write-ahead log into the file between the transactions of a long job, so that
        no commit has to.
        """
        self.rows("PRAGMA wal_checkpoint(PASSIVE)")

    def checkpoint(self) -> None:
        """Write the write-ahead log into the file and empty it. Shrink the file if it was made for
        that.
        """
        with database_error_codes(self.path):
            # `execute` would stop after the first page.
            self._sqlite.executescript("PRAGMA incremental_vacuum")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        # The system caches the pages as well.
        self.rows("PRAGMA shrink_memory")

    def look_for_file(self) -> None:
        """Check that the file still exists. If it doesn't, call `when_gone`."""
        try:
            found = os.stat(self.path)
            gone = (found.st_dev, found.st_ino) != self._file
        except OSError as error:
            gone = isinstance(error, FileNotFoundError | NotADirectoryError)
        if gone and self._rewrites < _MOST_REWRITES:
            self._rewrites += 1
            self.when_gone(self._rewrite)

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
            choices = (
                *(["auto_vacuum = INCREMENTAL"] if incremental_vacuum else []),
                *([] if self.read_only else ["locking_mode = EXCLUSIVE", "journal_mode = WAL"]),
                f"synchronous = {_SYNCHRONOUS[self.durable]}",
                "foreign_keys = ON",
                "cache_size = -16000",
                "temp_store = MEMORY",
                # Writing the log into the file takes many times as long as a mark. So it waits for
                # an idle moment, up to 32 MB.
                "wal_autocheckpoint = 8000",
            )
            try:
                for choice in choices:
                    self._sqlite.execute(f"PRAGMA {choice}")
            except sqlite3.Error:
                self._sqlite.close()
                raise
        found = os.stat(self.path)
        self._file = (found.st_dev, found.st_ino)

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


class SettingsTable(Table):
    """Table of settings of labels and model: JSON values by name."""

    def get(self, name: str, default: Setting) -> Setting:
        """Return a stored value, which has the type of `default` (tuples are stored as lists)."""
        found = self._connection.value("SELECT value FROM settings WHERE name = ?", (name,))
        return default if found is None else json.loads(found)

    def set(self, name: str, value: Json) -> None:
        """Store a value. Joins a transaction in progress."""
        self._connection.execute(
            (
                "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = "
                "excluded.value"
            ),
            (name, json.dumps(value)),
        )


def listed(values: Iterable[int | str]) -> str:
    """Return values as one parameter for `IN (SELECT value FROM json_each(?))`."""
    return json.dumps(list(values))


_log = logging.getLogger(__name__)

_DATABASE_ERRORS = {
    sqlite3.SQLITE_FULL: ErrorCode.DISK_FULL,
    sqlite3.SQLITE_READONLY: ErrorCode.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: ErrorCode.READ_ONLY,
    sqlite3.SQLITE_PERM: ErrorCode.READ_ONLY,
    sqlite3.SQLITE_IOERR: ErrorCode.DISK_ERROR,
    sqlite3.SQLITE_CORRUPT: ErrorCode.DATABASE_DAMAGED,
    sqlite3.SQLITE_NOTADB: ErrorCode.DATABASE_DAMAGED,
    sqlite3.SQLITE_BUSY: ErrorCode.HOME_IN_USE,
}

UNREADABLE = (
    *(
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
        AttributeError,
        RecursionError,
        MemoryError,
    ),
    *(sqlite3.Error, zlib.error, struct.error),
)
"""Exceptions that flipped bits cause in rows, JSON and packed arrays."""

_FILE_ERRORS = {
    errno.ENOSPC: ErrorCode.DISK_FULL,
    errno.EDQUOT: ErrorCode.DISK_FULL,
    errno.EFBIG: ErrorCode.DISK_FULL,
    errno.EROFS: ErrorCode.READ_ONLY,
    errno.EACCES: ErrorCode.READ_ONLY,
    errno.EPERM: ErrorCode.READ_ONLY,
    errno.EIO: ErrorCode.DISK_ERROR,
}


@contextmanager
def database_error_codes(path: Path) -> Iterator[None]:
    """Turn errors of disk and database in the block into `KnownError`. Bugs pass unchanged."""
    try:
        yield
    except UnicodeDecodeError as error:
        # The error message quotes a damaged schema.
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} ({error})") from error
    except sqlite3.Error as error:
        # The low byte is the kind of error. Errors without a code are texts that can't be decoded.
        # A file of another format, which a flipped bit of the header causes, has the code of
        # programming errors.
        code = getattr(error, "sqlite_errorcode", None)
        error_code = _DATABASE_ERRORS.get((code or 0) & 0xFF)
        is_unsupported = str(error) == "unsupported file format"
        if is_unsupported or (code is None and isinstance(error, sqlite3.OperationalError)):
            error_code = ErrorCode.DATABASE_DAMAGED
        if error_code is None:
            raise
        raise KnownError(error_code, f"{path} ({error})") from error


@contextmanager
def unreadable_values(path: Path) -> Iterator[None]:
    """Turn errors of values that can't be read into damage, not a bug, while a data folder is
    opened.
    """
    try:
        yield
    except UNREADABLE as error:
        _log.warning("taken for damage: %r", error)
        raise KnownError(
            ErrorCode.DATABASE_DAMAGED, f"{path} ({type(error).__name__}: {error})"
        ) from error


@contextmanager
def file_error_codes(path: Path) -> Iterator[None]:
    """Turn errors of the disk and of access rights in the block into `KnownError`."""
    try:
        yield
    except OSError as error:
        error_code = _FILE_ERRORS.get(error.errno or 0)
        if error_code is None:
            raise
        raise KnownError(error_code, f"{path} ({error.strerror})") from error


def storable(text: str) -> str:
    """Return the text with lone surrogates replaced, which UTF-8 can't encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def joined(flags: frozenset[str]) -> str:
    """Return flags as one text in a fixed order. Flags have no spaces."""
    return " ".join(sorted(flags))


def parted(flags: str) -> frozenset[str]:
    """Return the flags of a text that `joined` made."""
    return frozenset(flags.split())


_INTEGERS = np.dtype("<i4")


def row_of(sample: Sample) -> tuple[bytes, bytes, str]:
    """Return the columns of a sample. Arrays are little-endian int32 on all machines."""
    words = sample.words.astype(_INTEGERS, copy=False)
    times = sample.occurrences.astype(_INTEGERS, copy=False)
    # The same text as that of `json.dumps`, in a sixth of its time.
    return words.tobytes(), times.tobytes(), str(list(sample.measures))


def sample_from(words: bytes, occurrences: bytes, measures: str) -> Sample:
    """Return the sample of the columns that `row_of` made."""
    # A fifth of the time of JSON, which would double the time of a rebuild.
    numbers = tuple(map(int, measures[1:-1].split(","))) if len(measures) > len("[]") else ()
    return Sample(np.frombuffer(words, "<i4"), np.frombuffer(occurrences, "<i4"), numbers)


def is_sample(words: bytes, occurrences: bytes, measures: str, *, known: int) -> bool:
    """True if the columns are a sample of a vocabulary of `known` words."""
    try:
        sample = sample_from(words, occurrences, measures)
    except (ValueError, TypeError):
        return False
    if measures[:1] + measures[-1:] != "[]":
        return False
    numbers = sample.words
    times = sample.occurrences
    rising = bool(np.all(numbers[1:] > numbers[:-1]))
    inside = not len(numbers) or bool(numbers[0] >= 0 and numbers[-1] < known)
    return (
        len(numbers) == len(times)
        and rising
        and inside
        and (not len(times) or int(times.min()) > 0)
    )
