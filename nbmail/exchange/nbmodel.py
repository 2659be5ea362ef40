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
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from nbmail.errors import KnownError, Trouble
from nbmail.exchange.reading import FORMAT, MANIFEST, read_model
from nbmail.exchange.tables import ModelTables

__all__ = ["read_model", "write_model"]

_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_model(path: Path, model: ModelTables) -> None:
    """Write the file, whole or not at all. Equal models give equal bytes."""
    texts = {
        "words.csv": _words_table(model),
        "corrections.csv": _corrections_table(model),
        "measures.csv": _measures_table(model),
        "held_out.csv": _held_out_table(model),
    }
    tables = {name: _csv_bytes(rows) for name, rows in texts.items()}
    manifest = json.dumps(_manifest(model, tables), indent=2, ensure_ascii=False).encode()
    new = path.with_name(path.name + ".new")
    try:
        with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in {MANIFEST: manifest, **tables}.items():
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
        os.replace(new, path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise KnownError(Trouble.READ_ONLY, f"{path}: {error.strerror}") from error


def _manifest(model: ModelTables, tables: dict[str, bytes]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "tokenizer": model.tokenizer,
        "method": model.method,
        "classes": [
            {"name": name, "messages": messages} for name, messages in zip(model.classes, model.messages, strict=True)
        ],
        "words": len(model.words),
        "settings": dict(model.settings),
        "small": dict(model.small),
        "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in tables.items()},
    }


def _words_table(model: ModelTables) -> Iterator[list[Any]]:
    yield ["word", *(f"{kind} {name}" for name in model.classes for kind in ("messages", "occurrences"))]
    pairs = np.stack([model.documents, model.occurrences], axis=1).reshape(2 * len(model.classes), len(model.words))
    for word, numbers in zip(model.words, pairs.T.tolist(), strict=True):
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


def _csv_bytes(rows: Iterable[list[Any]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
