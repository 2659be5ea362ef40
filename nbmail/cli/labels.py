"""The command `nbmail labels`: every label out to a table that a spreadsheet opens, and back in."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand, report
from nbmail.cli.home import open_store


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Labels of mail that isn't here yet wait for it. A label given here later than the one in the table stays. "
        "A copy of each day with new labels is in the folder `backups` beside the database."
    )
    parser.add_argument("way", choices=("export", "import"))
    parser.add_argument("file", type=Path, metavar="FILE", help="the table")
    parser.add_argument("--journal", action="store_true", help="write every change of a label, not only the last")


def _run(arguments: argparse.Namespace) -> int:
    if arguments.journal and arguments.way == "import":
        arguments.usage_error("--journal belongs to export; import takes both kinds of tables")
    with open_store(arguments.home) as store:
        from nbmail.worker.model.label_files import take_in_labels, writing_labels

        if arguments.way == "export":
            drain(writing_labels(store, arguments.file, journal=arguments.journal))
            waiting = 0 if arguments.journal else len(store.waiting_labels)
            found: dict[str, Any] = {"file": str(arguments.file), "labels": len(store.labels), "waiting": waiting}
            every = "every change of " if arguments.journal else ""
            words = f"Wrote {every}{len(store.labels):,} labels to {arguments.file}."
            if waiting:
                words += f" Behind them stand {waiting:,} that wait for mail that isn't here yet."
        else:
            taken = take_in_labels(store, arguments.file, time.time())
            found = {"given": taken.given, "waiting": taken.waiting, "older": taken.older}
            words = f"Gave {taken.given:,} labels."
            if taken.waiting:
                words += f" {taken.waiting:,} wait for mail that isn't here yet."
            if taken.older:
                words += f" {taken.older:,} were left out: this home was told something later."
    report(arguments, found, words)
    return 0


LABELS = CliCommand(_add_options, _run)
