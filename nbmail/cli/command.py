"""Parts that all commands share: their description and their output."""

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, TextIO

from nbmail.printable import printable


class CliCommand(NamedTuple):
    """A command: `add_options` adds its options to a parser, `run` runs it and returns the exit code."""

    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def say(text: str, stream: TextIO | None = None) -> None:
    """Print lines as plain text in the encoding of the output. `stream`: standard output by default."""
    stream = stream or sys.stdout
    plain = "\n".join(map(printable, text.split("\n"))) + "\n"
    encoding = stream.encoding or "utf-8"
    stream.write(plain.encode(encoding, "backslashreplace").decode(encoding))


def report(arguments: argparse.Namespace, found: dict[str, Any], text: str) -> None:
    """Print the result: `found` as JSON with the option --json, otherwise `text`."""
    say(json.dumps(found, indent=2) if arguments.json else text)
