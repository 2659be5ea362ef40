"""Creation of the database, upgrades of older ones after a backup, and the quarantine of damaged
files in `damaged`.
"""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths
from nbmail.private_files import (
    make_private,
    make_private_file,
    make_private_folder,
    replacing,
    sync_folder,
)
from nbmail.store.files.connection import database_error_codes, file_error_codes
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.store.files.schema import APPLICATION, STEPS
from nbmail.values import NoteKind, OpeningNote

# No release will have this version: a bit is flipped.
_ABSURD = 1000
_HEADER = b"SQLite format 3\0"


def make_ready(path: Path, now: float, steps: Sequence[str] = STEPS) -> tuple[OpeningNote, ...]:
    """Create the database or upgrade it after a backup. Damaged and newer ones are refused
    unchanged.
    """
    with file_error_codes(path):
        if path.exists():
            next_of(path).unlink(missing_ok=True)
        elif next_of(path).exists():
            os.replace(next_of(path), path)
        else:
            if log := _log_of(path):
                raise KnownError(
                    ErrorCode.DATABASE_DAMAGED,
                    f"{path} is missing, but its log {log.name} is there",
                )
            # Built under another name, so that an incomplete database never has the real name.
            with replacing(path) as unfinished:
                _upgrade(unfinished, steps, 0)
            return ()
    version = check_version(path, steps)
    if version == len(steps):
        return ()
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    backup = path.parent / BACKUPS / f"{path.stem}-version{version}-{stamp}{path.suffix}"
    with file_error_codes(backup), replacing(backup) as unfinished:
        copy_database(path, unfinished)
    _upgrade(path, steps, version)
    return (OpeningNote(NoteKind.UPGRADED, path=str(backup)),)


def check_version(path: Path, steps: Sequence[str] = STEPS) -> int:
    """Return the version of a database. Damaged and newer ones are refused unchanged."""
    with file_error_codes(path), path.open("rb") as file:
        if file.read(len(_HEADER)) != _HEADER:
            raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} (not a database)")
    # Read-only, so that the file of a newer program isn't changed at all. Without a log no other
    # file is created.
    mode = "mode=ro" if _log_of(path) else "immutable=1"
    with (
        database_error_codes(path),
        closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, timeout=0.0)
        ) as connection,
    ):
        version, application = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("user_version", "application_id")
        )
        named = connection.execute("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL")
        names = {name for (name,) in named}
    if application != APPLICATION or version < 1:
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} (not a database of this program)")
    if version > _ABSURD:
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} (version {version})")
    if version > len(steps):
        raise KnownError(
            ErrorCode.HOME_TOO_NEW, f"{path} (version {version}, this program knows {len(steps)})"
        )
    if version < len(steps) and names != contents(steps[:version]).keys():
        # A bit of the version is flipped: the steps of an upgrade would fail.
        raise KnownError(
            ErrorCode.DATABASE_DAMAGED, f"{path} (not the tables of version {version})"
        )
    return version


def copy_to_read(path: Path, folder: Path, now: float) -> Path:
    """Return a file to read without writing next to it: the database, or a copy if it has a log or
    is older.
    """
    log = _log_of(path)
    if log is None and check_version(path) == len(STEPS):
        return path
    with file_error_codes(folder):
        for source in (path, log):
            if source and source.exists():
                make_private_file(folder / source.name)
                shutil.copyfile(source, folder / source.name)
        make_ready(folder / path.name, now)
    return folder / path.name


def next_of(path: Path) -> Path:
    """Return the path of a complete file that is about to replace this one."""
    return path.with_name(path.name + ".next")


def _log_of(path: Path) -> Path | None:
    """Return the write-ahead log of a database, None if it is missing or empty."""
    log = path.with_name(path.name + "-wal")
    return log if log.exists() and log.stat().st_size else None


