"""Creation of the database, and upgrades of older ones after a backup."""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import make_private_file, replacing
from nbmail.store.files.disk_errors import database_error_codes, file_error_codes
from nbmail.store.files.schema import APPLICATION, STEPS
from nbmail.values import NoteKind, OpeningNote

# No release will have this version: a bit is flipped.
_ABSURD = 1000
_HEADER = b"SQLite format 3\0"


def make_ready(path: Path, now: float, steps: Sequence[str] = STEPS) -> tuple[OpeningNote, ...]:
    """Create the database or upgrade it after a backup. Damaged and newer ones are refused unchanged."""
    with file_error_codes(path):
        if path.exists():
            next_of(path).unlink(missing_ok=True)
        elif next_of(path).exists():
            os.replace(next_of(path), path)
        else:
            _refuse_remains(path)
            # Built under another name, so that an incomplete database never has the real name.
            with replacing(path) as unfinished:
                _upgrade(unfinished, steps, 0)
            return ()
    version = check_version(path, steps)
    if version == len(steps):
        return ()
    backup = _back_up(path, version, now)
    _upgrade(path, steps, version)
    return (OpeningNote(NoteKind.UPGRADED, path=str(backup)),)


def check_version(path: Path, steps: Sequence[str] = STEPS) -> int:
    """Return the version of a database. Damaged and newer ones are refused unchanged."""
    with file_error_codes(path), path.open("rb") as file:
        if file.read(len(_HEADER)) != _HEADER:
            raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} (not a database)")
    version = _version(path)
    if version > _ABSURD:
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} (version {version})")
    if version > len(steps):
        raise KnownError(ErrorCode.HOME_TOO_NEW, f"{path} (version {version}, this program knows {len(steps)})")
    return version


def copy_to_read(path: Path, folder: Path, now: float) -> Path:
    """Return a file that can be read without writing next to it: the database, or a copy of it in `folder`.

    A copy is needed if the database has a write-ahead log or an older version.
    """
    log = path.with_name(path.name + "-wal")
    is_logged = log.exists() and log.stat().st_size > 0
    if not is_logged and check_version(path) == len(STEPS):
        return path
    with file_error_codes(folder):
        for source in (path, log):
            if source.exists():
                make_private_file(folder / source.name)
                shutil.copyfile(source, folder / source.name)
        make_ready(folder / path.name, now)
    return folder / path.name


def next_of(path: Path) -> Path:
    """Return the path of a complete file that is about to replace this one."""
    return path.with_name(path.name + ".next")


def _refuse_remains(path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size > 0:
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} is missing, but its log {log.name} is there")


def _version(path: Path) -> int:
    with database_error_codes(path):
        # Read-only, so that the file of a newer program isn't changed at all.
        opened = sqlite3.connect(f"{path.resolve().as_uri()}?{_reading(path)}", uri=True, timeout=0.0)
        with closing(opened) as connection:
            version, application = (
                int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("user_version", "application_id")
            )
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION or version < 1:
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} (not a database of this program)")
    return version


def _reading(path: Path) -> str:
    """Return how to open the file read-only. Without a write-ahead log no other file is created."""
    log = path.with_name(path.name + "-wal")
    return "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"


def _upgrade(path: Path, steps: Sequence[str], version: int) -> None:
    """Run all missing steps in one transaction, so that a kill leaves the old version."""
    with database_error_codes(path), closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN EXCLUSIVE")
        for number in range(version, len(steps)):
            for statement in statements(steps[number]):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")


def _back_up(path: Path, version: int, now: float) -> Path:
    folder = path.parent / "backups"
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    backup = folder / f"{path.stem}-version{version}-{stamp}{path.suffix}"
    with file_error_codes(backup), replacing(backup) as unfinished:
        copy_database(path, unfinished)
    return backup


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
