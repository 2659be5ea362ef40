"""The command `nbmail labels`: all labels to a table for spreadsheets, or every change of them, and back."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand, report, say
from nbmail.cli.home import open_store

if TYPE_CHECKING:
    from nbmail.store.store import Store


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Labels of mail that isn't here yet wait for it. A label given here later than the one in the file stays."
    )
    parser.add_argument("way", choices=("export", "import"))
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write or to read")
    parser.add_argument(
        "--journal", action="store_true", help="write every change of a label, in the format of labels.log"
    )


def _run(arguments: argparse.Namespace) -> int:
    is_export = arguments.way == "export"
    if arguments.journal and not is_export:
        arguments.usage_error("--journal belongs to export; import takes both kinds of files")
    with open_store(arguments.home, reading=is_export) as store:
        found, text = (_export if is_export else _import)(store, arguments)
        if missing := store.log.missing():
            note = f"note: {missing:,} labels are in labels.log only: `nbmail doctor --take-back` gives them."
            say(note, sys.stderr)
    report(arguments, found, text)
    return 0


def _export(store: Store, arguments: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from nbmail.worker.model.label_files import writing_labels

    drain(writing_labels(store, arguments.file, journal=arguments.journal))
    waiting = len(store.waiting_labels)
    text = f"Wrote {len(store.labels):,} labels to {arguments.file}."
    if arguments.journal:
        with arguments.file.open("rb") as written:
            text = f"Wrote {sum(1 for _ in written):,} changes of labels to {arguments.file}."
    if waiting:
        text += f" Behind them stand {waiting:,} that wait for mail that isn't here yet."
    return {"file": str(arguments.file), "labels": len(store.labels), "waiting": waiting}, text


def _import(store: Store, arguments: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from nbmail.worker.model.label_files import import_labels

    done = import_labels(store, arguments.file, time.time())
    text = f"Gave {done.given:,} labels."
    if done.waiting:
        text += f" {done.waiting:,} wait for mail that isn't here yet."
    if done.older:
        text += f" {done.older:,} were left out: this home was told something later."
    return {"given": done.given, "waiting": done.waiting, "older": done.older}, text


LABELS = CliCommand(_add_options, _run)
