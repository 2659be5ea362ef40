"""Text for a terminal, which must not act on it."""

from argparse import ArgumentParser
from typing import Any, TextIO


def printable(text: str) -> str:
    """Escape everything except visible characters and spaces.

    Bytes of a file name that are not UTF-8 are escaped, too.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


def encodable(text: str, stream: TextIO) -> str:
    """Escape what the encoding of a stream doesn't have."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


class PlainParser(ArgumentParser):
    """Argument parser that escapes the arguments in its messages."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message("\n".join(map(printable, message.split("\n"))), file)
