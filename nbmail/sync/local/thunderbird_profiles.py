"""Local mail of Thunderbird: profiles, and the folders in them."""

import configparser
from collections.abc import Iterator
from pathlib import Path

from nbmail.sync.local.local_mailbox import Box
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


def thunderbird_places(home: Path) -> list[LocalMailbox]:
    """Return the mailboxes of all profiles below a home directory."""
    found: list[LocalMailbox] = []
    for profile in dict.fromkeys(_profiles(home)):
        for server in _folders(profile / "Mail") + _folders(profile / "ImapMail"):
            boxes = thunderbird_boxes(server, 0)
            if boxes:
                name = f"Thunderbird {server.name}"
                found.append(LocalMailbox(name, str(server), tuple(boxes)))
    return found


def thunderbird_boxes(folder: Path, largest: int, prefix: str = "") -> dict[str, Box]:
    """Return mbox files and Maildirs by name.

    `Name.sbd` contains the subfolders of `Name`. Links are not followed.
    """
    found: dict[str, Box] = {}
    for path in sorted(each for each in folder.iterdir() if not each.is_symlink()):
        if path.is_dir() and path.suffix == ".sbd":
            found |= thunderbird_boxes(path, largest, f"{prefix}{path.stem}/")
        elif path.is_dir() and is_maildir(path):
            found[prefix + path.name] = MaildirBox(path, largest)
        elif path.is_file() and _is_mbox(path):
            name = path.stem if path.suffix == ".mbox" else path.name
            found[prefix + name] = MboxBox(path, largest)
    return found


def _profiles(home: Path) -> Iterator[Path]:
    for below in THUNDERBIRD:
        listing = configparser.ConfigParser(interpolation=None, strict=False)
        try:
            listing.read(home / below / "profiles.ini", encoding="utf-8")
        except (configparser.Error, UnicodeError):
            continue
        for section in listing.sections():
            path = listing.get(section, "Path", fallback="")
            if path:
                is_relative = listing.get(section, "IsRelative", fallback="1") == "1"
                yield home / below / path if is_relative else Path(path)


def _is_mbox(path: Path) -> bool:
    if path.stat().st_size == 0:
        # Thunderbird has an index file for each folder, also for empty ones.
        return path.with_name(path.name + ".msf").exists()
    with path.open("rb") as file:
        return path.suffix.lower() != ".eml" and is_mbox(file.read(4096))


def _folders(path: Path) -> list[Path]:
    if not path.is_dir():
        return []
    return sorted(each for each in path.iterdir() if each.is_dir())
