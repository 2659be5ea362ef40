"""Lock on a data folder: one process at a time. The system releases it even if the process is
killed.

A running `nbmail watch` gives the folder to the window and takes it back by files alone, on every
system. While `watch` runs, its marker is in the data folder. The window writes a request beside it
and waits for the lock. `watch` closes everything. It continues when it gets the lock again, but not
before the window has taken the lock and removed the request.
"""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.private_files import make_private_file
from nbmail.store.files.connection import file_error_codes

LOCK = "nbmail.lock"
"""File name, next to the database."""


class HomeLock:
    """Locked from creation to `close`. The file stays: only the lock counts. `read_only`: nothing
    is written.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._file = -1
        if read_only and (sys.platform == "win32" or not os.access(path, os.R_OK)):
            return
        with file_error_codes(path):
            self._file = os.open(path, os.O_RDONLY if read_only else os.O_RDWR | os.O_CREAT, 0o600)
        if not _take(self._file):
            holder = (
                os.pread(self._file, 32, 1).decode("ascii", "replace").strip()
                if sys.platform != "win32"
                else ""
            )
            os.close(self._file)
            raise KnownError(
                ErrorCode.HOME_IN_USE,
                f"{path.parent} (process {holder})" if holder else str(path.parent),
            )
        # Windows locks the first byte. The process number behind it is only for the error message
        # of a second process, so that a full disk doesn't matter.
        with suppress(OSError):
            if not read_only:
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


MARKER = "watch.running"
REQUEST = "window.waiting"
TIMEOUT = 20.0
INTERVAL = 0.1


def mark_watching(paths: Paths) -> None:
    """Store that `watch` uses the data folder, with its process number."""
    make_private_file(paths.data / MARKER)
    (paths.data / MARKER).write_text(str(os.getpid()), encoding="ascii")


def unmark_watching(paths: Paths) -> None:
    (paths.data / MARKER).unlink(missing_ok=True)


def watching_process(paths: Paths) -> int | None:
    """Return the process number of the running `watch`; None if there is none."""
    with suppress(OSError, ValueError):
        return int((paths.data / MARKER).read_text(encoding="ascii"))
    return None


def is_requested(paths: Paths) -> bool:
    """True if the window waits for the data folder. A request of a window that ended since is
    ignored.
    """
    with suppress(FileNotFoundError):
        return abs(time.time() - (paths.data / REQUEST).stat().st_mtime) < TIMEOUT
    return False


def remove_request(paths: Paths) -> None:
    """Note that the data folder is open. A request that can't be removed, on a read-only disk,
    expires.
    """
    with suppress(OSError):
        (paths.data / REQUEST).unlink()


def request_home(paths: Paths) -> None:
    """Wait until `watch` has closed the data folder, which stays reserved. Raise `KnownError` if it
    doesn't.
    """
    if watching_process(paths) is None:
        raise KnownError(ErrorCode.HOME_IN_USE, str(paths.data))
    deadline = time.monotonic() + TIMEOUT
    while True:
        make_private_file(paths.data / REQUEST)
        os.utime(paths.data / REQUEST)
        if _is_free(paths.data / LOCK):
            return
        if time.monotonic() > deadline:
            remove_request(paths)
            raise KnownError(ErrorCode.HOME_IN_USE, str(paths.data))
        time.sleep(INTERVAL)


def wait_until_free(paths: Paths, seconds: float) -> bool:
    """Wait at most this long. True if no other program uses the data folder or waits for it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not is_requested(paths) and _is_free(paths.data / LOCK):
            return True
        time.sleep(INTERVAL)
    return False


def _is_free(lock: Path) -> bool:
    try:
        HomeLock(lock).close()
    except KnownError as error:
        if error.error_code is not ErrorCode.HOME_IN_USE:
            raise
        return False
    return True
