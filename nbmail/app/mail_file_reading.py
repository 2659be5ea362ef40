"""Mail in files, read on a thread of its own for the window."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from nbmail.sync.local.mail_files import files_below, messages_in
from nbmail.ui.files.found_mail import FoundMail

MOST, MOST_BYTES = 200, 64_000_000
"""Messages and bytes that are shown of what was named."""


def read_beside(paths: tuple[Path, ...], tell: Callable[[FoundMail], None]) -> None:
    """Read the mail at these paths and tell it, on that thread."""
    threading.Thread(target=lambda: tell(read_mail(paths)), name="files", daemon=True).start()


def read_mail(paths: tuple[Path, ...]) -> FoundMail:
    """The first messages in these files and folders."""
    found: list[tuple[str, bytes]] = []
    room, problem = MOST_BYTES, ""
    try:
        for name, raw in _messages(paths):
            room -= len(raw)
            if len(found) == MOST or room < 0:
                return FoundMail(tuple(found), more=True)
            found.append((name, raw))
    except OSError as error:
        problem = f"{error.filename}: {error.strerror}."
    return FoundMail(tuple(found), problem=problem)


def _messages(paths: tuple[Path, ...]) -> Iterator[tuple[str, bytes]]:
    for named in paths:
        for path, single in files_below(named):
            for message in messages_in(path, single=single):
                yield path.name, message.raw
