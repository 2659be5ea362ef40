"""Files of messages that a command line names, large ones in parts."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.local.mail_files import files_below
from nbmail.sync.local.mbox_files import mbox_ranges, messages_in

LARGE = 1_000_000
PART = 250_000
"""Larger mbox files are cut into parts of about this size, so that several processes can share
them.
"""
# The usual size of a message in an mbox file, to estimate their number.
_MESSAGE = 5000
# The headers of a bare message.
_KEPT = re.compile(
    rb"(?:from|to|subject|date|mime-version|content-type|content-transfer-encoding):", re.IGNORECASE
)


class Source(NamedTuple):
    """A file, or the part of an mbox file from byte `start` to `end`.

    - `label`: class of its messages, if known.
    - `single`: the file is one message, whatever its content looks like.
    - `end`: 0 for a whole file.
    - `messages`: estimated number.
    - `bare`: most headers are dropped.
    """

    path: Path
    label: str = ""
    single: bool = False
    start: int = 0
    end: int = 0
    messages: int = 1
    bare: bool = False

    def read(self) -> Iterator[bytes]:
        """Yield the raw messages."""
        try:
            for message in messages_in(self.path, self.start, self.end or None, single=self.single):
                if self.single or message.end > message.begin:
                    yield bare(message.raw) if self.bare else message.raw
        except OSError as error:
            raise unreadable(self.path, error) from error


def all_sources(paths: Sequence[Path], label: str = "") -> list[Source]:
    """Return the sources below these paths, files of a folder ordered by name."""
    found: list[Source] = []
    for path in paths:
        found += sources_in(path, label)
    refuse_none(found, ", ".join(map(str, paths)))
    return found


def sources_in(named: Path, label: str) -> Iterator[Source]:
    """Yield the sources below one path."""
    try:
        if named.exists() and not (named.is_file() or named.is_dir()):
            raise KnownError(ErrorCode.BAD_INPUT, f"{named}: neither a file nor a folder")
        for path, single in files_below(named):
            yield from _parts_of(path, label, single=single)
    except OSError as error:
        raise unreadable(named, error) from error


def _parts_of(path: Path, label: str, *, single: bool) -> Iterator[Source]:
    size = path.stat().st_size
    ranges: list[tuple[int, int]] = []
    if size > LARGE and not single:
        ranges = mbox_ranges(path, PART)
    if len(ranges) < 2:
        yield Source(path, label, single)
        return
    for start, end in ranges:
        messages = (end - start) // _MESSAGE + 1
        yield Source(path, label, start=start, end=end, messages=messages)


def refuse_none(found: Sequence[Source], named: str) -> None:
    """Raise `KnownError` if nothing was found. `named`: where."""
    if not found:
        raise KnownError(ErrorCode.BAD_INPUT, f"no messages in {named}")


def unreadable(path: Path, error: OSError) -> KnownError:
    """Return the expected error for a path that can't be read."""
    is_missing = isinstance(error, FileNotFoundError | NotADirectoryError)
    code = ErrorCode.NOT_FOUND if is_missing else ErrorCode.BAD_INPUT
    return KnownError(code, f"{path}: {error.strerror}")


def bare(raw: bytes) -> bytes:
    """Return the message with From, To, Subject, Date and MIME headers.

    Others show how a corpus was collected.
    """
    head, border, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = re.split(rb"\n(?![ \t])", head)
    kept = [field for field in fields if _KEPT.match(field)]
    return b"\n".join(kept) + border + body
