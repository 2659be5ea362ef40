"""The lock on a home: one program at a time, freed by the system even when that program is killed."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.store.files.disk_errors import file_error_codes

LOCK = "nbmail.lock"
"""The file's name, beside the database."""


class HomeLock:
    """Held from creation to `close`. The file stays behind: its lock is what counts, not its being there."""

    def __init__(self, path: Path) -> None:
        with file_error_codes(path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not _take(self._file):
            holder = os.pread(self._file, 32, 1).decode("ascii", "replace").strip() if sys.platform != "win32" else ""
            os.close(self._file)
            raise KnownError(ErrorCode.HOME_IN_USE, f"{path.parent} (process {holder})" if holder else str(path.parent))
        self._name_holder()

    @property
    def is_gone(self) -> bool:
        """Whether somebody has deleted the file, so that it keeps nobody out."""
        return not os.fstat(self._file).st_nlink

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _name_holder(self) -> None:
        # The first byte is the locked one on Windows; the process number behind it only makes the second one's
        # message clearer, so a full disk is none of its business.
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
