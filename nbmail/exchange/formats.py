"""Registry of all formats: detect, read and write model files. Known unreadable files raise an error with advice."""

import os
import re
import struct
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import OWN
from nbmail.exchange.binary_formats import Popfile, Thunderbird, ThunderbirdTraits
from nbmail.exchange.conversion import export_counts, import_counts
from nbmail.exchange.files import Unreadable, open_file, writing_file
from nbmail.exchange.nbmodel import INVALID, reading_model, writing_model
from nbmail.exchange.tables import ModelFile, ModelTables
from nbmail.exchange.text_formats import Bogofilter, SpamAssassin, SpamBayes

_LAYOUTS = {
    layout.name: layout
    for layout in (Bogofilter(), SpamAssassin(), SpamBayes(), Thunderbird(), ThunderbirdTraits(), Popfile())
}
_START = 4096

_PICKLE = "it is a Python pickle, which can run code, so nbmail never opens one; export the words of SpamBayes as CSV"
_REFUSED = (
    (
        rb"\*\* This file contains an SQLite 2",
        "it is POPFile's database of SQLite 2: start POPFile 1.1 or later once, which converts it",
    ),
    (rb"__CORPUS__ __VERSION__", "it is a bucket of POPFile before 0.20: start POPFile 1.1 or later once"),
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


def reading_file(path: Path, name: str = "", own: Iterable[str] = ()) -> Generator[None, None, ModelFile]:
    """Read a model file in chunks. `name`: format, empty to detect it. `own`: all known words. Raises `KnownError`."""
    with open_file(path) as file:
        try:
            name = name or _detected(path, file)
            if name == OWN:
                tables = yield from reading_model(file)
                return ModelFile(OWN, tables, len(tables.words), len(tables.words))
            counts = yield from _LAYOUTS[name].reading(file)
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
    # The tables of a CDB follow each other up to the end of the file. It begins with their positions and lengths.
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
        for chunk in layout.writing(counts, now):
            file.write(chunk)
            yield

    yield from writing_file(path, fill)
    return replace((yield from reading_file(path, name, tables.words)), dropped=counts.dropped)
