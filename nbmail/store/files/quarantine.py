"""Quarantine of damaged files in the folder `damaged`, and the database that replaces a damaged one."""

import json
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from nbmail.paths import Paths, make_private, make_private_file, make_private_folder, sync_folder
from nbmail.store.files.database_file import check_version, copy_database, make_ready, next_of
from nbmail.store.files.disk_errors import database_error_codes, file_error_codes
from nbmail.store.files.home_lock import LOCK, HomeLock

BACKUPS, DAMAGED = "backups", "damaged"
MODEL, WORD_IDS, TEXTS, RAW_MAIL = "model.arrays", "words.arrays", "texts.sqlite3", "mail.sqlite3"
"""Derived files, next to the database and in the cache."""
LOG_STATE = "labels_log"
"""Setting with the state of `labels.log`."""


def backups_of(paths: Paths) -> tuple[Path, ...]:
    """Return the backups that upgrades made, the newest first."""
    folder = paths.data / BACKUPS
    found = folder.glob(f"{paths.database.stem}-*{paths.database.suffix}") if folder.is_dir() else ()
    return tuple(sorted(found, key=lambda path: (path.stat().st_mtime, path.name), reverse=True))


def start_empty(paths: Paths, now: float, *, fill: bool = False) -> Path:
    """Quarantine the database and put an empty one in its place; return the folder of the damaged one.

    With `fill` the new database gets all labels of `labels.log` when it is opened. A full disk changes nothing.
    """
    with closing(HomeLock(paths.data / LOCK)):
        empty = next_of(paths.database)
        empty.unlink(missing_ok=True)
        make_ready(empty, now)
        if fill:
            with database_error_codes(empty), closing(sqlite3.connect(empty)) as connection:
                state = json.dumps({"fill": str(_folder(paths.database, now))})
                connection.execute("INSERT INTO settings VALUES (?, ?)", (LOG_STATE, state))
                connection.commit()
        return put_in_place(empty, paths.database, now)


def put_back(paths: Paths, backup: Path, now: float) -> Path:
    """Quarantine the database and put a copy of `backup` in its place; return the folder of the damaged one.

    Raises `KnownError` and changes nothing if the backup isn't a database of this program, or one of a newer version.
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
    """Quarantine the database and put the complete file `new` in its place; return the folder of the damaged one.

    After a kill in between the next opening continues: it finds the new file by its name.
    """
    os.replace(new, next_of(path))
    sync_folder(path.parent)
    folder = quarantine_database(path, now)
    os.replace(next_of(path), path)
    sync_folder(path.parent)
    return folder


def quarantine_database(path: Path, now: float) -> Path:
    """Move the database, its write-ahead log and what was derived from it to quarantine; return their folder."""
    # The database goes last: as long as it is there, nothing else is opened.
    return _move((MODEL, WORD_IDS, TEXTS, path.name + "-wal", path.name + "-shm", path.name), path, now)


def quarantine_file(path: Path, now: float) -> Path:
    """Move one file to quarantine; return its new path."""
    return _move((path.name,), path, now) / path.name


def _move(names: tuple[str, ...], path: Path, now: float) -> Path:
    folder = _folder(path, now)
    with file_error_codes(folder):
        make_private_folder(folder)
        for name in names:
            if path.with_name(name).exists():
                os.replace(path.with_name(name), folder / name)
                make_private(folder / name)
        sync_folder(path.parent)
    return folder


def _folder(path: Path, now: float) -> Path:
    return path.parent / DAMAGED / time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
