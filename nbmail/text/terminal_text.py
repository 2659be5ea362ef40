"""Text for a terminal, which must not act on it."""

from argparse import ArgumentParser
from typing import Any, TextIO


def printable(text: str) -> str:
    """Escape everything except visible characters and spaces, also bytes of a file name that are
    not UTF-8.
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text
    )


def encodable(text: str, stream: TextIO) -> str:
    """Escape what the encoding of a stream doesn't have."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


class PlainParser(ArgumentParser):
    """Argument parser that escapes the arguments in its messages."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message("\n".join(map(printable, message.split("\n"))), file)
