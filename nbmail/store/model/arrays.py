"""Files of arrays for derived data, written atomically; models as arrays: imported counts and
snapshots.

The arrays of a file follow each other, each at a multiple of 8 bytes. A description in JSON has the
begin, length and checksum of each array, and facts about all of them. The last bytes are the length
and checksum of the description.
"""

import hashlib
import json
import mmap
import os
import struct
import zlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbmail.chunks import drain
from nbmail.core.calibration.held_out import HeldOut
from nbmail.core.calibration.held_out_scores import NEVER
from nbmail.core.counting.counts import Counts
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.folders.folder_model import FolderContent, FolderModel
from nbmail.core.folders.habits import Uses
from nbmail.core.folders.suggestion_lines import SuggestionLine, SuggestionLines
from nbmail.core.folders.suggestions import PastSuggestion
from nbmail.core.scoring.model_content import ModelContent
from nbmail.private_files import replacing
from nbmail.store.files.connection import Connection, SettingsTable, file_error_codes
from nbmail.store.mail.filed_moves import Filed
from nbmail.store.mail.messages import Messages

AnyArray = npt.NDArray[Any]

CAN_REPLACE_MAPPED = os.name == "posix"
"""Windows replaces no file that is mapped into memory."""
_MAGIC = b"nbarray1"
_END = struct.Struct("<QI8s")  # length and checksum of the description, magic
# Bytes checked or written at once: about 5 ms.
_CHUNK = 4 << 20


class Arrays(NamedTuple):
    """Arrays of one dimension by name, and facts about them as JSON values."""

    about: dict[str, Any]
    arrays: Mapping[str, AnyArray]


def chunks(
    about: dict[str, Any], arrays: Mapping[str, Sequence[AnyArray]]
) -> Iterator[bytes | memoryview]:
    """Yield the content of the file. The parts of an array are joined."""
    entries = {}
    offset = 0
    for name, parts in arrays.items():
        begin = offset
        checksum = 0
        for part in parts:
            for chunk in _split(part):
                checksum = zlib.crc32(chunk, checksum)
                offset += len(chunk)
                yield chunk
        entries[name] = (parts[0].dtype.str, begin, offset - begin, checksum)
        padding = bytes(-offset % 8)
        offset += len(padding)
        yield padding
    description = json.dumps({"about": about, "arrays": entries}).encode()
    yield description + _END.pack(len(description), zlib.crc32(description), _MAGIC)


def parse(
    content: mmap.mmap | bytes, *, checked: bool = True
) -> Generator[None, None, Arrays | None]:
    """Return the arrays as views into `content`, None if it is damaged. Yields between the chunks
    it checks.
    """
    raw = memoryview(content)
    if len(raw) < _END.size:
        return None
    length, checksum, magic = _END.unpack(raw[-_END.size :])
    description = raw[max(0, len(raw) - _END.size - length) : len(raw) - _END.size]
    if magic != _MAGIC or len(description) != length or zlib.crc32(description) != checksum:
        return None
    found: dict[str, Any] = json.loads(bytes(description))
    arrays = {}
    for name, (kind, begin, length, checksum) in found["arrays"].items():
        arrays[name] = np.frombuffer(
            content, np.dtype(kind), length // np.dtype(kind).itemsize, begin
        )
        sum_of_all = 0
        for chunk in _split(arrays[name]) if checked else ():
            sum_of_all = zlib.crc32(chunk, sum_of_all)
            yield
        if checked and sum_of_all != checksum:
            return None
    return Arrays(found["about"], arrays)


def map_file(path: Path) -> mmap.mmap | bytes | None:
    """Map a file into memory, or read it; None if it is missing or empty."""
    with suppress(FileNotFoundError, ValueError), path.open("rb") as file:
        if not CAN_REPLACE_MAPPED:
            return file.read() or None
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return None


