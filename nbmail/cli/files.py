"""Where the messages of a command line are: single files, mail files (mbox), Maildirs, folders of any of these."""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nbmail.errors import KnownError, Trouble

KNOWN_LABELS = {"spam": "junk", "junk": "junk", "ham": "good", "good": "good"}
# Larger mail files are cut into spans of messages before they are read, so that several processes can share them.
LARGE = 1_000_000
SPAN = 25
# The line that begins a message in a mail file: a sender, and a time. "From here on …" in a letter is none.
_FROM_LINE = re.compile(rb"From \S+ .*\d\d:\d\d")
_HEADER = re.compile(rb"\s*[!-9;-~]{1,100}[ \t]*:")


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a span of a mail file from `start` to `stop`: how many messages, and which the first is, from 1.

    A small file stands for all it holds, and counts as one. `label` is its class where an index names one, `spelled`
    the word that stands there. A `single` file is one message, whatever it looks like.
    """

    path: Path
    label: str = ""
    number: int = 0
    start: int = 0
    stop: int | None = None
    spelled: str = ""
    single: bool = False
    messages: int = 1


def sources_in(path: Path, label: str = "") -> Iterator[Source]:
    """The messages at this path, in the order of their names; a small file stands for all it holds."""
    try:
        if path.is_dir():
            yield from _in_folder(path, label)
        elif path.exists() and not path.is_file():
            raise KnownError(Trouble.BAD_INPUT, f"{path}: neither a file nor a folder")
        elif path.stat().st_size > LARGE:
            yield from _in_large_file(path, label)
        else:
            yield Source(path, label)
    except OSError as error:
        raise unreadable(path, error) from error


def all_sources(paths: Sequence[Path], label: str = "") -> list[Source]:
    """The messages at all these paths."""
    found = [source for path in paths for source in sources_in(path, label)]
    if not found:
        raise KnownError(Trouble.BAD_INPUT, f"no messages in {', '.join(map(str, paths))}")
    return found


def labelled_sources(index: Path) -> list[Source]:
    """The messages an index names, with their classes, in its order; paths are relative to the index's folder.

    Spam and junk are one class, ham and good are one, any other label is its own.
    """
    found = [source for label, path in _lines(index) for source in sources_in(path, class_named(label))]
    if not found:
        raise KnownError(Trouble.BAD_INPUT, f"{index}: no messages")
    return found


def indexed_messages(index: Path) -> list[Source]:
    """The same where every line is one message, so that what is said of the messages stands beside the lines."""
    return [Source(path, _meaning(label), spelled=label, single=True) for label, path in _lines(index)]


def messages_of(source: Source) -> Iterator[tuple[int, bytes]]:
    """Numbers and raw bytes of the messages a source stands for."""
    content = _read_span(source) if source.number else read_file(source.path)
    if source.single:
        yield 0, content
        return
    starts = list(_starts(content)) if content.startswith(b"From ") else [0]
    if len(starts) == 1 and not source.number:
        if content and not _is_rubbish(content):
            yield 0, content
        return
    for number, (start, stop) in enumerate(_spans(content, starts), source.number or 1):
        yield number, _unquoted(content[start:stop])


def _is_rubbish(content: bytes) -> bool:
    """Whether a file is no mail at all: pictures and programs lie in mail folders too."""
    return b"\0" in content[:1024] and not _HEADER.match(content)


def _read_span(source: Source) -> bytes:
    with source.path.open("rb") as file:
        file.seek(source.start)
        return file.read() if source.stop is None else file.read(source.stop - source.start)


def read_file(path: Path) -> bytes:
    """All of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> KnownError:
    """What to say of a file that can't be read."""
    missing = isinstance(error, FileNotFoundError | NotADirectoryError)
    return KnownError(Trouble.NOT_FOUND if missing else Trouble.BAD_INPUT, f"{path}: {error.strerror}")


def _lines(index: Path) -> Iterator[tuple[str, Path]]:
    for number, line in enumerate(read_file(index).decode("utf-8", "surrogateescape").splitlines(), 1):
        label, _, rest = line.strip().partition(" ")
        if label and (not rest.strip() or "\0" in rest):
            raise KnownError(Trouble.BAD_INPUT, f"{index}, line {number}: not LABEL PATH")
        if label:
            yield label, index.parent / rest.strip()


def class_named(label: str) -> str:
    """The class that a label means. One that is no UTF-8 can't be kept: two such would become one."""
    try:
        label.encode()
    except UnicodeEncodeError as error:
        raise KnownError(Trouble.BAD_INPUT, f"the label {label} is no UTF-8") from error
    return _meaning(label)


def _meaning(label: str) -> str:
    return KNOWN_LABELS.get(label.lower(), label)


def _in_folder(folder: Path, label: str) -> Iterator[Source]:
    maildir = [folder / "cur", folder / "new"]
    if all(part.is_dir() for part in maildir):
        # The name says when a message came; the flags behind the colon come and go.
        found = [path for part in maildir for path in part.iterdir() if path.name[0] != "." and path.is_file()]
        yield from (Source(path, label) for path in sorted(found, key=lambda path: path.name))
        return
    for path in sorted(folder.iterdir()):
        # A pipe would be waited for, and a link to nowhere is no reason to leave the others unread.
        if not path.name.startswith(".") and (path.is_file() or path.is_dir()):
            yield from sources_in(path, label)


def _in_large_file(path: Path, label: str) -> Iterator[Source]:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        starts = list(_starts(content)) if content[:5] == b"From " else []
        spans = list(_spans(content, starts[::SPAN])) if len(starts) > 1 else []
    whole = Source(path, label)
    if not spans:
        yield whole
        return
    for first, (start, stop) in zip(range(0, len(starts), SPAN), spans, strict=True):
        count = min(SPAN, len(starts) - first)
        yield replace(whole, number=first + 1, start=start, stop=stop, messages=count)


def _starts(content: mmap.mmap | bytes) -> Iterator[int]:
    """Where messages begin in a mail file: at a "From " line behind a blank one."""
    yield 0
    place = content.find(b"\nFrom ")
    while place >= 0:
        blank = content[max(0, place - 2) : place].endswith((b"\n", b"\n\r"))
        if blank and _FROM_LINE.match(content, place + 1):
            yield place + 1
        place = content.find(b"\nFrom ", place + 1)


def _spans(content: mmap.mmap | bytes, starts: list[int]) -> Iterator[tuple[int, int | None]]:
    """From each start to the blank line before the next, which ends as lines do there."""
    blanks = (2 if content[start - 2 : start] == b"\r\n" else 1 for start in starts[1:])
    return zip(starts, [*(start - blank for start, blank in zip(starts[1:], blanks, strict=True)), None], strict=True)


def _unquoted(raw: bytes) -> bytes:
    """A mail file quotes lines that would begin a message."""
    return raw.replace(b"\n>From ", b"\nFrom ") if b"\n>From " in raw else raw
