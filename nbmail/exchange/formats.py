"""All formats by name: detect, read and write model files. Known unreadable files raise an error
with advice.

The binary files of Thunderbird and POPFile are here, those of text in `text_formats.py`.
"""

import os
import re
import sqlite3
import struct
import time
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np

from nbmail.chunks import batches
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import OWN
from nbmail.exchange.conversion import export_counts, import_counts
from nbmail.exchange.files import (
    MOST_TOKENS,
    Unreadable,
    as_bytes,
    as_text,
    open_file,
    writing_file,
)
from nbmail.exchange.nbmodel import INVALID, reading_model, writing_model
from nbmail.exchange.tables import (
    CHUNK,
    LONGEST_TOKEN,
    MOST_CLASSES,
    MOST_MESSAGES,
    FileFormat,
    ModelFile,
    ModelTables,
    TokenCounts,
    TokenReading,
    TokenTable,
)
from nbmail.exchange.text_formats import Bogofilter, SpamAssassin, SpamBayes
from nbmail.values import HAM, SPAM

_TRAINING = b"\xfe\xed\xfa\xce"
_TRAITS = b"\xfc\xa9\x36\x01"
_TRAIT = "trait "
_MOST = 0xFFFFFFFF
# Bytes of a token with one letter.
_SHORTEST = 9

_List = dict[bytes, int]


class Thunderbird(FileFormat):
    """Training files of Thunderbird: `training.dat` for spam and good mail, `traits.dat` for the
    classes of add-ons.

    Numbers are 32-bit big-endian. A list of tokens is their number followed by `count, length,
    bytes` of each. A token of both classes is in both lists. Thunderbird keeps the data in memory
    and overwrites the file at any time, so the file must be replaced while Thunderbird is closed.
    """

    name = "thunderbird"
    start = re.compile(_TRAINING)
    places = (("", ""), ("subject:", "subject:"))
    lengths = (3, 12)

    def read(self, file: BinaryIO) -> TokenReading:
        file.read(len(_TRAINING))
        ham = _number(file)
        spam = _number(file)
        of_ham = yield from _reading_list(file)
        of_spam = yield from _reading_list(file, MOST_TOKENS - len(of_ham))
        _refuse_more(file)
        return _tabled({HAM: (ham, of_ham), SPAM: (spam, of_spam)})

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        spam, ham = counts.messages
        yield _TRAINING + struct.pack(">II", ham, spam)
        yield from _list_of(counts, 1)
        yield from _list_of(counts, 0)

    def _shared(self, place: str, rest: str) -> bool:
        return rest.isascii() and not rest.isdecimal() and super()._shared(place, rest)


class ThunderbirdTraits(Thunderbird):
    """`traits.dat`. Each trait is a class. Spam and good mail are only in `training.dat`."""

    name = "thunderbird-traits"
    start = re.compile(_TRAITS)
    classes = None

    def read(self, file: BinaryIO) -> TokenReading:
        """Read all traits up to number 0, which marks the end."""
        file.read(len(_TRAITS))
        found: dict[str, tuple[int, _List]] = {}
        room = MOST_TOKENS
        while number := _number(file):
            name = f"{_TRAIT}{number}"
            if name in found or len(found) == MOST_CLASSES:
                raise Unreadable("a trait occurs twice, or there are too many")
            messages = _number(file)
            found[name] = (messages, (yield from _reading_list(file, room)))
            room -= len(found[name][1])
        _refuse_more(file)
        return _tabled(found)

    def write(self, counts: TokenCounts, now: float) -> Iterator[bytes]:
        yield _TRAITS
        for row, name in enumerate(counts.classes):
            number = _trait(name)
            if number and counts.messages[row]:
                yield struct.pack(">II", number, counts.messages[row])
                yield from _list_of(counts, row)
        yield struct.pack(">I", 0)


def _trait(name: str) -> int:
    """Return the number of the trait with the name of a class; 0 for other classes."""
    number = name.removeprefix(_TRAIT)
    is_one = (
        name.startswith(_TRAIT) and number.isascii() and number.isdecimal() and len(number) <= 10
    )
    return int(number) if is_one and int(number) <= _MOST else 0


def _number(file: BinaryIO) -> int:
    data = file.read(4)
    if len(data) != 4:
        raise Unreadable("it is incomplete")
    return int.from_bytes(data, "big")


def _refuse_more(file: BinaryIO) -> None:
    if file.read(1):
        raise Unreadable("there is data behind its end")


def _reading_list(file: BinaryIO, room: int = MOST_TOKENS) -> Generator[None, None, _List]:
    found: _List = {}
    tokens = _number(file)
    if tokens > room or tokens * _SHORTEST > os.fstat(file.fileno()).st_size:
        raise Unreadable("it claims more words than a file of its size can have")
    for number in range(tokens):
        count = _number(file)
        length = _number(file)
        token = file.read(length) if length <= LONGEST_TOKEN else b""
        if len(token) != length or length > LONGEST_TOKEN:
            raise Unreadable("a word is too long, or the file is incomplete")
        found[token] = count
        if len(found) != number + 1:
            raise Unreadable("a word occurs twice")
        if number % CHUNK == 0:
            yield
    return found


