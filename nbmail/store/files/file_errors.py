"""Errors of disks, databases and damaged values as `KnownError`. Bugs pass unchanged."""

import errno
import logging
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError

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
_FILE_ERRORS = {
    errno.ENOSPC: ErrorCode.DISK_FULL,
    errno.EDQUOT: ErrorCode.DISK_FULL,
    errno.EFBIG: ErrorCode.DISK_FULL,
    errno.EROFS: ErrorCode.READ_ONLY,
    errno.EACCES: ErrorCode.READ_ONLY,
    errno.EPERM: ErrorCode.READ_ONLY,
    errno.EIO: ErrorCode.DISK_ERROR,
}

UNREADABLE = (
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    RecursionError,
    MemoryError,
    sqlite3.Error,
    zlib.error,
    struct.error,
)
"""Exceptions that flipped bits cause in rows, JSON and packed arrays."""


@contextmanager
def database_error_codes(path: Path) -> Iterator[None]:
    """Turn errors of disk and database in the block into `KnownError`."""
    try:
        yield
    except UnicodeDecodeError as error:
        # The error message quotes a damaged schema.
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} ({error})") from error
    except sqlite3.Error as error:
        error_code = _code_of(error)
        if error_code is None:
            raise
        raise KnownError(error_code, f"{path} ({error})") from error


def _code_of(error: sqlite3.Error) -> ErrorCode | None:
    """Return the code for an error of SQLite, None for a bug."""
    # A flipped bit of the header causes another format, which has the code of programming errors.
    if str(error) == "unsupported file format":
        return ErrorCode.DATABASE_DAMAGED
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Texts that can't be decoded.
        is_damage = isinstance(error, sqlite3.OperationalError)
        return ErrorCode.DATABASE_DAMAGED if is_damage else None
    # The low byte is the kind of error.
    return _DATABASE_ERRORS.get(code & 0xFF)


@contextmanager
def unreadable_values(path: Path) -> Iterator[None]:
    """Turn errors of unreadable values into damage, while a data folder is opened."""
    try:
        yield
    except UNREADABLE as error:
        _log.warning("taken for damage: %r", error)
        detail = f"{path} ({type(error).__name__}: {error})"
        raise KnownError(ErrorCode.DATABASE_DAMAGED, detail) from error


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
