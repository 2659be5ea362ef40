"""A database that can't be mended in place: all that is readable goes into a new file, the damaged one is set aside.

Labels come first: where the row of one is unreadable, the journal's last line about its message says it. What is gone
for good gets a stand-in, so that nothing else falls with it: a message that nobody can name keeps its label, a word
that nobody can read keeps its number.
"""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from nbmail.core.reading.mail import heading_of, parse
from nbmail.errors import ErrorCode, KnownError
from nbmail.paths import Paths, make_private_folder
from nbmail.store.doctor.readable_rows import UNREAD, Columns, copy_damaged, from_both_ends, readable_rows
from nbmail.store.files.database_file import make_ready
from nbmail.store.files.disk_errors import UNREADABLE, database_error_codes, file_error_codes
from nbmail.store.files.home_lock import LOCK, HomeLock
from nbmail.store.files.reached_mark import REACHED, line_reached
from nbmail.store.files.row_values import is_sample, storable
from nbmail.store.files.set_aside import RAW_MAIL, put_in_place
from nbmail.store.labels.journal import By
from nbmail.store.mail.raw_mail import RawMail
from nbmail.store.model.packed_model import from_bytes

# A moment outside of these years was not written by us.
_MOMENTS = "BETWEEN 0 AND 4102444800"


@dataclass(frozen=True, slots=True)
class Salvaged:
    """How many rows of each kind were saved and how many are lost, and where the damaged file lies now.

    Of labels those changes are lost that no row tells, nor a copy: the damaged file says how far the journal had come.
    """

    saved: dict[str, int]
    lost: dict[str, int]
    kept_in: Path


def salvage(paths: Paths, now: float, copied: int = 0) -> Salvaged:
    """Build a new database from what can be read of this one, and put it in its place once it is whole.

    Up to the line `copied` of the journal there is a copy of the labels.
    """
    lock, scratch = HomeLock(paths.data / LOCK), paths.data / "salvage"
    try:
        with file_error_codes(scratch), database_error_codes(scratch):
            shutil.rmtree(scratch, ignore_errors=True)
            make_private_folder(scratch)
            new = scratch / "new.sqlite3"
            make_ready(new, now)
            with (
                closing(copy_damaged(paths.database, scratch)) as damaged,
                closing(sqlite3.connect(new, isolation_level=None)) as target,
                closing(RawMail(paths.cache / RAW_MAIL)) as raw_mail,
            ):
                target.execute("BEGIN")
                work = _Salvage(damaged, target, raw_mail)
                work.copy()
                work.count_lost_labels(line_reached(paths.data / REACHED), copied)
                work.put_in_order(now)
                if not any(target.execute("SELECT 1 FROM messages").fetchall()):
                    raise KnownError(ErrorCode.DATABASE_DAMAGED, f"{paths.database}: nothing in it can be read")
                target.execute("COMMIT")
            with new.open("rb+") as file:
                os.fsync(file.fileno())
            kept_in = put_in_place(new, paths.database, now)
            lost = {name: count for name, count in work.lost.items() if count}
            return Salvaged(_counts(paths.database), lost, kept_in)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        lock.close()


