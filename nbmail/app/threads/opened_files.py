"""Messages of files that the user opens."""

from collections.abc import Iterator
from pathlib import Path

from nbmail.ui.window.services import FoundMail

MAX_MESSAGES = 200
MAX_BYTES = 64_000_000
"""Messages and bytes that are shown of files."""


def read_mail(paths: tuple[Path, ...]) -> FoundMail:
    found: list[tuple[str, bytes]] = []
    room = MAX_BYTES
    problem = ""
    try:
        for name, raw in _messages(paths):
            room -= len(raw)
            if len(found) == MAX_MESSAGES or room < 0:
                return FoundMail(tuple(found), more=True)
            found.append((name, raw))
    except OSError as error:
        problem = f"{error.filename}: {error.strerror}."
    return FoundMail(tuple(found), problem=problem)


def _messages(paths: tuple[Path, ...]) -> Iterator[tuple[str, bytes]]:
    from nbmail.sync.local.mail_files import files_below
    from nbmail.sync.local.mbox_files import messages_in

    for named in paths:
        for path, single in files_below(named):
            for message in messages_in(path, single=single):
                yield path.name, message.raw
