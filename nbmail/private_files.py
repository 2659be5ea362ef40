"""Private files, replaced atomically."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def make_private_folder(folder: Path) -> None:
    """Create a folder and its missing parents, or make an existing one private."""
    for one in (*reversed(folder.parents), folder):
        if not one.is_dir():
            one.mkdir(mode=0o700, exist_ok=True)
    make_private(folder, 0o700)


def make_private(path: Path, mode: int = 0o600) -> None:
    """Remove the permissions of other users. Does nothing if the system refuses."""
    with suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(mode)


def make_private_file(path: Path) -> None:
    """Create a private file unless it exists."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a new file in the same folder, which replaces `path` at the end of the block."""
    # The user may have deleted the folder.
    make_private_folder(path.parent)
    unfinished = path.with_name(path.name + ".new")
    try:
        unfinished.unlink(missing_ok=True)
        make_private_file(unfinished)
        yield unfinished
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename durable, on systems that support it."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
