"""Index files, whose lines name a label and a path."""

from collections.abc import Iterator
from pathlib import Path

from nbmail.cli.messages.sources import Source, refuse_none, sources_in, unreadable
from nbmail.errors import ErrorCode, KnownError

KNOWN_LABELS = ("spam", "ham")
FORMER_LABELS = ("junk", "good")
"""Names of spam and ham in earlier builds; nobody means a class of this name."""


def labelled_sources(index: Path) -> list[Source]:
    """Return the sources that an index names, with their classes, in its order."""
    found: list[Source] = []
    for label, path in index_lines(index):
        found += sources_in(path, class_named(label))
    refuse_none(found, str(index))
    return found


def indexed_messages(index: Path, *, bare: bool = False) -> list[Source]:
    """Return one source for each line of an index in which every line names one message."""
    found = []
    for label, path in index_lines(index):
        found.append(Source(path, _known_class(label), single=True, bare=bare))
    refuse_none(found, str(index))
    return found


def index_lines(index: Path) -> Iterator[tuple[str, Path]]:
    """Yield the unchanged labels of an index with its paths.

    Paths are relative to the folder of the index.
    """
    try:
        content = index.read_bytes()
    except OSError as error:
        raise unreadable(index, error) from error

    lines = content.decode("utf-8", "surrogateescape").splitlines()
    for number, line in enumerate(lines, 1):
        label, _, rest = line.strip().partition(" ")
        path = rest.strip()
        if not label:
            continue
        if not path or "\0" in path:
            raise KnownError(ErrorCode.BAD_INPUT, f"{index}, line {number}: not LABEL PATH")
        yield label, index.parent / path


def class_named(label: str) -> str:
    """Return the class of a label. One that is not valid UTF-8 is an error."""
    try:
        label.encode()
    except UnicodeEncodeError as error:
        raise KnownError(ErrorCode.BAD_INPUT, f"the label {label} is no UTF-8") from error
    return _known_class(label)


def _known_class(label: str) -> str:
    """Return spam and ham in any spelling in small letters, and other classes unchanged."""
    lowered = label.lower()
    if lowered in FORMER_LABELS:
        raise KnownError(ErrorCode.BAD_INPUT, f"the label {label}: say spam / ham")
    return lowered if lowered in KNOWN_LABELS else label
