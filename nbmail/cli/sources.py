"""Sources of messages: the files that the paths and index lines of a command line name."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.local.mail_files import files_below, mbox_ranges, messages_in

KNOWN_LABELS = {"spam": "junk", "junk": "junk", "ham": "good", "good": "good"}
# Larger mbox files are cut into parts of about this size, so that several processes can share them.
LARGE, PART = 1_000_000, 250_000
# The usual size of a message in an mbox file, to estimate their number.
_MESSAGE = 5000
# The headers of a bare message.
_KEPT = re.compile(rb"(?:from|to|subject|date|mime-version|content-type|content-transfer-encoding):", re.IGNORECASE)


class Source(NamedTuple):
    """A file, or the part of an mbox file from byte `start` to `end`.

    `label`: class of its messages, if known. `single`: the file is one message, whatever its content looks like.
    `end`: 0 for a whole file. `messages`: estimated number. `bare`: most headers were dropped.
    """

    path: Path
    label: str = ""
    single: bool = False
    start: int = 0
    end: int = 0
    messages: int = 1
    bare: bool = False

    def read(self) -> Iterator[bytes]:
        """Yield the raw bytes of each message. Empty entries of an mbox file are skipped."""
        try:
            for message in messages_in(self.path, self.start, self.end or None, single=self.single):
                if self.single or message.end > message.begin:
                    yield bare(message.raw) if self.bare else message.raw
        except OSError as error:
            raise unreadable(self.path, error) from error


def all_sources(paths: Sequence[Path], label: str = "") -> list[Source]:
    """Return the sources below these paths, files of a folder ordered by name."""
    found = [source for path in paths for source in _sources_in(path, label)]
    return _some(found, ", ".join(map(str, paths)))


def labelled_sources(index: Path) -> list[Source]:
    """Return the sources that an index names, with their classes, in its order."""
    found = [source for label, path in index_lines(index) for source in _sources_in(path, class_named(label))]
    return _some(found, str(index))


def indexed_messages(index: Path, *, bare: bool = False) -> list[Source]:
    """Return one source for each line of an index in which every line names one message."""
    found = [Source(path, _meaning(label), single=True, bare=bare) for label, path in index_lines(index)]
    return _some(found, str(index))


def bare(raw: bytes) -> bytes:
    """Return the message with From, To, Subject, Date and MIME headers only.

    The other headers of a corpus show how it was collected.
    """
    head, border, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = re.split(rb"\n(?![ \t])", head)
    return b"\n".join(field for field in fields if _KEPT.match(field)) + border + body


def index_lines(index: Path) -> Iterator[tuple[str, Path]]:
    """Yield the unchanged labels of an index with its paths, which are relative to the folder of the index."""
    try:
        content = index.read_bytes()
    except OSError as error:
        raise unreadable(index, error) from error
    for number, line in enumerate(content.decode("utf-8", "surrogateescape").splitlines(), 1):
        label, _, rest = line.strip().partition(" ")
        if label and (not rest.strip() or "\0" in rest):
            raise KnownError(ErrorCode.BAD_INPUT, f"{index}, line {number}: not LABEL PATH")
        if label:
            yield label, index.parent / rest.strip()


def class_named(label: str) -> str:
    """Return the class of a label: junk for spam, good for ham, otherwise the label itself.

    A label that is not valid UTF-8 is an error: the database would store different ones as one.
    """
    try:
        label.encode()
    except UnicodeEncodeError as error:
        raise KnownError(ErrorCode.BAD_INPUT, f"the label {label} is no UTF-8") from error
    return _meaning(label)


def unreadable(path: Path, error: OSError) -> KnownError:
    """Return the error to raise for a file that can't be read or written."""
    missing = isinstance(error, FileNotFoundError | NotADirectoryError)
    return KnownError(ErrorCode.NOT_FOUND if missing else ErrorCode.BAD_INPUT, f"{path}: {error.strerror}")


def _some(found: list[Source], named: str) -> list[Source]:
    if not found:
        raise KnownError(ErrorCode.BAD_INPUT, f"no messages in {named}")
    return found


def _meaning(label: str) -> str:
    return KNOWN_LABELS.get(label.lower(), label)


def _sources_in(named: Path, label: str) -> Iterator[Source]:
    try:
        if named.exists() and not (named.is_file() or named.is_dir()):
            raise KnownError(ErrorCode.BAD_INPUT, f"{named}: neither a file nor a folder")
        for path, single in files_below(named):
            ranges = mbox_ranges(path, PART) if path.stat().st_size > LARGE and not single else []
            if len(ranges) < 2:
                yield Source(path, label, single)
            for start, end in ranges if len(ranges) > 1 else ():
                yield Source(path, label, start=start, end=end, messages=(end - start) // _MESSAGE + 1)
    except OSError as error:
        raise unreadable(named, error) from error
