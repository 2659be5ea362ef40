"""Entry point of the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from nbmail.cli import COMMANDS
from nbmail.cli.command import ERROR, CliCommand
from nbmail.cli.error_texts import explain
from nbmail.cli.output import say
from nbmail.errors import KnownError
from nbmail.text.terminal_text import PlainParser, printable
from nbmail.version import read_version

STOPPED = 130
"""Exit code that shells give a command stopped by Ctrl+C."""


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code.

    0: success, 1: negative result, 2: error, 130: stopped.
    """
    parsed = _parser(arguments[0]).parse_args(_common_options_first(arguments))
    try:
        return int(parsed.run(parsed))
    except KnownError as error:
        say(printable(f"nbmail: {explain(error)}"), sys.stderr)
        return ERROR
    except KeyboardInterrupt:
        print("nbmail: stopped. Everything saved so far is complete.", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # The reader of the output is gone. Without `stdout` nothing is flushed at exit, which would
        # fail again.
        sys.stdout = None
        return 0


def _common_options_first(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the options of all commands directly behind the command.

    At an option, `argparse` gives up the optional arguments that could follow it.
    """
    command, *given = arguments
    common: list[str] = []
    others: list[str] = []
    while given and given[0] != "--":
        one = given.pop(0)
        if one == "--home" and given:
            common += [one, given.pop(0)]
        elif one == "--json" or one.startswith("--home="):
            common.append(one)
        else:
            others.append(one)
    return [command, *common, *others, *given]


def _parser(command: str) -> argparse.ArgumentParser:
    """Return a parser of all commands. Only the given one gets its options."""
    parser = PlainParser(
        prog="nbmail",
        description=(
            "Sort mail with a model that you train by marking messages. Without a command, the "
            "window opens."
        ),
        epilog=(
            "nbmail --demo opens a demo account; nbmail --demo --help lists the window's "
            "options. --home DIR can precede or follow the command. Exit codes: 0 success, 1 "
            "negative result, 2 error."
        ),
    )
    parser.add_argument("--version", action="version", version=f"nbmail {read_version().line}")
    commands: argparse._SubParsersAction[Any] = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True
    )
    for name, (module, words) in COMMANDS.items():
        one = commands.add_parser(name, help=words)
        if name == command:
            found = _load_command(module, name)
            found.add_options(one)
            _add_common_options(one)
            one.set_defaults(run=found.run, usage_error=one.error)
    return parser


def _load_command(module: str, name: str) -> CliCommand:
    loaded = import_module(f"nbmail.cli.commands.{module}")
    command: CliCommand = getattr(loaded, name.upper())
    return command


def _add_common_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--home", type=Path, metavar="DIR", help="data folder for settings, mail and model"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
