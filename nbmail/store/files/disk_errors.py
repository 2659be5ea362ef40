"""From what SQLite and the system say to what a user can understand."""

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

_DATABASE_TROUBLES = {
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
    *(ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError, MemoryError),
    *(sqlite3.Error, zlib.error, struct.error),
)
"""What a turned bit makes of rows, JSON and packed arrays."""

_FILE_TROUBLES = {
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
    """Turn what SQLite says of the world into a `KnownError`; mistakes of ours pass through."""
    try:
        yield
    except UnicodeDecodeError as error:
        # What SQLite says of a damaged schema quotes it.
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} ({error})") from error
    except sqlite3.Error as error:
        # The low byte is the kind, the rest says where it was met. Without any, a text in the file is none. A file of
        # another format, as a turned bit of the head makes it, has the number of our own mistakes.
        code = getattr(error, "sqlite_errorcode", None)
        error_code = _DATABASE_TROUBLES.get((code or 0) & 0xFF)
        unfit = str(error) == "unsupported file format"
        if unfit or (code is None and isinstance(error, sqlite3.OperationalError)):
            error_code = ErrorCode.DATABASE_DAMAGED
        if error_code is None:
            raise
        raise KnownError(error_code, f"{path} ({error})") from error


@contextmanager
def unreadable_values(path: Path) -> Iterator[None]:
    """For reading a home at its opening: values that make no sense are damage, not a mistake of ours."""
    try:
        yield
    except UNREADABLE as error:
        _log.warning("taken for damage: %r", error)
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} ({type(error).__name__}: {error})") from error


@contextmanager
def file_error_codes(path: Path) -> Iterator[None]:
    """Turn what the system says of a file into a `KnownError`; what it says of no trouble of the disk passes."""
    try:
        yield
    except OSError as error:
        error_code = _FILE_TROUBLES.get(error.errno or 0)
        if error_code is None:
            raise
        raise KnownError(error_code, f"{path} ({error.strerror})") from error
