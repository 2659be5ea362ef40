"""All formats behind one door: found by content or by name, read, and written.

Files that are known and can't be read are refused with the reason, and with what to do instead.
"""

import os
import re
import struct
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.bogofilter import Bogofilter
from nbmail.exchange.files import Unreadable, open_file, writing_file
from nbmail.exchange.format_names import OWN
from nbmail.exchange.model_tables import ModelTables
from nbmail.exchange.nbmodel import UNSOUND, reading_model, writing_model
from nbmail.exchange.popfile import Popfile
from nbmail.exchange.spamassassin import SpamAssassin
from nbmail.exchange.spambayes import SpamBayes
from nbmail.exchange.thunderbird import Thunderbird, ThunderbirdTraits
from nbmail.exchange.token_counts import FileFormat, ModelFile, TokenCounts, giving_out, taking_up

_LAYOUTS = {
    layout.name: layout
    for layout in (Bogofilter(), SpamAssassin(), SpamBayes(), Thunderbird(), ThunderbirdTraits(), Popfile())
}
_START = 4096

_PICKLE = "it is a Python pickle, which runs what it holds, so nbmail never opens one; export SpamBayes' words as CSV"
_REFUSED = (
    (
        rb"\*\* This file contains an SQLite 2",
        "it is POPFile's database of SQLite 2: start POPFile 1.1 or later once, which converts it",
    ),
    (rb"__CORPUS__ __VERSION__", "it is a bucket of POPFile before 0.20: start POPFile 1.1 or later once"),
    # A protocol from 2 on, or a first instruction of an older one.
    (rb"\x80[\x02-\x05]|[(\]}]+(dp\d|lp\d|q.|I\d+\n|K.|i\w|c\w)|c[\w.]+\n\w+\n", _PICKLE),
)
_HASHED = (
    ((b'"learns_spam"', b'"learns_ham"', b'"elts"', b"_lrnspam", b"_lrnham"), "rspamd"),
    ((b"dspam_token_data", b"dspam_stats"), "DSPAM"),
    ((b"CRM114",), "CRM114"),
)
# A CDB begins with the places and lengths of so many tables, one behind the other up to the end of the file.
_CDB_TABLES = 256
# The sizes of CRM114's stores where nobody chose another: twelve bytes a feature.
_CRM114_SIZES = {12 * (1 << 20) + 12, 12 * 524_287, 12 * 1_000_003}


def reading_file(path: Path, name: str = "", own: Iterable[str] = ()) -> Generator[None, None, ModelFile]:
    """Read a model file of this format, by its content where none is named, in pieces. `own` are all words known here.

    Whatever can't be read is refused with the reason, and nothing of it is taken.
    """
    with open_file(path) as file:
        try:
            name = name or _recognised(path, file)
            return (yield from _reading(file, name, own))
        except Unreadable as error:
            reason = str(error)
        except UnicodeDecodeError:
            reason = "its words are not UTF-8"
        except MemoryError:
            reason = "there is not enough memory to read it"
        except UNSOUND:
            reason = f"it is damaged, or no file of {name}"
        except OSError as error:
            raise KnownError(ErrorCode.BAD_INPUT, f"{path}: {error.strerror or error}") from error
    raise KnownError(ErrorCode.BAD_MODEL_FILE, f"{path}: {reason}")


def _recognised(path: Path, file: BinaryIO) -> str:
    """The name of the format that a file has, by how it begins."""
    start = file.read(_START)
    file.seek(0)
    if start.startswith(b"PK"):
        return OWN
    if reason := _reason_against(path, start, os.fstat(file.fileno()).st_size):
        raise Unreadable(reason)
    found = [name for name, layout in _LAYOUTS.items() if layout.recognises(start)]
    if not found:
        raise Unreadable("nothing in it tells which filter it is from")
    return found[0]


def _reason_against(path: Path, start: bytes, size: int) -> str:
    """Why a file of this size that begins like this is not read; empty where nothing is known against it."""
    for pattern, reason in _REFUSED:
        if re.match(pattern, start, re.DOTALL):
            return reason
    owner = next((owner for marks, owner in _HASHED if any(mark in start for mark in marks)), "")
    if not owner and _is_cdb(start, size):
        owner = "rspamd"
    if not owner and (size in _CRM114_SIZES or path.suffix.lower() == ".css") and b"\0" in start:
        owner = "CRM114 or DSPAM"
    way_out = "no word comes back from them; let nbmail learn from the folders of sorted mail instead"
    return f"it is a store of {owner}, which keeps hashes: {way_out}" if owner else ""


def _is_cdb(start: bytes, size: int) -> bool:
    numbers = struct.unpack_from(f"<{2 * _CDB_TABLES}I", start.ljust(8 * _CDB_TABLES, b"\xff"))
    ends = [place + 8 * length for place, length in zip(numbers[::2], numbers[1::2], strict=True)]
    return ends[-1] == size and list(numbers[2::2]) == ends[:-1]


def _reading(file: BinaryIO, name: str, own: Iterable[str]) -> Generator[None, None, ModelFile]:
    if name == OWN:
        tables = yield from reading_model(file)
        return ModelFile(OWN, tables, len(tables.words), len(tables.words))
    layout = _LAYOUTS[name]
    counts = yield from layout.reading(file)
    return (yield from taking_up(layout, counts, own))


def writing_model_file(
    path: Path, tables: ModelTables, name: str = "", now: float = 0.0
) -> Generator[None, None, ModelFile]:
    """Write a model in this format, ours where none is named; the file as it is read again.

    What of the model is `dropped`, since the format has no form for it, it says instead of what a reader drops.
    """
    if name in ("", OWN):
        yield from writing_model(path, tables)
        return ModelFile(OWN, tables, len(tables.words), len(tables.words))
    layout = _LAYOUTS[name]
    counts = yield from giving_out(layout, tables, layout.classes or tables.classes)
    yield from writing_file(path, lambda file: _writing(layout, file, counts, now))
    return replace((yield from reading_file(path, name, tables.words)), dropped=counts.dropped)


def _writing(layout: FileFormat, file: BinaryIO, counts: TokenCounts, now: float) -> Generator[None, None, None]:
    for chunk in layout.writing(counts, now):
        file.write(chunk)
        yield
