"""What all commands have in common: how they are described, and how they print."""

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, TextIO

from nbmail.printable import printable


class CliCommand(NamedTuple):
    """Adds its options to a parser, and carries out what was parsed: the exit code."""

    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def say(text: str, stream: TextIO | None = None) -> None:
    """Print lines, as plain text that this output can hold: standard output unless another is named."""
    stream = stream or sys.stdout
    plain = "\n".join(map(printable, text.split("\n"))) + "\n"
    encoding = stream.encoding or "utf-8"
    stream.write(plain.encode(encoding, "backslashreplace").decode(encoding))


def report(arguments: argparse.Namespace, found: dict[str, Any], words: str) -> None:
    """Print what was found, as JSON where that was asked for, else in words."""
    say(json.dumps(found, indent=2) if arguments.json else words)
