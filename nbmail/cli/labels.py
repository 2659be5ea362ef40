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
        "Labels for mail that is not stored yet are applied when it arrives. A newer label in the data folder is kept."
    )
    parser.add_argument("way", choices=("export", "import"))
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write or to read")
    parser.add_argument(
        "--journal", action="store_true", help="export the full history of each label, in the format of labels.log"
    )


def _run(arguments: argparse.Namespace) -> int:
    is_export = arguments.way == "export"
    if arguments.journal and not is_export:
        arguments.usage_error("--journal works only with export; import reads both kinds of files")
    with open_store(arguments.home, reading=is_export) as store:
        found, text = (_export if is_export else _import)(store, arguments)
        if missing := store.log.missing():
            note = f"note: {missing:,} labels are in labels.log only: `nbmail doctor --take-back` restores them."
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
            text = f"Wrote {sum(1 for _ in written):,} label changes to {arguments.file}."
    if waiting:
        text += f" In addition, {waiting:,} labels for mail that is not stored yet."
    return {"file": str(arguments.file), "labels": len(store.labels), "waiting": waiting}, text


def _import(store: Store, arguments: argparse.Namespace) -> tuple[dict[str, Any], str]:
    from nbmail.worker.model.label_files import import_labels

    done = import_labels(store, arguments.file, time.time())
    text = f"Gave {done.given:,} labels."
    if done.waiting:
        text += f" {done.waiting:,} apply to mail that is not stored yet."
    if done.older:
        text += f" {done.older:,} were skipped because the data folder has a newer label."
    return {"given": done.given, "waiting": done.waiting, "older": done.older}, text


LABELS = CliCommand(_add_options, _run)
