"""Check-up of a home: consistency of the database, of `labels.log` and of all derived data. Repairs
what is derived.

Damage can raise any exception while data is read. During a check-up each exception is a finding.
"""

import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nbmail.chunks import drain
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.files.connection import is_sample
from nbmail.store.files.database_file import contents
from nbmail.store.labels.journal import By, Change
from nbmail.store.store import Store

# Free bytes below which the next mail may not fit.
_LOW_DISK = 50_000_000
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
        return all(finding.sound for finding in self.findings)


def file(store: Store) -> str:
    """Check the database table by table."""
    if (
        dict(store.connection.rows("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))
        != contents()
    ):
        return "its table of contents is not ours"
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


def words(store: Store) -> str:
    """Check that the vocabulary has no gaps and no word twice."""
    count, highest = store.connection.row(
        "SELECT count(*), coalesce(max(number), -1) FROM words"
    ) or (0, -1)
    if highest + 1 != count:
        return f"{highest + 1 - count} numbers without a word"
    different = Vocabulary()
    for chunk in store.words.chunks():
        different.numbers_of(chunk)
    return f"{count - len(different)} words twice" if len(different) != count else ""


def samples(store: Store) -> str:
    """Check that every message has a sample of known words."""
    missing = store.connection.value(
        "SELECT count(*) FROM messages WHERE NOT EXISTS (SELECT 1 FROM samples WHERE message "
        "= number)"
    )
    if missing:
        return f"{missing} messages without their words"
    known = store.connection.value("SELECT count(*) FROM words")
    last = 0
    while rows := store.connection.rows(
        (
            "SELECT message, words, occurrences, measures FROM samples WHERE message > ? ORDER "
            "BY message LIMIT ?"
        ),
        (last, _BATCH),
    ):
        for last, *sample in rows:
            if not is_sample(*sample, known=known):
                return f"message {last} has words that aren't known"
    return ""


def log(store: Store) -> str:
    """Check that `labels.log` can be written and has no damaged line."""
    damaged, _ = store.log.examine()
    return f"{damaged} lines can't be read" if damaged else store.log.error


def entries(store: Store) -> str:
    """Check that every entry of the journal equals its line in `labels.log`."""
    damaged, differing = store.log.examine()
    if damaged:
        return "unknown: log"
    return f"{differing} entries of the journal differ from labels.log" if differing else ""


def missing(store: Store) -> str:
    """Check that the database has all labels of `labels.log`."""
    labels = store.log.missing()
    return f"the labels of {labels} messages are in labels.log only" if labels else ""


def journal(store: Store) -> str:
    """Check that the labels are those of the last journal entries."""
    differing = (
        store.labels.positions(store.journal.last_entry()).items()
        ^ store.labels.positions().items()
    )
    messages = {message for message, _ in differing}
    return f"{len(messages)} labels that the journal doesn't know" if messages else ""


def model(store: Store) -> str:
    """Check that the snapshot and the model in memory equal a rebuild from all labels."""
    rebuild = store.model.begin_rebuild()
    while rebuild.advance():
        pass
    stored = drain(store.model.rebuild_from_snapshot())
    if stored is not None and not _same(stored.model, rebuild.model):
        return "the snapshot differs from a rebuild of the labels"
    is_known = store.model.model.is_exact and not store.model.is_stale
    same = not is_known or _same(store.model.model, rebuild.model)
    return "" if same else "what is in memory differs from a rebuild of the labels"


def _same(one: Model, other: Model) -> bool:
    def rows(content: ModelContent, classes: list[str]) -> dict[str, bytes]:
        """Return the corrections of each class without trailing zeros."""
        named = zip(classes, content.corrections, strict=False)
        return {
            name: trimmed.tobytes()
            for name, row in named
            if len(trimmed := np.trim_zeros(row, "b"))
        }

    kept = one.content()
    rebuilt = other.content()
    return (
        one.counts == other.counts
        and np.array_equal(kept.held_out.spam, rebuilt.held_out.spam)
        # Other scores may be pending; and the last digits of a logarithm differ from machine to
        # machine.
        and (
            one.held_out.needs_rescoring
            or np.allclose(kept.held_out.scores, rebuilt.held_out.scores, equal_nan=True)
        )
        and rows(kept, one.counts.classes) == rows(rebuilt, other.counts.classes)
    )


def outbox(store: Store) -> str:
    """Check that all pending server actions belong to known accounts."""
    strangers = unknown_accounts(store)
    return f"actions for unknown accounts: {', '.join(strangers)}" if strangers else ""


def unknown_accounts(store: Store) -> list[str]:
    """Return accounts with pending server actions that have no folder."""
    accounts = {name.account for name in store.folders.names()}
    return sorted(set(store.accounts_with_actions()) - accounts)


def texts(store: Store) -> str:
    """Check that the search index is intact and belongs to this database."""
    return store.texts.look(store.messages.last())


def disk(store: Store) -> str:
    """Check that the disk has free space."""
    free = shutil.disk_usage(store.paths.data).free
    return f"{free // 1_000_000} MB free" if free < _LOW_DISK else ""


def private(store: Store) -> str:
    """Check that no other user can read the files."""
    if sys.platform == "win32":
        return ""
    readable = readable_by_others(store)
    return f"{readable[0]} can be read by others" if readable else ""


def readable_by_others(store: Store) -> list[Path]:
    """Return all files and folders of the home that other users can read, the database first."""
    kept = [
        path
        for folder in (store.paths.data, store.paths.cache)
        for path in (folder, *sorted(folder.rglob("*")))
    ]
    modes = {path: path.lstat().st_mode for path in (store.paths.database, *kept)}
    return [path for path, mode in modes.items() if mode & 0o077 and not stat.S_ISLNK(mode)]


def _repair_labels(store: Store, moment: float) -> None:
    """Make the labels those of the journal, which `labels.log` confirms. Labels without any entry
    get one.
    """
    with store.transaction():
        then = store.labels.positions(store.journal.last_entry())
        now = store.labels.positions()
        wrong = sorted({message for message, _ in then.items() ^ now.items()})
        known = store.journal.last_moments(wrong)
        restored = [one for one in wrong if one in known]
        store.labels.take(restored)
        store.labels.put([(one, then[one]) for one in restored if one in then], moment)
        unknown = [Change(one, None, now[one]) for one in wrong if one not in known]
        store.journal.write(unknown, By.REPAIR, moment, 0)
    # A snapshot of other labels can have the same position in the journal.
    store.model.delete_snapshot()
    store.log.append()


def _repair_outbox(store: Store, _: float) -> None:
    for account in unknown_accounts(store):
        store.close_actions(account, "unknown account")


def _repair_rights(store: Store, _: float) -> None:
    for path in readable_by_others(store):
        path.chmod(0o700 if path.is_dir() else 0o600)


class Check(NamedTuple):
    """Check that returns what is wrong, "" for nothing. The checks in `needed` must be without
    findings before it.
    """

    look: Callable[[Store], str]
    needed: frozenset[str] = frozenset()
    repair: Callable[[Store, float], object] | None = None


CHECKS = {
    "file": Check(file),
    "words": Check(words),
    "samples": Check(samples),
    "log": Check(log, repair=lambda store, moment: store.log.repair(moment)),
    "entries": Check(entries),
    "missing": Check(
        missing, frozenset({"file"}), lambda store, moment: store.log.take_back(moment)
    ),
    "journal": Check(journal, frozenset({"file", "entries"}), _repair_labels),
    "outbox": Check(outbox, repair=_repair_outbox),
    "texts": Check(texts, repair=lambda store, _: store.texts.recreate()),
    "disk": Check(disk),
    "private": Check(private, repair=_repair_rights),
    "model": Check(
        model,
        frozenset({"file", "words", "samples"}),
        lambda store, _: store.model.delete_snapshot(),
    ),
}
"""All checks, in an order in which none depends on a later one. What has no repair is reported
only.
"""
DAMAGE = frozenset({"file", "words", "samples", "entries"})
"""Findings that can't be repaired in place: the database has to be replaced by one filled from
`labels.log`.
"""
# Repairs that others wait for: the log, then the labels, then the model.
_ROUNDS = 3
# Errors of the disk and of access rights, which say nothing of the data.
_OUTSIDE = (ErrorCode.DISK_FULL, ErrorCode.DISK_ERROR, ErrorCode.READ_ONLY)


def diagnose(store: Store, moment: float, *, repair: bool = False) -> Diagnosis:
    """Run all checks. With `repair`, repair what can be repaired and run them again.

    `moment` is the time of repairs in the journal. In a damaged file nothing is repaired.
    """
    findings = _look(store)
    repaired = list[str]()
    for _ in range(_ROUNDS if repair else 0):
        wrong = {one.name for one in findings if not one.sound}.difference(repaired)
        before = len(repaired)
        for name, check in CHECKS.items():
            if check.repair and name in wrong and wrong.isdisjoint({"file", *check.needed}):
                check.repair(store, moment)
                repaired.append(name)
        if len(repaired) == before:
            break
        findings = _look(store)
    return Diagnosis(findings, tuple(repaired))


def _look(store: Store) -> tuple[Finding, ...]:
    findings: list[Finding] = []
    for name, check in CHECKS.items():
        damaged = [one.name for one in findings if not one.sound and one.name in check.needed]
        sound = False
        try:
            wrong = f"unknown: {', '.join(damaged)}" if damaged else check.look(store)
            sound = not wrong
        except KnownError as error:
            sound = error.error_code in _OUTSIDE
            wrong = error.detail
        except Exception as error:  # noqa: BLE001 - damage raises any exception
            wrong = f"{type(error).__name__}: {error}"
        findings.append(Finding(name, sound, wrong))
    return tuple(findings)
