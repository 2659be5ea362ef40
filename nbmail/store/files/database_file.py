"""Database file before it is opened: made if it is new, otherwise checked."""

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.private_files import replacing
from nbmail.store.files.file_errors import database_error_codes, file_error_codes
from nbmail.store.files.schema import APPLICATION, SCHEMA

_MAGIC = b"SQLite format 3\0"
# Bytes 18 and 19 of a file, without and with a write-ahead log. SQLite only reads other formats.
_FORMATS = (b"\1\1", b"\2\2")


def make_ready(path: Path) -> None:
    """Create the database, or check the existing one as `check_database` does."""
    with file_error_codes(path):
        is_new = not _finish_replacement(path)
        if is_new:
            _refuse_lost_database(path)
            # Built under another name, so that an incomplete database never has the real name.
            with replacing(path) as unfinished:
                _create(unfinished)
    if not is_new:
        check_database(path)


def _finish_replacement(path: Path) -> bool:
    """Complete a replacement that was interrupted. True if the database exists."""
    if path.exists():
        next_of(path).unlink(missing_ok=True)
    elif next_of(path).exists():
        os.replace(next_of(path), path)
    return path.exists()


def _refuse_lost_database(path: Path) -> None:
    """Raise `KnownError` DATABASE_DAMAGED if only the write-ahead log is left."""
    if log := log_of(path):
        detail = f"{path} is missing, but its log {log.name} is there"
        raise KnownError(ErrorCode.DATABASE_DAMAGED, detail)


def check_database(path: Path) -> None:
    """Raise `KnownError` DATABASE_DAMAGED or OTHER_VERSION if it can't be opened.

    Nothing is changed.
    """
    with file_error_codes(path), path.open("rb") as file:
        header = file.read(20)
    if not header.startswith(_MAGIC) or header[18:] not in _FORMATS:
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} (not a database)")

    # Without a log no other file is created.
    mode = "mode=ro" if log_of(path) else "immutable=1"
    address = f"{path.resolve().as_uri()}?{mode}"
    with (
        database_error_codes(path),
        closing(sqlite3.connect(address, uri=True, timeout=0.0)) as connection,
    ):
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        stored = {sql for (sql,) in connection.execute(DEFINITIONS)}

    wanted = definitions(SCHEMA)
    if application != APPLICATION:
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} (not a database of this program)")
    if version != version_of(wanted):
        raise KnownError(ErrorCode.OTHER_VERSION, str(path))
    if stored != set(wanted):
        raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{path} (its tables are not ours)")


def _create(path: Path) -> None:
    with (
        database_error_codes(path),
        closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN EXCLUSIVE")
        wanted = definitions(SCHEMA)
        for statement in wanted:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {version_of(wanted)}")
        connection.execute("COMMIT")


def next_of(path: Path) -> Path:
    """Return the path of a complete file that is about to replace this one."""
    return path.with_name(path.name + ".next")


def log_of(path: Path) -> Path | None:
    """Return the write-ahead log of a database, None if it is missing or empty."""
    log = path.with_name(path.name + "-wal")
    return log if log.exists() and log.stat().st_size else None


DEFINITIONS = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
"""Query for the statements that made the tables and indexes of a file."""


def definitions(schema: str) -> list[str]:
    """Return the statements of a schema as SQLite stores them: without comments before them."""
    return [each.rstrip().removesuffix(";") for each in statements(schema)]


def version_of(wanted: list[str]) -> int:
    """Return the version of a schema, which is a checksum until the first release.

    Any other schema has another version, and a database of this version with other tables is
    damaged.
    """
    # SQLite stores a signed number of 32 bits.
    return zlib.crc32("\n".join(wanted).encode()) >> 1


def statements(script: str) -> Iterator[str]:
    """Yield the statements of a script. `executescript` would commit between them."""
    collected = ""
    for line in script.splitlines(keepends=True):
        if collected or not (line.isspace() or line.startswith("--")):
            collected += line
        if sqlite3.complete_statement(collected):
            yield collected
            collected = ""
    if collected.strip():
        raise ValueError("incomplete statement in the schema")
