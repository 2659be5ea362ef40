"""Hand-over of a data folder from a running `nbmail watch` to the window, and back.

It works by files alone, on every system. While `watch` runs, its marker is in the data folder. The
window writes a request beside it and waits for the lock. `watch` closes everything. It continues
when it gets the lock again, but not before the window has taken the lock and removed the request.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.private_files import make_private_file
from nbmail.store.files.home_lock import LOCK, HomeLock

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
    """True if the window waits for the data folder.

    A request of a window that ended since is ignored.
    """
    with suppress(FileNotFoundError):
        return abs(time.time() - (paths.data / REQUEST).stat().st_mtime) < TIMEOUT
    return False


def remove_request(paths: Paths) -> None:
    """Note that the data folder is open.

    A request that can't be removed, on a read-only disk, expires.
    """
    with suppress(OSError):
        (paths.data / REQUEST).unlink()


def request_home(paths: Paths) -> None:
    """Wait until `watch` has closed the data folder, which stays reserved.

    Raise `KnownError` if it doesn't.
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
