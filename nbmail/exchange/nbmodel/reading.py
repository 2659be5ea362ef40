"""Reading of nbmail's model files, which can be hostile.

Sizes are checked before and after unpacking, tables are read row by row, and impossible counts
raise `Unreadable`. Code that gets the tables doesn't check them again.
"""

import csv
import hashlib
import io
import math
import struct
import zipfile
import zlib
from array import array
from collections.abc import Generator, Iterator
from typing import IO, BinaryIO

import numpy as np

from nbmail.core.calibration.family_weights import PARTS
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.counting.arrays import LongArray
from nbmail.core.words.families import FAMILIES
from nbmail.exchange.files import Unreadable
from nbmail.exchange.model_tables import MOST_SCORES, MeasureSums, ModelTables
from nbmail.exchange.nbmodel.cells import unprotected
from nbmail.exchange.nbmodel.manifest import (
    CORRECTIONS,
    HELD_OUT,
    MANIFEST,
    MEASURES,
    WORDS,
    Manifest,
    decode_manifest,
)
from nbmail.exchange.text_lines import csv_rows

LARGEST_TABLE = 100_000_000
"""Bytes. A table of a million words in two classes has about 30 MB."""
LARGEST_MANIFEST = 1_000_000
MOST_MEASURES = 1000
# Occurrences of a word in one class. Sums over all words still fit into 64 bits.
_MOST_OCCURRENCES = 1 << 40
_LARGEST_SQUARES = 1 << 100
_FARTHEST_SCORE = 1e9

# Signatures of the record at the end of an archive, and of the one before it in archives above
# 4 GB.
_END = b"PK\5\6"
_LARGE = b"PK\6\7"
_TAIL = 42
_LARGEST_DIRECTORY = 10_000
# Rows and bytes read between two yields: about 3 ms.
_ROWS = 2000
_CHUNK = 64 << 10

INVALID = (
    ValueError,
    LookupError,
    TypeError,
    OverflowError,
    RuntimeError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    csv.Error,
)
"""Errors that reading an invalid file can raise."""

_Rows = Iterator[list[str]]


def reading_model(file: BinaryIO) -> Generator[None, None, ModelTables]:
    """Read a file in chunks, one table at a time. An invalid file raises one of `INVALID`."""
    _refuse_crowded(file)
    with zipfile.ZipFile(file) as archive:
        with _open_entry(archive, MANIFEST, LARGEST_MANIFEST) as content:
            manifest = decode_manifest(content.read(LARGEST_MANIFEST))

        rows = yield from _checked_table(archive, WORDS, manifest)
        words, documents, occurrences = yield from _reading_words(rows, manifest)

        rows = yield from _checked_table(archive, CORRECTIONS, manifest)
        corrections = yield from _reading_corrections(rows, manifest)

        rows = yield from _checked_table(archive, MEASURES, manifest)
        measures = _read_measures(rows, manifest)

        rows = yield from _checked_table(archive, HELD_OUT, manifest)
        held_out = yield from _reading_held_out(rows)

    return ModelTables(
        tokenizer=manifest.tokenizer,
        method=manifest.method,
        classes=manifest.classes,
        messages=manifest.messages,
        words=words,
        documents=documents,
        occurrences=occurrences,
        corrections=corrections,
        measures=measures,
        held_out=held_out,
    )


