"""POPFile's database, since 0.21 one SQLite file, in one direction: read.

It counts how often words occur and keeps no number of messages that taught it. Ours are reckoned from that: a bucket is
taken to have had as many messages as its most frequent word has occurrences. The report says so.
"""

import os
import sqlite3
import time
from typing import BinaryIO

import numpy as np

from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.exchange.files import MOST_TOKENS, Unreadable, as_text
from nbmail.exchange.model_tables import MOST_MESSAGES
from nbmail.exchange.token_counts import LONGEST_TOKEN, PIECE, FileFormat, Reading, TokenTable

# Read into memory, so that neither a running POPFile nor a file that claims to have a log beside it is touched.
_LARGEST = 64_000_000
_PATIENCE, _STEPS = 5.0, 20_000
_MOST_BUCKETS = 1000
_JUNK_NAMES = {"spam", "junk", "junkmail", "spammail"}
_TABLES = {"buckets", "words", "matrix"}
# SQLite's word for a column whose values are worked out as they are read, however large they come out.
_STORED = 0
_QUERY = """
SELECT buckets.name, words.word, matrix.times FROM matrix
JOIN words ON words.id = matrix.wordid JOIN buckets ON buckets.id = matrix.bucketid WHERE buckets.pseudo = 0
"""


class Popfile(FileFormat):
    """`popfile.db`: the bucket called spam or junk is junk, all others together are good mail."""

    name = "popfile"
    places = (("", ""), ("subject:", "subject:"), ("from:", "from:"), ("to:", "to:"))
    two_way = False

    def recognises(self, start: bytes) -> bool:
        return start.startswith(b"SQLite format 3\0")

    def reading(self, file: BinaryIO) -> Reading:
        """Read its words."""
        size = os.fstat(file.fileno()).st_size
        if not 0 < size <= _LARGEST:
            raise Unreadable(f"it is empty, or has more than {_LARGEST:,} bytes")
        connection = sqlite3.connect(":memory:")
        try:
            connection.deserialize(file.read())
            return (yield from _reading(connection))
        except sqlite3.Error as error:
            raise Unreadable("it is damaged, or no database of POPFile's") from error
        finally:
            connection.close()


def _reading(connection: sqlite3.Connection) -> Reading:
    latest = time.monotonic() + _PATIENCE
    connection.text_factory = bytes
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * LONGEST_TOKEN)
    connection.set_progress_handler(lambda: time.monotonic() > latest, _STEPS)
    connection.execute("PRAGMA trusted_schema = OFF")
    tables = _tables(connection)
    taken_for, table = _buckets(connection), TokenTable()
    words: dict[bytes, list[int]] = {}
    if "magnets" in tables:
        # The first is none: POPFile always has it.
        table.drop("magnets", max(0, connection.execute("SELECT count(*) FROM magnets").fetchone()[0] - 1))
    rows = connection.execute(_QUERY)
    # Each row of the table is one of the result, where numbers are given once.
    left = connection.execute("SELECT count(*) FROM matrix").fetchone()[0]
    while chunk := rows.fetchmany(PIECE):
        left -= len(chunk)
        if left < 0:
            raise Unreadable("a word or a bucket stands twice")
        for bucket, word, times in chunk:
            if type(word) is not bytes or type(times) is not int:
                raise Unreadable("a word or a count is none")
            words.setdefault(word, [0, 0])[int(taken_for[bucket] == GOOD)] += times
        if len(words) > MOST_TOKENS:
            raise Unreadable(f"it has more than {MOST_TOKENS:,} words")
        yield
    for number, (word, counts) in enumerate(words.items()):
        if not 0 <= min(counts) <= max(counts) <= MOST_MESSAGES:
            raise Unreadable("a count is negative, or beyond all bounds")
        table.add(word, counts)
        if number % PIECE == 0:
            yield
    totals = np.array(list(words.values()), np.int64).reshape(-1, 2)
    table.drop("reckoned")
    parts = {as_text(name): label for name, label in taken_for.items()}
    return table.finish(totals.max(axis=0, initial=0).tolist(), parts)


def _tables(connection: sqlite3.Connection) -> set[str]:
    """The tables, once it is sure that those which are read hold nothing but what is stored in the file."""
    found = {
        bytes(name).decode(): page
        for name, page in connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'")
    }
    if "bogofilter" in found:
        raise Unreadable("it is bogofilter's database of SQLite: `bogoutil -d` makes the text that nbmail reads")
    if not found.keys() >= _TABLES:
        raise Unreadable("it is a SQLite database, but not POPFile's; rspamd's and DSPAM's hold no words, only hashes")
    for name in _TABLES & found.keys():
        columns = connection.execute("SELECT hidden FROM pragma_table_xinfo(?)", (name,)).fetchall()
        if not found[name] or any(hidden != _STORED for (hidden,) in columns):
            raise Unreadable("its tables are not as POPFile makes them")
    return set(found)


def _buckets(connection: sqlite3.Connection) -> dict[bytes, str]:
    """Each bucket by its name, and the class that it is taken for."""
    rows = connection.execute("SELECT DISTINCT name FROM buckets WHERE pseudo = 0").fetchmany(_MOST_BUCKETS + 1)
    names = [name for (name,) in rows]
    if len(names) > _MOST_BUCKETS or any(type(name) is not bytes for name in names):
        raise Unreadable("a bucket has no name, or there are too many")
    return {name: JUNK if name.decode("utf-8", "replace").lower() in _JUNK_NAMES else GOOD for name in names}
