"""Model files opened and put in place: regular files alone, of bounded size, and never half a file."""

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
"""Words in another filter's file: so many are read in a second or two, in 150 MB."""
# A row of a table: numbers of every class, and a word.
LONGEST_ROW = 100_000
# Where the system has these: to open a pipe must not wait for its other end, and a link is not followed.
_CAREFULLY = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))
# Bytes beyond ASCII that are no UTF-8, as Python reads them, and the private characters that stand for them.
_AWAY = {0xDC00 + byte: 0x10FF00 + byte for byte in range(128, 256)}
_BACK = {there: here for here, there in _AWAY.items()}
_STAND_INS = re.compile("[\U0010ff80-\U0010ffff]")


class Unreadable(ValueError):
    """A file that isn't sound. Its text is a sentence for people, which no other `ValueError` has."""


def open_file(path: Path) -> BinaryIO:
    """A regular file, to be read. A device, a pipe, a link or one too large is refused before a byte of it is read."""
    try:
        if path.is_symlink():
            raise KnownError(ErrorCode.BAD_INPUT, f"{path}: it is a link; name the file that it leads to")
        file = os.fdopen(os.open(path, os.O_RDONLY | _CAREFULLY), "rb")
    except FileNotFoundError as error:
        raise KnownError(ErrorCode.NOT_FOUND, str(path)) from error
    except (OSError, ValueError) as error:
        raise KnownError(ErrorCode.BAD_INPUT, f"{path}: {getattr(error, 'strerror', None) or error}") from error
    found = os.fstat(file.fileno())
    wrong = "" if stat.S_ISREG(found.st_mode) else "it is no regular file"
    if not wrong and found.st_size > LARGEST_FILE:
        wrong = f"it has more than {LARGEST_FILE:,} bytes"
    if wrong:
        file.close()
        raise KnownError(ErrorCode.BAD_INPUT, f"{path}: {wrong}")
    return file


def writing_file(path: Path, fill: Callable[[BinaryIO], Generator[None, None, None]]) -> Generator[None, None, None]:
    """Write a file in pieces, whole or not at all, for its owner alone. Only a regular file is replaced."""
    new = None
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise KnownError(ErrorCode.READ_ONLY, f"{path}: it is there, and no regular file")
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
    """The text of a file whose words may be of any encoding: `as_text` and `as_bytes` carry them through."""
    return io.TextIOWrapper(file, "utf-8", "surrogateescape", newline)


def as_text(token: str | bytes) -> str:
    """A word as a text that can be kept, whatever its bytes: those that are no UTF-8 become signs of no meaning."""
    text = token.decode("utf-8", "surrogateescape") if isinstance(token, bytes) else token
    if text.isascii():
        return text
    if has_odd_bytes(text):
        raise Unreadable("a word has characters that no mail has")
    return text.translate(_AWAY)


def has_odd_bytes(text: str) -> bool:
    """Whether it was made of bytes that are no UTF-8."""
    return not text.isascii() and _STAND_INS.search(text) is not None


def as_bytes(text: str) -> bytes:
    """The bytes of which `as_text` made this."""
    return text.encode() if text.isascii() else text.translate(_BACK).encode("utf-8", "surrogateescape")


def refuse_long(file: BinaryIO, most: int = MOST_TOKENS) -> None:
    """Refuse a text of more lines than that, or of none that is whole, before any of it is taken apart."""
    lines, last = 0, b""
    while chunk := file.read(1 << 20):
        lines += chunk.count(b"\n")
        last = chunk
        if lines > most:
            raise Unreadable(f"it has more than {most:,} lines")
    if not last.endswith(b"\n"):
        raise Unreadable("its last line is not whole: the rest of the file is missing")
    file.seek(0)


def lines_of(text: TextIO, longest: int = LONGEST_ROW) -> Iterator[str]:
    """The lines of a text without their ends. One that is too long, or ends otherwise than in LF, is an error."""
    while line := text.readline(longest):
        if len(line) == longest:
            raise Unreadable("a line is too long")
        if "\r" in line:
            raise Unreadable("its lines end as on Windows (CR LF); the program that wrote it ends them with LF alone")
        yield line.removesuffix("\n")


def csv_rows(text: TextIO) -> Iterator[list[str]]:
    """The rows of a CSV text. One that is too long is an error before it is taken apart."""
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
