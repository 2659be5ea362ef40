"""Files of labels: every change of a label, a line each, in the format of `labels.log`."""

from collections.abc import Generator, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.files import open_file, writing_file
from nbmail.store.labels_log.label_import import LabelsImported
from nbmail.store.labels_log.label_records import journal_records
from nbmail.store.labels_log.log_lines import format_lines, parse_line
from nbmail.store.store import Store
from nbmail.values import LabelRecord


def writing_labels(store: Store, path: Path) -> Generator[None, None, int]:
    """Write all changes of labels, then the labels of unknown messages.

    Return the number of lines.
    """
    records = chain(journal_records(store.connection), store.waiting_labels.records())
    count = 0

    def fill(file: BinaryIO) -> Generator[None, None, None]:
        nonlocal count
        for lines in format_lines(records):
            file.write(lines)
            count += lines.count(b"\n")
            yield

    yield from writing_file(path, fill)
    return count


def import_labels(store: Store, path: Path, now: float) -> LabelsImported:
    """Import the labels of a file with source, time and folder.

    Labels of unknown messages wait for them.
    """
    return store.import_labels(lambda: read_labels(path), now)


def read_labels(path: Path) -> Iterator[LabelRecord]:
    """Yield the records of a file. Raises `KnownError` BAD_INPUT with the number of a bad line."""
    with open_file(path) as file:
        for number, line in enumerate(file, 1):
            record = parse_line(line, checked=False)
            if record is None:
                place = f"{path}, line {number}"
                raise KnownError(ErrorCode.BAD_INPUT, f"{place}: this is no line of a labels.log")
            yield record
