"""Copies of the database, for reading without writing next to it."""

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.private_files import make_private_file
from nbmail.store.files.database_file import check_database, log_of, make_ready
from nbmail.store.files.file_errors import file_error_codes

_LOG = "-wal"
# Bytes at the beginning of a write-ahead log that change whenever it is written anew.
_LOG_HEADER = 32
# File systems note the time of a change only so exactly.
_CLOCK_TICK = 0.05
# A writer checkpoints when it is idle, for a moment.
_MOST_COPIES = 100
_PAUSE = 0.1


class _State(NamedTuple):
    """State of the files of a database. Only commits, which extend the log, leave it as it is."""

    file: int
    size: int
    changed: int
    log_header: bytes


def copy_to_read(path: Path, folder: Path) -> Path:
    """Return a file to read without writing next to it.

    That is the database, or a copy in `folder` if it has a write-ahead log.
    """
    if log_of(path) is None:
        check_database(path)
        return path
    return _copy(path, folder)


def copy_in_use(path: Path, folder: Path) -> Path:
    """Return a copy in `folder` of a database that another process is writing.

    It has all transactions up to some moment. Raises `KnownError` HOME_IN_USE if the database is
    changed all the time.
    """
    for _ in range(_MOST_COPIES):
        before = _state_of(path)
        if before is not None and abs(time.time() - before.changed / 1e9) > _CLOCK_TICK:
            copy = _copy(path, folder, ready=False)
            if _state_of(path) == before:
                make_ready(copy)
                return copy
        time.sleep(_PAUSE)
    raise KnownError(ErrorCode.HOME_IN_USE, str(path.parent))


def _state_of(path: Path) -> _State | None:
    """Return the state of the files; None while there is no database."""
    with suppress(FileNotFoundError), file_error_codes(path):
        found = os.stat(path)
        header = b""
        with suppress(FileNotFoundError), _log_path(path).open("rb") as log:
            header = log.read(_LOG_HEADER)
        return _State(found.st_ino, found.st_size, found.st_mtime_ns, header)
    return None


def _copy(path: Path, folder: Path, *, ready: bool = True) -> Path:
    """Copy the files of a database, the log last. `ready`: check the copy as well."""
    copy = folder / path.name
    with file_error_codes(folder):
        for source in (path, _log_path(path)):
            target = folder / source.name
            target.unlink(missing_ok=True)
            with suppress(FileNotFoundError), source.open("rb") as content:
                make_private_file(target)
                with target.open("wb") as copied:
                    shutil.copyfileobj(content, copied, 1 << 20)
    if ready:
        make_ready(copy)
    return copy


def _log_path(path: Path) -> Path:
    return path.with_name(path.name + _LOG)
