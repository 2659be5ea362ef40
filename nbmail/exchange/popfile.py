"""POPFile's database, since 0.21 one SQLite file, in one direction: read.

It counts how often words occur and keeps no number of messages that taught it. Ours are reckoned from that: a bucket is
taken to have had as many messages as its most frequent word has occurrences. The report says so.
"""

import os
import sqlite3
import time
from typing import BinaryIO

import numpy as np

from nbmail.exchange.model_tables import MOST_MESSAGES, MOST_WORDS
from nbmail.exchange.token_counts import PIECE, FileFormat, Reading, TokenTable

# Read into memory, so that neither a running POPFile nor a file that claims to have a log beside it is touched.
_LARGEST = 64_000_000
_PATIENCE, _STEPS = 30.0, 20_000
_JUNK_NAMES = {"spam", "junk", "junkmail", "spammail"}
_TABLES = {"buckets", "words", "matrix"}
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
        """Whether it is a database of SQLite 3."""
        return start.startswith(b"SQLite format 3\0")

    def reading(self, file: BinaryIO) -> Reading:
        """Read its words."""
        if os.fstat(file.fileno()).st_size > _LARGEST:
            raise ValueError("it is too large")
        connection = sqlite3.connect(":memory:")
        try:
            return (yield from _reading(connection, file.read()))
        except sqlite3.Error as error:
            raise ValueError(f"it is damaged or no database of POPFile's ({error})") from error
        finally:
            connection.close()


def _reading(connection: sqlite3.Connection, data: bytes) -> Reading:
    latest = time.monotonic() + _PATIENCE
    connection.deserialize(data)
    connection.text_factory = bytes
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
    connection.set_progress_handler(lambda: time.monotonic() > latest, _STEPS)
    connection.execute("PRAGMA trusted_schema = OFF")
    tables = {
        bytes(name).decode() for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    if not tables >= _TABLES:
        raise ValueError("it is a SQLite database, but not POPFile's; rspamd's and DSPAM's hold no words, only hashes")
    words: dict[bytes, list[int]] = {}
    rows, table = connection.execute(_QUERY), TokenTable()
    if "magnets" in tables:
        # The first is none: POPFile always has it.
        table.drop("magnets", max(0, connection.execute("SELECT count(*) FROM magnets").fetchone()[0] - 1))
    # Each row of the table is one of the result, where numbers are given once.
    left = connection.execute("SELECT count(*) FROM matrix").fetchone()[0]
    while piece := rows.fetchmany(PIECE):
        left -= len(piece)
        if left < 0:
            raise ValueError("a word or a bucket stands twice")
        for bucket, word, times in piece:
            if type(bucket) is not bytes or type(word) is not bytes or type(times) is not int:
                raise ValueError("a word, a bucket or a count is none")
            row = int(bucket.decode().lower() not in _JUNK_NAMES)
            words.setdefault(word, [0, 0])[row] += times
        if len(words) > MOST_WORDS:
            raise ValueError("it has too many words")
        yield
    for number, (word, counts) in enumerate(words.items()):
        if not 0 <= min(counts) <= max(counts) <= MOST_MESSAGES:
            raise ValueError("a count is negative, or beyond all bounds")
        table.add(word, counts)
        if number % PIECE == 0:
            yield
    totals = np.array(list(words.values()), np.int64).reshape(-1, 2)
    table.drop("reckoned")
    return table.finish(totals.max(axis=0, initial=0).tolist())
