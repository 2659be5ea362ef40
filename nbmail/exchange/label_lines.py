"""Labels as a CSV table that any spreadsheet opens: one line for each label, or for each change of one.

Columns, each cell a text: `message_id`, where it is known; `hash`, 32 hexadecimal digits that name the message by its
Message-ID and its body (see `nbmail.store.mail.identity`); `label`, empty where one was taken away; `moment` in UTC as
ISO 8601; `by` whom: user, folder, server, travel, start, undo, redo or repair; `account` and `folder` that it was
learned from. A cell that a spreadsheet would run has an apostrophe in front. Labels that wait for their messages stand
at the end of the table of labels.
"""

import csv
import io
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.files import Unreadable, csv_rows, open_file, refuse_long, writing_file
from nbmail.exchange.nbmodel import protected, unprotected

COLUMNS = ["message_id", "hash", "label", "moment", "by", "account", "folder"]
LABEL_SOURCES = ("", "user", "folder", "server", "import", "travel", "start", "words", "undo", "redo", "repair")
"""Who gives labels; nobody is told where it isn't known."""
# The length of a hash, in bytes.
_HASH = 16
_PIECE = 500
_MOST_LINES = 5_000_000


@dataclass(frozen=True, slots=True)
class LabelLine:
    """A label of a message, empty where it was taken away, and who gave it when."""

    identity: bytes
    label: str
    moment: float
    by: str = ""
    account: str = ""
    folder: str = ""
    message_id: str = ""


def writing_lines(path: Path, lines: Iterable[LabelLine]) -> Generator[None, None, None]:
    """Write the table in pieces, whole or not at all."""

    def fill(file: BinaryIO) -> Generator[None, None, None]:
        text = io.TextIOWrapper(file, "utf-8", "replace", "", write_through=True)
        try:
            writer = csv.writer(text)
            writer.writerow(COLUMNS)
            for number, line in enumerate(lines):
                writer.writerow([protected(cell) for cell in _cells(line)])
                if number % _PIECE == 0:
                    yield
        finally:
            text.detach()

    yield from writing_file(path, fill)


def _cells(line: LabelLine) -> tuple[str, ...]:
    moment = datetime.fromtimestamp(line.moment, UTC).isoformat(timespec="microseconds")
    return line.message_id, line.identity.hex(), line.label, moment, line.by, line.account, line.folder


def read_lines(path: Path) -> Iterator[LabelLine]:
    """The lines of a table. A file that is none is refused with the place where it isn't."""
    place = str(path)
    with open_file(path) as file, io.TextIOWrapper(file, "utf-8", newline="") as text:
        try:
            refuse_long(file, _MOST_LINES)
            rows = csv_rows(text)
            if next(rows, None) != COLUMNS:
                raise Unreadable("it doesn't name the columns of a table of labels")
            for number, row in enumerate(rows, 2):
                place = f"{path}, line {number}"
                yield _line(row)
        except Unreadable as error:
            raise KnownError(ErrorCode.BAD_INPUT, f"{place}: {error}") from error
        except UnicodeDecodeError as error:
            raise KnownError(ErrorCode.BAD_INPUT, f"{path}: its text is not UTF-8") from error
        except (ValueError, csv.Error, OverflowError) as error:
            raise KnownError(ErrorCode.BAD_INPUT, f"{place}: this is no line of a table of labels") from error


def _line(row: list[str]) -> LabelLine:
    message_id, identity, label, moment, by, account, folder = (unprotected(cell) for cell in row)
    named = bytes.fromhex(identity)
    if len(named) != _HASH:
        raise Unreadable("no hash of a message")
    if by not in LABEL_SOURCES:
        raise Unreadable("nobody of that name gives labels")
    when = datetime.fromisoformat(moment)
    seconds = (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    return LabelLine(named, label, seconds, by, account, folder, message_id)
