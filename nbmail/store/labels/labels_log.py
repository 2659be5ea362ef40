"""`labels.log`: a second copy of the journal as text. A lost or damaged database is filled again
from it.

A transaction that changes labels appends its journal entries after the commit and syncs the file.
The database stores the size of the file, so that opening compares only what was written later.
After a kill between commit and append the next start appends the entries.

The file may have changes that the database lacks, for example after an older copy of the database
was restored. They are offered (`missing`), not merged. Only a new database that replaces a damaged
one is filled from the file.

A lost database costs the imported counts, the ignored words and the pending server actions: they
are not in the file. Labels come back with their messages, which the accounts fetch again.
"""

import logging
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.private_files import make_private, replacing, sync_folder
from nbmail.store.files.connection import file_error_codes
from nbmail.store.files.database_file import LOG_STATE, quarantine_file
from nbmail.store.labels.journal import By
from nbmail.store.labels.label_import import LabelImport, LabelsImported, ReadRecords
from nbmail.store.labels.label_records import format_lines, journal_records, parse_line
from nbmail.store.tables import Tables
from nbmail.values import LabelRecord, NoteKind, OpeningNote

LABELS_LOG = "labels.log"
"""File name, next to the database."""
# Bytes at the end of the file that are compared at each start.
_TAIL = 4096
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)

_log = logging.getLogger(__name__)

Ranges = list[list[int]]
"""Parts of the file: first byte, and first byte behind the part."""


@dataclass(slots=True)
class _State:
    """State of the file as the database knows it.

    `checksum` is that of the last bytes before `size`, `entry` the last journal entry in the file.
    `missing` are parts with changes that the database lacks. `fill` is the folder of a damaged
    database that this new one replaces. `has_tables` is True once the daily tables of older
    versions were compared.
    """

    size: int = 0
    checksum: int = 0
    entry: int = 0
    missing: Ranges = field(default_factory=list)
    fill: str = ""
    has_tables: bool = False


class _Scan(NamedTuple):
    """Result of a comparison: journal entries found, parts that the database lacks, number of
    damaged lines.
    """

    entries: set[int]
    missing: Ranges
    damaged: int


