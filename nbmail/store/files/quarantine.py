"""Quarantine of damaged files in the folder `damaged`."""

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from nbmail.paths import Paths
from nbmail.private_files import make_private, make_private_folder, sync_folder
from nbmail.store.files.database_file import make_ready, next_of
from nbmail.store.files.file_errors import database_error_codes, file_error_codes
from nbmail.store.files.home_lock import LOCK, HomeLock

DAMAGED = "damaged"
MODEL = "model.arrays"
WORD_IDS = "words.arrays"
TEXTS = "texts.sqlite3"
"""Files in the data folder that are derived from the database."""
REPLACED = "replaced_database"
"""Setting of a new database with the folder of the damaged one, until the labels are back."""


def replace_database(paths: Paths, now: float) -> Path:
    """Quarantine the database and put an empty one in its place. Return the folder of the old one.

    The new database gets all labels of `labels.log` when it is opened. A full disk changes nothing.
    After a kill in between the next opening continues: it finds the new file by its name.
    """
    new = paths.database.with_name(paths.database.name + ".new")
    with closing(HomeLock(paths.data / LOCK)), file_error_codes(new):
        new.unlink(missing_ok=True)
        make_ready(new)
        _note_replacement(new, _folder(paths.database, now))
        os.replace(new, next_of(paths.database))
        sync_folder(paths.data)
        folder = quarantine_database(paths.database, now)
        os.replace(next_of(paths.database), paths.database)
        sync_folder(paths.data)
        return folder


def _note_replacement(new: Path, folder: Path) -> None:
    with database_error_codes(new), closing(sqlite3.connect(new)) as connection:
        connection.execute(
            "INSERT INTO settings VALUES (?, json_quote(?))", (REPLACED, str(folder))
        )
        connection.commit()


def quarantine_database(path: Path, now: float) -> Path:
    """Quarantine the database with its log and all derived from it. Return their folder."""
    log = path.name + "-wal"
    shared_memory = path.name + "-shm"
    # The database goes last: as long as it is there, nothing else is opened.
    return _move((MODEL, WORD_IDS, TEXTS, log, shared_memory, path.name), path, now)


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
