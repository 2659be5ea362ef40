"""The commands `nbmail export` and `nbmail import`: what was learned, out to a file and in from one."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from nbmail.cli.home import add_common, open_store
from nbmail.cli.printing import printable, say
from nbmail.exchange.model_tables import ModelTables
from nbmail.pieces import drain


def add_export(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a command line; `run` of the parsed arguments carries it out."""
    parser = commands.add_parser("export", help="write what was learned to a file")
    parser.add_argument("file", type=Path, metavar="FILE", help="the .nbmodel file to write")
    add_common(parser)
    parser.set_defaults(run=run_export)


def add_import(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a command line; `run` of the parsed arguments carries it out."""
    parser = commands.add_parser("import", help="add what stands in a model file to what was learned")
    parser.add_argument("file", type=Path, metavar="FILE", help="the .nbmodel file to read")
    add_common(parser)
    parser.add_argument(
        "--again", action="store_true", help="count it once more, even if it was imported before or exported from here"
    )
    parser.set_defaults(run=run_import)


def run_export(arguments: argparse.Namespace) -> int:
    """Write the file; the exit code."""
    from nbmail.worker.model.model_files import note_export, writing_out

    with open_store(arguments.home) as store:
        tables = drain(writing_out(store.model.model, arguments.file))
        note_export(store, tables)
    _report("Exported", tables, arguments)
    return 0


def run_import(arguments: argparse.Namespace) -> int:
    """Read the file and learn it; the exit code."""
    from nbmail.worker.model.model_files import read_in, take_in

    tables = read_in(arguments.file)
    with open_store(arguments.home) as store:
        take_in(store, tables, time.time(), again=arguments.again)
        other_method = tables.method != store.model.model.method
    _report("Imported", tables, arguments, other_method=other_method)
    return 0


def _report(deed: str, tables: ModelTables, arguments: argparse.Namespace, *, other_method: bool | None = None) -> None:
    classes = dict(zip(tables.classes, tables.messages, strict=True))
    if arguments.json:
        report: dict[str, Any] = {"file": str(arguments.file), "words": len(tables.words), "classes": classes}
        if other_method is not None:
            report["other_method"] = other_method
        say(json.dumps(report, indent=2))
        return
    messages = ", ".join(f"{number} {name}" for name, number in classes.items())
    say(printable(f"{deed} {len(tables.words)} words from {messages or 'no messages'}: {arguments.file}"))
    if other_method:
        say(printable(f"note: it was made by another way of learning ({tables.method}): only its counts were taken"))
