"""Text of a Berkeley DB of bogofilter, made by `bogoutil -d`."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO

from nbmail.exchange.files import Unreadable

START = rb"(?s:.{12}(?:\x62\x31\x05\x00|\x00\x05\x31\x62|\x61\x15\x06\x00|\x00\x06\x15\x61))"
"""Pattern of the beginning of a Berkeley DB, with the magic number in both byte orders."""
_LARGEST = 100_000_000
# The text of a valid list is smaller than its database. With pages linked in a ring, bogoutil never
# ends or hangs.
_SPARE = 1_000_000
# Looks without a new byte, in five seconds or more: a busy system may stop this process for a
# while.
_LOOKS = 1000
_INTERVAL = 0.005


def dumping(database: BinaryIO, text: BinaryIO) -> Generator[None, None, None]:
    """Write the text of a database to `text`.

    `bogoutil` gets a copy, since it would write files next to the list.
    """
    program = shutil.which("bogoutil")
    if program is None:
        raise Unreadable(
            "it is a Berkeley DB; if it is bogofilter's, nbmail reads the text that "
            "`bogoutil -d` makes"
        )
    size = _size(database)
    if size > _LARGEST:
        raise Unreadable(f"it is a Berkeley DB of more than {_LARGEST:,} bytes")

    with tempfile.TemporaryDirectory(prefix="nbmail-") as folder:
        copy = Path(folder) / "wordlist.db"
        with copy.open("wb") as target:
            shutil.copyfileobj(database, target)
        command = [program, "-d", str(copy)]
        with subprocess.Popen(command, stdout=text, stderr=subprocess.DEVNULL) as child:
            yield from _waiting(child, text, size + _SPARE)

    if child.returncode or not _size(text):
        raise Unreadable(
            "bogoutil can't read this Berkeley DB; only POPFile 0.21 or later reads one of "
            "POPFile's"
        )
    text.seek(0)


def _waiting(
    child: subprocess.Popen[bytes], text: BinaryIO, most: int
) -> Generator[None, None, None]:
    """Wait until the program ends. Kill it if it hangs, or has written more than `most` bytes."""
    written = 0
    looks = 0
    try:
        while child.poll() is None and looks < _LOOKS and written <= most:
            time.sleep(_INTERVAL)
            yield
            looks += 1
            size = _size(text)
            if size > written:
                written = size
                looks = 0
    finally:
        child.kill()


def _size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size
