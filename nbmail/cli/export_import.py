"""The commands `nbmail export` and `nbmail import` for models."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.chunks import drain
from nbmail.cli.main import CliCommand, open_store, report
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import READABLE, WRITABLE
from nbmail.text.terminal_text import printable

if TYPE_CHECKING:
    from nbmail.worker.protocol.model_files import Exported, Imported, ImportReport


_DROPPED = {
    "dates": "the days on which {n} words were last seen",
    "zero": "{n} words without a count",
    "foreign": "{n} words that only that filter has",
    "magnets": "{n} magnets (these are rules, not training)",
    "robx": (
        "the result of bogoutil -R (.ROBX), which bogoutil can't load; run it again on the new list"
    ),
    "reckoned": "the number of messages: the file counts words only, so it is estimated from them",
}


def _add_export_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="the file to write")
    add("--format", choices=WRITABLE, default=WRITABLE[0], help="file format (default: nbmail)")


def _add_import_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", type=Path, nargs="?", metavar="FILE", help="the file to read")
    add(
        "--as-format",
        choices=READABLE,
        default="",
        help="file format (default: detected from the content)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--preview", action="store_true", help="show what the file contains without importing it"
    )
    what.add_argument("--merge", action="store_true", help="add to the current model (default)")
    what.add_argument(
        "--replace", action="store_true", help="replace all earlier imports, after a backup"
    )
    what.add_argument("--take-out", action="store_true", help="remove all imports (takes no FILE)")
    add(
        "--again",
        action="store_true",
        help="import it again even if it was imported before or exported from here",
    )


def _export(arguments: argparse.Namespace) -> int:
    from nbmail.worker.model.import_export import export_model

    with open_store(arguments.home, read_only=True) as store:
        done = drain(export_model(store, arguments.file, arguments.format, time.time()))
    found, lines = _summary("Exported", done)
    found["left_out"] = done.left_out
    if done.left_out:
        lines.append(
            f"omitted: {done.left_out} words that the {arguments.format} format can't store"
        )
    lines.append(
        "note: the file contains words and addresses of your mail: it is as private as the mail"
    )
    report(arguments, found, "\n".join(lines))
    return 0


def _import(arguments: argparse.Namespace) -> int:
    from nbmail.worker.model.import_export import import_model, preview_import

    path = arguments.file
    now = time.time()
    if (path is None) != arguments.take_out:
        raise KnownError(ErrorCode.BAD_INPUT, "give exactly one FILE, or --take-out without a FILE")
    with open_store(arguments.home) as store:
        if arguments.take_out:
            imported = store.marks.import_counts(None, moment=now).base
            text = (
                "All imports were removed. Labels were not changed."
                if imported
                else "Nothing was imported."
            )
            report(arguments, {"taken_out": imported}, text)
            return 0 if imported else 1
        if arguments.preview:
            _preview(drain(preview_import(store, path, arguments.as_format)), arguments)
            return 0
        options = {name: getattr(arguments, name) for name in ("again", "replace")}
        _, done = drain(import_model(store, path, now, **options, format=arguments.as_format))
    found, lines = _summary("Imported", done)
    found["other_method"] = bool(done.other_method)
    if done.other_method:
        lines.append(
            f"note: made with another method ({done.other_method}), so only its word counts "
            f"were imported"
        )
    if done.backup:
        found["backup"] = str(done.backup)
        lines.append(printable(f"previous model saved to {done.backup}"))
    report(arguments, found, "\n".join(lines))
    return 0


def _summary(action: str, done: Exported | Imported) -> tuple[dict[str, Any], list[str]]:
    found = {"file": str(done.path), "words": done.words, "classes": dict(done.classes)}
    return found, [
        printable(f"{action} {done.words} words from {_messages(done.classes)}: {done.path}")
    ]


def _messages(classes: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{number} {name}" for name, number in classes) or "no messages"


def _preview(found: ImportReport, arguments: argparse.Namespace) -> None:
    lines = [f"{found.path}: {found.format} model, learned from {_messages(found.classes)}"]
    if found.parts:
        lines.append("buckets: " + "; ".join(f"{name} as {label}" for name, label in found.parts))
    lines.append(
        f"words: {found.words} ({found.ours} usable by nbmail, {found.known} already known)"
    )
    if found.kept:
        lines.append(
            f"stored for exports to {found.format}: {found.kept} words without effect here"
        )
    lines += ["not imported: " + _DROPPED[what].format(n=number) for what, number in found.dropped]
    mine = found.agreement
    if mine.spam + mine.ham:
        right = mine.spam_right + mine.ham_right
        lines.append(
            f"agrees with {right} of your {mine.spam + mine.ham} labels: "
            f"{mine.spam_right} of {mine.spam} spam, {mine.ham_right} of {mine.ham} ham"
        )
    if found.other_method:
        lines.append("note: made with another method, so only its word counts would be imported")
    if found.counted:
        lines.append(
            "note: imported before or exported from here; importing it again needs --again "
            "and counts everything twice"
        )
    lines.append(
        "Nothing was changed. Use --merge to add it to the model or --replace to replace "
        "earlier imports."
    )
    report(
        arguments,
        found._asdict() | {"path": str(found.path), "agreement": found.agreement._asdict()},
        "\n".join(map(printable, lines)),
    )


EXPORT = CliCommand(_add_export_options, _export)
IMPORT = CliCommand(_add_import_options, _import)
