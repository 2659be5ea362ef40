"""Labels as a CSV table for spreadsheets: one row for each label, or for each change of a label.

Columns, each cell a text:

- `message_id`: empty if unknown.
- `hash`: 32 hexadecimal digits that identify the message (see `nbmail.store.mail.messages`).
- `hash_version`: 1 if the column is missing.
- `label`: empty if it was removed.
- `moment`: UTC as ISO 8601.
- `by`: source, one of user, folder, server, travel, start, undo, redo and repair.
- `account`, `folder`: origin of a learned label.

A cell that a spreadsheet would run starts with an apostrophe. Labels of unknown messages are at the end.
"""

import csv
import io
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.files import Unreadable, csv_rows, open_file, refuse_long, writing_file
from nbmail.exchange.nbmodel import protected, unprotected
from nbmail.values import LabelRecord

FORMER_COLUMNS = ["message_id", "hash", "label", "moment", "by", "account", "folder"]
COLUMNS = [*FORMER_COLUMNS, "hash_version"]
SOURCES = frozenset(
    ("", "user", "folder", "server", "import", "travel", "start", "words", "undo", "redo", "repair", "sorting")
) | {"move", "flag", "rule", "method", "costs", "phrases"}
"""Sources of labels; empty if unknown."""
# The length of a hash, in bytes.
_HASH = 16
_BATCH = 500
_MOST_ROWS = 5_000_000


def writing_table(path: Path, records: Iterable[LabelRecord]) -> Generator[None, None, None]:
    def fill(file: BinaryIO) -> Generator[None, None, None]:
        text = io.TextIOWrapper(file, "utf-8", "replace", "", write_through=True)
        try:
            writer = csv.writer(text)
            writer.writerow(COLUMNS)
            for number, record in enumerate(records):
                writer.writerow([protected(cell) for cell in _cells(record)])
                if number % _BATCH == 0:
                    yield
        finally:
            text.detach()

    yield from writing_file(path, fill)


def _cells(record: LabelRecord) -> tuple[str, ...]:
    moment = datetime.fromtimestamp(record.moment, UTC).isoformat(timespec="microseconds")
    source = record.by, record.account, record.folder
    return record.message_id, record.identity.hex(), record.label, moment, *source, str(record.identity_version)


def read_table(path: Path) -> Iterator[LabelRecord]:
    """Yield the records of a table. Raises `KnownError` BAD_INPUT with the place of the first invalid row."""
    place = str(path)
    with open_file(path) as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
        try:
            refuse_long(file, _MOST_ROWS)
            rows = csv_rows(text)
            columns = next(rows, None)
            if columns not in (COLUMNS, FORMER_COLUMNS):
                raise Unreadable("it doesn't name the columns of a table of labels")
            for number, row in enumerate(rows, 2):
                place = f"{path}, line {number}"
                yield _record(row if columns == COLUMNS else [*row, "1"])
        except Unreadable as error:
            raise KnownError(ErrorCode.BAD_INPUT, f"{place}: {error}") from error
        except UnicodeDecodeError as error:
            raise KnownError(ErrorCode.BAD_INPUT, f"{path}: its text is not UTF-8") from error
        except (ValueError, csv.Error, OverflowError) as error:
            raise KnownError(ErrorCode.BAD_INPUT, f"{place}: this is no line of a table of labels") from error


def _record(row: list[str]) -> LabelRecord:
    message_id, identity, label, moment, by, account, folder, version = (unprotected(cell) for cell in row)
    hashed = bytes.fromhex(identity)
    if len(hashed) != _HASH:
        raise Unreadable("no hash of a message")
    if version not in ("1", "2"):
        raise Unreadable("unknown version of the hash")
    if by not in SOURCES:
        raise Unreadable("unknown source of labels")
    when = datetime.fromisoformat(moment)
    seconds = (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    return LabelRecord(hashed, label, seconds, by, account, folder, message_id, identity_version=int(version))
