"""Model files of nbmail: a zip archive of `manifest.json` and UTF-8 CSV tables of integers. See
`FORMAT.md`.

A spreadsheet can open the tables, a program can read them in twenty lines, and reading back is
exact. Words keep their order, so that sums of their weights are equal to the last bit.

A file can be hostile: sizes are checked before and after unpacking, tables are read row by row, and
impossible counts raise `Unreadable`. Code that gets the tables doesn't check them again.
"""

import csv
import hashlib
import io
import json
import math
import struct
import zipfile
import zlib
from array import array
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple

import numpy as np

from nbmail.chunks import batches
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.counting.arrays import LongArray
from nbmail.exchange.files import Unreadable, csv_rows, writing_file
from nbmail.exchange.tables import (
    MOST_CELLS,
    MOST_CLASSES,
    MOST_MESSAGES,
    MOST_SCORES,
    MOST_WORDS,
    MeasureSums,
    ModelTables,
)

FORMAT = 2
MANIFEST = "manifest.json"
# Rows of a table and bytes of an archive written between two yields: about 3 ms.
_ROWS = 2000
_CHUNK = 64 << 10
_EPOCH = (1980, 1, 1, 0, 0, 0)

# A table of a million words in two classes has about 30 MB.
LARGEST_TABLE = 100_000_000
LARGEST_MANIFEST = 1_000_000
MOST_MEASURES = 1000
# Occurrences of a word in one class. Sums over all words still fit into 64 bits.
_MOST_OCCURRENCES = 1 << 40
_LARGEST_SQUARES = 1 << 100
_FARTHEST_SCORE = 1e9

RUN_BY_SPREADSHEETS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""First characters of cells that a spreadsheet may run as a formula."""
_PROTECTED = "'"
# Signatures of the record at the end of an archive, and of the one before it in archives above 4
# GB.
_END = b"PK\5\6"
_LARGE = b"PK\6\7"
_TAIL = 42
_LARGEST_DIRECTORY = 10_000

INVALID = (
    ValueError, LookupError, TypeError, OverflowError, RuntimeError, EOFError, zipfile.BadZipFile, zlib.error,
    struct.error, csv.Error,
)  # fmt: skip
"""Errors that reading an invalid file can raise."""


def writing_model(path: Path, model: ModelTables) -> Generator[None, None, None]:
    """Write the file atomically, in chunks. Equal models give equal bytes."""
    texts = {
        "words.csv": _word_rows(model),
        "corrections.csv": _correction_rows(model),
        "measures.csv": _measure_rows(model),
        "held_out.csv": _held_out_rows(model),
    }
    tables = dict[str, bytes]()
    for name, rows in texts.items():
        text = io.StringIO(newline="")
        for chunk in batches(rows, _ROWS):
            csv.writer(text).writerows(chunk)
            yield
        tables[name] = text.getvalue().encode()
    manifest = {
        "format": FORMAT,
        "tokenizer": model.tokenizer,
        "method": model.method,
        "classes": [{"name": name, "messages": messages} for name, messages in model.sizes],
        "words": len(model.words),
        "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in tables.items()},
    }
    contents = {MANIFEST: json.dumps(manifest, indent=2, ensure_ascii=False).encode(), **tables}
    yield from writing_file(path, lambda file: _write_archive(file, contents))


def protected(text: str) -> str:
    """Return a word or name as a cell that a spreadsheet doesn't run."""
    return _PROTECTED + text if text.startswith((*RUN_BY_SPREADSHEETS, _PROTECTED)) else text


def unprotected(cell: str) -> str:
    """Return the text from which `protected` made the cell."""
    return cell.removeprefix(_PROTECTED)


def _word_rows(model: ModelTables) -> Iterator[list[Any]]:
    yield [
        "word",
        *(f"{kind} {name}" for name in model.classes for kind in ("messages", "occurrences")),
    ]
    pairs = np.stack([model.documents, model.occurrences], axis=1).reshape(
        2 * len(model.classes), len(model.words)
    )
    for first in range(0, len(model.words), _ROWS):
        chunk = pairs[:, first : first + _ROWS].T.tolist()
        for word, numbers in zip(model.words[first : first + _ROWS], chunk, strict=True):
            yield [protected(word), *numbers]


def _correction_rows(model: ModelTables) -> Iterator[list[Any]]:
    """Yield the words that have a correction, by their row (from 0) in `words.csv`."""
    yield ["row", *(str(number) for number in range(len(model.corrections)))]
    for row in np.flatnonzero(model.corrections.any(axis=0)).tolist():
        yield [row, *model.corrections[:, row].tolist()]


def _measure_rows(model: ModelTables) -> Iterator[list[Any]]:
    yield ["class", "measure", "count", "sum", "sum of squares"]
    for name, sums in zip(model.classes, model.measures, strict=False):
        for number, each in enumerate(sums):
            yield [protected(name), number, *each]


