"""Opening of a data folder that may be damaged, or that can't be written."""

from collections.abc import Callable

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.store.files.quarantine import replace_database
from nbmail.store.labels_log.labels_log import LABELS_LOG
from nbmail.store.store import Store

_UNWRITABLE = (ErrorCode.READ_ONLY, ErrorCode.DISK_FULL)


def open_home(paths: Paths, now: float, when_rewritten: Callable[[], None]) -> Store:
    """Open the home. A damaged database is replaced by one with the labels of `labels.log`."""
    try:
        return Store(paths, now, when_rewritten)
    except KnownError as error:
        is_damaged = error.error_code is ErrorCode.DATABASE_DAMAGED
        if not is_damaged or not (paths.data / LABELS_LOG).exists():
            raise
    replace_database(paths, now)
    return Store(paths, now, when_rewritten)


def open_to_read(paths: Paths, now: float, *, in_use: bool = False) -> Store:
    """Open the home for reading, even if it can't be written.

    `in_use`: also while another process has it open.
    """
    try:
        return Store(paths, now)
    except KnownError as error:
        is_in_use = error.error_code is ErrorCode.HOME_IN_USE
        is_readable = error.error_code in _UNWRITABLE or (in_use and is_in_use)
        if not is_readable or not paths.database.exists():
            raise
    return Store(paths, now, read_only=True, in_use=is_in_use)
