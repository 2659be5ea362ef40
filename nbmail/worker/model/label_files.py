"""Labels and their journal out to tables and in from them, and the copies that are kept beside the database by itself.

They are the only thing that can't be had again: apart from any database they can be read with a spreadsheet.
"""

import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nbmail.errors import KnownError
from nbmail.exchange.label_lines import LabelLine, read_lines, writing_lines
from nbmail.paths import make_private_folder
from nbmail.store.files.set_aside import BACKUPS
from nbmail.store.labels.journal import FILES, By
from nbmail.store.labels.label_rows import LabelRow, journal_rows, label_rows, moments_of
from nbmail.store.labels.marks import LabelChanges
from nbmail.store.mail.identity import message_id
from nbmail.store.store import Store

LABELS, JOURNAL = "labels", "journal"
# Of the copies, these many days are kept, and of these many months the last.
DAYS, MONTHS = 7, 12
# Message-IDs that are looked up in cached mail for one file: each takes about 0.2 ms, and is known the next time.
_LOOKED_UP = 5000


@dataclass(frozen=True, slots=True)
class LabelsTaken:
    """What came of labels handed in: the changes, how many wait for their messages, and how many were older."""

    done: LabelChanges
    waiting: int
    older: int


@dataclass(frozen=True, slots=True)
class LabelsTakenBack:
    """What a copy gave back: labels of messages that are here, and labels that wait for theirs."""

    copy: Path
    given: int
    waiting: int


def writing_labels(
    store: Store, path: Path, *, journal: bool = False, known: Mapping[bytes, str] | None = None
) -> Generator[None, None, None]:
    """Write every label, in the order in which they are learned, or every change of one."""
    rows = journal_rows(store.connection) if journal else label_rows(store.connection)
    yield from writing_lines(path, _lines(store, rows, known or {}))


def _lines(store: Store, rows: Iterator[LabelRow], known: Mapping[bytes, str]) -> Iterator[LabelLine]:
    """The rows with their Message-IDs, as far as cached mail tells them."""
    found, left = dict(known), _LOOKED_UP
    for identity, label, moment, by, account, folder in rows:
        if identity not in found and left:
            left -= 1
            found[identity] = message_id(store.raw_mail.get(identity) or b"").decode("utf-8", "replace")
        yield LabelLine(identity, label, moment, by, account, folder, found.get(identity, ""))


def take_in_labels(store: Store, path: Path, moment: float) -> LabelsTaken:
    """Give the labels of a table, as one step; those of messages that are not known wait for them.

    A label that was given in this home after the line in the table was written stays.
    """
    lines = _last_lines(path)
    with store.transaction():
        numbers = store.messages.find(lines)
        given = {numbers[identity]: line for identity, line in lines.items() if identity in numbers}
        mine = moments_of(store.connection, given)
        newer = {message for message, moment in mine.items() if moment > given[message].moment}
        store.waiting_labels.keep({one: line.label for one, line in lines.items() if one not in numbers and line.label})
        wanted = {message: line.label or None for message, line in given.items() if message not in newer}
        done = store.marks.mark(wanted, by=By.FOLDER, moment=moment, folder=FILES)
        return LabelsTaken(done, len(store.waiting_labels), len(newer))


def _last_lines(path: Path) -> dict[bytes, LabelLine]:
    """The last line of each message. It goes to the end: labels are learned in their order."""
    lines: dict[bytes, LabelLine] = {}
    for line in read_lines(path):
        lines.pop(line.identity, None)
        lines[line.identity] = line
    return lines


def take_back_labels(store: Store, moment: float) -> LabelsTakenBack | None:
    """Give what is missing of the labels in the newest copy that can be read; None where there is none.

    A message that has a label keeps it, and one that lost it since stays without.
    """
    for copy in copies_of(store.paths.data):
        with suppress(KnownError):
            lines = {identity: line for identity, line in _last_lines(copy).items() if line.label}
            with store.transaction():
                numbers = store.messages.find(lines)
                given = {number: lines[identity] for identity, number in numbers.items()}
                changed, labelled = store.journal.last_moments(given), store.labels.of(given)
                missing = {
                    number: line.label
                    for number, line in given.items()
                    if number not in labelled and changed.get(number, 0.0) <= line.moment
                }
                store.waiting_labels.keep({one: line.label for one, line in lines.items() if one not in numbers})
                done = store.marks.mark(missing, by=By.REPAIR, moment=moment)
            return LabelsTakenBack(copy, len(done.changes), len(lines) - len(numbers))
    return None


def copied_line(data: Path) -> int:
    """How far the journal had come when the newest copy of the labels was made, 0 without one that can be read."""
    for copy in copies_of(data):
        with suppress(KnownError):
            _last_lines(copy)
            return sum(1 for _ in read_lines(copy.with_name(copy.name.replace(LABELS, JOURNAL))))
    return 0


def day_of(copy: Path) -> str:
    """The day of a copy, as its name says it."""
    return copy.stem.removeprefix(f"{LABELS}-")


def copies_of(store_data: Path) -> list[Path]:
    """The copies of labels that were made by themselves, the newest first."""
    return sorted((store_data / BACKUPS).glob(f"{LABELS}-*.csv"), reverse=True)


def is_copy_due(store: Store, now: float) -> bool:
    """Whether today's labels are still to be copied."""
    return not _copy(store, LABELS, now).exists() and store.journal.last_line() > 0


def copying(store: Store, now: float) -> Generator[None, None, None]:
    """Copy labels and journal to tables of this day, and let older ones go. A disk that refuses is asked tomorrow."""
    with suppress(KnownError):
        known = dict[bytes, str]()
        for latest in copies_of(store.paths.data)[:1]:
            for line in read_lines(latest):
                if line.message_id:
                    known[line.identity] = line.message_id
                yield
        make_private_folder(store.paths.data / BACKUPS)
        for name in (JOURNAL, LABELS):
            yield from writing_labels(store, _copy(store, name, now), journal=name == JOURNAL, known=known)
    for name in (JOURNAL, LABELS):
        _let_old_ones_go(sorted((store.paths.data / BACKUPS).glob(f"{name}-*.csv"), reverse=True))


def _let_old_ones_go(newest_first: list[Path]) -> None:
    months: dict[str, Path] = {}
    for path in newest_first:
        months.setdefault(path.stem.rpartition("-")[0], path)
    kept = {*newest_first[:DAYS], *list(months.values())[:MONTHS]}
    for path in newest_first:
        if path not in kept:
            path.unlink(missing_ok=True)


def _copy(store: Store, name: str, now: float) -> Path:
    return store.paths.data / BACKUPS / f"{name}-{time.strftime('%Y-%m-%d', time.gmtime(now))}.csv"
