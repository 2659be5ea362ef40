"""Writing of nbmail's model files. Equal models give equal bytes."""

import csv
import io
import math
import zipfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from nbmail.chunks import batches
from nbmail.exchange.files import writing_file
from nbmail.exchange.model_tables import ModelTables
from nbmail.exchange.nbmodel.cells import protected
from nbmail.exchange.nbmodel.manifest import (
    CORRECTIONS,
    FAMILY_COLUMNS,
    HELD_OUT,
    MANIFEST,
    MEASURES,
    WORDS,
    encode_manifest,
)

# Rows of a table and bytes of an archive written between two yields: about 3 ms.
_ROWS = 2000
_CHUNK = 64 << 10
_EPOCH = (1980, 1, 1, 0, 0, 0)

_Row = Sequence[str | int]


def writing_model(path: Path, model: ModelTables) -> Generator[None, None, None]:
    """Write the file atomically, in chunks."""
    tables = dict[str, bytes]()
    for name, rows in (
        (WORDS, _word_rows(model)),
        (CORRECTIONS, _correction_rows(model)),
        (MEASURES, _measure_rows(model)),
        (HELD_OUT, _held_out_rows(model)),
    ):
        tables[name] = yield from _writing_table(rows)
    contents = {MANIFEST: encode_manifest(model, tables), **tables}
    yield from writing_file(path, lambda file: _writing_archive(file, contents))


def _writing_table(rows: Iterator[_Row]) -> Generator[None, None, bytes]:
    text = io.StringIO(newline="")
    for chunk in batches(rows, _ROWS):
        csv.writer(text).writerows(chunk)
        yield
    return text.getvalue().encode()


def _word_rows(model: ModelTables) -> Iterator[_Row]:
    headings = ["word"]
    columns = []
    for row, name in enumerate(model.classes):
        headings += [f"messages {name}", f"occurrences {name}"]
        columns += [model.documents[row], model.occurrences[row]]
    yield headings

    table = np.array(columns, np.int64).reshape(len(columns), len(model.words))
    for first in range(0, len(model.words), _ROWS):
        some = slice(first, first + _ROWS)
        numbers_of_words = table[:, some].T.tolist()
        for word, numbers in zip(model.words[some], numbers_of_words, strict=True):
            yield [protected(word), *numbers]


def _correction_rows(model: ModelTables) -> Iterator[_Row]:
    """Yield the words that have a correction, by their row (from 0) in `words.csv`."""
    yield ["row", *map(str, range(len(model.corrections)))]
    for row in np.flatnonzero(model.corrections.any(axis=0)).tolist():
        yield [row, *model.corrections[:, row].tolist()]


def _measure_rows(model: ModelTables) -> Iterator[_Row]:
    yield ["class", "measure", "count", "sum", "sum of squares"]
    for name, sums in zip(model.classes, model.measures, strict=False):
        for number, each in enumerate(sums):
            yield [protected(name), number, each.number, each.total, each.squares]


def _held_out_rows(model: ModelTables) -> Iterator[_Row]:
    yield ["log-odds", "spam", "asked", *FAMILY_COLUMNS]
    held_out = model.held_out
    parts = held_out.parts.tolist()
    flags = zip(held_out.spam.tolist(), held_out.asked.tolist(), strict=True)
    for (score, *families), (spam, asked) in zip(parts, flags, strict=True):
        cells = ["" if math.isnan(part) else repr(part) for part in families]
        yield [repr(score), int(spam), int(asked), *cells]


def _writing_archive(file: BinaryIO, contents: Mapping[str, bytes]) -> Generator[None, None, None]:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.file_size = len(content)
            with archive.open(entry, "w") as table:
                for first in range(0, len(content), _CHUNK):
                    table.write(content[first : first + _CHUNK])
                    yield
