"""The command `nbmail import`: preview, import and remove models."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand
from nbmail.cli.opened_store import open_store
from nbmail.cli.output import learned_from, report
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange import READABLE
from nbmail.text.terminal_text import printable

if TYPE_CHECKING:
    from nbmail.store.store import Store
    from nbmail.worker.protocol.model_files import ImportReport


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="the file to read")
    parser.add_argument(
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
    parser.add_argument(
        "--again",
        action="store_true",
        help="import it again even if it was imported before or exported from here",
    )


def _run(arguments: argparse.Namespace) -> int:
    if (arguments.file is None) != arguments.take_out:
        raise KnownError(ErrorCode.BAD_INPUT, "give exactly one FILE, or --take-out without a FILE")
    with open_store(arguments.home) as store:
        if arguments.take_out:
            return _take_out(arguments, store)
        if arguments.preview:
            return _preview(arguments, store)
        return _import(arguments, store)


def _take_out(arguments: argparse.Namespace, store: Store) -> int:
    """Remove all imports. Return 1 if there are none."""
    was_imported = store.marks.import_counts(None, moment=time.time()).base
    text = "Nothing was imported."
    if was_imported:
        text = "All imports were removed. Labels were not changed."
    report(arguments, {"taken_out": was_imported}, text)
    return 0 if was_imported else 1


def _preview(arguments: argparse.Namespace, store: Store) -> int:
    from nbmail.worker.model.model_import import preview_import

    found = drain(preview_import(store, arguments.file, arguments.as_format))
    facts = found._asdict()
    facts["path"] = str(found.path)
    facts["agreement"] = found.agreement._asdict()
    lines = [*_content_lines(found), *_note_lines(found)]
    report(arguments, facts, "\n".join(map(printable, lines)))
    return 0


def _content_lines(found: ImportReport) -> list[str]:
    lines = [f"{found.path}: {found.format} model, learned from {learned_from(found.classes)}"]
    if found.parts:
        buckets = [f"{name} as {label}" for name, label in found.parts]
        lines.append(f"buckets: {'; '.join(buckets)}")
    lines.append(
        f"words: {found.words} ({found.ours} usable by nbmail, {found.known} already known)"
    )
    if found.kept:
        lines.append(
            f"stored for exports to {found.format}: {found.kept} words without effect here"
        )
    return lines


def _note_lines(found: ImportReport) -> list[str]:
    lines = []
    mine = found.agreement
    marks = mine.spam + mine.ham
    if marks:
        lines.append(
            f"agrees with {mine.spam_right + mine.ham_right} of your {marks} labels: "
            f"{mine.spam_right} of {mine.spam} spam, {mine.ham_right} of {mine.ham} ham"
        )
    if found.is_estimated:
        lines.append("note: the file has no numbers of messages; they are estimated from its words")
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
    return lines


def _import(arguments: argparse.Namespace, store: Store) -> int:
    from nbmail.worker.model.model_import import import_model

    _, done = drain(
        import_model(
            store,
            arguments.file,
            time.time(),
            again=arguments.again,
            replace=arguments.replace,
            format=arguments.as_format,
        )
    )
    found = {
        "file": str(done.path),
        "words": done.words,
        "classes": dict(done.classes),
        "other_method": bool(done.other_method),
    }
    source = learned_from(done.classes)
    lines = [printable(f"Imported {done.words} words from {source}: {done.path}")]
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


IMPORT = CliCommand(_add_options, _run)
