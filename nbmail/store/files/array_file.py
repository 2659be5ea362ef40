"""Arrays in one file, written whole or not at all, each with its checksum: for what can be derived anew.

The arrays stand end to end, each at a multiple of 8 bytes, then a description in JSON: where each begins, how long it
is, its checksum, and what all of them stand for. The last bytes hold the description's length and checksum.
"""

import json
import mmap
import struct
import zlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from nbmail.paths import replacing
from nbmail.store.files.disk_errors import file_error_codes

AnyArray = npt.NDArray[Any]

_MAGIC = b"nbarray1"
_END = struct.Struct("<QI8s")  # length and checksum of the description, magic
# Bytes checked, or written, at once: about 5 ms.
_PIECE = 4 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """Arrays of one dimension by name, and in `about` what they stand for: JSON values."""

    about: dict[str, Any]
    arrays: Mapping[str, AnyArray]


def chunks(about: dict[str, Any], arrays: Mapping[str, Sequence[AnyArray]]) -> Iterator[bytes | memoryview]:
    """The file's content, piece by piece. An array may come in parts, which are put end to end."""
    entries, offset = {}, 0
    for name, parts in arrays.items():
        begin, checksum = offset, 0
        for part in parts:
            for chunk in _pieces(part):
                checksum = zlib.crc32(chunk, checksum)
                offset += len(chunk)
                yield chunk
        entries[name] = (parts[0].dtype.str, begin, offset - begin, checksum)
        padding = bytes(-offset % 8)
        offset += len(padding)
        yield padding
    description = json.dumps({"about": about, "arrays": entries}).encode()
    yield description + _END.pack(len(description), zlib.crc32(description), _MAGIC)


def parse(content: mmap.mmap | bytes, *, checked: bool = True) -> Generator[None, None, Arrays | None]:
    """What was written, as views into these bytes; None where they are not whole. Checks them piece by piece."""
    found = _describe(content)
    if found is None:
        return None
    arrays = {}
    for name, (kind, begin, length, checksum) in found["arrays"].items():
        arrays[name] = np.frombuffer(content, np.dtype(kind), length // np.dtype(kind).itemsize, begin)
        sum_of_all = 0
        for chunk in _pieces(arrays[name]) if checked else ():
            sum_of_all = zlib.crc32(chunk, sum_of_all)
            yield
        if checked and sum_of_all != checksum:
            return None
    return Arrays(found["about"], arrays)


def map_file(path: Path) -> mmap.mmap | None:
    """The file's bytes, mapped into memory; None where there is none, or none in it."""
    with suppress(FileNotFoundError, ValueError), path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return None


def writing(path: Path, about: dict[str, Any], arrays: Mapping[str, Sequence[AnyArray]]) -> Generator[None, None, None]:
    """Write the file piece by piece beside the old one, which it replaces once it is whole and on the disk."""
    with file_error_codes(path), replacing(path) as unfinished, unfinished.open("wb", buffering=0) as file:
        for chunk in chunks(about, arrays):
            _put(file, chunk)
            yield


class GrowingArray:
    """An array that grows at its end, mostly without copying what it holds."""

    def __init__(self, kind: npt.DTypeLike) -> None:
        self._room: AnyArray = np.zeros(0, kind)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def numbers(self) -> AnyArray:
        """All of them. Not to be written to."""
        return self._room[: self._size]

    def append(self, more: AnyArray) -> None:
        """Put these behind the others."""
        size = self._size + len(more)
        if size > len(self._room):
            self._room = np.concatenate([self.numbers, np.zeros(max(size, 2 * self._size) - self._size, more.dtype)])
        self._room[self._size : size] = more
        self._size = size


def _pieces(array: AnyArray) -> Iterator[memoryview]:
    raw = memoryview(np.ascontiguousarray(array).data).cast("B") if len(array) else memoryview(b"")
    for start in range(0, len(raw), _PIECE):
        yield raw[start : start + _PIECE]


def _describe(content: mmap.mmap | bytes) -> dict[str, Any] | None:
    raw = memoryview(content)
    if len(raw) < _END.size:
        return None
    length, checksum, magic = _END.unpack(raw[-_END.size :])
    description = raw[max(0, len(raw) - _END.size - length) : len(raw) - _END.size]
    if magic != _MAGIC or len(description) != length or zlib.crc32(description) != checksum:
        return None
    found: dict[str, Any] = json.loads(bytes(description))
    return found


def _put(file: BinaryIO, content: bytes | memoryview) -> None:
    """Write all of it, however little the system takes at once."""
    left = memoryview(content)
    while left:
        left = left[file.write(left) :]