def _upgrade(path: Path, steps: Sequence[str], version: int) -> None:
    """Run all missing steps in one transaction, so that a kill leaves the old version."""
    with (
        database_error_codes(path),
        closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN EXCLUSIVE")
        for number in range(version, len(steps)):
            for statement in statements(steps[number]):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")


def copy_database(path: Path, target: Path) -> None:
    """Write a complete, consistent copy with the content of the write-ahead log."""
    with (
        database_error_codes(target),
        closing(sqlite3.connect(path, timeout=0.0)) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)


def contents(steps: Sequence[str] = STEPS) -> dict[str, str]:
    """Return the statements that define a database of this program, by name."""
    with closing(sqlite3.connect(":memory:")) as made:
        for step in steps:
            made.executescript(step)
        return dict(made.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script. `executescript` would commit between them."""
    collected = ""
    for line in script.splitlines(keepends=True):
        collected += line
        if sqlite3.complete_statement(collected):
            yield collected
            collected = ""
    if collected.strip():
        raise ValueError("incomplete statement in the schema")


BACKUPS = "backups"
DAMAGED = "damaged"
MODEL = "model.arrays"
WORD_IDS = "words.arrays"
TEXTS = "texts.sqlite3"
RAW_MAIL = "mail.sqlite3"
"""Derived files, next to the database and in the cache."""
LOG_STATE = "labels_log"
"""Setting with the state of `labels.log`."""


def backups_of(paths: Paths) -> tuple[Path, ...]:
    """Return the backups that upgrades made, the newest first."""
    folder = paths.data / BACKUPS
    found = (
        folder.glob(f"{paths.database.stem}-*{paths.database.suffix}") if folder.is_dir() else ()
    )
    return tuple(sorted(found, key=lambda path: (path.stat().st_mtime, path.name), reverse=True))


def start_empty(paths: Paths, now: float, *, fill: bool = False) -> Path:
    """Quarantine the database and put an empty one in its place; return the folder of the damaged
    one.

    With `fill` the new database gets all labels of `labels.log` when it is opened. A full disk
    changes nothing.
    """

    def make(empty: Path) -> None:
        make_ready(empty, now)
        if fill:
            with database_error_codes(empty), closing(sqlite3.connect(empty)) as connection:
                state = json.dumps({"fill": str(_folder(paths.database, now))})
                connection.execute("INSERT INTO settings VALUES (?, ?)", (LOG_STATE, state))
                connection.commit()

    return _replace(paths, make, now)


def put_back(paths: Paths, backup: Path, now: float) -> Path:
    """Quarantine the database and put a copy of `backup` in its place; return the folder of the
    damaged one.

    Raises `KnownError` and changes nothing if the backup isn't a database of this program, or one
    of a newer version.
    """

    def make(copy: Path) -> None:
        check_version(backup)
        make_private_file(copy)
        copy_database(backup, copy)

    return _replace(paths, make, now)


def _replace(paths: Paths, make: Callable[[Path], None], now: float) -> Path:
    """Quarantine the database and put the one that `make` writes in its place; return the folder of
    the damaged one.

    After a kill in between the next opening continues: it finds the new file by its name.
    """
    new = paths.database.with_name(paths.database.name + ".new")
    with closing(HomeLock(paths.data / LOCK)), file_error_codes(new):
        new.unlink(missing_ok=True)
        make(new)
        os.replace(new, next_of(paths.database))
        sync_folder(paths.data)
        folder = quarantine_database(paths.database, now)
        os.replace(next_of(paths.database), paths.database)
        sync_folder(paths.data)
        return folder


def quarantine_database(path: Path, now: float) -> Path:
    """Move the database, its write-ahead log and what was derived from it to quarantine; return
    their folder.
    """
    # The database goes last: as long as it is there, nothing else is opened.
    return _move(
        (MODEL, WORD_IDS, TEXTS, path.name + "-wal", path.name + "-shm", path.name), path, now
    )


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
