"""Lock on a data folder: one process at a time. The system releases it even if the process is killed."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.store.files.disk_errors import file_error_codes

LOCK = "nbmail.lock"
"""File name, next to the database."""


class HomeLock:
    """Locked from creation to `close`. The file stays: only its lock counts.

    `reading`: the folder may be unwritable, where a missing lock file keeps no other process out.
    """

    def __init__(self, path: Path, *, reading: bool = False) -> None:
        self._file = -1
        if reading and (sys.platform == "win32" or not os.access(path, os.R_OK)):
            return
        with file_error_codes(path):
            self._file = os.open(path, os.O_RDONLY if reading else os.O_RDWR | os.O_CREAT, 0o600)
        if not _take(self._file):
            holder = os.pread(self._file, 32, 1).decode("ascii", "replace").strip() if sys.platform != "win32" else ""
            os.close(self._file)
            raise KnownError(ErrorCode.HOME_IN_USE, f"{path.parent} (process {holder})" if holder else str(path.parent))
        if not reading:
            self._write_process()

    @property
    def is_gone(self) -> bool:
        """True if the file was deleted, so that it keeps no other process out."""
        return not os.fstat(self._file).st_nlink

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write_process(self) -> None:
        # Windows locks the first byte. The process number behind it is only for the error message of a second process,
        # so that a full disk doesn't matter.
        with suppress(OSError):
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, b" %-20d" % os.getpid())


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
