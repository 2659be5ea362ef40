"""The command `nbmail labels`: export and import all changes of labels."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand
from nbmail.cli.opened_store import open_store
from nbmail.cli.output import report


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "The file has a line for each change of a label, as labels.log has. Labels for mail that "
        "is not stored yet are applied when it arrives. A newer label in the data folder is kept."
    )
    parser.add_argument("way", choices=("export", "import"))
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write or to read")


def _run(arguments: argparse.Namespace) -> int:
    if arguments.way == "export":
        _export(arguments)
    else:
        _import(arguments)
    return 0


def _export(arguments: argparse.Namespace) -> None:
    from nbmail.worker.model.label_files import writing_labels

    with open_store(arguments.home, read_only=True) as store:
        lines = drain(writing_labels(store, arguments.file))
        labels = len(store.labels)
        waiting = len(store.waiting_labels)

    found = {"file": str(arguments.file), "lines": lines, "labels": labels, "waiting": waiting}
    text = f"Wrote {lines:,} label changes to {arguments.file}."
    if waiting:
        text += f" {waiting:,} of them apply to mail that is not stored yet."
    report(arguments, found, text)


def _import(arguments: argparse.Namespace) -> None:
    from nbmail.worker.model.label_files import import_labels

    with open_store(arguments.home) as store:
        done = import_labels(store, arguments.file, time.time())

    found = {"given": done.given, "waiting": done.waiting, "older": done.older}
    text = f"Gave {done.given:,} labels."
    if done.waiting:
        text += f" {done.waiting:,} apply to mail that is not stored yet."
    if done.older:
        text += f" {done.older:,} were skipped because the data folder has a newer label."
    report(arguments, found, text)


LABELS = CliCommand(_add_options, _run)
