"""The command `nbmail export`: write the model to a file."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand
from nbmail.cli.opened_store import open_store
from nbmail.cli.output import learned_from, report
from nbmail.exchange import WRITABLE
from nbmail.text.terminal_text import printable


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--format",
        choices=WRITABLE,
        default=WRITABLE[0],
        help="file format (default: nbmail)",
    )


def _run(arguments: argparse.Namespace) -> int:
    from nbmail.worker.model.model_export import export_model

    with open_store(arguments.home, read_only=True) as store:
        done = drain(export_model(store, arguments.file, arguments.format, time.time()))

    found = {
        "file": str(done.path),
        "words": done.words,
        "classes": dict(done.classes),
        "left_out": done.left_out,
    }
    source = learned_from(done.classes)
    lines = [printable(f"Exported {done.words} words from {source}: {done.path}")]
    if done.left_out:
        lines.append(
            f"omitted: {done.left_out} words that the {arguments.format} format can't store"
        )
    lines.append(
        "note: the file contains words and addresses of your mail: it is as private as the mail"
    )
    report(arguments, found, "\n".join(lines))
    return 0


EXPORT = CliCommand(_add_options, _run)
