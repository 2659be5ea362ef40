"""Error codes for the errors of SQLite and of the system."""

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

UNREADABLE = (
    *(ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError, MemoryError),
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
    """Context manager that turns errors of disk and database into `KnownError`. Bugs pass unchanged."""
    try:
        yield
    except UnicodeDecodeError as error:
        # The error message quotes a damaged schema.
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} ({error})") from error
    except sqlite3.Error as error:
        # The low byte is the kind of error. Errors without a code are texts that can't be decoded. A file of another
        # format, which a flipped bit of the header causes, has the code of programming errors.
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
    """Context manager for opening a data folder: values that can't be read are damage, not a bug."""
    try:
        yield
    except UNREADABLE as error:
        _log.warning("taken for damage: %r", error)
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} ({type(error).__name__}: {error})") from error


@contextmanager
def file_error_codes(path: Path) -> Iterator[None]:
    """Context manager that turns errors of the disk and of access rights into `KnownError`."""
    try:
        yield
    except OSError as error:
        error_code = _FILE_ERRORS.get(error.errno or 0)
        if error_code is None:
            raise
        raise KnownError(error_code, f"{path} ({error.strerror})") from error