def _held_out_rows(model: ModelTables) -> Iterator[list[Any]]:
    yield ["log-odds", "spam", "asked"]
    for score, *flags in zip(*(column.tolist() for column in model.held_out.columns), strict=True):
        yield [repr(score), *map(int, flags)]


def _write_archive(file: BinaryIO, contents: Mapping[str, bytes]) -> Generator[None, None, None]:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type, entry.file_size = zipfile.ZIP_DEFLATED, len(content)
            with archive.open(entry, "w") as table:
                for first in range(0, len(content), _CHUNK):
                    table.write(content[first : first + _CHUNK])
                    yield


class _Head(NamedTuple):
    """Contents of the manifest. `hashes`: SHA-256 of each table."""

    tokenizer: int
    method: str
    classes: tuple[str, ...]
    messages: tuple[int, ...]
    words: int
    hashes: dict[str, str]


def reading_model(file: BinaryIO) -> Generator[None, None, ModelTables]:
    """Read a file in chunks, one table at a time. An invalid file raises one of `INVALID`."""
    _refuse_crowded(file)
    with zipfile.ZipFile(file) as archive:
        with _opened(archive, MANIFEST, LARGEST_MANIFEST) as manifest:
            head = _read_head(manifest.read(LARGEST_MANIFEST))
        words, documents, occurrences = yield from _read_words(
            (yield from _table(archive, "words.csv", head)), head
        )
        corrections = yield from _read_corrections(
            (yield from _table(archive, "corrections.csv", head)), head
        )
        measures = _read_measures((yield from _table(archive, "measures.csv", head)), head)
        held_out = yield from _read_held_out((yield from _table(archive, "held_out.csv", head)))
    names = (head.tokenizer, head.method, head.classes, head.messages, words)
    return ModelTables(*names, documents, occurrences, corrections, measures, held_out)


