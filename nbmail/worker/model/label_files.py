"""Labels as files: CSV tables for spreadsheets, and every change of a label in the format of
`labels.log`.

Columns of a table, each cell a text:

- `message_id`: empty if unknown.
- `hash`: 32 hexadecimal digits that identify the message (see `nbmail.store.mail.identity`).
- `hash_version`: 1 if the column is missing.
- `label`: empty if it was removed.
- `moment`: UTC as ISO 8601.
- `by`: source, one of `By`, or empty.
- `account`, `folder`: origin of a learned label.

A cell that a spreadsheet would run starts with an apostrophe. Labels of unknown messages are at the
end.
"""

import csv
import io
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.files import Unreadable, csv_rows, open_file, refuse_long, writing_file
from nbmail.exchange.nbmodel import protected, unprotected
from nbmail.store.files.database_file import BACKUPS
from nbmail.store.labels.journal import By
from nbmail.store.labels.label_import import LabelsImported
from nbmail.store.labels.label_records import (
    format_lines,
    journal_records,
    label_records,
    parse_line,
)
from nbmail.store.store import Store
from nbmail.values import LabelRecord

FORMER_COLUMNS = ["message_id", "hash", "label", "moment", "by", "account", "folder"]
COLUMNS = [*FORMER_COLUMNS, "hash_version"]
_SOURCES = frozenset(("", *By))
# Length of a hash in bytes; rows written between two pauses.
_HASH = 16
_BATCH = 500
_MOST_ROWS = 5_000_000


def writing_labels(
    store: Store, path: Path, *, journal: bool = False
) -> Generator[None, None, None]:
    """Write all labels in learning order as a table, or every change of a label in the format of
    `labels.log`.
    """
    if not journal:
        yield from writing_table(path, label_records(store.connection))
        return
    records = chain(journal_records(store.connection), store.waiting_labels.records())

    def fill(file: BinaryIO) -> Generator[None, None, None]:
        for lines in format_lines(records):
            file.write(lines)
            yield

    yield from writing_file(path, fill)


def import_labels(store: Store, path: Path, now: float) -> LabelsImported:
    """Import the labels of a file: same source, time and folder. Labels of unknown messages wait
    for them.
    """
    return store.import_labels(lambda: read_labels(path), now)


def read_labels(path: Path) -> Iterator[LabelRecord]:
    """Yield the records of a table or of a log. Raises `KnownError` BAD_INPUT with the place of a
    damaged line.
    """
    with open_file(path) as file:
        is_log = file.read(1) == b"{"
        file.seek(0)
        for number, line in enumerate(file if is_log else (), 1):
            record = parse_line(line, checked=False)
            if record is None:
                raise KnownError(
                    ErrorCode.BAD_INPUT, f"{path}, line {number}: this is no line of a labels.log"
                )
            yield record
    if not is_log:
        yield from read_table(path)


def offer_daily_tables(store: Store) -> None:
    """Compare the newest daily tables, which older versions wrote, with the database, once in the
    life of a home.

    Labels that the database lacks are then offered by `store.log`.
    """
    if not store.log.has_tables:
        tables = [
            path
            for name in ("journal", "labels")
            for path in islice(_readable_tables(store, name), 1)
        ]
        store.log.offer(lambda: chain.from_iterable(map(read_table, tables)))


def _readable_tables(store: Store, name: str) -> Iterator[Path]:
    """Yield the daily tables without damage, the newest first."""
    for path in sorted((store.paths.data / BACKUPS).glob(f"{name}-*.csv"), reverse=True):
        with suppress(KnownError):
            deque(read_table(path), maxlen=0)
            yield path


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
    return (
        record.message_id,
        record.identity.hex(),
        record.label,
        moment,
        *source,
        str(record.identity_version),
    )


def read_table(path: Path) -> Iterator[LabelRecord]:
    """Yield the records of a table. Raises `KnownError` BAD_INPUT with the place of the first
    invalid row.
    """
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
            raise KnownError(
                ErrorCode.BAD_INPUT, f"{place}: this is no line of a table of labels"
            ) from error


def _record(row: list[str]) -> LabelRecord:
    message_id, identity, label, moment, by, account, folder, version = (
        unprotected(cell) for cell in row
    )
    hashed = bytes.fromhex(identity)
    if len(hashed) != _HASH:
        raise Unreadable("no hash of a message")
    if version not in ("1", "2"):
        raise Unreadable("unknown version of the hash")
    if by not in _SOURCES:
        raise Unreadable("unknown source of labels")
    when = datetime.fromisoformat(moment)
    seconds = (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    return LabelRecord(
        hashed, label, seconds, by, account, folder, message_id, identity_version=int(version)
    )
