"""`labels.log`, the second copy of all labels: appended, compared at each start, read for a refill.

A transaction that changes labels appends its journal entries after the commit and syncs the file.
The database stores the size of the file, so that opening compares only what was written later.
After a kill between commit and append the next start appends the entries.

Opening also imports all labels of the file that the database lacks: all of them in a new database,
the later ones in an older copy. The user can undo that.

A lost database costs the imported counts, the ignored words and the pending server actions: they
are not in the file. Labels come back with their messages, which the accounts fetch again.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.store.files.file_errors import file_error_codes
from nbmail.store.files.quarantine import REPLACED, quarantine_file
from nbmail.store.labels.journal import Change
from nbmail.store.labels_log.label_import import LabelImport
from nbmail.store.labels_log.label_records import journal_records
from nbmail.store.labels_log.log_file import LogFile
from nbmail.store.labels_log.log_lines import format_lines, parse_line
from nbmail.store.tables import Tables
from nbmail.values import LabelRecord, NoteKind, OpeningNote

LABELS_LOG = "labels.log"
"""File name, next to the database."""
# Setting with the state of the file.
_STATE = "labels_log"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _State:
    """State of the file as the database knows it.

    `checksum`: that of the last bytes before `size`. `entry`: the last journal entry in the file.
    """

    size: int = 0
    checksum: int = 0
    entry: int = 0


class _Comparison(NamedTuple):
    """Result of a comparison of lines with the journal.

    `entries`: journal entries found. `others`: lines that are not in the journal. `damaged`: number
    of damaged lines.
    """

    entries: set[int]
    others: list[bytes]
    damaged: int


class LabelsLog:
    """Owner of the file.

    If the file can't be written, labels are stored in the database alone until it can.
    """

    def __init__(self, path: Path, tables: Tables, labels: LabelImport) -> None:
        self.path = path
        self.error = ""
        """Reason why the file can't be written."""
        self.is_open = False
        """True while entries can be appended."""
        self._connection = tables.connection
        self._settings = tables.settings
        self._waiting = tables.waiting_labels
        self._journal = tables.journal
        self._import = labels
        self._stored = self._settings.get(_STATE, dict[str, Any]())
        state = _State(**self._stored)
        self._checksum = state.checksum
        self._entry = state.entry
        self._file = LogFile(path, state.size)

    def open(self, now: float) -> tuple[OpeningNote, ...]:
        """Compare file and journal, and complete each from the other. Replace a damaged file."""
        try:
            with file_error_codes(self.path):
                self._file.open()
                notes = self._compare(now)
        except (OSError, KnownError) as error:
            if isinstance(error, KnownError) and error.error_code is ErrorCode.DATABASE_DAMAGED:
                raise
            self._report(error)
            self.close()
            return ()
        self.is_open = True
        self.append()
        self.store_state()
        return notes

    def open_to_read(self) -> None:
        """Open the file for `examine`."""
        with suppress(OSError):
            self._file.open_to_read()

    def _compare(self, now: float) -> tuple[OpeningNote, ...]:
        size = self._file.size_on_disk()
        if not size:
            self._waiting.set_unlogged()
        is_unchanged = self._is_unchanged()
        is_changed = self._file.size > 0 and not is_unchanged
        known = self._file.size if is_unchanged else 0
        before = self._entry if is_unchanged else 0
        found = self._compare_lines(known, size, before)
        common = self._last_common(before, found.entries, check_gaps=is_unchanged)

        notes = self._refill(found.others, now)
        if found.damaged and (notes or is_changed):
            notes.append(self._replace(now))
        elif found.damaged:
            # The end is torn, and the journal has all of it.
            self._rewrite(chain(self._file.lines(0, known), found.others), before)
        else:
            self._file.size = size
            self._entry = common
        return tuple(notes)

    def _is_unchanged(self) -> bool:
        """True if the file still begins as the database knows it.

        Raises `KnownError` DATABASE_DAMAGED if the journal is shorter than that.
        """
        size = self._file.size
        if not 0 < size <= self._file.size_on_disk() or self._file.checksum() != self._checksum:
            return False
        if self._journal.last_entry() < self._entry:
            detail = f"entries of the journal are missing behind {self._entry}"
            raise KnownError(ErrorCode.DATABASE_DAMAGED, detail)
        return True

    def _compare_lines(self, first: int, last: int, entry: int) -> _Comparison:
        """Compare the lines between two positions with the journal behind `entry`."""
        entries = set[int]()
        others = list[bytes]()
        damaged = 0
        if first < last:
            records = journal_records(self._connection, entry)
            journal = {one.entry: _key(one) for one in records}
            for line in self._file.lines(first, last):
                record = parse_line(line) if line.endswith(b"\n") else None
                if record is None:
                    damaged += 1
                elif record.entry and journal.get(record.entry) == _key(record):
                    entries.add(record.entry)
                else:
                    others.append(line)
        return _Comparison(entries, others, damaged)

    def _compare_all(self) -> _Comparison:
        return self._compare_lines(0, self._file.size_on_disk(), 0)

    def _last_common(self, before: int, found: set[int], *, check_gaps: bool) -> int:
        """Return the last journal entry up to which the file has all, `before` at least.

        With `check_gaps`, raise `KnownError` DATABASE_DAMAGED if entries of the journal are
        missing.
        """
        later = self._journal.entries_behind(before)
        if check_gaps and later and later[-1] - before != len(later):
            detail = f"the journal has gaps behind {before}"
            raise KnownError(ErrorCode.DATABASE_DAMAGED, detail)
        for number in later:
            if number not in found:
                return number - 1
        return self._journal.last_entry()

    def _refill(self, lines: Sequence[bytes], now: float) -> list[OpeningNote]:
        """Import the labels of lines that the database lacks."""
        replaced = self._settings.get(REPLACED, "")
        if not lines and not replaced:
            return []
        with self._connection.transaction():
            done = self._import.run(lambda: _records(lines), now, own=True)
            if replaced:
                self._settings.set(REPLACED, "")
        count = _changed_messages(done.changes.changes) + done.waiting
        if not count and not replaced:
            return []
        return [OpeningNote(NoteKind.REFILLED, count, replaced)]

    def examine(self) -> tuple[int, int]:
        """Return the number of damaged lines and of journal entries that differ from their lines.

        Reads all lines.
        """
        if not self._file.is_open:
            return 0, 0
        found = self._compare_lines(0, self._file.size, 0)
        # The entries of the journal are numbered without gaps.
        equal = sum(entry <= self._entry for entry in found.entries)
        return found.damaged, self._entry - equal

    def repair(self, now: float) -> None:
        """Replace a damaged file, after the database got what only the file has."""
        if self._file.is_open:
            with file_error_codes(self.path):
                self.is_open = False
                self._refill(self._compare_all().others, now)
                self._replace(now)
                self.is_open = True
                self._append()
                self.store_state()

    def _replace(self, now: float) -> OpeningNote:
        """Quarantine the file. The new one has its undamaged lines and all of the journal."""
        found = self._compare_all()
        # An open file can't be moved on Windows.
        self._file.close()
        path = quarantine_file(self.path, now)
        self._waiting.set_unlogged()
        self._rewrite(found.others, 0)
        return OpeningNote(NoteKind.LOG_REPLACED, found.damaged, str(path))

    def _rewrite(self, lines: Iterable[bytes], entry: int) -> None:
        """Write the file from these lines and the journal behind `entry`."""
        later = format_lines(journal_records(self._connection, entry))
        self._file.replace(chain(lines, later))
        self._entry = self._journal.last_entry()

    def append(self) -> None:
        """Append what the database has more, if the latest transaction is on the disk.

        Never raises `KnownError`.
        """
        if self.is_open and self._connection.durable:
            try:
                with file_error_codes(self.path):
                    self._append()
            except (OSError, KnownError) as error:
                self._report(error)

    def _append(self) -> None:
        last = self._journal.last_entry()
        waiting = self._waiting.unlogged()
        if last != self._entry or waiting:
            later = journal_records(self._connection, self._entry)
            self._file.append(format_lines(chain(waiting, later)))
            self._entry = last
            if waiting:
                self._waiting.set_logged()
        self.error = ""

    def store_state(self) -> None:
        """Store in the database how far the file is written.

        On a full disk the next start compares more of it.
        """
        if not self.is_open:
            return
        state = asdict(_State(self._file.size, self._file.checksum(), self._entry))
        if state != self._stored:
            with suppress(KnownError):
                self._settings.set(_STATE, state)
                self._stored = state

    def restore_file(self) -> None:
        """Write the file again if it was deleted while it is open."""
        self._file.restore()

    def close(self) -> None:
        self.is_open = False
        self._file.close()

    def _report(self, error: Exception) -> None:
        if self.error != str(error):
            self.error = str(error)
            _log.warning("%s lacks the latest changes of labels: %s", self.path.name, error)


def _records(lines: Iterable[bytes]) -> Iterator[LabelRecord]:
    return filter(None, map(parse_line, lines))


def _changed_messages(changes: Iterable[Change]) -> int:
    """Return the number of messages with another label after all changes."""
    before = dict[int, str | None]()
    after = dict[int, str | None]()
    for change in changes:
        before.setdefault(change.message, change.before)
        after[change.message] = change.after
    return sum(before[message] != label for message, label in after.items())


def _key(record: LabelRecord) -> tuple[bytes, str, int]:
    """Return the part of a journal entry that must be equal in file and database."""
    return record.identity, record.label, record.position
