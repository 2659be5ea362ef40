"""Parts that all commands share: their description and their output."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TextIO

from nbmail.printable import encodable, printable


class CliCommand(NamedTuple):
    """A command: `add_options` adds its options to a parser, `run` runs it and returns the exit code."""

    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def say(text: str, stream: TextIO | None = None) -> None:
    """Print lines as plain text in the encoding of the output. `stream`: standard output by default."""
    stream = stream or sys.stdout
    stream.write(encodable("\n".join(map(printable, text.split("\n"))) + "\n", stream))


def report(arguments: argparse.Namespace, found: dict[str, Any], text: str) -> None:
    """Print the result: `found` as JSON with the option --json, otherwise `text`."""
    say(json.dumps(found, indent=2) if arguments.json else text)


def table(rows: Sequence[dict[str, Any]], columns: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a table of figures. `columns`: headings by the names of the figures."""
    shown = [name for name in columns if name in rows[0]]
    widths = {name: max(len(columns[name]), *(len(_cell(row, name)) for row in rows)) for name in shown}
    yield "  ".join(columns[name].ljust(widths[name]) for name in shown)
    for row in rows:
        yield "  ".join(_cell(row, name).ljust(widths[name]) for name in shown)


def _cell(row: dict[str, Any], name: str) -> str:
    return "-" if row[name] is None else _number(row, name, 2)


def shown_figure(found: dict[str, Any], name: str) -> str:
    """Return a figure with its interval."""
    return "too few messages" if found[name] is None else _number(found, name, 3)


def _number(row: dict[str, Any], name: str, digits: int) -> str:
    """Return the number with its interval, if there is one."""
    if not isinstance(value := row[name], float):
        return str(value)
    interval = row.get(re.sub("percent", "interval", name)) if "percent" in name else None
    return f"{value:.{digits}f}" + (f" ({interval[0]:.2f}–{interval[1]:.2f})" if interval else "")