def _refuse_crowded(file: BinaryIO) -> None:
    """Raise `Unreadable` for an archive with many entries, before `zipfile` loads their list."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL).rjust(_TAIL, b"\0")
    directory = int.from_bytes(tail[32:36], "little")
    if tail[20:24] != _END or tail[:4] == _LARGE or directory > _LARGEST_DIRECTORY:
        raise Unreadable("it is not an archive of a few tables")


def _opened(archive: zipfile.ZipFile, name: str, most: int) -> IO[bytes]:
    """Open a file of the archive if its declared size is at most `most`. `zipfile` reads no more
    than that size.
    """
    if name not in archive.NameToInfo:
        raise Unreadable(f"it is a zip archive, but not a model of nbmail: it has no {name}")
    entry = archive.getinfo(name)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Unreadable(f"{name} has an unknown compression")
    if entry.file_size > most:
        raise Unreadable(f"{name} is too large")
    return archive.open(entry)


def _read_head(content: bytes) -> _Head:
    manifest = json.loads(content)
    if _whole(manifest["format"], FORMAT, 1 << 31) > FORMAT:
        raise Unreadable("it was made by a newer version of nbmail")
    if len(manifest["classes"]) > MOST_CLASSES:
        raise Unreadable(f"it has more than {MOST_CLASSES:,} classes")
    head = _Head(
        tokenizer=_whole(manifest["tokenizer"], 0, 1 << 31),
        method=_text(manifest["method"]),
        classes=tuple(_text(each["name"]) for each in manifest["classes"]),
        messages=tuple(_whole(each["messages"], 0, MOST_MESSAGES) for each in manifest["classes"]),
        words=_whole(manifest["words"], 0, MOST_WORDS),
        hashes=dict(manifest["sha256"]),
    )
    if len(set(head.classes)) != len(head.classes) or not all(head.classes):
        raise Unreadable("a class occurs twice or has no name")
    if sum(head.messages) > MOST_MESSAGES or head.words * len(head.classes) > MOST_CELLS:
        raise Unreadable(
            f"it has more than {MOST_MESSAGES:,} messages, or {MOST_CELLS:,} words times classes"
        )
    return head


def _whole(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Unreadable("a number is missing or out of range")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Unreadable("a name is not a text")
    value.encode()
    return value


def _table(
    archive: zipfile.ZipFile, name: str, head: _Head
) -> Generator[None, None, Iterator[list[str]]]:
    """Return the rows of a table, header first, after checking its hash and its number of lines."""
    digest = hashlib.sha256()
    lines = 0
    with _opened(archive, name, LARGEST_TABLE) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            lines += chunk.count(b"\n")
            yield
    if digest.hexdigest() != head.hashes[name]:
        raise Unreadable(f"{name} was changed or damaged")
    # Words can contain line ends.
    least, most = {
        "words.csv": (head.words, LARGEST_TABLE),
        "corrections.csv": (0, head.words),
        "measures.csv": (0, MOST_MEASURES * len(head.classes)),
        "held_out.csv": (0, min(MOST_SCORES, sum(head.messages))),
    }[name]
    if not least < lines <= most + 1:
        raise Unreadable(f"{name} has more rows than allowed, or fewer than there are words")
    return _rows(archive, name)


def _rows(archive: zipfile.ZipFile, name: str) -> Iterator[list[str]]:
    with io.TextIOWrapper(archive.open(name), "utf-8", newline="") as text:
        rows = csv_rows(text)
        header = next(rows, None)
        if header is None:
            raise Unreadable(f"{name} is empty")
        yield header
        for row in rows:
            if len(row) != len(header):
                raise Unreadable(f"a line of {name} has {len(row)} values instead of {len(header)}")
            row[0] = unprotected(row[0])
            yield row


_Words = tuple[tuple[str, ...], LongArray, LongArray]


def _read_words(rows: Iterator[list[str]], head: _Head) -> Generator[None, None, _Words]:
    if len(next(rows)) != 1 + 2 * len(head.classes):
        raise Unreadable("the classes of words.csv are not those of the manifest")
    words: dict[str, None] = {}
    numbers = array("q")
    for count, row in enumerate(rows, 1):
        words[row[0]] = None
        if count != len(words) or count > head.words:
            raise Unreadable("a word occurs twice, or there are too many")
        numbers.extend(map(int, row[1:]))
        if count % _ROWS == 0:
            yield
    if len(words) != head.words:
        raise Unreadable("words are missing")
    table = np.array(numbers, np.int64).reshape(len(words), len(head.classes), 2)
    documents, occurrences = (np.ascontiguousarray(table[:, :, part].T) for part in (0, 1))
    if (documents < 0).any() or (documents > np.array(head.messages, np.int64)[:, None]).any():
        raise Unreadable("a word is counted in more messages than there are")
    if (occurrences < documents).any() or (occurrences[documents == 0] != 0).any():
        raise Unreadable("the occurrences of a word don't fit the number of its messages")
    if (occurrences > _MOST_OCCURRENCES).any():
        raise Unreadable("a word has too many occurrences")
    return tuple(words), documents, occurrences


def _read_corrections(rows: Iterator[list[str]], head: _Head) -> Generator[None, None, LongArray]:
    """Return a row for each class. Old files can have columns of removed classes behind them."""
    columns = len(next(rows)) - 1
    if columns < 0:
        raise Unreadable("corrections.csv has no columns")
    kept = min(columns, len(head.classes))
    places = array("q")
    values = array("q")
    for row in rows:
        places.append(int(row[0]))
        values.extend(map(int, row[1 : kept + 1]))
        if not 0 <= places[-1] < head.words or len(places) > head.words:
            raise Unreadable("a correction has no word")
        if len(places) % _ROWS == 0:
            yield
    corrections = np.zeros((kept, head.words), np.int64)
    corrections[:, np.array(places, np.int64)] = (
        np.array(values, np.int64).reshape(len(places), kept).T
    )
    return corrections


def _read_measures(rows: Iterator[list[str]], head: _Head) -> tuple[tuple[MeasureSums, ...], ...]:
    next(rows)
    found: dict[str, list[MeasureSums]] = {name: [] for name in head.classes}
    most = dict(zip(head.classes, head.messages, strict=True))
    for name, number, *sums in rows:
        mine = found[name]
        if int(number) != len(mine) or len(mine) >= MOST_MEASURES:
            raise Unreadable("the measures are out of order, or too many")
        count, total, squares = map(int, sums)
        # Some numbers must have these sums, at most one number for each message.
        if not (
            0 <= count <= most[name]
            and total * total <= count * squares
            and 0 <= squares <= _LARGEST_SQUARES
        ):
            raise Unreadable("the sums of a measure are impossible")
        if count == 0 and squares:
            raise Unreadable("a measure has squares without values")
        mine.append(MeasureSums(count, total, squares))
    return tuple(tuple(found[name]) for name in head.classes) if any(found.values()) else ()


def _read_held_out(rows: Iterator[list[str]]) -> Generator[None, None, HeldOut]:
    next(rows)
    scores = array("d")
    flags = (bytearray(), bytearray())
    for score, *both in rows:
        scores.append(float(score))
        for found, flag in zip(flags, both, strict=True):
            found.append(("0", "1").index(flag))
        if not (math.isfinite(scores[-1]) and abs(scores[-1]) <= _FARTHEST_SCORE):
            raise Unreadable("a score is not a number")
        if len(scores) % _ROWS == 0:
            yield
    spam, was_asked = (np.array(found, np.uint8) != 0 for found in flags)
    return HeldOut(np.array(scores, np.float64), spam, was_asked)
