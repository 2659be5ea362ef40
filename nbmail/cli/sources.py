"""Where the messages of a command line lie: what the paths and the lines of an index name."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.local.mail_files import FileMessage, files_below, messages_in

KNOWN_LABELS = {"spam": "junk", "junk": "junk", "ham": "good", "good": "good"}
# Larger mbox files are cut into parts of so many messages, so that several processes can share them.
LARGE = 1_000_000
PART = 25
# What a bare message keeps of its headers.
_KEPT = re.compile(rb"(?:from|to|subject|date|mime-version|content-type|content-transfer-encoding):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a part of an mbox file: so many `messages` from byte `start` on, the first of which is its `number`th.

    A whole file counts as one message. A `single` one is one, whatever it looks like. `label` is its class if known.
    Of a `bare` one most headers are left out.
    """

    path: Path
    label: str = ""
    single: bool = False
    start: int = 0
    number: int = 0
    messages: int = 1
    bare: bool = False

    def read(self) -> Iterator[tuple[int, bytes]]:
        """Number and raw bytes of each message; the only one of a file has no number."""
        try:
            mail = _mail_in(self.path, self.start, single=self.single)
            found = (bare(message.raw) if self.bare else message.raw for message in mail)
            if self.number:
                yield from enumerate(islice(found, self.messages), self.number)
            else:
                whole = list(found)
                yield from enumerate(whole, 1 if len(whole) > 1 else 0)
        except OSError as error:
            raise unreadable(self.path, error) from error


def all_sources(paths: Sequence[Path], label: str = "") -> list[Source]:
    """The messages at all these paths, in the order of their names."""
    found = [source for path in paths for source in _sources_in(path, label)]
    return _some(found, ", ".join(map(str, paths)))


def labelled_sources(index: Path) -> list[Source]:
    """What an index names, with the classes, in its order."""
    found = [source for label, path in index_lines(index) for source in _sources_in(path, class_named(label))]
    return _some(found, str(index))


def indexed_messages(index: Path, *, bare: bool = False) -> list[Source]:
    """What an index names where every line is one message, so that what is said of them stands beside the lines."""
    found = [Source(path, _meaning(label), single=True, bare=bare) for label, path in index_lines(index)]
    return _some(found, str(index))


def bare(raw: bytes) -> bytes:
    """With From, To, Subject, Date and the MIME headers alone: the others tell how a corpus was gathered."""
    head, border, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = re.split(rb"\n(?![ \t])", head)
    return b"\n".join(field for field in fields if _KEPT.match(field)) + border + body


def index_lines(index: Path) -> Iterator[tuple[str, Path]]:
    """The labels of an index as they are spelled, and its paths, which are relative to its folder."""
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
    """The class that a label means: spam is junk, ham is good, any other is its own.

    One that is no UTF-8 can't be kept: two such would become one.
    """
    try:
        label.encode()
    except UnicodeEncodeError as error:
        raise KnownError(ErrorCode.BAD_INPUT, f"the label {label} is no UTF-8") from error
    return _meaning(label)


def unreadable(path: Path, error: OSError) -> KnownError:
    """What to say of a file that can't be read or written."""
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
            whole = Source(path, label, single)
            yield from _parts(whole) if path.stat().st_size > LARGE and not single else (whole,)
    except OSError as error:
        raise unreadable(named, error) from error


def _mail_in(path: Path, start: int = 0, *, single: bool = False) -> Iterator[FileMessage]:
    """The messages of a file that hold anything: a million bare "From " lines are no mail."""
    return (each for each in messages_in(path, start, single=single) if single or each.end > each.begin)


def _parts(whole: Source) -> Iterator[Source]:
    starts = [message.place for message in _mail_in(whole.path)]
    if len(starts) == 1:
        yield whole
        return
    for first in range(0, len(starts), PART):
        count = min(PART, len(starts) - first)
        yield replace(whole, start=starts[first], number=first + 1, messages=count)