def _tabled(lists: dict[str, tuple[int, _List]]) -> TokenCounts:
    order = sorted(lists, key=lambda name: (name != SPAM, name != HAM))
    table = TokenTable(order)
    for token in dict.fromkeys(token for name in order for token in lists[name][1]):
        table.add(token, [lists[name][1].get(token, 0) for name in order])
    return table.finish([lists[name][0] for name in order])


def _list_of(counts: TokenCounts, row: int) -> Iterator[bytes]:
    held = np.flatnonzero(counts.documents[row]).tolist()
    numbers = counts.documents[row].tolist()
    yield struct.pack(">I", len(held))
    for some in batches(held, CHUNK):
        packed = bytearray()
        for place in some:
            token = as_bytes(counts.tokens[place])
            packed += struct.pack(">II", numbers[place], len(token)) + token
        yield bytes(packed)


# The file is read into memory, so that a running POPFile and journal files next to it are not
# touched.
_LARGEST = 64_000_000
_TIMEOUT = 5.0
_STEPS = 20_000
_MOST_BUCKETS = 1000
_JUNK_NAMES = {"spam", "junk", "junkmail", "spammail"}
_TABLES = {"buckets", "words", "matrix"}
# Value of `hidden` for stored columns. Generated columns are computed on reading and can be of any
# size.
_STORED = 0
_QUERY = """
SELECT buckets.name, words.word, matrix.times FROM matrix
JOIN words ON words.id = matrix.wordid JOIN buckets ON buckets.id = matrix.bucketid WHERE buckets.pseudo = 0
"""


class Popfile(FileFormat):
    """Database of POPFile since 0.21, one SQLite file. It can be read, not written.

    It stores occurrences of words and no numbers of messages. These are estimated: a bucket gets as
    many messages as its most frequent word has occurrences. The import report mentions the
    estimate. Buckets named spam or spam are imported as spam, all others as ham mail.
    """

    name = "popfile"
    start = re.compile(rb"SQLite format 3\0")
    places = (("", ""), ("subject:", "subject:"), ("from:", "from:"), ("to:", "to:"))
    two_way = False

    def read(self, file: BinaryIO) -> TokenReading:
        size = os.fstat(file.fileno()).st_size
        if not 0 < size <= _LARGEST:
            raise Unreadable(f"it is empty, or has more than {_LARGEST:,} bytes")
        connection = sqlite3.connect(":memory:")
        try:
            connection.deserialize(file.read())
            return (yield from _read(connection))
        except sqlite3.Error as error:
            raise Unreadable("it is damaged, or not a database of POPFile") from error
        finally:
            connection.close()


def _read(connection: sqlite3.Connection) -> TokenReading:
    latest = time.thread_time() + _TIMEOUT
    connection.text_factory = bytes
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 4 * LONGEST_TOKEN)
    connection.set_progress_handler(lambda: time.thread_time() > latest, _STEPS)
    connection.execute("PRAGMA trusted_schema = OFF")
    tables = _tables(connection)
    taken_for = _buckets(connection)
    table = TokenTable()
    words: dict[bytes, list[int]] = {}
    if "magnets" in tables:
        # POPFile always has an empty first row.
        table.drop(
            "magnets", max(0, connection.execute("SELECT count(*) FROM magnets").fetchone()[0] - 1)
        )
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
            words.setdefault(word, [0, 0])[int(taken_for[bucket] == HAM)] += times
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
    """Return the names of the tables. Raises `Unreadable` unless those that are read have only
    stored columns.
    """
    found = {
        bytes(name).decode(): page
        for name, page in connection.execute(
            "SELECT name, rootpage FROM sqlite_master WHERE type = 'table'"
        )
    }
    if "bogofilter" in found:
        raise Unreadable(
            "it is bogofilter's database of SQLite; nbmail reads the text that `bogoutil -d` makes"
        )
    if not found.keys() >= _TABLES:
        raise Unreadable(
            "it is an SQLite database, but not POPFile's; rspamd's and DSPAM's contain only hashes"
        )
    for name in _TABLES & found.keys():
        columns = connection.execute("SELECT hidden FROM pragma_table_xinfo(?)", (name,)).fetchall()
        if not found[name] or any(hidden != _STORED for (hidden,) in columns):
            raise Unreadable("its tables are not as POPFile makes them")
    return set(found)


def _buckets(connection: sqlite3.Connection) -> dict[bytes, str]:
    rows = connection.execute("SELECT DISTINCT name FROM buckets WHERE pseudo = 0").fetchmany(
        _MOST_BUCKETS + 1
    )
    names = [name for (name,) in rows]
    if len(names) > _MOST_BUCKETS or any(type(name) is not bytes for name in names):
        raise Unreadable("a bucket has no name, or there are too many")
    return {
        name: SPAM if name.decode("utf-8", "replace").lower() in _JUNK_NAMES else HAM
        for name in names
    }


