"""File of lines that is only appended to, synced, and never left with half a line."""

import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from nbmail.private_files import make_private, replacing, sync_folder

# Bytes at the end of a part that its checksum covers.
_TAIL = 4096
_BINARY = getattr(os, "O_BINARY", 0)


class LogFile:
    """File, opened by `open` or `open_to_read`. `size`: bytes known to be complete lines."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        self.size = size
        self._file = -1

    @property
    def is_open(self) -> bool:
        return self._file >= 0

    def open(self) -> None:
        """Open the file, or create an empty one."""
        self.close()
        is_new = not self.path.exists()
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | _BINARY, 0o600)
        make_private(self.path)
        if is_new:
            sync_folder(self.path.parent)

    def open_to_read(self) -> None:
        self._file = os.open(self.path, os.O_RDONLY | _BINARY)

    def close(self) -> None:
        file = self._file
        self._file = -1
        if file >= 0:
            os.close(file)

    def size_on_disk(self) -> int:
        return os.fstat(self._file).st_size

    def lines(self, first: int = 0, last: int | None = None) -> Iterator[bytes]:
        """Yield the lines between two positions, the second one excluded."""
        end = self.size_on_disk() if last is None else last
        if first >= end:
            return
        with os.fdopen(os.dup(self._file), "rb") as file:
            file.seek(first)
            while first < end and (line := file.readline(end - first)):
                first += len(line)
                yield line

    def checksum(self) -> int:
        """Return the checksum of the last bytes before `size`."""
        os.lseek(self._file, max(0, self.size - _TAIL), os.SEEK_SET)
        return zlib.crc32(os.read(self._file, min(self.size, _TAIL)))

    def append(self, batches: Iterable[bytes]) -> None:
        """Write behind `size` and sync. If that fails nothing is appended."""
        self.restore()
        size = self.size
        try:
            os.lseek(self._file, size, os.SEEK_SET)
            for batch in batches:
                size += len(batch)
                left = memoryview(batch)
                while left:
                    left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._file, self.size)
            raise
        self.size = size

    def replace(self, lines: Iterable[bytes]) -> None:
        """Write the file again, atomically, and open it."""
        with replacing(self.path) as unfinished:
            with unfinished.open("wb") as file:
                file.writelines(lines)
            # Windows replaces no open file.
            self.close()
        self.open()
        self.size = self.size_on_disk()

    def restore(self) -> None:
        """Write the file again if it was deleted or replaced while it is open."""
        here = os.fstat(self._file)
        with suppress(FileNotFoundError, NotADirectoryError):
            found = os.stat(self.path)
            if (found.st_dev, found.st_ino) == (here.st_dev, here.st_ino):
                return
        with replacing(self.path) as unfinished, unfinished.open("wb") as file:
            file.writelines(self.lines(0, self.size))
        self.open()