def _refuse_crowded(file: BinaryIO) -> None:
    """Raise `Unreadable` for an archive with many entries, before `zipfile` loads their list."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL).rjust(_TAIL, b"\0")
    is_plain = tail[20:24] == _END and tail[:4] != _LARGE
    directory = int.from_bytes(tail[32:36], "little")
    if not is_plain or directory > _LARGEST_DIRECTORY:
        raise Unreadable("it is not an archive of a few tables")


def _open_entry(archive: zipfile.ZipFile, name: str, most: int) -> IO[bytes]:
    """Open a file of the archive if its declared size is at most `most`.

    `zipfile` reads no more than that size.
    """
    if name not in archive.NameToInfo:
        raise Unreadable(f"it is a zip archive, but not a model of nbmail: it has no {name}")
    entry = archive.getinfo(name)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Unreadable(f"{name} has an unknown compression")
    if entry.file_size > most:
        raise Unreadable(f"{name} is too large")
    return archive.open(entry)


def _checked_table(
    archive: zipfile.ZipFile, name: str, manifest: Manifest
) -> Generator[None, None, _Rows]:
    """Return the rows of a table, header first, after checking its hash and its number of lines."""
    digest = hashlib.sha256()
    lines = 0
    with _open_entry(archive, name, LARGEST_TABLE) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            lines += chunk.count(b"\n")
            yield
    if digest.hexdigest() != manifest.hashes[name]:
        raise Unreadable(f"{name} was changed or damaged")

    least, most = _allowed_rows(name, manifest)
    if not least < lines <= most + 1:
        raise Unreadable(f"{name} has more rows than allowed, or fewer than there are words")
    return _rows(archive, name)


def _allowed_rows(name: str, manifest: Manifest) -> tuple[int, int]:
    """Return the fewest and the most lines of a table without its header."""
    if name == WORDS:
        # Words can contain line ends.
        return manifest.words, LARGEST_TABLE
    if name == CORRECTIONS:
        return 0, manifest.words
    if name == MEASURES:
        return 0, MOST_MEASURES * len(manifest.classes)
    return 0, min(MOST_SCORES, sum(manifest.messages))


def _rows(archive: zipfile.ZipFile, name: str) -> _Rows:
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


def _reading_words(
    rows: _Rows, manifest: Manifest
) -> Generator[None, None, tuple[tuple[str, ...], LongArray, LongArray]]:
    """Return the words, and their messages and occurrences with a row for each class."""
    if len(next(rows)) != 1 + 2 * len(manifest.classes):
        raise Unreadable("the classes of words.csv are not those of the manifest")

    words: dict[str, None] = {}
    numbers = array("q")
    for count, row in enumerate(rows, 1):
        words[row[0]] = None
        if count != len(words) or count > manifest.words:
            raise Unreadable("a word occurs twice, or there are too many")
        numbers.extend(map(int, row[1:]))
        if count % _ROWS == 0:
            yield
    if len(words) != manifest.words:
        raise Unreadable("words are missing")

    flat = np.array(numbers, np.int64)
    table = flat.reshape(len(words), len(manifest.classes), 2)
    documents = np.ascontiguousarray(table[:, :, 0].T)
    occurrences = np.ascontiguousarray(table[:, :, 1].T)
    _refuse_impossible_counts(documents, occurrences, manifest)
    return tuple(words), documents, occurrences


def _refuse_impossible_counts(
    documents: LongArray, occurrences: LongArray, manifest: Manifest
) -> None:
    messages = np.array(manifest.messages, np.int64)[:, None]
    if (documents < 0).any() or (documents > messages).any():
        raise Unreadable("a word is counted in more messages than there are")
    if (occurrences < documents).any() or (occurrences[documents == 0] != 0).any():
        raise Unreadable("the occurrences of a word don't fit the number of its messages")
    if (occurrences > _MOST_OCCURRENCES).any():
        raise Unreadable("a word has too many occurrences")


def _reading_corrections(rows: _Rows, manifest: Manifest) -> Generator[None, None, LongArray]:
    """Return a row for each class. There can be columns of removed classes behind them."""
    columns = len(next(rows)) - 1
    if columns < 0:
        raise Unreadable("corrections.csv has no columns")
    kept = min(columns, len(manifest.classes))

    places = array("q")
    values = array("q")
    for row in rows:
        place = int(row[0])
        places.append(place)
        values.extend(map(int, row[1 : kept + 1]))
        if not 0 <= place < manifest.words or len(places) > manifest.words:
            raise Unreadable("a correction has no word")
        if len(places) % _ROWS == 0:
            yield

    corrections = np.zeros((kept, manifest.words), np.int64)
    table = np.array(values, np.int64).reshape(len(places), kept)
    corrections[:, np.array(places, np.int64)] = table.T
    return corrections


def _read_measures(rows: _Rows, manifest: Manifest) -> tuple[tuple[MeasureSums, ...], ...]:
    next(rows)
    found: dict[str, list[MeasureSums]] = {name: [] for name in manifest.classes}
    messages = dict(zip(manifest.classes, manifest.messages, strict=True))
    for name, number, count, total, squares in rows:
        mine = found[name]
        if int(number) != len(mine) or len(mine) >= MOST_MEASURES:
            raise Unreadable("the measures are out of order, or too many")
        sums = MeasureSums(int(count), int(total), int(squares))
        _refuse_impossible_sums(sums, messages[name])
        mine.append(sums)

    if not any(found.values()):
        return ()
    return tuple(tuple(found[name]) for name in manifest.classes)


def _refuse_impossible_sums(sums: MeasureSums, messages: int) -> None:
    """Raise `Unreadable` unless some numbers have these sums, at most one for each message."""
    is_possible = (
        0 <= sums.number <= messages
        and sums.total * sums.total <= sums.number * sums.squares
        and 0 <= sums.squares <= _LARGEST_SQUARES
    )
    if not is_possible:
        raise Unreadable("the sums of a measure are impossible")
    if sums.number == 0 and sums.squares:
        raise Unreadable("a measure has squares without values")


def _reading_held_out(rows: _Rows) -> Generator[None, None, HeldOut]:
    next(rows)
    parts = array("d")
    spam = bytearray()
    asked = bytearray()
    for score, spam_flag, asked_flag, *families in rows:
        parts.append(_score(score))
        parts.extend(_family_scores(families))
        spam.append(_flag(spam_flag))
        asked.append(_flag(asked_flag))
        if len(spam) % _ROWS == 0:
            yield
    return HeldOut(
        np.array(parts, np.float64).reshape(-1, PARTS),
        np.array(spam, np.uint8) != 0,
        np.array(asked, np.uint8) != 0,
    )


def _family_scores(cells: list[str]) -> list[float]:
    """Return the scores of all families, NaN without them."""
    if not any(cells):
        return [math.nan] * FAMILIES
    if len(cells) != FAMILIES:
        raise Unreadable("a score has not all families")
    return [_score(cell) for cell in cells]


def _score(cell: str) -> float:
    score = float(cell)
    if not math.isfinite(score) or abs(score) > _FARTHEST_SCORE:
        raise Unreadable("a score is not a number")
    return score


def _flag(cell: str) -> int:
    return ("0", "1").index(cell)