_LAYOUTS = {
    layout.name: layout
    for layout in (
        Bogofilter(),
        SpamAssassin(),
        SpamBayes(),
        Thunderbird(),
        ThunderbirdTraits(),
        Popfile(),
    )
}
_START = 4096

_PICKLE = (
    "it is a Python pickle, which can run code, so nbmail never opens one; export the words of "
    "SpamBayes as CSV"
)
_REFUSED = (
    (
        rb"\*\* This file contains an SQLite 2",
        "it is POPFile's database of SQLite 2: start POPFile 1.1 or later once, which converts it",
    ),
    (
        rb"__CORPUS__ __VERSION__",
        "it is a bucket of POPFile before 0.20: start POPFile 1.1 or later once",
    ),
    # Protocol 2 or later, or the first instruction of an older one.
    (rb"\x80[\x02-\x05]|[(\]}]+(dp\d|lp\d|q.|I\d+\n|K.|i\w|c\w)|c[\w.]+\n\w+\n", _PICKLE),
)
_HASHED = (
    ((b'"learns_spam"', b'"learns_ham"', b'"elts"', b"_lrnspam", b"_lrnham"), "rspamd"),
    ((b"dspam_token_data", b"dspam_stats"), "DSPAM"),
    ((b"CRM114",), "CRM114"),
)
_CDB_TABLES = 256
# Default sizes of CRM114's files: twelve bytes for each feature.
_CRM114_SIZES = {12 * (1 << 20) + 12, 12 * 524_287, 12 * 1_000_003}


def reading_file(
    path: Path, name: str = "", own: Iterable[str] = ()
) -> Generator[None, None, ModelFile]:
    """Read a model file in chunks. `name`: format, empty to detect it. `own`: all known words.
    Raises `KnownError`.
    """
    with open_file(path) as file:
        try:
            name = name or _detected(path, file)
            if name == OWN:
                tables = yield from reading_model(file)
                return ModelFile(OWN, tables, len(tables.words), len(tables.words))
            counts = yield from _LAYOUTS[name].read(file)
            return (yield from import_counts(_LAYOUTS[name], counts, own))
        except Unreadable as error:
            reason = str(error)
        except UnicodeDecodeError:
            reason = "its words are not UTF-8"
        except MemoryError:
            reason = "there is not enough memory to read it"
        except INVALID:
            reason = f"it is damaged, or not a file of {name}"
        except OSError as error:
            raise KnownError(ErrorCode.BAD_INPUT, f"{path}: {error.strerror or error}") from error
    raise KnownError(ErrorCode.BAD_MODEL_FILE, f"{path}: {reason}")


def _detected(path: Path, file: BinaryIO) -> str:
    start = file.read(_START)
    file.seek(0)
    if start.startswith(b"PK"):
        return OWN
    if reason := _reason_to_refuse(path, start, os.fstat(file.fileno()).st_size):
        raise Unreadable(reason)
    found = [name for name, layout in _LAYOUTS.items() if layout.start.match(start)]
    if not found:
        raise Unreadable("its format is unknown")
    return found[0]


def _reason_to_refuse(path: Path, start: bytes, size: int) -> str:
    """Return why a file with this beginning and size is not read; empty without a reason."""
    for pattern, reason in _REFUSED:
        if re.match(pattern, start, re.DOTALL):
            return reason
    owner = next((owner for marks, owner in _HASHED if any(mark in start for mark in marks)), "")
    # The tables of a CDB follow each other up to the end of the file. It begins with their
    # positions and lengths.
    numbers = struct.unpack_from(f"<{2 * _CDB_TABLES}I", start.ljust(8 * _CDB_TABLES, b"\xff"))
    ends = [place + 8 * length for place, length in zip(numbers[::2], numbers[1::2], strict=True)]
    if not owner and ends[-1] == size and list(numbers[2::2]) == ends[:-1]:
        owner = "rspamd"
    if not owner and (size in _CRM114_SIZES or path.suffix.lower() == ".css") and b"\0" in start:
        owner = "CRM114 or DSPAM"
    advice = "words can't be recovered from them; let nbmail learn from your mail folders instead"
    return f"it is a database of {owner}, which contains hashes: {advice}" if owner else ""


def writing_model_file(
    path: Path, tables: ModelTables, name: str = "", now: float = 0.0
) -> Generator[None, None, ModelFile]:
    """Write a model and return the file as it is read back. `name`: its format, nbmail's if empty.

    The returned `dropped` are the words that the format can't store.
    """
    if name in ("", OWN):
        yield from writing_model(path, tables)
        return ModelFile(OWN, tables, len(tables.words), len(tables.words))
    layout = _LAYOUTS[name]
    counts = yield from export_counts(layout, tables, layout.classes or tables.classes)

    def fill(file: BinaryIO) -> Generator[None, None, None]:
        for chunk in layout.write(counts, now):
            file.write(chunk)
            yield

    yield from writing_file(path, fill)
    return replace((yield from reading_file(path, name, tables.words)), dropped=counts.dropped)
