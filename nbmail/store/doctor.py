"""Check-up of a data folder: the database, `labels.log` and all derived data.

Damage can raise any exception while data is read. During a check-up each exception is a finding.
"""

import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.scoring.model import Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.mail.samples import is_sample
from nbmail.store.store import Store

# Samples read at once.
_BATCH = 1000


class Finding(NamedTuple):
    """Result of one check. `detail` of a sound one is the reason why it could not be checked."""

    name: str
    sound: bool
    detail: str = ""


class Diagnosis(NamedTuple):
    """Results of all checks, after repairs."""

    findings: tuple[Finding, ...]
    repaired: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """True if all checks passed."""
        return not self.wrong

    @property
    def wrong(self) -> frozenset[str]:
        """Names of the checks that failed."""
        return frozenset(finding.name for finding in self.findings if not finding.sound)

    @property
    def is_damaged(self) -> bool:
        """True if only a new database can help."""
        return not DAMAGE.isdisjoint(self.wrong)


def check_file(store: Store) -> str:
    """Check the database table by table."""
    tables = store.connection.column("SELECT name FROM sqlite_schema WHERE type = 'table'")
    for table in tables:
        results = store.connection.column(f"PRAGMA integrity_check({table})")
        if results != ["ok"]:
            return f"{table}: {results[0]}"
    for table in tables:
        broken = store.connection.rows(f"PRAGMA foreign_key_check({table})")
        if broken:
            return f"{len(broken)} rows of {table} without what they refer to"
    return ""


def check_words(store: Store) -> str:
    """Check that the vocabulary has no gaps and no word twice."""
    count = len(store.words)
    numbers = store.connection.number("SELECT coalesce(max(number), -1) + 1 FROM words")
    if numbers != count:
        return f"{numbers - count} numbers without a word"
    different = Vocabulary()
    for chunk in store.words.chunks():
        different.numbers_of(chunk)
    if len(different) != count:
        return f"{count - len(different)} words twice"
    return ""


def check_samples(store: Store) -> str:
    """Check that every message has a sample of known words."""
    missing = store.connection.number(
        "SELECT count(*) FROM messages "
        "WHERE NOT EXISTS (SELECT 1 FROM samples WHERE message = number)"
    )
    if missing:
        return f"{missing} messages without their words"
    known = len(store.words)
    last = 0
    while rows := store.connection.rows(
        "SELECT message, words, occurrences, measures FROM samples "
        "WHERE message > ? ORDER BY message LIMIT ?",
        (last, _BATCH),
    ):
        for last, words, occurrences, measures in rows:
            if not is_sample(words, occurrences, measures, known=known):
                return f"message {last} has words that aren't known"
    return ""


def check_log(store: Store) -> str:
    """Check that `labels.log` can be written and has no damaged line."""
    damaged, _ = store.log.examine()
    return f"{damaged} lines can't be read" if damaged else store.log.error


def check_entries(store: Store) -> str:
    """Check that every entry of the journal equals its line in `labels.log`."""
    damaged, differing = store.log.examine()
    if damaged:
        return "unknown: log"
    return f"{differing} entries of the journal differ from labels.log" if differing else ""


def check_labels(store: Store) -> str:
    """Check that the labels are those of the last journal entries."""
    differing = _differing_labels(store)
    return f"{len(differing)} labels that the journal doesn't know" if differing else ""


def _differing_labels(store: Store) -> set[int]:
    """Return the messages whose label is not that of the journal."""
    then = store.labels.positions(store.journal.last_entry())
    now = store.labels.positions()
    return {message for message, _ in then.items() ^ now.items()}


def repair_labels(store: Store, moment: float) -> None:
    """Make the labels those of the journal, which `labels.log` confirms."""
    with store.transaction():
        then = store.labels.positions(store.journal.last_entry())
        wrong = _differing_labels(store)
        store.labels.take(wrong)
        restored = [(message, then[message]) for message in sorted(wrong) if message in then]
        store.labels.put(restored, moment)
    # A snapshot of other labels can have the same position in the journal.
    store.model.delete_snapshot()


def check_model(store: Store) -> str:
    """Check that the snapshot and the model in memory equal a rebuild from all labels."""
    rebuild = store.model.begin_rebuild()
    while rebuild.advance():
        pass
    stored = drain(store.model.rebuild_from_snapshot())
    if stored is not None and not _are_equal(stored.model, rebuild.model):
        return "the snapshot differs from a rebuild of the labels"
    model = store.model.model
    is_comparable = model.is_exact and not store.model.is_stale
    if is_comparable and not _are_equal(model, rebuild.model):
        return "what is in memory differs from a rebuild of the labels"
    return ""


