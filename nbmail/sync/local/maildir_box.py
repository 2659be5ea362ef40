"""Mailbox in a Maildir."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from nbmail.sync.local.local_mailbox import Box, Entry, changed_at, digest_of
from nbmail.sync.local.mail_files import maildir_files

MAILDIR_FLAGS = {
    "S": "\\Seen",
    "R": "\\Answered",
    "F": "\\Flagged",
    "T": "\\Deleted",
    "D": "\\Draft",
}


class MaildirBox(Box):
    """Maildir: one file for each message, with the flags in its name."""

    def signature(self) -> object:
        """Return the times of both folders: each delivery, removal and flag changes one of them."""
        return tuple(changed_at((self.path / part).stat()) for part in ("new", "cur"))

    def scan(self) -> Iterator[Entry]:
        for file in maildir_files(self.path):
            key, _, info = file.name.partition(":2,")
            flags = frozenset(MAILDIR_FLAGS[letter] for letter in info if letter in MAILDIR_FLAGS)
            digest = digest_of(os.fsencode(key))
            # Another program may rename the file to change its flags.
            with suppress(FileNotFoundError):
                status = file.stat()
                received = _delivered_at(key)
                if received is None:
                    received = float(int(status.st_mtime))
                yield Entry(Path(file.path), status.st_size, received, digest, flags)


def _delivered_at(key: str) -> float | None:
    """Return the time of delivery, with which names of files begin; None if it is missing."""
    head = key.partition(".")[0]
    return float(int(head)) if head.isdecimal() and len(head) < 12 else None
