"""What is written to a terminal: mail and file names may hold anything, and a terminal obeys more than it shows."""

from argparse import ArgumentParser
from typing import Any


def printable(text: str) -> str:
    """The text with everything escaped that is no visible character or plain space: control characters, line ends,
    signs that turn the direction of writing, bytes of a file name that are no UTF-8.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


class PlainParser(ArgumentParser):
    """Says what is wrong with arguments, and never hands on what they hold as it stands."""

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message("\n".join(map(printable, message.split("\n"))), file)
