"""Labels and their journal out to tables and in from them, and the copies that are kept beside the database by itself.

They are the only thing that can't be had again: apart from any database they can be read with a spreadsheet.
"""

import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from nbmail.errors import KnownError
from nbmail.exchange.label_lines import LabelLine, read_lines, writing_lines
from nbmail.paths import make_private_folder
from nbmail.store.files.set_aside import BACKUPS
from nbmail.store.labels.journal import FILES, By
from nbmail.store.labels.label_rows import HandedIn, journal_rows, label_rows, states_of
from nbmail.store.store import Store
from nbmail.values import FolderName

LABELS, JOURNAL = "labels", "journal"
# Of the copies, these many days are kept, and of these many months the last.
DAYS, MONTHS = 7, 12
# Lines whose messages are looked up at once.
_AT_ONCE = 500
# An undo, a redo or a journey brought these labels; whoever gave them before has given them.
_BROUGHT_BACK = {By.UNDO.value, By.REDO.value, By.TRAVEL.value}


@dataclass(frozen=True, slots=True)
class LabelsTaken:
    """What came of labels handed in: how many messages got one, how many labels wait, and how many were older."""

    given: int
    waiting: int
    older: int


def writing_labels(store: Store, path: Path, *, journal: bool = False) -> Generator[None, None, None]:
    """Write every label, in the order in which they are learned, or every change of one."""
    rows = journal_rows(store.connection) if journal else label_rows(store.connection)
    yield from writing_lines(path, (LabelLine(*row) for row in rows))


def take_in_labels(store: Store, path: Path, moment: float, *, missing: bool = False) -> LabelsTaken:
    """Give the labels of a table one line after the other, as they were given: when, by whom, from which folder.

    A label that was given in this home after the last line about its message stays, and so does one that is the same.
    Those of messages that aren't known wait for them. What comes of each folder is one step that can be undone, and
    all the rest is another. Where only what is `missing` is wanted, a message that has any label keeps it, one that
    lost it since stays without, and there is nothing to undo.
    """
    with store.transaction():
        wanted, older = _wanted(store, path, missing)
        giving = _Giving(store, moment, undoable=not missing)
        for numbers, lines in _pieces(store, path):
            store.messages.note_ids({line.identity: line.message_id for line in lines})
            for line in lines:
                number = numbers.get(line.identity)
                if number is None:
                    store.waiting_labels.keep(line.identity, handed_in(line))
                elif number in wanted:
                    giving.give(number, handed_in(line))
        giving.flush()
    return LabelsTaken(len(wanted), len(store.waiting_labels), older)


def handed_in(line: LabelLine) -> HandedIn:
    """What a line says of a label. Where no giver is named, it came with these files."""
    return HandedIn(line.label, line.moment, By(line.by or By.FOLDER), FolderName(line.account, line.folder))


def _pieces(store: Store, path: Path) -> Iterator[tuple[dict[bytes, int], list[LabelLine]]]:
    """The lines of a table, some at a time, with the numbers of those messages that are known."""
    lines = read_lines(path)
    while chunk := list(islice(lines, _AT_ONCE)):
        yield store.messages.find(line.identity for line in chunk), chunk


def _wanted(store: Store, path: Path, missing: bool) -> tuple[set[int], int]:
    """The known messages for which the table says something else, and how many were told something later here."""
    last: dict[int, tuple[float, str]] = {}
    for numbers, lines in _pieces(store, path):
        last.update({numbers[line.identity]: (line.moment, line.label) for line in lines if line.identity in numbers})
    states = states_of(store.connection, last)
    if missing:
        changed = store.journal.last_moments(last)
        without = (one for one, (_, label, _) in states.items() if not label and last[one][1])
        return {one for one in without if changed.get(one, 0.0) <= last[one][0]}, 0
    newer = {number for number, (moment, _, _) in states.items() if moment is not None and moment > last[number][0]}
    same = {number for number, (_, label, known) in states.items() if known and label == last[number][1]}
    return last.keys() - newer - same, len(newer - same)


@dataclass(slots=True)
class _Giving:
    """Gives labels in their order, those together that one mark can give."""

    store: Store
    moment: float
    undoable: bool
    steps: dict[FolderName, int] = field(default_factory=dict)
    label_sources: dict[tuple[int, str], HandedIn] = field(default_factory=dict)
    waiting: dict[int, HandedIn] = field(default_factory=dict)

    def give(self, number: int, line: HandedIn) -> None:
        """Give this label once all before it are given."""
        line = self._as_given(number, line)
        before = next(iter(self.waiting.values()), line)
        if number in self.waiting or (before.by, before.moment, before.folder) != (line.by, line.moment, line.folder):
            self.flush()
        self.waiting[number] = line

    def flush(self) -> None:
        """Give all that wait."""
        lines, self.waiting = self.waiting, {}
        for first in islice(lines.values(), 1):
            folder = first.folder if first.by is By.FOLDER else FILES
            if folder not in self.steps:
                begin = self.store.steps.begin if self.undoable else self.store.steps.past
                self.steps[folder] = begin(By.FOLDER, self.moment, folder=folder)
            labels = {number: line.label or None for number, line in lines.items()}
            self.store.marks.mark(labels, by=first.by, moment=first.moment, step=self.steps[folder])

    def _as_given(self, number: int, line: HandedIn) -> HandedIn:
        """The line as one that gives. An undo of this home takes back what was given, and no undo of another."""
        if line.by not in _BROUGHT_BACK:
            self.label_sources[number, line.label] = line
            return line
        gave = self.label_sources.get((number, line.label))
        return HandedIn(line.label, line.moment, *((gave.by, gave.folder) if gave else (By.TRAVEL, FILES)))


def take_back_labels(store: Store, moment: float) -> tuple[Path, LabelsTaken] | None:
    """Give what is missing of the labels in the newest copy that can be read, and say which; None without one."""
    for copy in copies_of(store.paths.data):
        with suppress(KnownError):
            return copy, take_in_labels(store, copy, moment, missing=True)
    return None


def copied_line(data: Path) -> int:
    """How far the journal had come when the newest copy of the labels was made, 0 without one that can be read."""
    for copy in copies_of(data):
        with suppress(KnownError):
            for name in (copy.name, copy.name.replace(LABELS, JOURNAL)):
                lines = sum(1 for _ in read_lines(copy.with_name(name)))
            return lines
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
        make_private_folder(store.paths.data / BACKUPS)
        for name in (JOURNAL, LABELS):
            yield from writing_labels(store, _copy(store, name, now), journal=name == JOURNAL)
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
