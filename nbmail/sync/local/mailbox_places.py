"""Mailboxes in a place on the disk."""

from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.local.letter_box import LetterBox
from nbmail.sync.local.local_mailbox import Box
from nbmail.sync.local.mail_files import is_maildir
from nbmail.sync.local.maildir_box import MaildirBox
from nbmail.sync.local.mbox_box import MboxBox
from nbmail.sync.local.thunderbird_profiles import thunderbird_boxes


def boxes_at(path: Path, largest: int) -> dict[str, Box]:
    """Return the mailboxes at a path by name. Raise `KnownError` if nothing is there.

    `largest`: bytes to read of a message.
    """
    if not path.exists():
        raise KnownError(ErrorCode.NOT_FOUND, str(path))
    if path.is_file():
        is_letter = path.suffix.lower() == ".eml"
        return {"INBOX": LetterBox(path, largest) if is_letter else MboxBox(path, largest)}
    if is_maildir(path):
        return _maildirs(path, largest)
    return thunderbird_boxes(path, largest) or {"INBOX": LetterBox(path, largest)}


def _maildirs(path: Path, largest: int) -> dict[str, Box]:
    """Return a Maildir and its subfolders, whose names begin with a dot."""
    found: dict[str, Box] = {"INBOX": MaildirBox(path, largest)}
    for folder in sorted(path.iterdir()):
        is_subfolder = folder.name.startswith(".") and folder.is_dir() and not folder.is_symlink()
        if is_subfolder and is_maildir(folder):
            found[folder.name[1:].replace(".", "/")] = MaildirBox(folder, largest)
    return found
