"""How far the journal is known to have come, beside the database: where that has lost its log, it shows here."""

import os
import zlib
from contextlib import suppress
from pathlib import Path

from nbmail.store.files.disk_errors import file_error_codes

REACHED = "journal.reached"
"""The file's name, beside the database."""


class ReachedMark:
    """The number of the latest line of the journal that was on the disk. A kill may leave it behind, never ahead."""

    def __init__(self, path: Path) -> None:
        self.line = line_reached(path)
        with file_error_codes(path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)

    def note(self, line: int) -> None:
        """The journal has come so far. Without room on the disk it is noted the next time."""
        self.line = line
        with suppress(OSError):
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, _written(line))

    def close(self) -> None:
        os.close(self._file)


def line_reached(path: Path) -> int:
    """What the file says, 0 where there is none or one with a turned bit."""
    try:
        stored = path.read_bytes()
    except OSError:
        return 0
    line = stored.partition(b" ")[0]
    return int(line) if line.isdigit() and stored == _written(int(line)) else 0


def _written(line: int) -> bytes:
    return b"%-20d %08x\n" % (line, zlib.crc32(b"%d" % line))
