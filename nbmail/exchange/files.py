"""Safe reading and atomic writing of model files: only regular files of bounded size."""

import csv
import io
import os
import re
import stat
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from nbmail.errors import ErrorCode, KnownError

LARGEST_FILE = 200_000_000
MOST_TOKENS = 1_000_000
"""Words in a file of another filter. Reading this many takes two seconds and 150 MB."""
# Characters of a table row: a word and counts of each class.
LONGEST_ROW = 100_000
# Opening a pipe must not wait for its other end, and links are not followed. Not every system has
# these flags.
_CAREFULLY = sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
)
# Surrogates for bytes that are not UTF-8, as Python reads them, and the private characters stored
# instead.
_TO_PRIVATE = {0xDC00 + byte: 0x10FF00 + byte for byte in range(128, 256)}
_FROM_PRIVATE = {there: here for here, there in _TO_PRIVATE.items()}
_PRIVATE = re.compile("[\U0010ff80-\U0010ffff]")


class Unreadable(ValueError):
    """A file is invalid. Unlike that of any other `ValueError`, the text is meant for users."""


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading. Devices, pipes, links and files that are too large raise
    `KnownError`.
    """
    try:
        if path.is_symlink():
            raise KnownError(
                ErrorCode.BAD_INPUT, f"{path}: it is a link; give the file that it points to"
            )
        file = os.fdopen(os.open(path, os.O_RDONLY | _CAREFULLY), "rb")
    except FileNotFoundError as error:
        raise KnownError(ErrorCode.NOT_FOUND, str(path)) from error
    except (OSError, ValueError) as error:
        raise KnownError(
            ErrorCode.BAD_INPUT, f"{path}: {getattr(error, 'strerror', None) or error}"
        ) from error
    found = os.fstat(file.fileno())
    wrong = "" if stat.S_ISREG(found.st_mode) else "it is not a regular file"
    if not wrong and found.st_size > LARGEST_FILE:
        wrong = f"it has more than {LARGEST_FILE:,} bytes"
    if wrong:
        file.close()
        raise KnownError(ErrorCode.BAD_INPUT, f"{path}: {wrong}")
    return file


def writing_file(
    path: Path, fill: Callable[[BinaryIO], Generator[None, None, None]]
) -> Generator[None, None, None]:
    """Write a file atomically, in chunks, readable by its owner only. Only a regular file is
    replaced.
    """
    new = None
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise KnownError(ErrorCode.READ_ONLY, f"{path}: it exists and is not a regular file")
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".new")
        new = Path(name)
        with open(descriptor, "wb") as file:
            yield from fill(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        raise KnownError(ErrorCode.READ_ONLY, f"{path}: {error.strerror}") from error
    finally:
        if new is not None:
            new.unlink(missing_ok=True)


def reader_of(file: BinaryIO, newline: str) -> TextIO:
    """Return a text reader for words of any encoding. Use `as_text` and `as_bytes` with its
    words.
    """
    return io.TextIOWrapper(file, "utf-8", "surrogateescape", newline)


def as_text(token: str | bytes) -> str:
    """Return a word as storable text. Bytes that are not UTF-8 become private characters."""
    text = token.decode("utf-8", "surrogateescape") if isinstance(token, bytes) else token
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
    return (
        text.encode()
        if text.isascii()
        else text.translate(_FROM_PRIVATE).encode("utf-8", "surrogateescape")
    )


def refuse_long(file: BinaryIO, most: int = MOST_TOKENS) -> None:
    """Raise `Unreadable` for a text with more than `most` lines or an incomplete last line."""
    lines = 0
    last = b""
    while chunk := file.read(1 << 20):
        lines += chunk.count(b"\n")
        last = chunk
        if lines > most:
            raise Unreadable(f"it has more than {most:,} lines")
    if not last.endswith(b"\n"):
        raise Unreadable("its last line is incomplete: the rest of the file is missing")
    file.seek(0)


def lines_of(text: TextIO, longest: int = LONGEST_ROW) -> Iterator[str]:
    """Yield the lines of a text without line ends. Raises `Unreadable` for long lines and for
    CR.
    """
    while line := text.readline(longest):
        if len(line) == longest:
            raise Unreadable("a line is too long")
        if "\r" in line:
            raise Unreadable(
                "its lines end with CR LF, as on Windows; the program that wrote it ends "
                "them with LF"
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
