"""What a command prints: mail and file names may hold anything, a terminal obeys more than it shows."""

import sys
from typing import TextIO


def printable(text: str) -> str:
    """The text with everything escaped that is no visible character or plain space: control characters, line ends,
    signs that turn the direction of writing, bytes of a file name that are no UTF-8.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def say(text: str, stream: TextIO | None = None) -> None:
    """Print lines, as plain text that this output can hold: standard output unless another is named."""
    stream = stream or sys.stdout
    plain = "\n".join(map(printable, text.split("\n"))) + "\n"
    encoding = stream.encoding or "utf-8"
    stream.write(plain.encode(encoding, "backslashreplace").decode(encoding))
