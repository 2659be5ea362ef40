"""Our own model files: a zip of `manifest.json` and UTF-8 CSV tables of whole numbers.

A spreadsheet opens the tables, another program reads them in twenty lines, reading back is exact, and two files are
merged by adding. Words keep their order, because sums of their weights are then the same to the last bit.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import zipfile
from collections.abc import Generator, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from nbmail.errors import KnownError, Trouble
from nbmail.exchange.model_tables import ModelTables
from nbmail.exchange.nbmodel_reading import FORMAT, MANIFEST, read_model

__all__ = ["read_model", "write_model", "writing_model"]

# Rows of a table, and bytes of an archive, written between two pauses: about 3 ms.
_ROWS, _PIECE = 2000, 64 << 10
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_model(path: Path, model: ModelTables) -> None:
    """Write the file, whole or not at all. Equal models give equal bytes."""
    for _ in writing_model(path, model):
        pass


def writing_model(path: Path, model: ModelTables) -> Generator[None, None, None]:
    """The same in pieces. Given up in between, nothing is left of it."""
    texts = {
        "words.csv": _words_table(model),
        "corrections.csv": _corrections_table(model),
        "measures.csv": _measures_table(model),
        "held_out.csv": _held_out_table(model),
    }
    tables = {}
    for name, rows in texts.items():
        tables[name] = yield from _csv_bytes(rows)
    manifest = json.dumps(_manifest(model, tables), indent=2, ensure_ascii=False).encode()
    # Also where the path is a folder's that has no name, as "." has none.
    new = path.parent / (path.name + ".new")
    try:
        yield from _write_archive(new, {MANIFEST: manifest, **tables})
        os.replace(new, path)
    except OSError as error:
        raise KnownError(Trouble.READ_ONLY, f"{path}: {error.strerror}") from error
    finally:
        new.unlink(missing_ok=True)


def _manifest(model: ModelTables, tables: dict[str, bytes]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "tokenizer": model.tokenizer,
        "method": model.method,
        "classes": [
            {"name": name, "messages": messages} for name, messages in zip(model.classes, model.messages, strict=True)
        ],
        "words": len(model.words),
        "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in tables.items()},
    }


def _words_table(model: ModelTables) -> Iterator[list[Any]]:
    yield ["word", *(f"{kind} {name}" for name in model.classes for kind in ("messages", "occurrences"))]
    pairs = np.stack([model.documents, model.occurrences], axis=1).reshape(2 * len(model.classes), len(model.words))
    for first in range(0, len(model.words), _ROWS):
        piece = pairs[:, first : first + _ROWS].T.tolist()
        for word, numbers in zip(model.words[first : first + _ROWS], piece, strict=True):
            yield [word, *numbers]


def _corrections_table(model: ModelTables) -> Iterator[list[Any]]:
    """Only the words that have a correction, by their row (from 0) in `words.csv`."""
    yield ["row", *(str(number) for number in range(len(model.corrections)))]
    for row in np.flatnonzero(model.corrections.any(axis=0)).tolist():
        yield [row, *model.corrections[:, row].tolist()]


def _measures_table(model: ModelTables) -> Iterator[list[Any]]:
    yield ["class", "measure", "count", "sum", "sum of squares"]
    for name, sums in zip(model.classes, model.measures, strict=False):
        for number, each in enumerate(sums):
            yield [name, number, each.count, each.total, each.squares]


def _held_out_table(model: ModelTables) -> Iterator[list[Any]]:
    yield ["log-odds", "junk"]
    for score, junk in zip(model.held_out_scores.tolist(), model.held_out_junk.tolist(), strict=True):
        yield [repr(score), int(junk)]


def _csv_bytes(rows: Iterator[list[Any]]) -> Generator[None, None, bytes]:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    while piece := list(islice(rows, _ROWS)):
        writer.writerows(piece)
        yield
    return text.getvalue().encode()


def _write_archive(path: Path, contents: Mapping[str, bytes]) -> Generator[None, None, None]:
    # The words of somebody's mail: readable by their owner alone.
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type, entry.file_size = zipfile.ZIP_DEFLATED, len(content)
            with archive.open(entry, "w") as file:
                for first in range(0, len(content), _PIECE):
                    file.write(content[first : first + _PIECE])
                    yield
