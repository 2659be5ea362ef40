"""Reader of files with messages: mbox files, and files with one message.

An mbox file is read like `mailbox.mbox` does: each line that begins with "From " starts a message.
The blank line before it belongs to no message. There are two differences. Lines quoted as ">From "
are restored, so that a message has the same identity everywhere. Messages that were deleted in
Thunderbird and are still in its file are skipped.
"""

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

# Not mmap: a slow disk would stop all threads, and a file that shrinks would end the program.
BLOCK = 1 << 16
_FROM = b"From "
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
# Thunderbird writes its status before the headers of the message, which can be forged.
_MOZILLA_STATUS = re.compile(rb"(?:X-[^\n]*\n){0,9}?X-Mozilla-Status: *([0-9a-fA-F]{4})")
_DELETED = 0x8
_HEADER = re.compile(rb"\s*[!-9;-~]{1,100}[ \t]*:")


class FileMessage(NamedTuple):
    """Message in a file.

    `content` starts at byte `place` of the file; the message is `content[begin:end]`.
    """

    place: int
    content: bytes
    begin: int
    end: int

    @property
    def from_line(self) -> bytes:
        return self.content[: self.begin]

    @property
    def stored(self) -> bytes:
        return self.content[self.begin : self.end]

    @property
    def raw(self) -> bytes:
        return unquoted(self.stored) if self.begin else self.stored

    @property
    def mozilla_status(self) -> int:
        """Thunderbird's status bits; 0 without any."""
        found = _MOZILLA_STATUS.match(self.content, self.begin)
        return int(found[1], 16) if found else 0


def messages_in(
    path: Path, start: int = 0, end: int | None = None, *, single: bool = False
) -> Iterator[FileMessage]:
    """Yield the messages of a file; of an mbox file those from a "From " line at `start`.

    `end`: of an mbox file only those that begin before this byte; None for all. Any other file is
    one message if it looks like mail: mail folders also contain images and programs. With `single`
    the file is one message regardless of its content, like every file of a Maildir.
    """
    with path.open("rb") as file:
        file.seek(start)
        first = file.read(BLOCK)
        if not single and is_mbox(first):
            yield from _mbox_messages(file, start, first, end)
        elif single or is_mail(first):
            content = first + file.read()
            yield FileMessage(start, content, 0, len(content))


def mbox_ranges(path: Path, size: int) -> list[tuple[int, int]]:
    """Return ranges of about `size` bytes that cover an mbox file, each from a "From " line.

    Another file is one range.
    """
    with path.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        place = file.seek(0)
        starts = [place]
        if is_mbox(file.read(BLOCK)):
            while (place := _next_from_line(file, starts[-1] + size)) >= 0:
                starts.append(place)
    return list(pairwise([*starts, length]))


def is_mbox(beginning: bytes) -> bool:
    """True if a file with this beginning is an mbox file."""
    return beginning.lstrip(b"\r\n").startswith(_FROM)


def is_mail(beginning: bytes) -> bool:
    """True if a file with this beginning may be a message."""
    if not beginning:
        return False
    return b"\0" not in beginning[:1024] or _HEADER.match(beginning) is not None


def unquoted(stored: bytes) -> bytes:
    """Restore a message of an mbox file: remove one ">" from quoted "From " lines."""
    return _QUOTED.sub(rb"\1", stored) if b">From" in stored else stored


def _mbox_messages(
    file: BinaryIO, place: int, first: bytes, last: int | None
) -> Iterator[FileMessage]:
    for chunk in _cut(file, first):
        if last is not None and place >= last:
            return
        begin = chunk.find(b"\n") + 1 or len(chunk)
        blank = 2 if chunk.endswith(b"\n\r\n") else int(chunk.endswith(b"\n\n"))
        message = FileMessage(place, chunk, begin, max(begin, len(chunk) - blank))
        place += len(chunk)
        if chunk.startswith(_FROM) and not message.mozilla_status & _DELETED:
            yield message


def _next_from_line(file: BinaryIO, place: int) -> int:
    """Return the position of the next "From " line, `place` or later; -1 without one."""
    begin = file.seek(place - 1)
    buffer = b""
    while block := file.read(BLOCK):
        buffer += block
        if (found := buffer.find(b"\n" + _FROM)) >= 0:
            return begin + found + 1
        begin = begin + len(buffer) - len(_FROM)
        buffer = buffer[-len(_FROM) :]
    return -1


def _cut(file: BinaryIO, block: bytes) -> Iterator[bytes]:
    """Cut `block` and the rest of the file before each "From " line. Read every byte once."""
    buffer = bytearray()
    searched = 0
    while block:
        buffer += block
        begin = 0
        while (end := buffer.find(b"\n" + _FROM, searched)) >= 0:
            yield bytes(memoryview(buffer)[begin : end + 1])
            begin = searched = end + 1
        del buffer[:begin]
        searched = max(0, len(buffer) - len(_FROM))
        block = file.read(BLOCK)
    yield bytes(buffer)
