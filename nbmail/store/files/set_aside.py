"""A database damaged beyond mending: it is set aside, never deleted, and a backup or nothing takes its place."""

import os
import time
from contextlib import closing
from pathlib import Path

from nbmail.paths import Paths, make_private, make_private_file, make_private_folder, sync_folder
from nbmail.store.files.database_file import check_version, copy_database, make_ready, next_of
from nbmail.store.files.disk_errors import file_error_codes
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.store.files.reached_mark import REACHED

BACKUPS, DAMAGED = "backups", "damaged"
MODEL, WORD_IDS, TEXTS, RAW_MAIL = "model.arrays", "words.arrays", "texts.sqlite3", "mail.sqlite3"
"""Files beside the database, and in the cache, that can be had again."""


def backups_of(paths: Paths) -> tuple[Path, ...]:
    """The backups that upgrades made, the newest first."""
    folder = paths.data / BACKUPS
    found = folder.glob(f"{paths.database.stem}-*{paths.database.suffix}") if folder.is_dir() else ()
    return tuple(sorted(found, key=lambda path: (path.stat().st_mtime, path.name), reverse=True))


def start_empty(paths: Paths, now: float) -> Path:
    """Set the database aside and put an empty one in its place; where it is kept. A full disk changes nothing."""
    with closing(HomeLock(paths.data / LOCK)):
        empty = next_of(paths.database)
        empty.unlink(missing_ok=True)
        make_ready(empty, now)
        return put_in_place(empty, paths.database, now)


def put_back(paths: Paths, backup: Path, now: float) -> Path:
    """Set the database aside and put a copy of this backup in its place; where it is kept.

    Raises `KnownError` and changes nothing where the backup is no database of ours, or one of a newer version.
    """
    with closing(HomeLock(paths.data / LOCK)):
        check_version(backup)
        copy = paths.database.with_name(paths.database.name + ".new")
        with file_error_codes(copy):
            copy.unlink(missing_ok=True)
            make_private_file(copy)
            copy_database(backup, copy)
            return put_in_place(copy, paths.database, now)


def put_in_place(new: Path, path: Path, now: float) -> Path:
    """Set the database aside and put this whole file in its place; where it is kept.

    Killed in between, the next opening finds the new file by its name and goes on with it.
    """
    os.replace(new, next_of(path))
    sync_folder(path.parent)
    kept = set_aside(path, now)
    os.replace(next_of(path), path)
    sync_folder(path.parent)
    return kept


def set_aside(path: Path, now: float) -> Path:
    """Move the database away with its logs, the file last: as long as it is there, nothing else is opened."""
    folder = path.parent / DAMAGED / time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    with file_error_codes(folder):
        make_private_folder(folder)
        # What was derived from it says nothing of what takes its place.
        for name in (MODEL, WORD_IDS, TEXTS, REACHED, path.name + "-wal", path.name + "-shm", path.name):
            if path.with_name(name).exists():
                os.replace(path.with_name(name), folder / name)
                make_private(folder / name)
        sync_folder(path.parent)
    return folder
