"""Text for terminals: mail and file names may contain control sequences."""

from argparse import ArgumentParser
from typing import Any


def printable(text: str) -> str:
    """Escape everything except visible characters and spaces.

    Escaped are control characters, line ends, bidirectional marks, and bytes of a file name that are not UTF-8.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


class PlainParser(ArgumentParser):
    """Argument parser that escapes the arguments in its messages."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message("\n".join(map(printable, message.split("\n"))), file)
