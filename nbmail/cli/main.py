"""Entry point of the command line: run one command and print an expected error as one line."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from nbmail.cli import COMMANDS
from nbmail.cli.command import CliCommand, add_common, say
from nbmail.errors import ErrorCode, KnownError
from nbmail.foreign_text import PlainParser, printable
from nbmail.version import read_version

# Text for each error that a command can meet, with advice; the braces are for the detail.
_TEXTS = {
    ErrorCode.DISK_FULL: "The disk is full{}. Free some space and try again.",
    ErrorCode.DISK_ERROR: "Can't read from or write to the disk{}. It may be failing, so back up your data now.",
    ErrorCode.READ_ONLY: "No permission to write{}. Change the folder's permissions, or choose another folder with "
    "--home.",
    ErrorCode.HOME_IN_USE: "nbmail is already using this data folder{}. Close its window, or choose another folder "
    "with --home.",
    ErrorCode.HOME_TOO_NEW: "This data folder was saved by a newer version of nbmail{}. Install that version; nothing "
    "was changed.",
    ErrorCode.HOME_DELETED: "The file with your labels was deleted while nbmail was running{}. nbmail restored it, and "
    "no labels were lost.",
    ErrorCode.DATABASE_DAMAGED: "The file with your labels is damaged{}. Run `nbmail doctor` to see what you can do; "
    "the file is kept.",
    ErrorCode.BAD_INPUT: "Invalid input{}. Correct it and try again.",
    ErrorCode.WRONG_PASSWORD: "The mail server refuses the user name or password{}. Check both.",
    ErrorCode.SIGN_IN_AGAIN: "The sign-in has expired or was revoked{}. Run nbmail account sign-in NAME.",
    ErrorCode.SIGN_IN_LATER: "The sign-in can't be renewed now{}. Try again later.",
    ErrorCode.SIGN_IN_FAILED: "The sign-in failed{}. Try again.",
    ErrorCode.NO_CLIENT_ID: "nbmail has no client ID at this provider yet{}. An app password may work instead, or "
    "--client-id with one of your own.",
    ErrorCode.WRONG_SCOPE: "The sign-in allows too little{}. Sign in again and allow access to mail.",
    ErrorCode.NO_KEYRING: "There is no keyring to keep the sign-in{}. Use --token-file.",
    ErrorCode.KEYRING_FAILED: "The keyring reports an error{}. Use --password-file or --token-file.",
    ErrorCode.NO_PASSWORD: "There is no password{}.",
    ErrorCode.NO_NETWORK: "The mail server can't be found{}. Check its name and your connection.",
    ErrorCode.SERVER_GONE: "The mail server doesn't answer{}. Try again later.",
    ErrorCode.CERTIFICATE: "The mail server's certificate is not valid{}. Your password was not sent.",
    ErrorCode.FOLDER_MISSING: "The account has no such folder{}. Check its name.",
    ErrorCode.NOT_FOUND: "Not found{}. Check the path.",
    ErrorCode.BAD_MODEL_FILE: "nbmail can't use this model file{}. Nothing was changed.",
    ErrorCode.ALREADY_KNOWN: "This file was already imported or was exported from here{}. Nothing was changed; use "
    "--again to import it anyway.",
    ErrorCode.NOT_ENOUGH_YET: "Too few labelled messages{}. First run nbmail learn --as junk PATH and nbmail learn "
    "--as good PATH.",
}
ERROR = 2
# The exit code that shells give a command stopped by Ctrl+C.
STOPPED = 130


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code: 0 success, 1 negative result, 2 error, 130 stopped."""
    parser = _parser(arguments[0])
    parsed = parser.parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except KnownError as error:
        say(printable(f"nbmail: {explain(error)}"), sys.stderr)
        return ERROR
    except KeyboardInterrupt:
        print("nbmail: stopped. Everything saved so far is complete.", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # The reader of the output is gone. Without `stdout` nothing is flushed at exit, which would fail again.
        sys.stdout = None
        return 0


def explain(error: KnownError) -> str:
    """Return what happened, where, and advice, on one line."""
    text = _TEXTS.get(error.error_code, f"The command failed ({error.error_code}){{}}. Try again.")
    return text.format(f" ({error.detail})" if error.detail else "")


def _parser(command: str) -> argparse.ArgumentParser:
    parser = PlainParser(
        prog="nbmail",
        description="Sort mail with a model that you train by marking messages. Without a command, the window opens.",
        epilog="nbmail --demo opens a demo account; nbmail --demo --help lists the window's options. --home DIR can "
        "precede or follow the command. Exit codes: 0 success, 1 negative result, 2 error.",
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
            one.set_defaults(run=found.run, usage_error=one.error)
    return parser
