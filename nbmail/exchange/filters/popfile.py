"""Database of POPFile."""

import os
import re
import sqlite3
import time
from collections.abc import Generator
from typing import BinaryIO, ClassVar

import numpy as np

from nbmail.exchange.files import Unreadable
from nbmail.exchange.filters.filter_format import FilterFormat, TokenReading
from nbmail.exchange.filters.token_counts import CHUNK, LONGEST_TOKEN, MOST_TOKENS, TokenTable
from nbmail.exchange.model_tables import MOST_MESSAGES
from nbmail.exchange.text_lines import as_text
from nbmail.values import HAM, SPAM

# The file is read into memory, so that a running POPFile and journal files next to it are not
# touched.
_LARGEST = 64_000_000
# Seconds of processor time, and SQLite's steps between two looks at it.
_TIMEOUT = 5.0
_STEPS = 20_000
_MOST_BUCKETS = 1000
_SPAM_BUCKETS = ("spam", "junk", "junkmail", "spammail")
_TABLES = {"buckets", "words", "matrix"}
# Value of `hidden` for stored columns. Generated columns are computed on reading and can be of any
# size.
_STORED = 0
_QUERY = """
SELECT buckets.name, words.word, matrix.times FROM matrix
JOIN words ON words.id = matrix.wordid
JOIN buckets ON buckets.id = matrix.bucketid
WHERE buckets.pseudo = 0
"""

_Words = dict[bytes, list[int]]
"""Occurrences of each word in spam and in good mail."""


class Popfile(FilterFormat):
    """Database of POPFile since 0.21, one SQLite file. It can be read, not written.

    It stores occurrences of words and no numbers of messages. These are estimated: a bucket gets as
    many messages as its most frequent word has occurrences. Buckets named spam or junk are imported
    as spam, all others as ham.
    """

    name = "popfile"
    start = re.compile(rb"SQLite format 3\0")
    places: ClassVar = {"": "", "subject:": "subject:", "from:": "from:", "to:": "to:"}
    two_way = False

    def read(self, file: BinaryIO) -> TokenReading:
        size = os.fstat(file.fileno()).st_size
        if not 0 < size <= _LARGEST:
            raise Unreadable(f"it is empty, or has more than {_LARGEST:,} bytes")
        connection = sqlite3.connect(":memory:")
        try:
            connection.deserialize(file.read())
            _limit(connection)
            _check_tables(connection)
            return (yield from _reading(connection))
        except sqlite3.Error as error:
            raise Unreadable("it is damaged, or not a database of POPFile") from error
        finally:
            connection.close()


def _limit(connection: sqlite3.Connection) -> None:
    """Let no value be large, and no query take long."""
    latest = time.thread_time() + _TIMEOUT
    connection.text_factory = bytes
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * LONGEST_TOKEN)
    connection.set_progress_handler(lambda: time.thread_time() > latest, _STEPS)
    connection.execute("PRAGMA trusted_schema = OFF")


def _check_tables(connection: sqlite3.Connection) -> None:
    """Raise `Unreadable` unless the tables that are read have only stored columns."""
    rows = connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'")
    pages = {bytes(name).decode(): page for name, page in rows}
    if "bogofilter" in pages:
        raise Unreadable(
            "it is bogofilter's database of SQLite; nbmail reads the text that `bogoutil -d` makes"
        )
    if not pages.keys() >= _TABLES:
        raise Unreadable(
            "it is an SQLite database, but not POPFile's; rspamd's and DSPAM's contain only hashes"
        )

    for name in _TABLES:
        columns = connection.execute("SELECT hidden FROM pragma_table_xinfo(?)", (name,)).fetchall()
        if not pages[name] or any(hidden != _STORED for (hidden,) in columns):
            raise Unreadable("its tables are not as POPFile makes them")


def _reading(connection: sqlite3.Connection) -> TokenReading:
    labels = _bucket_labels(connection)
    words = yield from _reading_words(connection, labels)

    table = TokenTable()
    for number, (word, counts) in enumerate(words.items()):
        if not 0 <= min(counts) <= max(counts) <= MOST_MESSAGES:
            raise Unreadable("a count is negative or too large")
        table.add(word, counts)
        if number % CHUNK == 0:
            yield

    occurrences = np.array(list(words.values()), np.int64).reshape(-1, 2)
    messages = occurrences.max(axis=0, initial=0).tolist()
    parts = {as_text(name): label for name, label in labels.items()}
    return table.finish(messages, parts, is_estimated=True)


def _bucket_labels(connection: sqlite3.Connection) -> dict[bytes, str]:
    """Return the label of each bucket."""
    rows = connection.execute("SELECT DISTINCT name FROM buckets WHERE pseudo = 0")
    labels: dict[bytes, str] = {}
    for (name,) in rows.fetchmany(_MOST_BUCKETS + 1):
        if type(name) is not bytes or len(labels) == _MOST_BUCKETS:
            raise Unreadable("a bucket has no name, or there are too many")
        is_spam = name.decode("utf-8", "replace").lower() in _SPAM_BUCKETS
        labels[name] = SPAM if is_spam else HAM
    return labels


def _reading_words(
    connection: sqlite3.Connection, labels: dict[bytes, str]
) -> Generator[None, None, _Words]:
    words: _Words = {}
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
            counts = words.setdefault(word, [0, 0])
            if labels[bucket] == SPAM:
                counts[0] += times
            else:
                counts[1] += times
        if len(words) > MOST_TOKENS:
            raise Unreadable(f"it has more than {MOST_TOKENS:,} words")
        yield
    return words
