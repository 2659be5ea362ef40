"""Output of the commands, as plain text or JSON."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TextIO

from nbmail.text.terminal_text import encodable, printable


def say(text: str, stream: TextIO | None = None) -> None:
    """Print lines as plain text in the encoding of the output.

    `stream`: standard output by default.
    """
    stream = stream or sys.stdout
    lines = map(printable, text.split("\n"))
    stream.write(encodable("\n".join(lines) + "\n", stream))


def report(arguments: argparse.Namespace, found: Mapping[str, object], text: str) -> None:
    """Print the result of a command: as JSON on request, otherwise as text."""
    say(json.dumps(found, indent=2) if arguments.json else text)


def learned_from(classes: Sequence[tuple[str, int]]) -> str:
    """Return the numbers of messages that a model learned, by class."""
    if not classes:
        return "no messages"
    return ", ".join(f"{messages} {name}" for name, messages in classes)
