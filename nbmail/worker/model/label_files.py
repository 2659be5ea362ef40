"""Labels as files: tables for spreadsheets, and every change of a label in the format of `labels.log`."""

from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.files import open_file, writing_file
from nbmail.exchange.label_table import read_table, writing_table
from nbmail.store.files.database_file import BACKUPS
from nbmail.store.labels.label_import import LabelsImported
from nbmail.store.labels.label_records import format_lines, journal_records, label_records, parse_line
from nbmail.store.store import Store
from nbmail.values import LabelRecord

# Lines written between two pauses.
_BATCH = 500


def writing_labels(store: Store, path: Path, *, journal: bool = False) -> Generator[None, None, None]:
    """Write all labels in learning order as a table, or every change of a label in the format of `labels.log`."""
    if not journal:
        yield from writing_table(path, label_records(store.connection))
        return
    records = chain(journal_records(store.connection), store.waiting_labels.records())

    def fill(file: BinaryIO) -> Generator[None, None, None]:
        while lines := format_lines(islice(records, _BATCH)):
            file.write(lines)
            yield

    yield from writing_file(path, fill)


def import_labels(store: Store, path: Path, now: float) -> LabelsImported:
    """Import the labels of a file: same source, time and folder. Labels of unknown messages wait for them."""
    return store.import_labels(lambda: read_labels(path), now)


def read_labels(path: Path) -> Iterator[LabelRecord]:
    """Yield the records of a table or of a log. Raises `KnownError` BAD_INPUT with the place of a damaged line."""
    with open_file(path) as file:
        is_log = file.read(1) == b"{"
        file.seek(0)
        for number, line in enumerate(file if is_log else (), 1):
            record = parse_line(line, checked=False)
            if record is None:
                raise KnownError(ErrorCode.BAD_INPUT, f"{path}, line {number}: this is no line of a labels.log")
            yield record
    if not is_log:
        yield from read_table(path)


def offer_daily_tables(store: Store) -> None:
    """Compare the newest daily tables, which older versions wrote, with the database, once in the life of a home.

    Labels that the database lacks are then offered by `store.log`.
    """
    if not store.log.has_tables:
        tables = [path for name in ("journal", "labels") for path in islice(_readable_tables(store, name), 1)]
        store.log.offer(lambda: chain.from_iterable(map(read_table, tables)))


def _readable_tables(store: Store, name: str) -> Iterator[Path]:
    """Yield the daily tables without damage, the newest first."""
    for path in sorted((store.paths.data / BACKUPS).glob(f"{name}-*.csv"), reverse=True):
        with suppress(KnownError):
            deque(read_table(path), maxlen=0)
            yield path
