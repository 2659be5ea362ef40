"""Safe access to model files: only regular files of bounded size."""

import os
import stat
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import ErrorCode, KnownError

LARGEST_FILE = 200_000_000
# Opening a pipe must not wait for its other end, and links are not followed. Not every system has
# these flags.
_CAREFULLY = sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
)


class Unreadable(ValueError):
    """A file is invalid. Unlike that of any other `ValueError`, the text is meant for users."""


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading.

    Devices, pipes, links and files that are too large raise `KnownError`.
    """
    file = _open(path)
    found = os.fstat(file.fileno())
    wrong = ""
    if not stat.S_ISREG(found.st_mode):
        wrong = "it is not a regular file"
    elif found.st_size > LARGEST_FILE:
        wrong = f"it has more than {LARGEST_FILE:,} bytes"

    if wrong:
        file.close()
        raise KnownError(ErrorCode.BAD_INPUT, f"{path}: {wrong}")
    return file


def _open(path: Path) -> BinaryIO:
    try:
        if path.is_symlink():
            detail = f"{path}: it is a link; give the file that it points to"
            raise KnownError(ErrorCode.BAD_INPUT, detail)
        return os.fdopen(os.open(path, os.O_RDONLY | _CAREFULLY), "rb")
    except FileNotFoundError as error:
        raise KnownError(ErrorCode.NOT_FOUND, str(path)) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise KnownError(ErrorCode.BAD_INPUT, f"{path}: {reason}") from error


def writing_file(
    path: Path, fill: Callable[[BinaryIO], Generator[None, None, None]]
) -> Generator[None, None, None]:
    """Write a file atomically, in chunks, readable by its owner only.

    Only a regular file is replaced.
    """
    new = None
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise KnownError(ErrorCode.READ_ONLY, f"{path}: it exists and is not a regular file")

        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".new")
        new = Path(name)
        with open(descriptor, "wb") as file:
            yield from fill(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except OSError as error:
        raise KnownError(ErrorCode.READ_ONLY, f"{path}: {error.strerror}") from error
    finally:
        if new is not None:
            new.unlink(missing_ok=True)
