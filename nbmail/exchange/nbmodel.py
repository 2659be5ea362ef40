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
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from nbmail.core.sample import LongArray
from nbmail.errors import KnownError, Trouble
from nbmail.exchange.tables import MeasureSums, ModelTables

FORMAT = 1
MANIFEST = "manifest.json"
TABLES = ("words.csv", "corrections.csv", "measures.csv", "held_out.csv")
# A table of a million words in two classes has about 30 MB; a file that unfolds to more than this is not a model.
LARGEST_TABLE = 1_000_000_000
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


def read_model(path: Path) -> ModelTables:
    """Read a file back. What is not a whole, sound model file is refused with the reason."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = json.loads(_content(archive, MANIFEST))
            if manifest["format"] > FORMAT:
                raise KnownError(Trouble.BAD_MODEL_FILE, f"{path}: made by a newer nbmail")
            tables = {name: _content(archive, name) for name in TABLES}
        _check_sums(manifest, tables)
        return _build(manifest, tables)
    except FileNotFoundError as error:
        raise KnownError(Trouble.NOT_FOUND, str(path)) from error
    except OSError as error:
        raise KnownError(Trouble.BAD_INPUT, f"{path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, IndexError, zipfile.BadZipFile, EOFError, RuntimeError) as error:
        raise KnownError(Trouble.BAD_MODEL_FILE, f"{path}: {error}") from error
    except (OverflowError, NotImplementedError, csv.Error, RecursionError, zlib.error) as error:
        raise KnownError(Trouble.BAD_MODEL_FILE, f"{path}: {error}") from error


# ------------------------------------------------------------------------------------------------ writing


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


# ------------------------------------------------------------------------------------------------ reading


def _content(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > LARGEST_TABLE:
        raise ValueError(f"{name} is too large")
    with archive.open(name) as file:
        return file.read(LARGEST_TABLE + 1)


def _check_sums(manifest: dict[str, Any], tables: dict[str, bytes]) -> None:
    for name, content in tables.items():
        if hashlib.sha256(content).hexdigest() != manifest["sha256"][name]:
            raise ValueError(f"{name} was changed or damaged")


def _rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(), newline="")))[1:]


def _build(manifest: dict[str, Any], tables: dict[str, bytes]) -> ModelTables:
    classes = tuple(str(each["name"]) for each in manifest["classes"])
    messages = tuple(int(each["messages"]) for each in manifest["classes"])
    rows = _rows(tables["words.csv"])
    words = tuple(row[0] for row in rows)
    if len(set(words)) != len(words) or len(words) != manifest["words"] or len(set(classes)) != len(classes):
        raise ValueError("words or classes stand twice or are missing")
    numbers = np.array([row[1:] for row in rows], np.int64).reshape(len(words), len(classes), 2)
    if min(messages, default=0) < 0 or (numbers < 0).any() or (numbers[:, :, 0] > np.array(messages)).any():
        raise ValueError("a word is counted in more messages than there are")
    held_out = _rows(tables["held_out.csv"])
    return ModelTables(
        tokenizer=int(manifest["tokenizer"]),
        method=str(manifest["method"]),
        classes=classes,
        messages=messages,
        words=words,
        documents=np.ascontiguousarray(numbers[:, :, 0].T),
        occurrences=np.ascontiguousarray(numbers[:, :, 1].T),
        corrections=_corrections(tables["corrections.csv"], len(words)),
        measures=_measures(tables["measures.csv"], classes),
        held_out_scores=np.array([_finite(row[0]) for row in held_out], np.float64),
        held_out_junk=np.array([row[1] == "1" for row in held_out], bool),
        settings=dict(manifest["settings"]),
        small=dict(manifest["small"]),
    )


def _corrections(content: bytes, words: int) -> LongArray:
    head = next(csv.reader(io.StringIO(content.decode(), newline="")))
    corrections = np.zeros((len(head) - 1, words), np.int64)
    table = np.array(_rows(content), np.int64).reshape(-1, len(head))
    if ((table[:, 0] < 0) | (table[:, 0] >= words)).any():
        raise ValueError("a correction belongs to no word")
    corrections[:, table[:, 0]] = table[:, 1:].T
    return corrections


def _measures(content: bytes, classes: tuple[str, ...]) -> tuple[tuple[MeasureSums, ...], ...]:
    found: dict[str, list[MeasureSums]] = {name: [] for name in classes}
    for name, number, *sums in _rows(content):
        if int(number) != len(found[name]):
            raise ValueError("the measures are out of order")
        count, total, squares = (int(each) for each in sums)
        found[name].append(MeasureSums(count, total, squares))
    return tuple(tuple(found[name]) for name in classes) if any(found.values()) else ()


def _finite(text: str) -> float:
    number = float(text)
    if not np.isfinite(number):
        raise ValueError("a score is not a number")
    return number
