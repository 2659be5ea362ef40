"""Files of messages: attachments, embedded pictures, and messages as files for other programs."""

import os
import shutil
from pathlib import Path

from nbmail.core.mail.parser import attached_file, inline_files, parse
from nbmail.errors import ErrorCode, KnownError
from nbmail.private_files import make_private_folder
from nbmail.store.store import Store
from nbmail.text.file_names import clean_file_name
from nbmail.worker.protocol.messages import MessageFile, SavedAttachment

OPENED = "opened"
"""Folder in the cache for files that are opened without saving them."""
INLINE = 20_000_000
"""Bytes of the pictures inside a message that are decoded."""
LONGEST_NAME = 80
"""Characters of a subject in the name of a file."""
# First bytes of programs: Windows, Linux, macOS, scripts.
_PROGRAMS = (b"MZ", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"#!")


class MessageFiles:
    """Files from the cache of raw mail."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read_pictures(self, message: int) -> dict[str, bytes]:
        """Return the pictures inside a message that its page can refer to."""
        return inline_files(self._store.raw_of(message), INLINE)

    def write_message(self, message: int) -> MessageFile:
        """Write a message to a temporary `.eml` file, which the next start deletes."""
        raw = self._store.raw_of(message)
        mail = parse(raw)
        folder = self._opened(str(message))
        name = clean_file_name(mail.header("subject"))[:LONGEST_NAME] or "message"
        path = folder / f"{name}.eml"
        _write(path, raw)
        return MessageFile(path, mail.first_headers)

    def save_attachment(
        self, message: int, number: int, path: Path | None = None
    ) -> SavedAttachment:
        """Write an attachment to `path`, or to a file that the next start deletes.

        `number`: index in `MessageText.attachments`.
        """
        found = attached_file(self._store.raw_of(message), number)
        if found is None:
            raise KnownError(ErrorCode.NOT_FOUND, f"attachment {number + 1}")
        name, content = found
        if path is None:
            path = self._opened(f"{message}-{number}") / (clean_file_name(name) or "attachment")
        _write(path, content)
        return SavedAttachment(path, content.startswith(_PROGRAMS))

    def _opened(self, name: str) -> Path:
        """Make a folder for a temporary file, and return its path."""
        folder = self._store.paths.cache / OPENED / name
        make_private_folder(folder)
        return folder


def forget_opened(cache: Path) -> None:
    """Delete the temporary files."""
    shutil.rmtree(cache / OPENED, ignore_errors=True)


def _write(path: Path, content: bytes) -> None:
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(opened, "wb") as file:
            file.write(content)
    except OSError as error:
        raise KnownError(ErrorCode.READ_ONLY, f"{path}: {error.strerror}") from error
