"""nbmail without a window: finds the command that is named, and puts its errors into one sentence."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from nbmail import __version__
from nbmail.cli.printing import printable, say
from nbmail.cli.troubles import explain
from nbmail.errors import KnownError

Add = Callable[["argparse._SubParsersAction[argparse.ArgumentParser]"], None]

# Each command's module and the function in it that adds it; only the module of the command that is named is loaded.
COMMANDS = {
    "learn": ("nbmail.cli.learn", "add_learn"),
    "score": ("nbmail.cli.score", "add_score"),
    "evaluate": ("nbmail.cli.evaluate", "add_evaluate"),
    "export": ("nbmail.cli.models", "add_export"),
    "import": ("nbmail.cli.models", "add_import"),
    "doctor": ("nbmail.cli.doctor", "add_doctor"),
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


def _parser(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nbmail",
        description="Sort mail with a model that you train by sorting it. Without a command the window opens.",
        epilog="nbmail --demo shows it on a built-in mailbox. Exit codes: 0 done, 1 the answer is no, 2 not possible.",
    )
    parser.add_argument("--version", action="version", version=f"nbmail {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in [command] if command in COMMANDS else COMMANDS:
        module, function = COMMANDS[name]
        add: Add = getattr(import_module(module), function)
        add(commands)
    return parser
