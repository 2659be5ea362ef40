"""The command `nbmail doctor`: is everything derived equal to the labels? Mends what can be, and says what it did."""

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

from nbmail.cli.command import CliCommand, say
from nbmail.cli.home import paths_of
from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import load_settings

if TYPE_CHECKING:
    from nbmail.paths import Paths
    from nbmail.store.store import Store
    from nbmail.values import Diagnosis

# What each finding looked at, in the words of the one who reads it.
_SUBJECTS = {
    "file": "the database file",
    "words": "the words and their numbers",
    "samples": "what each message is learned with",
    "journal": "the journal and the labels",
    "reached": "that the journal has its end",
    "outbox": "what servers are still to be told",
    "texts": "the words of texts, to be searched",
    "disk": "room on the disk",
    "private": "that nobody else can read it",
    "model": "what was learned against the labels",
}
_MENDED = {
    "journal": "wrote into the journal what the labels say",
    "reached": "marked the end that the journal has now",
    "outbox": "dropped what was meant for unknown accounts",
    "texts": "dropped them: texts are read in again when there is time",
    "private": "made it readable by you alone",
    "model": "dropped what was learned: it is folded anew from the labels",
}
# What is made anew from labels and mail without asking, so that nothing is lost with it.
_DERIVED = {"texts", "model"}
_ROWS = {"labels": "labels", "journal": "lines of the journal", "messages": "messages", "words": "words"}
_LOST = {
    "journal": "lines of the journal",
    "headings": "senders and subjects, but for what cached mail told",
    "classes": "names of classes",
    "messages": "messages that nobody can name, whose labels were kept",
    "words": "words",
    "samples": "messages without their words, which are read anew from cached mail",
    "labels": "changes of labels that no copy tells of",
}


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compares everything that is derived with the labels it is derived from. Exit code 0 only if all is well in "
        "the end and no label was lost."
    )
    parser.add_argument(
        "--repair",
        action="store_true",
        help="mend what can be made anew; from a damaged file save all that can be read, and take what is missing of "
        "the labels from the copy of the last day",
    )
    parser.add_argument(
        "--put-back", type=Path, metavar="BACKUP", help="where the database is damaged: set it aside, use this backup"
    )
    parser.add_argument(
        "--start-empty", action="store_true", help="where the database is damaged: set it aside, begin a new one"
    )


def _run(arguments: argparse.Namespace) -> int:
    paths = paths_of(arguments.home)
    if not paths.data.is_dir():
        raise KnownError(ErrorCode.NOT_FOUND, str(paths.database))
    now = time.time()
    if arguments.put_back or arguments.start_empty:
        _replace(paths, arguments.put_back, now)
    try:
        with _examined(paths, now, repair=arguments.repair) as (store, diagnosis, lost):
            if not (arguments.repair and _damaged(diagnosis)):
                return _tell(arguments, store, diagnosis, lost)
    except KnownError as error:
        if error.error_code is not ErrorCode.DATABASE_DAMAGED:
            raise
        if not arguments.repair:
            return _hopeless(error, paths, arguments.home)
    return _save_what_can_be_read(arguments, paths, now)


def _save_what_can_be_read(arguments: argparse.Namespace, paths: Paths, now: float) -> int:
    from nbmail.store.doctor.salvage import salvage
    from nbmail.worker.model.label_files import copied_line

    try:
        salvaged = salvage(paths, now, copied_line(paths.data))
    except KnownError as error:
        if error.error_code is not ErrorCode.DATABASE_DAMAGED:
            raise
        return _hopeless(error, paths, arguments.home)
    saved = ", ".join(f"{number:,} {_ROWS[name]}" for name, number in salvaged.saved.items())
    lost = [f"{number:,} {_LOST[name]}" for name, number in salvaged.lost.items()]
    say(f"repaired: copied all that can be read into a new file: {saved}.", sys.stderr)
    say(f"lost: {'; '.join(lost) or 'nothing that can be told'}.", sys.stderr)
    say(f"note: the damaged file is kept in {salvaged.kept_in}", sys.stderr)
    with _examined(paths, now, repair=True) as (store, diagnosis, _):
        _take_back_labels(store, now)
        return _tell(arguments, store, diagnosis, salvaged.lost.get("labels", 0))


def _take_back_labels(store: Store, now: float) -> None:
    """Where labels were lost: those that the newest copy still holds."""
    from nbmail.worker.model.label_files import day_of, take_back_labels

    found = take_back_labels(store, now)
    if found is None:
        say("note: there is no copy of the labels to take any from.", sys.stderr)
        return
    copy, back = found
    if back.given or back.waiting:
        waiting = f"; {back.waiting:,} more wait for their mail" if back.waiting else ""
        told = f"{back.given:,} labels that could not be read were taken from the copy of {day_of(copy)}{waiting}"
        say(f"repaired: {told}.", sys.stderr)


def _tell(arguments: argparse.Namespace, store: Store, diagnosis: Diagnosis, lost: int) -> int:
    """Say how it is in the end, and how many changes of labels are lost; the exit code."""
    if arguments.json:
        say(_as_json(store, diagnosis, lost))
    else:
        say(_in_words(store, diagnosis, lost, arguments.home))
    return 0 if diagnosis.sound and not lost else 1


def _hopeless(error: KnownError, paths: Paths, home: Path | None) -> int:
    say(f"nbmail: The file with your labels is damaged ({error.detail}). It was kept as it is.", sys.stderr)
    say("\n".join(_ways_out(paths, home)), sys.stderr)
    return 2


