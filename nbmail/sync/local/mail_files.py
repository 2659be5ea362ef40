"""Files of mail below a folder, in Maildirs too."""

import os
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path


def files_below(named: Path) -> Iterator[tuple[Path, bool]]:
    """Yield a file, or all files below a folder by name.

    Each comes with True if it is a single message in any case. Files of a Maildir come in order of
    delivery. Symbolic links are not followed: they may lead out of the folder.
    """
    waiting = [(named, named.is_dir())]
    while waiting:
        path, is_folder = waiting.pop()
        if not is_folder:
            yield path, path.suffix.lower() == ".eml"
        elif is_maildir(path):
            # The name begins with the time of delivery.
            for each in sorted(maildir_files(path), key=attrgetter("name")):
                yield Path(each.path), True
        else:
            found = sorted(_entries(path), key=attrgetter("name"), reverse=True)
            waiting += [(Path(each.path), each.is_dir()) for each in found]


def is_maildir(folder: Path) -> bool:
    parts = (folder / "new", folder / "cur")
    return all(part.is_dir() and not part.is_symlink() for part in parts)


def maildir_files(folder: Path) -> list[os.DirEntry[str]]:
    """Return the files of a Maildir, one for each message."""
    return [each for name in ("new", "cur") for each in _entries(folder / name) if each.is_file()]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return files and folders, without hidden ones and pipes, which would block."""
    with os.scandir(folder) as found:
        real = [each for each in found if not each.name.startswith(".") and not each.is_symlink()]
    return [each for each in real if each.is_file() or each.is_dir()]
