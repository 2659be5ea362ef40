"""Lines and CSV rows of text files, whose words can have any encoding."""

import csv
import io
import re
from collections.abc import Iterator
from typing import BinaryIO, TextIO

from nbmail.exchange.files import Unreadable

LONGEST_ROW = 100_000
"""Characters of a row: a word and counts of each class."""
# Surrogates for bytes that are not UTF-8, as Python reads them, and the private characters stored
# instead.
_TO_PRIVATE = {0xDC00 + byte: 0x10FF00 + byte for byte in range(128, 256)}
_FROM_PRIVATE = {there: here for here, there in _TO_PRIVATE.items()}
_PRIVATE = re.compile("[\U0010ff80-\U0010ffff]")
# Bytes that are searched for line ends at once.
_BLOCK = 1 << 20


def reader_of(file: BinaryIO, newline: str) -> TextIO:
    """Return a text reader for words of any encoding. Use `as_text` and `as_bytes` with them."""
    return io.TextIOWrapper(file, "utf-8", "surrogateescape", newline)


def as_text(token: str | bytes) -> str:
    """Return a word as storable text. Bytes that are not UTF-8 become private characters."""
    text = token if isinstance(token, str) else token.decode("utf-8", "surrogateescape")
    if text.isascii():
        return text
    if has_odd_bytes(text):
        raise Unreadable("a word has characters that don't occur in mail")
    return text.translate(_TO_PRIVATE)


def has_odd_bytes(text: str) -> bool:
    """True if `as_text` made the text from bytes that are not UTF-8."""
    return not text.isascii() and _PRIVATE.search(text) is not None


def as_bytes(text: str) -> bytes:
    """Return the bytes from which `as_text` made the text."""
    if text.isascii():
        return text.encode()
    return text.translate(_FROM_PRIVATE).encode("utf-8", "surrogateescape")


def refuse_long(file: BinaryIO, most: int) -> None:
    """Raise `Unreadable` for a text with more than `most` lines or an incomplete last line."""
    lines = 0
    last = b""
    while block := file.read(_BLOCK):
        lines += block.count(b"\n")
        last = block
        if lines > most:
            raise Unreadable(f"it has more than {most:,} lines")
    if not last.endswith(b"\n"):
        raise Unreadable("its last line is incomplete: the rest of the file is missing")
    file.seek(0)


def lines_of(text: TextIO, longest: int = LONGEST_ROW) -> Iterator[str]:
    """Yield the lines of a text without line ends.

    Raises `Unreadable` for long lines and for CR.
    """
    while line := text.readline(longest):
        if len(line) == longest:
            raise Unreadable("a line is too long")
        if "\r" in line:
            raise Unreadable(
                "its lines end with CR LF, as on Windows; the program that wrote it ends them "
                "with LF"
            )
        yield line.removesuffix("\n")


def csv_rows(text: TextIO) -> Iterator[list[str]]:
    """Yield the rows of a CSV text. Raises `Unreadable` for a long row before it is parsed."""
    length = 0

    def lines() -> Iterator[str]:
        nonlocal length
        while line := text.readline(LONGEST_ROW):
            length += len(line)
            if length >= LONGEST_ROW:
                raise Unreadable("a row is too long")
            yield line

    for row in csv.reader(lines()):
        length = 0
        yield row
