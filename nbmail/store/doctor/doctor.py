"""The check-up: is everything that is derived equal to what it is derived from? Mends what can be derived anew.

Findings are named file, words, samples, journal, reached, outbox, texts, disk, private and model. Damage may make any
exception of what is read: while examining, each is a finding.
"""

import stat
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.sample import Vocabulary
from nbmail.core.scoring.model import LearnedTables, Model
from nbmail.errors import KnownError
from nbmail.store.files.database_file import contents
from nbmail.store.files.row_values import is_sample
from nbmail.store.labels.journal import By, LabelMove
from nbmail.store.store import Store
from nbmail.values import Diagnosis, Finding

# Less than this, and the next mail may not fit.
_LITTLE_DISK = 50_000_000
# Samples read at once.
_PIECE = 1000


def file(store: Store) -> str:
    """The database itself, table by table."""
    if dict(store.connection.rows("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")) != contents():
        return "its table of contents is not ours"
    tables = [name for (name,) in store.connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for table in tables:
        said = [row[0] for row in store.connection.rows(f"PRAGMA integrity_check({table})")]
        if said != ["ok"]:
            return f"{table}: {said[0]}"
    for table in tables:
        broken = store.connection.rows(f"PRAGMA foreign_key_check({table})")
        if broken:
            return f"{len(broken)} rows of {table} without what they refer to"
    return ""


def words(store: Store) -> str:
    """The vocabulary: every number taken once, every word once."""
    count, highest = store.connection.row("SELECT count(*), coalesce(max(number), -1) FROM words") or (0, -1)
    if highest + 1 != count:
        return f"{highest + 1 - count} numbers without a word"
    different = Vocabulary()
    for chunk in store.words.chunks():
        different.numbers_of(chunk)
    return f"{count - len(different)} words twice" if len(different) != count else ""


def samples(store: Store) -> str:
    """Every message has its sample, and every word of it is known."""
    missing = store.connection.value(
        "SELECT count(*) FROM messages WHERE NOT EXISTS (SELECT 1 FROM samples WHERE message = number)"
    )
    if missing:
        return f"{missing} messages without their words"
    known, last = store.connection.value("SELECT count(*) FROM words"), 0
    while rows := store.connection.rows(
        "SELECT message, words, occurrences, measures FROM samples WHERE message > ? ORDER BY message LIMIT ?",
        (last, _PIECE),
    ):
        for last, *sample in rows:
            if not is_sample(*sample, known=known):
                return f"message {last} has words that aren't known"
    return ""


def journal(store: Store) -> str:
    """Every label is what its message's last line in the journal says."""
    now = store.labels.places_at(store.journal.last_line())
    labelled = store.labels.all_places()
    wrong = sum(now.get(one) != labelled.get(one) for one in now.keys() | labelled.keys())
    return f"{wrong} labels that the journal doesn't know" if wrong else ""


def reached(store: Store) -> str:
    """The journal has all lines that it once had."""
    missing = store.lines_missing
    return f"the latest {missing} changes of labels are missing" if missing else ""


def model(store: Store) -> str:
    """The snapshot of the model, and the model in memory if there is one, are what a fold of all labels gives."""
    fold = store.model.fold()
    while fold.advance():
        pass
    kept = drain(store.model.kept_fold())
    known = [("the snapshot differs", kept.model)] if kept is not None else []
    if store.model.model.is_exact and not store.model.is_stale:
        known.append(("what is in memory differs", store.model.model))
    wrong = [words for words, one in known if not _same(one, fold.model)]
    return f"{wrong[0]} from a fold of the labels" if wrong else ""


def _same(one: Model, other: Model) -> bool:
    kept, folded = one.keep(), other.keep()
    return (
        one.counts == other.counts
        and np.array_equal(kept.held_out.junk, folded.held_out.junk)
        # Other scores may be due; and the last digits of a logarithm differ from machine to machine.
        and (one.needs_rescoring or np.allclose(kept.held_out.scores, folded.held_out.scores, equal_nan=True))
        and _rows(kept, one.counts.classes) == _rows(folded, other.counts.classes)
    )


def outbox(store: Store) -> str:
    """What waits for a server belongs to an account that is known."""
    accounts = {name.account for name in store.folders.names()}
    strangers = sorted(set(store.outbox.accounts()) - accounts)
    return f"errands for unknown accounts: {', '.join(strangers)}" if strangers else ""


def texts(store: Store) -> str:
    """What searches look through is whole, and of this database."""
    return store.texts.look(store.messages.last())


def disk(store: Store) -> str:
    """There is room for more."""
    free = store.disk_free()
    return f"{free // 1_000_000} MB free" if free < _LITTLE_DISK else ""


def private(store: Store) -> str:
    """Nobody else can read it."""
    if sys.platform == "win32":
        return ""
    shown = open_to_others(store)
    return f"{shown[0]} can be read by others" if shown else ""


def open_to_others(store: Store) -> list[Path]:
    """What others can read of all that is kept, the database before everything else."""
    kept = [path for folder in (store.paths.data, store.paths.cache) for path in (folder, *sorted(folder.rglob("*")))]
    modes = {path: path.lstat().st_mode for path in (store.paths.database, *kept)}
    return [path for path, mode in modes.items() if mode & 0o077 and not stat.S_ISLNK(mode)]


def _rows(learned: LearnedTables, classes: list[str]) -> dict[str, bytes]:
    """Corrections by class without the zeros at the end."""
    named = zip(classes, learned.corrections, strict=False)
    return {name: trimmed.tobytes() for name, row in named if len(trimmed := np.trim_zeros(row, "b"))}


_IN_ORDER = (file, words, samples, journal, reached, outbox, texts, disk, private, model)
LOOKS: dict[str, Callable[[Store], str]] = {look.__name__: look for look in _IN_ORDER}
"""All findings by name, those that others rest on first."""


_FILE = frozenset({"file"})
SOURCES = frozenset({"file", "words", "samples"})
"""What the model is derived from: where that is damaged, what can be read is to be saved into a new file."""
# What must be sound before something can be looked at or mended, where that is more or less than the file. Where the
# journal should end is counted in saving what can be read, too.
_NEEDED = {"private": frozenset[str](), "model": SOURCES}
_TO_MEND = {**_NEEDED, "reached": SOURCES}


class Doctor:
    """Looks at a store and, if told to, repairs it. `moment` is what the journal will say of repairs."""

    def __init__(self, store: Store, moment: float) -> None:
        self._store, self._moment = store, moment

    def check(self, *, repair: bool = False) -> Diagnosis:
        """Look at everything; mend what can be, and look again."""
        findings = self._look()
        repaired = self._mend({one.name for one in findings if not one.sound}) if repair else ()
        return Diagnosis(self._look() if repaired else findings, repaired)

    def _look(self) -> tuple[Finding, ...]:
        findings: list[Finding] = []
        for name, look in LOOKS.items():
            damaged = [one.name for one in findings if not one.sound and one.name in _NEEDED.get(name, ())]
            wrong = f"unknown: {', '.join(damaged)}" if damaged else _examine(look, self._store)
            findings.append(Finding(name, not wrong, wrong))
        return tuple(findings)

    def _mend(self, ill: set[str]) -> tuple[str, ...]:
        """What was mended. A damaged file or a full disk can't be, from here."""
        remedies = {
            "journal": self._mend_journal,
            # What is missing is missing: from here on the journal is believed again.
            "reached": lambda: self._store.reached.note(self._store.journal.last_line()),
            "outbox": self._mend_outbox,
            "texts": self._store.texts.begin_anew,
            "private": self._mend_private,
            "model": self._store.model.forget_kept,
        }
        able = [name for name in remedies if name in ill and not ill & _TO_MEND.get(name, _FILE)]
        for name in able:
            remedies[name]()
        return tuple(able)

    def _mend_journal(self) -> None:
        """Labels are believed, the journal is brought after them."""
        store = self._store
        with store.transaction():
            then, now = store.labels.places_at(store.journal.last_line()), store.labels.all_places()
            wrong = sorted(one for one in then.keys() | now.keys() if then.get(one) != now.get(one))
            moves = [LabelMove(message, then.get(message), now.get(message)) for message in wrong]
            store.journal.write(moves, By.REPAIR, self._moment, None)

    def _mend_outbox(self) -> None:
        known = {name.account for name in self._store.folders.names()}
        for account in set(self._store.outbox.accounts()) - known:
            self._store.outbox.close_all(account, "unknown account")

    def _mend_private(self) -> None:
        for path in open_to_others(self._store):
            path.chmod(0o700 if path.is_dir() else 0o600)


def _examine(look: Callable[[Store], str], store: Store) -> str:
    try:
        return look(store)
    except Exception as error:  # noqa: BLE001 - damage raises what it will
        return error.detail if isinstance(error, KnownError) else f"{type(error).__name__}: {error}"
