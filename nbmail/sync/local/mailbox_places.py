"""Mailboxes in a place on the disk."""

import configparser
from itertools import chain
from pathlib import Path

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.local.box import Box
from nbmail.sync.local.letter_box import LetterBox
from nbmail.sync.local.mail_files import is_maildir
from nbmail.sync.local.maildir_box import MaildirBox
from nbmail.sync.local.mbox_box import MboxBox
from nbmail.sync.local.mbox_files import is_mbox
from nbmail.sync.mailbox_values import LocalMailbox

# Profile folders below the home directory, on three systems and in sandboxes.
THUNDERBIRD = (
    ".thunderbird",
    "snap/thunderbird/common/.thunderbird",
    ".var/app/org.mozilla.Thunderbird/.thunderbird",
    "Library/Thunderbird",
    "AppData/Roaming/Thunderbird",
)


def boxes_at(path: Path, largest: int) -> dict[str, Box]:
    if not path.exists():
        raise KnownError(ErrorCode.NOT_FOUND, str(path))
    if path.is_file():
        return {"INBOX": (LetterBox if path.suffix.lower() == ".eml" else MboxBox)(path, largest)}
    if is_maildir(path):
        below = (each for each in _folders(path) if each.name.startswith(".") and is_maildir(each))
        inside = {
            each.name[1:].replace(".", "/"): MaildirBox(each, largest)
            for each in below
            if not each.is_symlink()
        }
        return {"INBOX": MaildirBox(path, largest), **inside}
    return _thunderbird_boxes(path, largest) or {"INBOX": LetterBox(path, largest)}


def thunderbird_places(home: Path) -> list[LocalMailbox]:
    profiles: list[Path] = []
    for below in THUNDERBIRD:
        listing = configparser.ConfigParser(interpolation=None, strict=False)
        try:
            listing.read(home / below / "profiles.ini", encoding="utf-8")
        except (configparser.Error, UnicodeError):
            continue
        for section in listing.sections():
            if where := listing.get(section, "Path", fallback=""):
                relative = listing.get(section, "IsRelative", fallback="1") == "1"
                profiles.append(home / below / where if relative else Path(where))
    parts = (profile / kind for profile in dict.fromkeys(profiles) for kind in ("Mail", "ImapMail"))
    servers = chain.from_iterable(map(_folders, parts))
    found = ((server, _thunderbird_boxes(server, 0)) for server in servers)
    return [
        LocalMailbox(f"Thunderbird {server.name}", str(server), tuple(boxes))
        for server, boxes in found
        if boxes
    ]


def _thunderbird_boxes(folder: Path, largest: int, prefix: str = "") -> dict[str, Box]:
    """Return mbox files and Maildirs. `Name.sbd` contains the subfolders of `Name`. Links are not
    followed.
    """
    found: dict[str, Box] = {}
    for path in sorted(each for each in folder.iterdir() if not each.is_symlink()):
        if path.is_dir() and path.suffix == ".sbd":
            found |= _thunderbird_boxes(path, largest, f"{prefix}{path.stem}/")
        elif path.is_dir() and is_maildir(path):
            found[prefix + path.name] = MaildirBox(path, largest)
        elif path.is_file() and _is_mbox(path):
            found[prefix + (path.stem if path.suffix == ".mbox" else path.name)] = MboxBox(
                path, largest
            )
    return found


def _is_mbox(path: Path) -> bool:
    if path.stat().st_size == 0:
        # Thunderbird has an index file for each folder, also for empty ones.
        return path.with_name(path.name + ".msf").exists()
    with path.open("rb") as file:
        return path.suffix.lower() != ".eml" and is_mbox(file.read(4096))


def _folders(path: Path) -> list[Path]:
    return sorted(each for each in path.iterdir() if each.is_dir()) if path.is_dir() else []
