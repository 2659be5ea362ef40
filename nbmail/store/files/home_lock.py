"""Lock on a data folder: one process at a time.

The system releases it even if the process is killed.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.store.files.file_errors import file_error_codes

LOCK = "nbmail.lock"
"""File name, next to the database."""


class HomeLock:
    """Locked from creation to `close`. The file stays: only the lock counts.

    `read_only`: nothing is written.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._file = -1
        if read_only and (sys.platform == "win32" or not os.access(path, os.R_OK)):
            return
        flags = os.O_RDONLY if read_only else os.O_RDWR | os.O_CREAT
        with file_error_codes(path):
            self._file = os.open(path, flags, 0o600)
        if not _take(self._file):
            holder = _holder(self._file)
            os.close(self._file)
            process = f" (process {holder})" if holder else ""
            raise KnownError(ErrorCode.HOME_IN_USE, f"{path.parent}{process}")
        if not read_only:
            self._write_holder()

    def _write_holder(self) -> None:
        """Write the number of this process for the error message of a second one."""
        # A full disk doesn't matter. Windows locks the first byte.
        with suppress(OSError):
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, b" %-20d" % os.getpid())

    @property
    def is_gone(self) -> bool:
        """True if the file was deleted, so that it keeps no other process out."""
        return not os.fstat(self._file).st_nlink

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _holder(file: int) -> str:
    """Return the number of the process that holds the lock; empty if unknown."""
    if sys.platform == "win32":
        return ""
    return os.pread(file, 32, 1).decode("ascii", "replace").strip()