def writing(
    path: Path, about: dict[str, Any], arrays: Mapping[str, Sequence[AnyArray]]
) -> Generator[None, None, None]:
    """Write a file in chunks. It replaces the old one when it is complete and synced."""
    with (
        file_error_codes(path),
        replacing(path) as unfinished,
        unfinished.open("wb", buffering=0) as file,
    ):
        for chunk in chunks(about, arrays):
            left = memoryview(chunk)
            while left:
                # The system may accept only a part at once.
                left = left[file.write(left) :]
            yield


class GrowingArray:
    """Array that grows at its end, mostly without a copy of its content."""

    def __init__(self, kind: npt.DTypeLike) -> None:
        self._room: AnyArray = np.zeros(0, kind)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def numbers(self) -> AnyArray:
        """All values, read-only."""
        return self._room[: self._size]

    def append(self, more: AnyArray) -> None:
        size = self._size + len(more)
        if size > len(self._room):
            self._room = np.concatenate(
                [self.numbers, np.zeros(max(size, 2 * self._size) - self._size, more.dtype)]
            )
        self._room[self._size : size] = more
        self._size = size


def _split(array: AnyArray) -> Iterator[memoryview]:
    raw = memoryview(np.ascontiguousarray(array).data).cast("B") if len(array) else memoryview(b"")
    for start in range(0, len(raw), _CHUNK):
        yield raw[start : start + _CHUNK]


_CURRENT = "base"
"""Setting with the number of the imported counts in use."""
_KINDS = {"documents": "<i4", "occurrences": "<i8", "corrections": "<i8"}


def pack(content: ModelContent) -> tuple[dict[str, Any], dict[str, list[AnyArray]]]:
    """Return a description and the arrays of a model. Tables lose their empty columns at the
    end.
    """
    counts = content.counts
    tables: dict[str, AnyArray] = {
        "documents": counts.documents,
        "occurrences": counts.occurrences,
        "corrections": content.corrections,
    }
    used = {name: np.flatnonzero(table.any(axis=0)) for name, table in tables.items()}
    widths = {name: int(places[-1]) + 1 if len(places) else 0 for name, places in used.items()}
    about = {
        "classes": counts.classes,
        "messages": counts.messages,
        "measures": counts.measures,
        "widths": widths,
        "method": content.method,
        "folded": content.cross_validated,
    }
    arrays: dict[str, list[AnyArray]] = {
        name: [np.ascontiguousarray(table[:, : widths[name]], np.dtype(_KINDS[name])).ravel()]
        for name, table in tables.items()
    }
    arrays["scores"] = [np.asarray(content.held_out.scores, np.float64)]
    arrays["spam"] = [np.asarray(content.held_out.spam, np.uint8)]
    arrays["asked"] = [np.asarray(content.held_out.asked, np.uint8)]
    return about, arrays


def unpack(found: Arrays) -> ModelContent:
    about = found.about
    arrays = found.arrays
    widths: Mapping[str, int] = about["widths"]
    classes: Sequence[str] = about["classes"]
    documents, occurrences = (
        arrays[name].reshape(len(classes), widths[name]) for name in ("documents", "occurrences")
    )
    counts = Counts.build(classes, about["messages"], documents, occurrences, about["measures"])
    width = widths["corrections"]
    corrections = (
        arrays["corrections"].reshape(-1, width) if width else np.zeros((len(classes), 0), np.int64)
    )
    # Models of older versions have no array of requested labels.
    asked = arrays.get("asked", np.zeros_like(arrays["spam"]))
    # A copy: a view would keep the whole file in memory.
    held_out = HeldOut(arrays["scores"].copy(), arrays["spam"] != 0, asked != 0)
    return ModelContent(counts, corrections, held_out, about["method"], about.get("folded", NEVER))


