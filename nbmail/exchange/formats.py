"""Model files of all formats by name: detect, read and write them."""

import os
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import OWN
from nbmail.exchange.files import Unreadable, open_file, writing_file
from nbmail.exchange.filters.bogofilter import Bogofilter
from nbmail.exchange.filters.exporting import export_counts
from nbmail.exchange.filters.importing import import_counts
from nbmail.exchange.filters.popfile import Popfile
from nbmail.exchange.filters.spamassassin import SpamAssassin
from nbmail.exchange.filters.spambayes import SpamBayes
from nbmail.exchange.filters.thunderbird import Thunderbird, ThunderbirdTraits
from nbmail.exchange.filters.unsupported import reason_to_refuse
from nbmail.exchange.model_file import ModelFile
from nbmail.exchange.model_tables import ModelTables
from nbmail.exchange.nbmodel.reading import INVALID, reading_model
from nbmail.exchange.nbmodel.writing import writing_model

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
"""Formats of other filters, in the order in which the beginning of a file is compared."""
_START = 4096


def reading_file(
    path: Path, name: str = "", own: Iterable[str] = ()
) -> Generator[None, None, ModelFile]:
    """Read a model file in chunks. Raises `KnownError`.

    `name`: format, empty to detect it. `own`: all known words.
    """
    with open_file(path) as file:
        try:
            name = name or _detect(path, file)
            return (yield from _reading(file, name, own))
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


def _reading(file: BinaryIO, name: str, own: Iterable[str]) -> Generator[None, None, ModelFile]:
    if name == OWN:
        tables = yield from reading_model(file)
        return _own_file(tables)
    layout = _LAYOUTS[name]
    counts = yield from layout.read(file)
    return (yield from import_counts(layout, counts, own))


def _own_file(tables: ModelTables) -> ModelFile:
    return ModelFile(OWN, tables, words=len(tables.words), ours=len(tables.words))


def _detect(path: Path, file: BinaryIO) -> str:
    """Return the name of the format of a file."""
    start = file.read(_START)
    file.seek(0)
    if start.startswith(b"PK"):
        return OWN
    size = os.fstat(file.fileno()).st_size
    if reason := reason_to_refuse(path, start, size):
        raise Unreadable(reason)
    for name, layout in _LAYOUTS.items():
        if layout.start.match(start):
            return name
    raise Unreadable("its format is unknown")


def writing_model_file(
    path: Path, tables: ModelTables, name: str = "", now: float = 0.0
) -> Generator[None, None, ModelFile]:
    """Write a model and return the file as it is read back. `name`: its format, nbmail's if empty.

    `now`: time of the export.
    """
    if name in ("", OWN):
        yield from writing_model(path, tables)
        return _own_file(tables)

    layout = _LAYOUTS[name]
    exported = yield from export_counts(layout, tables, layout.classes or tables.classes)

    def fill(file: BinaryIO) -> Generator[None, None, None]:
        for chunk in layout.write(exported.counts, now):
            file.write(chunk)
            yield

    yield from writing_file(path, fill)
    written = yield from reading_file(path, name, tables.words)
    return replace(written, left_out=exported.left_out)
