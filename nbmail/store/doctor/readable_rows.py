"""What SQLite can still read of a damaged database, row by row: whatever lies behind a damaged page is read as well."""

import shutil
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from nbmail.paths import make_private_file
from nbmail.store.files.connection import Row
from nbmail.store.files.database_file import contents, make_ready
from nbmail.store.files.schema import STEPS

# What a page begins with that names further pages.
_BRANCHES = 5
_FIRST, _LAST = -(1 << 62), 1 << 62
UNREAD = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged page or schema raises; the second quotes it."""
# A key so far from the one before was not given by us: a bit of it has turned.
_FAR = 1_000_000
_TYPES: dict[str, type | tuple[type, ...]] = {"INTEGER": int, "TEXT": str, "REAL": (float, int), "BLOB": bytes}


class Columns:
    """The columns of a table as the schema wants them; `key` is the one that numbers its rows, if there is one."""

    def __init__(self, schema: sqlite3.Connection, table: str) -> None:
        rows = schema.execute(f"PRAGMA table_info({table})").fetchall()
        self.names = [name for _, name, *_ in rows]
        self.required = {name for _, name, _, required, _, key in rows if required or key}
        self._types = [_TYPES[kind] for _, _, kind, *_ in rows]
        keys = [(name, kind) for _, name, kind, _, _, key in rows if key]
        self.order = ", ".join(name for name, _ in keys)
        self.key = keys[0][0] if [kind for _, kind in keys] == ["INTEGER"] else ""

    def fit(self, row: Row) -> bool:
        """Whether every value is of its column's type: else a bit of the row's head has turned."""
        values = zip(self.names, self._types, row, strict=True)
        return all(
            isinstance(value, kind) or (value is None and name not in self.required) for name, kind, value in values
        )


def copy_damaged(path: Path, folder: Path) -> sqlite3.Connection:
    """A copy of the file and its log, opened however damaged it is; what is read of it changes nothing kept."""
    copy = folder / path.name
    for suffix in ("", "-wal"):
        with suppress(FileNotFoundError):
            make_private_file(copy.with_name(copy.name + suffix))
            shutil.copyfile(path.with_name(path.name + suffix), copy.with_name(copy.name + suffix))
    opened = sqlite3.connect(copy, isolation_level=None)
    try:
        found = dict(opened.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    except UNREAD:
        found = {}
    if not contents(STEPS[:1]).items() <= found.items():
        opened.close()
        copy.with_name(copy.name + "-wal").unlink(missing_ok=True)
        _graft(copy, folder)
        opened = sqlite3.connect(copy, isolation_level=None)
    opened.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return opened


def _graft(path: Path, folder: Path) -> None:
    """Put the table of contents of a new file into this one: every file of ours begins with the same pages."""
    fresh = folder / "contents.sqlite3"
    make_ready(fresh, 0.0, STEPS[:1])
    sound, damaged = fresh.read_bytes(), bytearray(path.read_bytes())
    size = int.from_bytes(sound[16:18], "big")
    # Where it was cut off before the last of them, the others lie behind its end.
    damaged.extend(bytes(max(-len(damaged) % size, len(sound) - len(damaged))))
    (cells,), (last,) = struct.unpack_from(">H", sound, 103), struct.unpack_from(">I", sound, 108)
    pages = [1]
    if sound[100] == _BRANCHES:
        places = struct.unpack_from(f">{cells}H", sound, 112)
        pages += [last, *(struct.unpack_from(">I", sound, place)[0] for place in places)]
    for page in pages:
        damaged[(page - 1) * size : page * size] = sound[(page - 1) * size : page * size]
    struct.pack_into(">III", damaged, 28, len(damaged) // size, 0, 0)
    path.write_bytes(damaged)


def readable_rows(damaged: sqlite3.Connection, table: str, columns: Columns) -> Iterator[Row]:
    """All rows that can be read and fit."""
    query = f"SELECT {', '.join(columns.names)} FROM {table}"
    for row in _by_key(damaged, query, columns) if columns.key else from_both_ends(damaged, query, columns.order):
        if columns.fit(row):
            yield row


def from_both_ends(damaged: sqlite3.Connection, query: str, order: str) -> Iterator[Row]:
    """Rows up to the first that can't be read; if there is one, then from the last backwards up to such a one."""
    for way in ("ASC", "DESC"):
        with suppress(*UNREAD):
            yield from damaged.execute(f"{query} ORDER BY {', '.join(f'{name} {way}' for name in order.split(', '))}")
            return


def _by_key(damaged: sqlite3.Connection, query: str, columns: Columns) -> Iterator[Row]:
    """Row by row; where a page can't be read, on from the first key behind it that can be found."""
    key, start, last = columns.key, _FIRST, -1
    place = columns.names.index(key)
    ordered = f"{query} WHERE {key} >= ? ORDER BY {key}"
    while True:
        with suppress(*UNREAD):
            for row in damaged.execute(ordered, (start,)):
                if isinstance(row[place], int) and abs(row[place] - last) < _FAR:
                    last = row[place]
                    yield row
            return
        found = _behind(damaged, f"{ordered} LIMIT 1", max(last + 1, start + 1 if start > _FIRST else 0))
        if found is None:
            return
        start = found


def _behind(damaged: sqlite3.Connection, query: str, after: int) -> int | None:
    """The lowest key, from this one on, from which reading works again."""

    def works(key: int) -> bool:
        try:
            return bool(damaged.execute(query, (key,)).fetchall() or True)
        except UNREAD:
            return False

    low, step = after - 1, 1
    while not works(after + step):
        low, step = after + step, step * 2
        if step >= _LAST:
            return None
    high = after + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if works(middle) else (middle, high)
    return high
