"""What a command prints."""

import sys
from typing import TextIO

from nbmail.printable import printable


def say(text: str, stream: TextIO | None = None) -> None:
    """Print lines, as plain text that this output can hold: standard output unless another is named."""
    stream = stream or sys.stdout
    plain = "\n".join(map(printable, text.split("\n"))) + "\n"
    encoding = stream.encoding or "utf-8"
    stream.write(plain.encode(encoding, "backslashreplace").decode(encoding))