def _are_equal(one: Model, rebuilt: Model) -> bool:
    """True if two models learned the same. Scores of the first one may be pending."""
    content = one.content()
    other = rebuilt.content()
    if one.counts != rebuilt.counts:
        return False
    if not np.array_equal(content.held_out.spam, other.held_out.spam):
        return False
    if not one.held_out.needs_rescoring:
        # The last digits of a logarithm differ from machine to machine.
        scores = (content.held_out.parts, other.held_out.parts)
        if not np.allclose(*scores, equal_nan=True):
            return False
    return _corrections(one) == _corrections(rebuilt)


def _corrections(model: Model) -> dict[str, bytes]:
    """Return the corrections of each class that has some, without trailing zeros."""
    found = {}
    for name, row in zip(model.counts.classes, model.content().corrections, strict=False):
        trimmed = np.trim_zeros(row, "b")
        if len(trimmed):
            found[name] = trimmed.tobytes()
    return found


def check_texts(store: Store) -> str:
    """Check that the search index is intact and belongs to this database."""
    return store.texts.look(store.messages.last())


def check_permissions(store: Store) -> str:
    """Check that no other user can read the files."""
    if sys.platform == "win32":
        return ""
    readable = readable_by_others(store)
    return f"{readable[0]} can be read by others" if readable else ""


def readable_by_others(store: Store) -> list[Path]:
    """Return all files and folders of the home that other users can read, the database first."""
    paths = [store.paths.database]
    for folder in (store.paths.data, store.paths.cache):
        paths += [folder, *sorted(folder.rglob("*"))]
    found = []
    for path in dict.fromkeys(paths):
        mode = path.lstat().st_mode
        if mode & 0o077 and not stat.S_ISLNK(mode):
            found.append(path)
    return found


def repair_permissions(store: Store, _: float) -> None:
    for path in readable_by_others(store):
        path.chmod(0o700 if path.is_dir() else 0o600)


class Check(NamedTuple):
    """Check that returns what is wrong, "" for nothing.

    The checks in `needed` must be without findings before it.
    """

    look: Callable[[Store], str]
    needed: frozenset[str] = frozenset()
    repair: Callable[[Store, float], object] | None = None


CHECKS = {
    "file": Check(check_file),
    "words": Check(check_words),
    "samples": Check(check_samples),
    "log": Check(check_log, repair=lambda store, moment: store.log.repair(moment)),
    "entries": Check(check_entries),
    "journal": Check(check_labels, frozenset({"file", "entries"}), repair_labels),
    "texts": Check(check_texts, repair=lambda store, _: store.texts.recreate()),
    "private": Check(check_permissions, repair=repair_permissions),
    "model": Check(
        check_model,
        frozenset({"file", "words", "samples"}),
        lambda store, _: store.model.delete_snapshot(),
    ),
}
"""All checks, in an order in which none depends on a later one.

Those without a repair are reported only.
"""
DAMAGE = frozenset({"file", "words", "samples", "entries"})
"""Findings that can't be repaired in place.

The database has to be replaced by one that is filled from `labels.log`.
"""
# Repairs that others wait for: the log, then the labels, then the model.
_ROUNDS = 3
# Errors of the disk and of access rights, which say nothing of the data.
_OUTSIDE = (ErrorCode.DISK_FULL, ErrorCode.DISK_ERROR, ErrorCode.READ_ONLY)


def diagnose(store: Store, moment: float, *, repair: bool = False) -> Diagnosis:
    """Run all checks. With `repair`, repair what can be repaired and run them again.

    `moment` is the time of repairs. In a damaged file nothing is repaired.
    """
    diagnosis = Diagnosis(_look(store))
    if repair:
        for _ in range(_ROUNDS):
            repaired = _repair(store, moment, diagnosis)
            if not repaired:
                break
            diagnosis = Diagnosis(_look(store), (*diagnosis.repaired, *repaired))
    return diagnosis


def _repair(store: Store, moment: float, diagnosis: Diagnosis) -> list[str]:
    """Repair what is wrong and was not repaired before. Return the names of the checks."""
    wrong = diagnosis.wrong - set(diagnosis.repaired)
    repaired = []
    for name, check in CHECKS.items():
        if name in wrong and check.repair and wrong.isdisjoint({"file", *check.needed}):
            check.repair(store, moment)
            repaired.append(name)
    return repaired


def _look(store: Store) -> tuple[Finding, ...]:
    findings: list[Finding] = []
    wrong: list[str] = []
    for name, check in CHECKS.items():
        missing = [each for each in wrong if each in check.needed]
        if missing:
            finding = Finding(name, False, f"unknown: {', '.join(missing)}")
        else:
            finding = _find(name, check, store)
        findings.append(finding)
        if not finding.sound:
            wrong.append(name)
    return tuple(findings)


def _find(name: str, check: Check, store: Store) -> Finding:
    try:
        detail = check.look(store)
    except KnownError as error:
        return Finding(name, error.error_code in _OUTSIDE, error.detail)
    except Exception as error:  # noqa: BLE001 - damage raises any exception
        return Finding(name, False, f"{type(error).__name__}: {error}")
    return Finding(name, not detail, detail)