class ImportedCounts:
    """Table of all imported counts, each merged with those before it. One of them, or none, is in
    use.
    """

    def __init__(self, connection: Connection, settings: SettingsTable) -> None:
        self._connection = connection
        self._settings = settings

    @property
    def current(self) -> int:
        return int(self._settings.get(_CURRENT, 0))

    def load(self) -> ModelContent:
        """Return the imported counts in use; empty ones if there are none."""
        stored = self._connection.value(
            "SELECT content FROM bases WHERE number = ?", (self.current,)
        )
        if not stored:
            return ModelContent.of()
        found = drain(parse(zlib.decompress(stored)))
        if found is None:
            raise ValueError("an imported model in the database is damaged")
        # The messages of imported counts are in another data folder.
        return replace(unpack(found), cross_validated=NEVER)

    def sources(self) -> tuple[str, ...]:
        found = self._connection.value(
            "SELECT sources FROM bases WHERE number = ?", (self.current,)
        )
        return tuple(json.loads(found)) if found else ()

    def add(self, content: ModelContent, moment: float, sources: Sequence[str] = ()) -> int:
        """Store imported counts. Return their number."""
        packer = zlib.compressobj(1)
        packed = b"".join([*map(packer.compress, chunks(*pack(content))), packer.flush()])
        new = "INSERT INTO bases (moment, sources, content) VALUES (?, ?, ?) RETURNING number"
        return self._connection.number(new, (moment, json.dumps(sources), packed))

    def use(self, number: int) -> None:
        self._settings.set(_CURRENT, number)


# Raised when the model computes something else from the same filings.
_VERSION = 1
# The latest messages whose samples are compared.
_COMPARED = 16


class FolderState(NamedTuple):
    """Model of an account, and what it has learned, in the order of learning."""

    model: FolderModel
    filed: Filed


class FolderSnapshots:
    """Snapshots of the folder models of accounts, one file each: derived data, which saves a
    rebuild at the next start.

    A snapshot has the folders of each message that the model learned. It fits while the samples are
    the same; later filings are learned on top of it.
    """

    def __init__(self, folder: Path, messages: Messages) -> None:
        self._folder = folder
        self._messages = messages

    def write(self, account: str, state: FolderState) -> Generator[None, None, None]:
        content = state.model.content()
        about, arrays = pack(ModelContent(content.counts, content.corrections, HeldOut.none()))
        about |= {
            "stamp": self._stamp(list(state.filed)),
            "words": content.words,
            "uses": content.uses,
            "lines": [
                [line.intercept, line.slope, line.precision]
                for line in (content.lines.first, content.lines.three)
            ],
            "past": content.past,
            "filed": list(state.filed.values()),
        }
        arrays["learned"] = [np.fromiter(state.filed, np.int64)]
        yield
        yield from writing(self._path(account), about, arrays)

    def read(self, account: str, words: Vocabulary) -> Generator[None, None, FolderState | None]:
        """Return the state of the snapshot; None if there is none that fits."""
        found = yield from parse(map_file(self._path(account)) or b"")
        if found is None or found.about["stamp"] != self._stamp(found.arrays["learned"].tolist()):
            return None
        about = found.about
        packed = unpack(found)
        first, three = (SuggestionLine(line[0], line[1], tuple(line[2])) for line in about["lines"])
        content = FolderContent(
            packed.counts,
            packed.corrections,
            about["words"],
            {key: Uses(*uses) for key, uses in about["uses"].items()},
            SuggestionLines(first, three),
            [PastSuggestion(*each) for each in about["past"]],
        )
        filed = zip(found.arrays["learned"].tolist(), map(tuple, about["filed"]), strict=True)
        return FolderState(FolderModel.of(words, content), dict(filed))

    def delete(self, account: str) -> None:
        self._path(account).unlink(missing_ok=True)

    def _path(self, account: str) -> Path:
        return (
            self._folder / f"folders-{hashlib.blake2b(account.encode(), digest_size=8).hexdigest()}"
        )

    def _stamp(self, learned: Sequence[int]) -> list[Any]:
        samples = self._messages.samples(learned[-_COMPARED:])
        texts = [
            f"{message} {sample.words.tolist()}" for message, sample in sorted(samples.items())
        ]
        return [_VERSION, hashlib.blake2b("\n".join(texts).encode(), digest_size=8).hexdigest()]
