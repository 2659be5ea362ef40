"""The command `nbmail doctor`: checks a home, repairs what can be repaired and replaces a damaged
database.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from nbmail.chunks import drain
from nbmail.cli.main import ERROR, CliCommand, paths_of, say
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings_file import load_settings
from nbmail.values import NoteKind

if TYPE_CHECKING:
    from nbmail.paths import Paths
    from nbmail.store.doctor import Diagnosis
    from nbmail.store.store import Store

# Subject of each finding, for the user.
_SUBJECTS = {
    "file": "the database file",
    "words": "words and their numbers",
    "samples": "words of each message",
    "log": "the file labels.log",
    "entries": "journal agrees with labels.log",
    "missing": "database has all labels of labels.log",
    "journal": "labels agree with the journal",
    "outbox": "changes waiting for the mail servers",
    "texts": "full-text search index",
    "disk": "free disk space",
    "private": "file permissions",
    "model": "model matches the labels",
}
_REPAIRED = {
    "log": "rewrote labels.log from its readable lines and the database; the damaged file is kept",
    "missing": "restored the labels that only labels.log had",
    "journal": "updated the labels from the journal",
    "outbox": "deleted changes for unknown accounts",
    "texts": "deleted the search index; nbmail rebuilds it in the background",
    "private": "restricted the files to your user account",
    "model": "deleted the model; nbmail rebuilds it from the labels",
}
# Derived from labels and mail without a question, so that nothing is lost with it.
_DERIVED = {"texts", "model"}
# With the number and the path of a note.
_NOTES = {
    NoteKind.UPGRADED: "the database was upgraded; the previous one is kept in {1}",
    NoteKind.LOG_REPLACED: "{0:,} lines of labels.log could not be read; it is kept in {1}",
    NoteKind.LABELS_MISSING: "{0:,} labels are in labels.log only; `nbmail doctor --take-back` restores them",
    NoteKind.REFILLED: "{0:,} labels of labels.log were restored into a new database",
}


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Checks all derived data against the labels. The exit code is 0 only if everything "
        "is correct at the end and "
        "no label was lost."
    )
    parser.add_argument(
        "--repair",
        action="store_true",
        help="repair derived data; replace a damaged database with a new one, which gets the "
        "labels of labels.log; "
        "restore labels that the database has lost",
    )
    missing = parser.add_mutually_exclusive_group()
    missing.add_argument(
        "--take-back", action="store_true", help="restore the labels that only labels.log has"
    )
    missing.add_argument(
        "--leave-out", action="store_true", help="drop the labels that only labels.log has"
    )
    parser.add_argument(
        "--put-back",
        type=Path,
        metavar="BACKUP",
        help="replace a damaged database with this backup (the damaged file is kept)",
    )
    parser.add_argument(
        "--start-empty",
        action="store_true",
        help="replace a damaged database with an empty one (the damaged file is kept)",
    )


def _run(arguments: argparse.Namespace) -> int:
    paths = paths_of(arguments.home)
    now = time.time()
    if not paths.data.is_dir():
        raise KnownError(ErrorCode.NOT_FOUND, str(paths.database))
    if arguments.put_back or arguments.start_empty:
        _replace(paths, arguments.put_back, now)
    if arguments.take_back or arguments.leave_out:
        _decide(paths, now, take=arguments.take_back)
    try:
        with _examined(paths, now, repair=arguments.repair) as (store, diagnosis):
            if not (arguments.repair and _is_damaged(diagnosis)):
                return _report(arguments, store, diagnosis)
    except KnownError as error:
        if error.error_code is not ErrorCode.DATABASE_DAMAGED:
            raise
        if not (arguments.repair and _has_labels(paths)):
            say(
                (
                    f"nbmail: The file with your labels is damaged ({error.detail}). It was kept "
                    f"unchanged."
                ),
                sys.stderr,
            )
            say("\n".join(_ways_out(paths, arguments.home)), sys.stderr)
            return ERROR
    return _refill(arguments, paths, now)


def _refill(arguments: argparse.Namespace, paths: Paths, now: float) -> int:
    """Quarantine the database and fill a new one from `labels.log`."""
    from nbmail.store.files.database_file import start_empty

    folder = start_empty(paths, now, fill=True)
    text = "created a new database with the labels of labels.log. The damaged one is kept in"
    say(f"repaired: {text} {folder}", sys.stderr)
    with _examined(paths, now, repair=True) as (store, diagnosis):
        drain(store.adopting_cached_messages())
        lost = sum(note.number for note in store.notes if note.kind is NoteKind.LOG_REPLACED)
        return _report(arguments, store, diagnosis, lost)


def _decide(paths: Paths, now: float, *, take: bool) -> None:
    from nbmail.store.store import Store

    with Store(paths, now) as store:
        missing = store.log.missing()
        (store.log.take_back if take else store.log.leave)(now)
    text = (
        f"{missing:,} labels {'were restored' if take else 'were dropped'}"
        if missing
        else "no label is missing"
    )
    say(f"repaired: {text}.", sys.stderr)


def _has_labels(paths: Paths) -> bool:
    """True if there is a second copy of the labels: `labels.log` or the daily tables of older
    versions.
    """
    from nbmail.store.files.database_file import BACKUPS
    from nbmail.store.labels.labels_log import LABELS_LOG

    return (paths.data / LABELS_LOG).exists() or any((paths.data / BACKUPS).glob("labels-*.csv"))


def _is_damaged(diagnosis: Diagnosis) -> bool:
    """True if only a new database can help."""
    from nbmail.store.doctor import DAMAGE

    return any(one.name in DAMAGE for one in diagnosis.findings if not one.sound)


@contextmanager
def _examined(
    paths: Paths, now: float, *, repair: bool = False
) -> Iterator[tuple[Store, Diagnosis]]:
    from nbmail.core.scoring.model import Model
    from nbmail.store.doctor import diagnose
    from nbmail.store.files.connection import unreadable_values
    from nbmail.store.store import Store, open_to_read
    from nbmail.worker.model.laboratory import method_named

    with Store(paths, now) if repair else open_to_read(paths, now) as store:
        with unreadable_values(paths.database):
            method = method_named(load_settings(paths.settings).method)
            store.model.choose(Model(store.words.vocabulary, method))
        yield store, diagnose(store, now, repair=repair)


def _replace(paths: Paths, backup: Path | None, now: float) -> None:
    """Quarantine a damaged database. One that can be repaired stays in its place."""
    from nbmail.store.files.database_file import put_back, start_empty

    try:
        with _examined(paths, now) as (_, diagnosis):
            is_usable = not _is_damaged(diagnosis)
    except KnownError as error:
        if error.error_code is not ErrorCode.DATABASE_DAMAGED:
            raise
        is_usable = False
    if is_usable:
        raise KnownError(
            ErrorCode.BAD_INPUT, f"{paths.database} is not damaged, so it was not replaced"
        )
    folder = put_back(paths, backup, now) if backup else start_empty(paths, now)
    say(f"note: the damaged file is kept in {folder}", sys.stderr)


def _ways_out(paths: Paths, home: Path | None) -> list[str]:
    """Return the commands that help if nothing can be repaired in place, ready to be typed."""
    from nbmail.store.files.database_file import backups_of

    found = backups_of(paths)
    doctor = f"nbmail doctor --home {quote(str(home))}" if home else "nbmail doctor"
    lines = (
        [f"Create a new database with the labels of labels.log:  {doctor} --repair"]
        if _has_labels(paths)
        else []
    )
    if found:
        lines.append(
            f"Replace it with the latest backup:  {doctor} --put-back {quote(str(found[0]))}"
        )
    lines += [f"Replace it with an older backup:  {path}" for path in found[1:4]]
    lines.append(
        f"{'Or start' if lines else 'No copy of the labels was found. Start'} with an empty one:  "
    )
    lines[-1] += f"{doctor} --start-empty"
    kept = (
        "The damaged file is kept. nbmail downloads mail again; `nbmail import` restores an "
        "exported model."
    )
    return [*lines, kept]


def _report(
    arguments: argparse.Namespace, store: Store, diagnosis: Diagnosis, lost: int = 0
) -> int:
    """Print the final state, with the number of label changes that are lost. Return the exit
    code.
    """
    notes = [_NOTES[note.kind].format(note.number, note.path) for note in store.notes]
    if arguments.json:
        found = {
            "sound": diagnosis.sound,
            "findings": [one._asdict() for one in diagnosis.findings],
            "repaired": list(diagnosis.repaired),
            "notes": notes,
            "messages": len(store.messages),
            "labels": len(store.labels),
            "waiting": len(store.waiting_labels),
            "lost": lost,
            "words": len(store.words),
        }
        say(json.dumps(found))
    else:
        lines = [f"note: {note}" for note in notes]
        lines += [f"repaired: {_REPAIRED.get(name, name)}" for name in diagnosis.repaired]
        for one in diagnosis.findings:
            subject = _SUBJECTS.get(one.name, one.name)
            detail = one.detail
            if one.sound:
                lines.append(
                    f"-      {subject}: not checked: {detail}" if detail else f"ok     {subject}"
                )
            else:
                lines.append(
                    f"WRONG  {subject}{' (derived)' if one.name in _DERIVED else ''}: {detail}"
                )
        say("\n".join([*lines, *_conclusion(arguments, store, diagnosis, lost)]))
    return 0 if diagnosis.sound and not lost else 1


def _conclusion(
    arguments: argparse.Namespace, store: Store, diagnosis: Diagnosis, lost: int
) -> list[str]:
    """Return the last lines: the size of the data folder, and what helps."""
    size = f"{len(store.messages):,} messages, {len(store.labels):,} labels"
    if waiting := len(store.waiting_labels):
        size += f" and {waiting:,} for mail that is not stored yet"
    if diagnosis.sound:
        lines = f"Repaired, but incomplete: {size}. Up to {lost:,} label changes are lost."
        return [lines if lost else f"No problems found: {size}."]
    if _is_damaged(diagnosis):
        return [
            f"Problems found: {size}. Back up {store.paths.data} first.",
            *_ways_out(store.paths, arguments.home),
        ]
    wrong = {one.name for one in diagnosis.findings if not one.sound}
    help_ = "No labels and no mail were lost."
    if "missing" in wrong:
        help_ = (
            "`nbmail doctor --take-back` restores these labels, `nbmail doctor --leave-out` "
            "drops them."
        )
    elif wrong & _REPAIRED.keys():
        help_ = "`nbmail doctor --repair` can fix this."
    return [f"Problems found: {size}. {help_}"]


DOCTOR = CliCommand(_add_options, _run)
