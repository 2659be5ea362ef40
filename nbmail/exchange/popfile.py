"""Database of POPFile since 0.21, one SQLite file. It can be read, not written.

It stores occurrences of words and no numbers of messages. These are estimated: a bucket gets as many messages as its
most frequent word has occurrences. The import report mentions the estimate.
"""

import os
import sqlite3
import time
from typing import BinaryIO

import numpy as np

from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.exchange.files import MOST_TOKENS, Unreadable, as_text
from nbmail.exchange.tables import CHUNK, LONGEST_TOKEN, MOST_MESSAGES, FileFormat, TokenReading, TokenTable

# The file is read into memory, so that a running POPFile and journal files next to it are not touched.
_LARGEST = 64_000_000
_TIMEOUT, _STEPS = 5.0, 20_000
_MOST_BUCKETS = 1000
_JUNK_NAMES = {"spam", "junk", "junkmail", "spammail"}
_TABLES = {"buckets", "words", "matrix"}
# Value of `hidden` for stored columns. Generated columns are computed on reading and can be of any size.
_STORED = 0
_QUERY = """
SELECT buckets.name, words.word, matrix.times FROM matrix
JOIN words ON words.id = matrix.wordid JOIN buckets ON buckets.id = matrix.bucketid WHERE buckets.pseudo = 0
"""


class Popfile(FileFormat):
    """`popfile.db`. Buckets named spam or junk are imported as junk, all others as good mail."""

    name = "popfile"
    places = (("", ""), ("subject:", "subject:"), ("from:", "from:"), ("to:", "to:"))
    two_way = False

    def recognises(self, start: bytes) -> bool:
        return start.startswith(b"SQLite format 3\0")

    def reading(self, file: BinaryIO) -> TokenReading:
        """Read the words."""
        size = os.fstat(file.fileno()).st_size
        if not 0 < size <= _LARGEST:
            raise Unreadable(f"it is empty, or has more than {_LARGEST:,} bytes")
        connection = sqlite3.connect(":memory:")
        try:
            connection.deserialize(file.read())
            return (yield from _reading(connection))
        except sqlite3.Error as error:
            raise Unreadable("it is damaged, or not a database of POPFile") from error
        finally:
            connection.close()


def _reading(connection: sqlite3.Connection) -> TokenReading:
    latest = time.monotonic() + _TIMEOUT
    connection.text_factory = bytes
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * LONGEST_TOKEN)
    connection.set_progress_handler(lambda: time.monotonic() > latest, _STEPS)
    connection.execute("PRAGMA trusted_schema = OFF")
    tables = _tables(connection)
    taken_for, table = _buckets(connection), TokenTable()
    words: dict[bytes, list[int]] = {}
    if "magnets" in tables:
        # POPFile always has an empty first row.
        table.drop("magnets", max(0, connection.execute("SELECT count(*) FROM magnets").fetchone()[0] - 1))
    rows = connection.execute(_QUERY)
    # With unique numbers each row of the table gives one row of the result.
    left = connection.execute("SELECT count(*) FROM matrix").fetchone()[0]
    while chunk := rows.fetchmany(CHUNK):
        left -= len(chunk)
        if left < 0:
            raise Unreadable("a word or a bucket occurs twice")
        for bucket, word, times in chunk:
            if type(word) is not bytes or type(times) is not int:
                raise Unreadable("a word or a count has the wrong type")
            words.setdefault(word, [0, 0])[int(taken_for[bucket] == GOOD)] += times
        if len(words) > MOST_TOKENS:
            raise Unreadable(f"it has more than {MOST_TOKENS:,} words")
        yield
    for number, (word, counts) in enumerate(words.items()):
        if not 0 <= min(counts) <= max(counts) <= MOST_MESSAGES:
            raise Unreadable("a count is negative or too large")
        table.add(word, counts)
        if number % CHUNK == 0:
            yield
    totals = np.array(list(words.values()), np.int64).reshape(-1, 2)
    table.drop("reckoned")
    parts = {as_text(name): label for name, label in taken_for.items()}
    return table.finish(totals.max(axis=0, initial=0).tolist(), parts)


def _tables(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the tables. Raises `Unreadable` unless those that are read have only stored columns."""
    found = {
        bytes(name).decode(): page
        for name, page in connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'")
    }
    if "bogofilter" in found:
        raise Unreadable("it is bogofilter's database of SQLite; nbmail reads the text that `bogoutil -d` makes")
    if not found.keys() >= _TABLES:
        raise Unreadable("it is an SQLite database, but not POPFile's; rspamd's and DSPAM's contain only hashes")
    for name in _TABLES & found.keys():
        columns = connection.execute("SELECT hidden FROM pragma_table_xinfo(?)", (name,)).fetchall()
        if not found[name] or any(hidden != _STORED for (hidden,) in columns):
            raise Unreadable("its tables are not as POPFile makes them")
    return set(found)


def _buckets(connection: sqlite3.Connection) -> dict[bytes, str]:
    """Return the class of each bucket by its name."""
    rows = connection.execute("SELECT DISTINCT name FROM buckets WHERE pseudo = 0").fetchmany(_MOST_BUCKETS + 1)
    names = [name for (name,) in rows]
    if len(names) > _MOST_BUCKETS or any(type(name) is not bytes for name in names):
        raise Unreadable("a bucket has no name, or there are too many")
    return {name: JUNK if name.decode("utf-8", "replace").lower() in _JUNK_NAMES else GOOD for name in names}