class _Salvage:
    def __init__(self, damaged: sqlite3.Connection, target: sqlite3.Connection, raw_mail: RawMail) -> None:
        self._damaged, self._target, self._raw_mail = damaged, target, raw_mail
        tables = target.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
        self._tables = [name for (name,) in tables]
        self.lost: dict[str, int] = {}

    def copy(self) -> None:
        """Every row that can be read."""
        for table in self._tables:
            columns = Columns(self._target, table)
            marks = ", ".join("?" * len(columns.names))
            with suppress(sqlite3.OperationalError):  # a table that an older file didn't have
                self._target.executemany(
                    f"INSERT OR IGNORE INTO {table} VALUES ({marks})", readable_rows(self._damaged, table, columns)
                )

    def count_lost_labels(self, reached: int, copied: int) -> None:
        """Lines of the journal that are gone, and changes of labels that nothing else tells of."""
        lines = self._numbers("SELECT number FROM journal")
        last = max([reached, *lines])
        self.lost["journal"] = last - len(lines)
        (told,) = self._numbers(
            "SELECT count(*) FROM labels WHERE NOT EXISTS (SELECT 1 FROM journal WHERE journal.message ="
            " labels.message AND after = class AND position_after = position)"
        )
        uncopied = max(0, last - copied) - sum(line > copied for line in lines)
        self.lost["labels"] = min(uncopied, max(0, self.lost["journal"] - told))

    def put_in_order(self, now: float) -> None:
        """Stand-ins for what is gone, so that everything that refers to something finds it."""
        self._drop_unreadable_values()
        self._name_classes()
        self._name_messages()
        self._labels_from_journal(now)
        self._stand_in("classes", "name", {"labels": ("class",), "journal": ("before", "after")}, "lost {}".format)
        referring = {name: ("message",) for name in ("labels", "journal", "samples")}
        self._stand_in("messages", "identity, sender, subject, date, size, attachments", referring, _nobody)
        self._number_words()
        self._check_samples()
        self._drop_strays()

    def _run(self, sql: str, parameters: tuple[object, ...] = ()) -> int:
        return self._target.execute(sql, parameters).rowcount

    def _numbers(self, query: str) -> list[int]:
        return [number for (number,) in self._target.execute(query)]

    def _drop_unreadable_values(self) -> None:
        """Values of the right type that make no sense."""
        _drop_where_failing(self._target, "settings", "name", "value", json.loads)
        _drop_where_failing(self._target, "bases", "number", "content", from_bytes)
        known = ", ".join(f"'{by}'" for by in By)
        for table in ("journal", "waiting_labels"):
            self._run(f"UPDATE {table} SET by = 'repair' WHERE by NOT IN ({known})")
        self._run(f"UPDATE steps SET by = 'repair', state = 'closed' WHERE by NOT IN ({known})")
        self._run("UPDATE steps SET state = 'closed' WHERE state NOT IN ('done', 'undone', 'closed')")
        for table in ("journal", "steps", "labels", "bases", "waiting_labels"):
            self._run(f"UPDATE {table} SET moment = 0 WHERE NOT moment {_MOMENTS}")
        self._run(f"UPDATE messages SET date = 0 WHERE NOT date {_MOMENTS}")

    def _name_classes(self) -> None:
        """The index of their names holds them too."""
        for number, name in from_both_ends(self._damaged, "SELECT number, name FROM classes", "name"):
            if isinstance(number, int) and isinstance(name, str):
                self._run("INSERT OR IGNORE INTO classes VALUES (?, ?)", (number, name))

    def _name_messages(self) -> None:
        """The index of identities names messages whose own rows are gone; cached mail tells their headings."""
        known, named = set(self._numbers("SELECT number FROM messages")), 0
        for number, identity in from_both_ends(self._damaged, "SELECT number, identity FROM messages", "identity"):
            if number in known or not (isinstance(number, int) and isinstance(identity, bytes)):
                continue
            heading = heading_of(parse(self._raw_mail.get(identity) or b""))
            sender, subject = storable(heading.sender), storable(heading.subject)
            row = (number, identity, sender, subject, heading.date, heading.size, int(heading.attachments))
            named += self._run("INSERT OR IGNORE INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        self.lost["headings"] = named

    def _labels_from_journal(self, now: float) -> None:
        last = "SELECT max(number) FROM journal GROUP BY message"
        self._run(
            "DELETE FROM labels WHERE class NOT IN (SELECT number FROM classes) AND message IN"
            f" (SELECT message FROM journal WHERE number IN ({last}) AND after IN (SELECT number FROM classes))"
        )
        self._run(
            "INSERT OR IGNORE INTO labels SELECT message, after, position_after, moment FROM journal"
            f" WHERE number IN ({last}) AND after IS NOT NULL AND position_after IS NOT NULL"
        )
        # Two at one place, of which one row has a bit turned: the other goes to the end.
        self._run(
            "INSERT OR IGNORE INTO labels SELECT message, after,"
            f" (SELECT max(position) FROM labels) + row_number() OVER (ORDER BY number), ? FROM journal"
            f" WHERE number IN ({last}) AND after IS NOT NULL AND message NOT IN (SELECT message FROM labels)",
            (now,),
        )

    def _stand_in(
        self, table: str, columns: str, referring: Mapping[str, tuple[str, ...]], make: Callable[[int], object]
    ) -> None:
        """Rows for those numbers that others refer to and that are gone."""
        names = [f"SELECT {name} FROM {other}" for other, many in referring.items() for name in many]
        missing = self._numbers(f"SELECT * FROM ({' UNION '.join(names)}) EXCEPT SELECT number FROM {table}")
        for number in missing:
            if number is not None:
                made = make(number)
                values = made if isinstance(made, tuple) else (made,)
                marks = ", ".join("?" * (len(values) + 1))
                self._run(f"INSERT INTO {table} (number, {columns}) VALUES ({marks})", (number, *values))
        self.lost[table] = sum(number is not None for number in missing)

    def _number_words(self) -> None:
        """Every number up to the last has a word of its own."""
        words = dict(self._target.execute("SELECT number, word FROM words ORDER BY number").fetchall())
        top = max((number for number in words if 0 <= number < 2 * len(words) + 10_000), default=-1)
        seen, lost = set[str](), list[tuple[int, str]]()
        for number in range(top + 1):
            if words.get(number) is None or words[number] in seen:
                lost.append((number, f"lost:{number}"))
            else:
                seen.add(words[number])
        self._run("DELETE FROM words WHERE number NOT BETWEEN 0 AND ?", (top,))
        self._target.executemany("INSERT OR REPLACE INTO words VALUES (?, ?)", lost)
        self.lost["words"] = len(lost)

    def _check_samples(self) -> None:
        """A message whose words can't be told is learned with none until its cached mail is read anew."""
        top = self._numbers("SELECT count(*) FROM words")[0]
        rows = self._target.execute("SELECT message, words, occurrences, measures FROM samples")
        bad = [message for message, *sample in rows if not is_sample(*sample, known=top)]
        self._target.executemany("DELETE FROM samples WHERE message = ?", ((message,) for message in bad))
        self.lost["samples"] = self._run("INSERT OR IGNORE INTO samples SELECT number, 0, x'', x'', '[]' FROM messages")

    def _drop_strays(self) -> None:
        """What still refers to nothing. Where places of messages are gone, accounts look at their folders anew."""
        before = self._numbers("SELECT count(*) FROM locations")[0]
        for table in self._tables:
            columns = Columns(self._target, table)
            for _, _, parent, own, *_ in self._target.execute(f"PRAGMA foreign_key_list({table})").fetchall():
                stray = f"{own} IS NOT NULL AND {own} NOT IN (SELECT {Columns(self._target, parent).key} FROM {parent})"
                drop = f"DELETE FROM {table}" if own in columns.required else f"UPDATE {table} SET {own} = NULL"
                self._run(f"{drop} WHERE {stray}")
        lost = before - self._numbers("SELECT count(*) FROM locations")[0]
        with suppress(*UNREAD):
            known = self._damaged.execute("SELECT count(*) FROM locations").fetchone()[0]
            lost += max(0, known - before)
            if not lost:
                return
        self._run("UPDATE folders SET validity = 0, modseq = 0")


def _counts(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as new:
        names = ("labels", "journal", "messages", "words")
        return {name: new.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


def _nobody(number: int) -> tuple[object, ...]:
    # As long as any other identity.
    return (b"lost %011d" % number, "", "", 0.0, 0, 0)


def _drop_where_failing(
    target: sqlite3.Connection, table: str, key: str, column: str, read: Callable[..., object]
) -> None:
    """Drop rows whose value can't be read."""
    for name, value in target.execute(f"SELECT {key}, {column} FROM {table}").fetchall():
        try:
            read(value)
        except UNREADABLE:
            target.execute(f"DELETE FROM {table} WHERE {key} = ?", (name,))
