"""Files of arrays for derived data, written atomically.

The arrays of a file follow each other, each at a multiple of 8 bytes. A description in JSON has the
begin, length and checksum of each array, and facts about all of them. The last bytes are the length
and checksum of the description.
"""

import json
import mmap
import os
import struct
import zlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nbmail.private_files import replacing
from nbmail.store.files.file_errors import file_error_codes

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
    """Return the arrays as views into `content`, None if it is damaged.

    Yields between the chunks it checks.
    """
    found = _description(memoryview(content))
    if found is None:
        return None
    arrays = {}
    for name, (kind, begin, length, checksum) in found["arrays"].items():
        dtype = np.dtype(kind)
        array = np.frombuffer(content, dtype, length // dtype.itemsize, begin)
        arrays[name] = array
        if checked:
            total = 0
            for chunk in _split(array):
                total = zlib.crc32(chunk, total)
                yield
            if total != checksum:
                return None
    return Arrays(found["about"], arrays)


def _description(raw: memoryview) -> dict[str, Any] | None:
    """Return the description of a file, None if it is damaged."""
    if len(raw) < _END.size:
        return None
    end = len(raw) - _END.size
    length, checksum, magic = _END.unpack(raw[end:])
    description = raw[max(0, end - length) : end]
    if magic != _MAGIC or len(description) != length or zlib.crc32(description) != checksum:
        return None
    found: dict[str, Any] = json.loads(bytes(description))
    return found


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
            room = max(size, 2 * self._size)
            added = np.zeros(room - self._size, more.dtype)
            self._room = np.concatenate([self.numbers, added])
        self._room[self._size : size] = more
        self._size = size


def _split(array: AnyArray) -> Iterator[memoryview]:
    if not len(array):
        return
    raw = memoryview(np.ascontiguousarray(array).data).cast("B")
    for start in range(0, len(raw), _CHUNK):
        yield raw[start : start + _CHUNK]
