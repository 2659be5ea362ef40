"""Mailbox in a folder of single messages."""

import os
from collections.abc import Iterator
from pathlib import Path

from nbmail.sync.local.local_mailbox import Box, Entry, changed_at, digest_of
from nbmail.sync.local.mail_files import files_below


class LetterBox(Box):
    """Folder of single messages in `.eml` files, also in subfolders; or one such file."""

    def signature(self) -> object:
        return tuple(
            (str(path), changed_at(status), status.st_size) for path, status in self._letters()
        )

    def scan(self) -> Iterator[Entry]:
        for path, status in self._letters():
            digest = digest_of(os.fsencode(path.relative_to(self.path)), b"%d" % status.st_size)
            yield Entry(path, status.st_size, float(int(status.st_mtime)), digest)

    def _letters(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path, is_single in files_below(self.path):
            if is_single and path.suffix.lower() == ".eml":
                yield path, path.stat()
