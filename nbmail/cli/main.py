"""nbmail without a window: finds the command that is named, and puts its errors into one sentence."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from nbmail.cli import COMMANDS
from nbmail.cli.command import CliCommand, say
from nbmail.cli.home import add_common
from nbmail.errors import ErrorCode, KnownError
from nbmail.printable import PlainParser, printable
from nbmail.version import read_version

# What is said of each trouble that a command can meet, and of what to do; the brackets are for what it is about.
_TOLD = {
    ErrorCode.DISK_FULL: "The disk is full{}. Nothing is lost so far; free some space and try again.",
    ErrorCode.DISK_ERROR: "The disk can't be read or written{}. Copy your data soon: it may be failing.",
    ErrorCode.READ_ONLY: "nbmail may not write there{}. Make the folder writable, or name another one with --home.",
    ErrorCode.HOME_IN_USE: "nbmail is already running on this home{}. Close its window, or name another with --home.",
    ErrorCode.HOME_TOO_NEW: "This home is from a newer nbmail{}. Install that version; nothing was changed.",
    ErrorCode.HOME_DELETED: "Somebody deleted the file with your labels{}. It was written anew; nothing is lost.",
    ErrorCode.DATABASE_DAMAGED: "The file with your labels is damaged{}. It was kept; `nbmail doctor` says what to do.",
    ErrorCode.BAD_INPUT: "nbmail can't make sense of this input{}. Correct what is named here.",
    ErrorCode.NOT_FOUND: "That isn't there{}. Check the path.",
    ErrorCode.BAD_MODEL_FILE: "This is no model file that nbmail can use{}. Nothing was changed.",
    ErrorCode.ALREADY_KNOWN: "What stands in this file is counted already: it was imported before, or exported from "
    "here{}. Nothing was changed; --again counts it once more.",
    ErrorCode.NOT_ENOUGH_YET: "Nothing can be said yet{}. Teach it some mail first: nbmail learn --as junk PATH, "
    "nbmail learn --as good PATH.",
}
WRONG = 2
# What a shell says of a command that was stopped by Ctrl+C.
STOPPED = 130


def main(arguments: Sequence[str]) -> int:
    """Carry out a command; the exit code: 0 done, 1 the answer is no, 2 asked wrongly or not possible, 130 stopped."""
    parser = _parser(arguments[0])
    parsed = parser.parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except KnownError as error:
        say(printable(f"nbmail: {explain(error)}"), sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print("nbmail: stopped. What had been kept by then stays; nothing is half done.", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # Whoever read our lines has gone: nothing more to say, and nothing to be flushed at the end.
        sys.stdout = None
        return 0


def explain(error: KnownError) -> str:
    """What happened, where, and what to do, on one line."""
    told = _TOLD.get(error.error_code, f"That did not work ({error.error_code}){{}}. Please try again.")
    return told.format(f" ({error.detail})" if error.detail else "")


def _parser(command: str) -> argparse.ArgumentParser:
    parser = PlainParser(
        prog="nbmail",
        description="Sort mail with a model that you train by sorting it. Without a command the window opens.",
        epilog="nbmail --demo shows it on a built-in mailbox. --home DIR may stand before the command or behind it. "
        "Exit codes: 0 done, 1 the answer is no, 2 not possible.",
    )
    parser.add_argument("--version", action="version", version=f"nbmail {read_version().line}")
    commands: argparse._SubParsersAction[Any] = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True
    )
    for name, (module, words) in COMMANDS.items():
        one = commands.add_parser(name, help=words)
        if name == command:
            found: CliCommand = getattr(import_module(f"nbmail.cli.{module}"), name.upper())
            found.add_options(one)
            add_common(one)
            one.set_defaults(run=found.run, complain=one.error)
    return parser
