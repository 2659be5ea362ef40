"""The command `nbmail doctor`: checks a data folder, repairs it, replaces a damaged database."""

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
from nbmail.cli.command import ERROR, CliCommand
from nbmail.cli.opened_store import paths_of
from nbmail.cli.output import say
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings_file import load_settings
from nbmail.values import NoteKind, OpeningNote

if TYPE_CHECKING:
    from nbmail.paths import Paths
    from nbmail.store.doctor import Diagnosis, Finding
    from nbmail.store.store import Store

# Subject of each finding, for the user.
_SUBJECTS = {
    "file": "the database file",
    "words": "words and their numbers",
    "samples": "words of each message",
    "log": "the file labels.log",
    "entries": "journal agrees with labels.log",
    "journal": "labels agree with the journal",
    "texts": "full-text search index",
    "private": "file permissions",
    "model": "model matches the labels",
}
_REPAIRED = {
    "log": "rewrote labels.log from its readable lines and the database; the damaged file is kept",
    "journal": "updated the labels from the journal",
    "texts": "deleted the search index; nbmail rebuilds it in the background",
    "private": "restricted the files to your user account",
    "model": "deleted the model; nbmail rebuilds it from the labels",
}
# Derived from labels and mail without a question, so that nothing is lost with it.
_DERIVED = {"texts", "model"}


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Checks all derived data against the labels. The exit code is 0 only if everything is "
        "correct at the end and no label was lost."
    )
    parser.add_argument(
        "--repair",
        action="store_true",
        help="repair derived data; replace a damaged database with a new one, which gets the "
        "labels of labels.log (the damaged file is kept)",
    )


def _run(arguments: argparse.Namespace) -> int:
    paths = paths_of(arguments.home)
    now = time.time()
    if not paths.data.is_dir():
        raise KnownError(ErrorCode.NOT_FOUND, str(paths.database))
    try:
        with _examined(paths, now, repair=arguments.repair) as (store, diagnosis):
            if not (arguments.repair and diagnosis.is_damaged):
                return _report(arguments, store, diagnosis)
    except KnownError as error:
        if error.error_code is not ErrorCode.DATABASE_DAMAGED:
            raise
        if not arguments.repair:
            sentence = f"The file with your labels is damaged ({error.detail})."
            say(f"nbmail: {sentence} It was kept unchanged.", sys.stderr)
            say("\n".join(_way_out(paths, arguments.home)), sys.stderr)
            return ERROR
    return _replace(arguments, paths, now)


def _replace(arguments: argparse.Namespace, paths: Paths, now: float) -> int:
    """Quarantine the database, fill a new one from `labels.log`, and report its state."""
    from nbmail.store.files.quarantine import replace_database

    folder = replace_database(paths, now)
    say(f"repaired: created a new database. The damaged one is kept in {folder}", sys.stderr)
    with _examined(paths, now, repair=True) as (store, diagnosis):
        drain(store.adopting_cached_messages(now))
        lost = 0
        for note in store.notes:
            if note.kind is NoteKind.LOG_REPLACED:
                lost += note.number
        return _report(arguments, store, diagnosis, lost)


@contextmanager
def _examined(
    paths: Paths, now: float, *, repair: bool = False
) -> Iterator[tuple[Store, Diagnosis]]:
    from nbmail.core.scoring.model import Model
    from nbmail.store.doctor import diagnose
    from nbmail.store.files.file_errors import unreadable_values
    from nbmail.store.opening import open_to_read
    from nbmail.store.store import Store
    from nbmail.worker.model.laboratory import method_named

    with Store(paths, now) if repair else open_to_read(paths, now) as store:
        with unreadable_values(paths.database):
            method = method_named(load_settings(paths.settings).method)
            store.model.choose(Model(store.words.vocabulary, method))
        yield store, diagnose(store, now, repair=repair)


def _way_out(paths: Paths, home: Path | None) -> list[str]:
    """Return the command that helps if nothing can be repaired in place, ready to be typed."""
    from nbmail.store.labels_log.labels_log import LABELS_LOG

    command = "nbmail doctor"
    if home:
        command += f" --home {quote(str(home))}"
    if (paths.data / LABELS_LOG).exists():
        way = "Create a new database with the labels of labels.log"
    else:
        way = "No labels.log was found. Create an empty database"
    kept = (
        "The damaged file is kept. nbmail downloads mail again; `nbmail import` restores an "
        "exported model."
    )
    return [f"{way}:  {command} --repair", kept]


def _report(
    arguments: argparse.Namespace, store: Store, diagnosis: Diagnosis, lost: int = 0
) -> int:
    """Print the final state. Return the exit code. `lost`: number of label changes."""
    if arguments.json:
        say(json.dumps(_facts(store, diagnosis, lost)))
    else:
        lines = [f"note: {_note_text(note)}" for note in store.notes]
        lines += [f"repaired: {_REPAIRED[name]}" for name in diagnosis.repaired]
        lines += map(_finding_text, diagnosis.findings)
        lines += _conclusion(arguments, store, diagnosis, lost)
        say("\n".join(lines))
    return 0 if diagnosis.sound and not lost else 1


def _facts(store: Store, diagnosis: Diagnosis, lost: int) -> dict[str, object]:
    return {
        "sound": diagnosis.sound,
        "findings": [one._asdict() for one in diagnosis.findings],
        "repaired": list(diagnosis.repaired),
        "notes": [_note_text(note) for note in store.notes],
        "messages": len(store.messages),
        "labels": len(store.labels),
        "waiting": len(store.waiting_labels),
        "lost": lost,
        "words": len(store.words),
    }


def _note_text(note: OpeningNote) -> str:
    if note.kind is NoteKind.LOG_REPLACED:
        return f"{note.number:,} lines of labels.log could not be read; it is kept in {note.path}"
    return f"{note.number:,} labels of labels.log were restored"


def _finding_text(finding: Finding) -> str:
    subject = _SUBJECTS[finding.name]
    if not finding.sound:
        derived = " (derived)" if finding.name in _DERIVED else ""
        return f"WRONG  {subject}{derived}: {finding.detail}"
    if finding.detail:
        return f"-      {subject}: not checked: {finding.detail}"
    return f"ok     {subject}"


def _conclusion(
    arguments: argparse.Namespace, store: Store, diagnosis: Diagnosis, lost: int
) -> list[str]:
    """Return the last lines: the size of the data folder, and what helps."""
    size = f"{len(store.messages):,} messages, {len(store.labels):,} labels"
    if waiting := len(store.waiting_labels):
        size += f" and {waiting:,} for mail that is not stored yet"
    if lost and diagnosis.sound:
        return [f"Repaired, but incomplete: {size}. Up to {lost:,} label changes are lost."]
    if diagnosis.sound:
        return [f"No problems found: {size}."]
    if diagnosis.is_damaged:
        advice = f"Problems found: {size}. Back up {store.paths.data} first."
        return [advice, *_way_out(store.paths, arguments.home)]
    if diagnosis.wrong & _REPAIRED.keys():
        return [f"Problems found: {size}. `nbmail doctor --repair` can fix this."]
    return [f"Problems found: {size}. No labels and no mail were lost."]


DOCTOR = CliCommand(_add_options, _run)