class LabelsLog:
    """Owner of the file. If the file can't be written, labels are stored in the database alone
    until it can.
    """

    def __init__(self, path: Path, tables: Tables, labels: LabelImport) -> None:
        self.path = path
        self.error = ""
        """Reason why the file can't be written."""
        self._connection = tables.connection
        self._settings = tables.settings
        self._import = labels
        self._waiting = tables.waiting_labels
        self._last_entry = tables.journal.last_entry
        self._stored = self._settings.get(LOG_STATE, dict[str, Any]())
        self._state = _State(**self._stored)
        self._file = -1
        self.is_open = False
        """True while entries can be appended."""

    def open(self, now: float) -> tuple[OpeningNote, ...]:
        """Compare file and journal, append what the file lacks, repair the file if it is
        damaged.
        """
        try:
            with file_error_codes(self.path):
                self._open_file()
                notes = self._fill(now) if self._state.fill else self._compare(now)
        except (OSError, KnownError) as error:
            if isinstance(error, KnownError) and error.error_code is ErrorCode.DATABASE_DAMAGED:
                raise
            self._report(error)
            self.close()
            return ()
        self.is_open = True
        self.append()
        self._state.missing = self._state.missing if self.missing() else []
        self.store_state()
        return notes

    def open_to_read(self) -> None:
        """Compare file and journal in a data folder that can't be written."""
        with suppress(OSError):
            self._file = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            self._state.missing += self._compare_rest()[1].missing

    def _open_file(self) -> None:
        self._close_file()
        is_new = not self.path.exists()
        self._file = os.open(self.path, _FLAGS, 0o600)
        make_private(self.path)
        if is_new:
            sync_folder(self.path.parent)

    def _fill(self, now: float) -> tuple[OpeningNote, ...]:
        """Import all labels of the file into a new database."""
        state = self._state
        size = self._size()
        replaced = state.fill
        state.fill = ""
        state.size = size
        with self._connection.transaction():
            done = self._import.run(lambda: self._records([[0, size]]), None, own=True)
            self._settings.set(LOG_STATE, asdict(state))
        note = OpeningNote(NoteKind.REFILLED, done.given + done.waiting, replaced)
        damaged = self._scan(0, size, 0).damaged
        return (note, self._replace_file(now, [[0, size]], damaged)) if damaged else (note,)

    def _compare(self, now: float) -> tuple[OpeningNote, ...]:
        state = self._state
        size = self._size()
        if not size:
            self._connection.execute("UPDATE waiting_labels SET logged = 0")
        first, scan = self._compare_rest()
        is_intact = first > 0
        entry = state.entry if first else 0
        is_missing = bool(
            scan.missing and self._import.lacking(lambda: self._records(scan.missing))
        )
        if scan.damaged and (is_missing or first < state.size):
            return (self._repair(now),)
        later = self._connection.column(
            "SELECT number FROM journal WHERE number > ? ORDER BY number", (entry,)
        )
        if is_intact and later and later[-1] - entry != len(later):
            raise KnownError(ErrorCode.DATABASE_DAMAGED, f"the journal has gaps behind {entry}")
        lacking = next(
            (number for number in later if number not in scan.entries), self._last_entry() + 1
        )
        if scan.damaged:
            # A torn end: the journal has all of it.
            ham = (
                line
                for line in self._lines(first, size)
                if (record := parse_line(line)) and not record.entry
            )
            self._rewrite(chain(self._lines(0, first), ham), entry)
            return ()
        known = state.missing if is_intact else []
        state.missing = known + (scan.missing if is_missing else [])
        state.size = size
        state.entry = lacking - 1
        return ()

    def _compare_rest(self) -> tuple[int, _Scan]:
        """Compare what the database doesn't know of the file, and return where that begins."""
        state = self._state
        size = self._size()
        if not 0 < state.size <= size or self._checksum(state.size) != state.checksum:
            return 0, self._scan(0, size, 0)
        if self._last_entry() < state.entry:
            raise KnownError(
                ErrorCode.DATABASE_DAMAGED,
                f"entries of the journal are missing behind {state.entry}",
            )
        return state.size, self._scan(state.size, size, state.entry)

    def _scan(self, first: int, last: int, entry: int) -> _Scan:
        """Compare the lines between two positions with the journal behind `entry`."""
        scan = set[int]()
        missing = list[list[int]]()
        damaged = 0
        position = first
        journal = (
            {one.entry: _key(one) for one in journal_records(self._connection, entry)}
            if first < last
            else {}
        )
        for line in self._lines(first, last):
            position, begin = position + len(line), position
            record = parse_line(line) if line.endswith(b"\n") else None
            if record is None:
                damaged += 1
            elif record.entry and journal.get(record.entry) == _key(record):
                scan.add(record.entry)
            elif missing and missing[-1][1] == begin:
                missing[-1][1] = position
            else:
                missing.append([begin, position])
        return _Scan(scan, missing, damaged)

    def examine(self) -> tuple[int, int]:
        """Return the number of damaged lines and of journal entries that differ from their lines.
        Reads all lines.
        """
        if self._file < 0:
            return 0, 0
        scan = self._scan(0, self._state.size, 0)
        # The entries of the journal are numbered without gaps.
        return scan.damaged, self._state.entry - sum(
            entry <= self._state.entry for entry in scan.entries
        )

    def repair(self, now: float) -> None:
        """Replace a damaged file: the database gets its undamaged lines, the new file is written
        from both.
        """
        if self._file >= 0:
            with file_error_codes(self.path):
                self.is_open = False
                self._repair(now)
                self.is_open = True
                self._append()
                self.store_state()

    def _repair(self, now: float) -> OpeningNote:
        """Import the lines that the database lacks, then write the file again."""
        scan = self._scan(0, self._size(), 0)
        self._import.run(lambda: self._records(scan.missing), None, own=True)
        return self._replace_file(now, scan.missing, scan.damaged)

    def _replace_file(self, now: float, kept: Ranges, damaged: int) -> OpeningNote:
        """Quarantine the file. The new one has the undamaged lines of `kept`, then all entries of
        the journal.
        """
        lines = [line for line in self._lines_of(kept) if parse_line(line)]
        # An open file can't be moved on Windows.
        self._close_file()
        path = quarantine_file(self.path, now)
        self._connection.execute("UPDATE waiting_labels SET logged = 0")
        self._rewrite(lines, 0)
        return OpeningNote(NoteKind.LOG_REPLACED, damaged, str(path))

    def _rewrite(self, lines: Iterable[bytes], entry: int) -> None:
        """Write the file from these lines and the journal behind `entry`, atomically."""
        with replacing(self.path) as unfinished, unfinished.open("wb") as file:
            file.writelines(lines)
            file.writelines(format_lines(journal_records(self._connection, entry)))
            # Windows replaces no open file.
            self._close_file()
        self._open_file()
        state = self._state
        state.size = self._size()
        state.entry = self._last_entry()
        state.missing = []

    def append(self) -> None:
        """Append what the database has more, if the latest transaction is on the disk. Never raises
        `KnownError`.
        """
        if self.is_open and self._connection.durable:
            try:
                with file_error_codes(self.path):
                    self._append()
            except (OSError, KnownError) as error:
                self._report(error)

    def store_state(self) -> None:
        """Store in the database how far the file is written. On a full disk the next start compares
        more of it.
        """
        state = self._state
        if self.is_open:
            state.checksum = self._checksum(state.size)
            if asdict(state) != self._stored:
                with suppress(KnownError):
                    self._settings.set(LOG_STATE, asdict(state))
                    self._stored = asdict(state)

    def close(self) -> None:
        self.is_open = False
        self._close_file()

    def _close_file(self) -> None:
        file = self._file
        self._file = -1
        if file >= 0:
            os.close(file)

    def _append(self) -> None:
        last = self._last_entry()
        waiting = self._waiting.unlogged()
        if last != self._state.entry or waiting:
            self._write(chain(waiting, journal_records(self._connection, self._state.entry)))
            self._state.entry = last
            if waiting:
                self._waiting.set_logged()
        self.error = ""

    def _write(self, records: Iterator[LabelRecord]) -> None:
        self.find_file()
        size = self._state.size
        try:
            os.lseek(self._file, size, os.SEEK_SET)
            for batch in format_lines(records):
                size += len(batch)
                left = memoryview(batch)
                while left:
                    left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._file, self._state.size)
            raise
        self._state.size = size

    def find_file(self) -> None:
        """Write the file again if it was deleted while it is open."""
        here = os.fstat(self._file)
        with suppress(FileNotFoundError, NotADirectoryError):
            found = os.stat(self.path)
            if (found.st_dev, found.st_ino) == (here.st_dev, here.st_ino):
                return
        with replacing(self.path) as unfinished, unfinished.open("wb") as file:
            file.writelines(self._lines(0, self._state.size))
        self._open_file()

    def missing(self) -> int:
        """Return the number of labels that the file has and the database lacks."""
        return (
            len(self._import.lacking(self._missing_records))
            if self._state.missing and self._file >= 0
            else 0
        )

    def take_back(self, now: float) -> LabelsImported:
        """Import the labels that the database lacks. They can be undone."""
        done = self._import.run(self._missing_records, now, own=True)
        self._state.missing = []
        self.store_state()
        return done

    def leave(self, now: float) -> None:
        """Keep the labels of the database, and log them as such."""
        lacking = self._import.lacking(self._missing_records)
        kept = (
            one._replace(before=one.label, label=here, moment=now, by=By.REPAIR.value)
            for one, here in lacking
        )
        self._write(one._replace(entry=0, step=0, position=0) for one in kept)
        self._state.missing = []
        self.store_state()

    @property
    def has_tables(self) -> bool:
        """True once `offer` was called, or if the file can't be written."""
        return self._state.has_tables or not self.is_open

    def offer(self, read: ReadRecords) -> None:
        """Add labels of daily tables, which older versions wrote, to those that the database
        lacks.
        """
        first = self._state.size
        if not self.has_tables:
            if lacking := self._import.lacking(read):
                self._write(one._replace(entry=0, step=0, position=0) for one, _ in lacking)
                self._state.missing.append([first, self._state.size])
            self._state.has_tables = True
            self.store_state()

    def _missing_records(self) -> Iterator[LabelRecord]:
        return self._records(self._state.missing)

    def _records(self, ranges: Ranges) -> Iterator[LabelRecord]:
        return filter(None, map(parse_line, self._lines_of(ranges)))

    def _lines_of(self, ranges: Ranges) -> Iterator[bytes]:
        for first, last in ranges:
            yield from self._lines(first, last)

    def _lines(self, first: int, last: int) -> Iterator[bytes]:
        if first >= last:
            return
        with os.fdopen(os.dup(self._file), "rb") as file:
            file.seek(first)
            while first < last and (line := file.readline(last - first)):
                first += len(line)
                yield line

    def _checksum(self, size: int) -> int:
        os.lseek(self._file, max(0, size - _TAIL), os.SEEK_SET)
        return zlib.crc32(os.read(self._file, min(size, _TAIL)))

    def _size(self) -> int:
        return os.fstat(self._file).st_size

    def _report(self, error: Exception) -> None:
        if self.error != str(error):
            self.error = str(error)
            _log.warning("%s lacks the latest changes of labels: %s", self.path.name, error)


def _key(record: LabelRecord) -> tuple[bytes, str, int]:
    """Return the part of a journal entry that must be equal in file and database."""
    return record.identity, record.label, record.position