def _damaged(diagnosis: Diagnosis) -> bool:
    """Whether something is wrong with what nothing can be derived from anew."""
    from nbmail.store.doctor.doctor import SOURCES

    return any(not one.sound and one.name in SOURCES for one in diagnosis.findings)


@contextmanager
def _examined(paths: Paths, now: float, *, repair: bool = False) -> Iterator[tuple[Store, Diagnosis, int]]:
    """The open store, how it is, and how many changes of labels were given up because nothing tells of them."""
    from nbmail.core.scoring.model import Model
    from nbmail.store.doctor.doctor import Doctor
    from nbmail.store.files.disk_errors import unreadable_values
    from nbmail.store.store import Store
    from nbmail.worker.model.label_files import copied_line

    with Store(paths, now) as store:
        with unreadable_values(paths.database):
            store.model.choose(Model(store.words.vocabulary, load_settings(paths.settings).method))
        last, missing = store.journal.last_line(), store.lines_missing
        diagnosis, lost = Doctor(store, now).check(repair=repair), 0
        if repair and missing and not _damaged(diagnosis):
            _take_back_labels(store, now)
            lost = max(0, last + missing - max(last, copied_line(paths.data)))
        yield store, diagnosis, lost


def _replace(paths: Paths, backup: Path | None, now: float) -> None:
    """Set a damaged database aside, and say where it is kept. A sound one stays where it is."""
    from nbmail.store.files.set_aside import put_back, start_empty

    if _is_usable(paths, now):
        raise KnownError(ErrorCode.BAD_INPUT, f"{paths.database} is not damaged, so it stays in its place")
    kept = put_back(paths, backup, now) if backup else start_empty(paths, now)
    say(f"note: the damaged file is kept in {kept}", sys.stderr)


def _is_usable(paths: Paths, now: float) -> bool:
    """Whether all that is wrong with it, if anything, can be mended."""
    try:
        with _examined(paths, now) as (_, diagnosis, _):
            return not _damaged(diagnosis)
    except KnownError as error:
        if error.error_code is not ErrorCode.DATABASE_DAMAGED:
            raise
        return False


def _ways_out(paths: Paths, home: Path | None) -> list[str]:
    """What can be done where nothing can be mended, to be typed as it stands."""
    from nbmail.store.files.set_aside import backups_of
    from nbmail.worker.model.label_files import copies_of, day_of

    found, doctor = backups_of(paths), f"nbmail doctor --home {quote(str(home))}" if home else "nbmail doctor"
    lines = [f"Save all that can be read into a new file:  {doctor} --repair"]
    if found:
        lines.append(f"Put the latest backup in its place:         {doctor} --put-back {quote(str(found[0]))}")
    lines += [f"An older backup:                            {path}" for path in found[1:4]]
    empty = "Or begin with an empty one:                " if found else "There is no backup. Begin with an empty one:"
    lines.append(f"{empty} {doctor} --start-empty")
    if copies := copies_of(paths.data):
        back = f"nbmail labels import {quote(str(copies[0]))}" + (f" --home {quote(str(home))}" if home else "")
        lines.append(f"In that, take back the labels of {day_of(copies[0])}:  {back}")
    kept = "Each way the damaged file is kept. Mail is fetched again; `nbmail import` takes in a model you exported."
    return [*lines, kept]


def _what_helps(store: Store, diagnosis: Diagnosis) -> str:
    """Where nothing that can't be had again is damaged."""
    from nbmail.worker.model.label_files import copies_of, day_of

    if not any(one.name in _MENDED for one in diagnosis.findings if not one.sound):
        return "Nothing is lost: no label and no mail."
    copies = copies_of(store.paths.data) if store.lines_missing else []
    takes = f", and takes back what the copy of {day_of(copies[0])} holds of the labels" if copies else ""
    return f"`nbmail doctor --repair` can mend it{takes}."


def _as_json(store: Store, diagnosis: Diagnosis, lost: int) -> str:
    return json.dumps(
        {
            "sound": diagnosis.sound,
            "findings": [one._asdict() for one in diagnosis.findings],
            "repaired": list(diagnosis.repaired),
            "notes": list(store.notes),
            "messages": len(store.messages),
            "labels": len(store.labels),
            "waiting": len(store.waiting_labels),
            "lost": lost,
            "words": len(store.words),
        }
    )


def _in_words(store: Store, diagnosis: Diagnosis, lost: int, home: Path | None) -> str:
    lines = [f"note: {note}" for note in store.notes]
    lines += [f"repaired: {_MENDED.get(name, name)}" for name in diagnosis.repaired]
    for one in diagnosis.findings:
        subject = _SUBJECTS.get(one.name, one.name)
        kind = " (derived)" if one.name in _DERIVED else ""
        lines.append(f"ok     {subject}" if one.sound else f"WRONG  {subject}{kind}: {one.detail}")
    size = f"{len(store.messages):,} messages, {len(store.labels):,} labels"
    if waiting := len(store.waiting_labels):
        size += f" and {waiting:,} that wait for their mail"
    if diagnosis.sound and lost:
        lines.append(f"Mended, but not all is there: {size}. Up to {lost:,} changes of labels are lost.")
    elif diagnosis.sound:
        lines.append(f"All is well: {size}.")
    elif not _damaged(diagnosis):
        lines.append(f"Not all is well: {size}. {_what_helps(store, diagnosis)}")
    else:
        lines.append(f"Not all is well: {size}. Keep a copy of {store.paths.data} before anything else.")
        lines += _ways_out(store.paths, home)
    return "\n".join(lines)


DOCTOR = CliCommand(_add_options, _run)
