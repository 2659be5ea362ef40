"""The commands `nbmail export` and `nbmail import`: what was learned, out to a file and in from one."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbmail.chunks import drain
from nbmail.cli.command import CliCommand, report, say
from nbmail.cli.home import open_store
from nbmail.errors import ErrorCode, KnownError
from nbmail.exchange.format_names import READABLE, WRITABLE
from nbmail.printable import printable

if TYPE_CHECKING:
    from nbmail.worker.protocol import Exported, Imported
    from nbmail.worker.protocol.model_files import ImportReport

_DROPPED = {
    "dates": "the days on which {n} words were last met",
    "zero": "{n} words without a count",
    "foreign": "{n} words that only that filter has",
    "magnets": "{n} magnets, which are rules and no training",
    "robx": "what bogoutil -R worked out (.ROBX): bogoutil loads none; run it again on the new list",
    "reckoned": "how many messages taught it: it counts words alone, so that is reckoned from them",
}


def _add_export_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to write")
    parser.add_argument("--format", choices=WRITABLE, default=WRITABLE[0], help="for which program (nbmail)")
    parser.add_argument(
        "--redact",
        type=_positive,
        metavar="K",
        default=0,
        help="leave out words of fewer than K messages or K senders, addresses, numbers and names of your people",
    )


def _add_import_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="the file to read")
    parser.add_argument("--as-format", choices=READABLE, default="", help="read it as this; else told by its content")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--preview", action="store_true", help="say what it holds and change nothing")
    what.add_argument("--merge", action="store_true", help="add it to what was learned, which is what happens anyway")
    what.add_argument("--replace", action="store_true", help="put it in the place of all imports, after a backup")
    what.add_argument("--take-out", action="store_true", help="take out all that was imported; names no file")
    parser.add_argument(
        "--again", action="store_true", help="count it once more, even if it was imported before or exported from here"
    )


def _positive(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 1_000_000:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 up")
    return int(text)


def _export(arguments: argparse.Namespace) -> int:
    from nbmail.worker.model.model_files import exporting
    from nbmail.worker.protocol import ExportModel

    command = ExportModel(arguments.file, arguments.format, arguments.redact)
    with open_store(arguments.home) as store:
        done = drain(exporting(store, command, time.time()))
    if arguments.json:
        caught = {"caught": done.caught} if done.redacted else {}
        say(json.dumps({**_figures(done), "left_out": done.left_out, **caught}, indent=2))
        return 0
    say(_in_words("Exported", done))
    if done.left_out:
        why = "" if done.redacted else f" that files for {command.format} can't hold"
        say(f"left out: {done.left_out} words{why}")
    if done.caught:
        before, after = done.caught
        say(f"junk caught with one good message in 200 lost: {before:.1%} by all words, {after:.1%} by these")
    elif done.redacted:
        say("what that costs can't be told: too few of the latest labels are of junk, or of good mail")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    from nbmail.worker.model.import_report import reporting
    from nbmail.worker.model.model_files import importing
    from nbmail.worker.protocol import ImportModel

    path, now = arguments.file, time.time()
    if (path is None) != arguments.take_out:
        raise KnownError(ErrorCode.BAD_INPUT, "name one FILE to import, and none with --take-out")
    with open_store(arguments.home) as store:
        if arguments.take_out:
            return _say_taken_out(store.marks.drop_base(moment=now).base, arguments)
        if arguments.preview:
            _preview(drain(reporting(store, path, arguments.as_format)), arguments)
            return 0
        command = ImportModel(path, arguments.again, arguments.replace, arguments.as_format)
        _, done = drain(importing(store, command, now))
    if arguments.json:
        backup = {"backup": str(done.backup)} if done.backup else {}
        say(json.dumps({**_figures(done), "other_method": bool(done.other_method), **backup}, indent=2))
        return 0
    say(_in_words("Imported", done))
    if done.other_method:
        say(f"note: it was made by another way of learning ({done.other_method}): only its counts were taken")
    if done.backup:
        say(f"the model of before is kept: {done.backup}")
    return 0


def _figures(done: Exported | Imported) -> dict[str, Any]:
    return {"file": str(done.path), "words": done.words, "classes": dict(done.classes)}


def _in_words(deed: str, done: Exported | Imported) -> str:
    return printable(f"{deed} {done.words} words from {_messages(done.classes)}: {done.path}")


def _messages(classes: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{number} {name}" for name, number in classes) or "no messages"


def _say_taken_out(any_was: bool, arguments: argparse.Namespace) -> int:
    told = "What was imported is taken out; the labels stay." if any_was else "Nothing was imported."
    report(arguments, {"taken_out": any_was}, told)
    return 0 if any_was else 1


def _preview(found: ImportReport, arguments: argparse.Namespace) -> None:
    if arguments.json:
        say(json.dumps({**asdict(found), "path": str(found.path)}, indent=2))
        return
    say(printable(f"{found.path}: a model of {found.format}, learned from {_messages(found.classes)}"))
    if found.parts:
        say(printable("its buckets: " + "; ".join(f"{name}, taken as {label}" for name, label in found.parts)))
    say(f"words: {found.words}, {found.ours} of them words of nbmail's too, {found.known} known here")
    if found.kept:
        say(f"kept to be given back: {found.kept} words that only {found.format} has")
    for what, number in found.dropped:
        say("not taken: " + _DROPPED[what].format(n=number))
    mine = found.agreement
    if mine.junk + mine.good:
        right = mine.junk_right + mine.good_right
        say(
            f"alone it would have judged {right} of your {mine.junk + mine.good} labelled messages as you did: "
            f"{mine.junk_right} of {mine.junk} junk, {mine.good_right} of {mine.good} good"
        )
    if found.other_method:
        say("note: it was made by another way of learning: only its counts would be taken")
    if found.counted:
        say("note: it was imported before, or exported from here: it would count twice, and only with --again")
    say("Nothing was changed. --merge adds it to what was learned, --replace puts it in the place of earlier imports.")


EXPORT = CliCommand(_add_export_options, _export)
IMPORT = CliCommand(_add_import_options, _import)
