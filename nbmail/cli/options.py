"""Options that several commands have."""

import argparse
import sys
from collections.abc import Callable
from typing import TypeVar

Number = TypeVar("Number", int, float)


def number(
    kind: Callable[[str], Number], sentence: str, least: float, most: float = sys.float_info.max
) -> Callable[[str], Number]:
    """Return a parser of a number from `least` to `most`.

    `sentence`: the error, with braces for the text.
    """

    def parse(text: str) -> Number:
        try:
            found = kind(text)
        except ValueError:
            found = None
        if found is None or not least <= found <= most:
            raise argparse.ArgumentTypeError(sentence.format(text))
        return found

    return parse


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add the option for trusted servers: `trusted_servers`, a list of names."""
    parser.add_argument(
        "--trust-server",
        action="append",
        dest="trusted_servers",
        default=[],
        metavar="NAME",
        help=(
            "mail server whose checks of senders count, as its Authentication-Results name it; "
            "may be repeated"
        ),
    )
