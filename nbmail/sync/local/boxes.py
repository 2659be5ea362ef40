"""Read-only mailboxes on the disk, synchronized like folders of a server: Maildir, mbox, folders of
single messages.

The UID of a message consists of its time and a digest. So it stays equal over restarts without an
additional file, and newer mail has larger UIDs as on a server.
"""

import calendar
import configparser
import os
import re
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from email.utils import parsedate
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.account_sync import ServerState
from nbmail.sync.local import mail_files
from nbmail.sync.mailbox_values import LocalMailbox
from nbmail.values import Arrival, StoredFolder

# A recreated mailbox can't be recognized, and equal UIDs are equal messages anyway.
VALIDITY = 1
LATEST = 2**31 - 1
MAILDIR_FLAGS = {
    "S": "\\Seen",
    "R": "\\Answered",
    "F": "\\Flagged",
    "T": "\\Deleted",
    "D": "\\Draft",
}
STATUS_FLAGS = {
    "R": "\\Seen",
    "A": "\\Answered",
    "F": "\\Flagged",
    "D": "\\Deleted",
    "T": "\\Draft",
}
MOZILLA_FLAGS = {0x1: "\\Seen", 0x2: "\\Answered", 0x4: "\\Flagged"}

LABEL_KEYWORDS = frozenset(("$junk", "junk", "$notjunk", "notjunk", "nonjunk"))

# Headers that programs add to a message of an mbox file after its delivery.
_NOTED = re.compile(
    rb"^(?:X-Mozilla-Status2?|X-Mozilla-Keys|Status|X-Status):[^\n]*\n",
    re.IGNORECASE | re.MULTILINE,
)
_KEYS = re.compile(rb"^X-Mozilla-Keys: *([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
# Thunderbird writes its headers directly after the "From " line. The same headers below them come
# from the sender.
_THUNDERBIRD = re.compile(rb"(?:X-(?:Account-Key|UIDL|Mozilla-[\w-]+):[^\n]*\n)*", re.IGNORECASE)
_STATUS = re.compile(rb"^(?:X-)?Status: *([A-Z]*)", re.IGNORECASE | re.MULTILINE)
_DATE = re.compile(rb"^Date: *([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
_BLANK = re.compile(rb"\n\r?\n")
LONGEST_HEAD = 65_536
# Seconds: a file system may give a change the time of the change before it, on FAT two seconds
# long.
SETTLED = 2.0


class Entry(NamedTuple):
    """Message of a box: its location in a file, its digest, and properties known without reading
    it.
    """

    path: Path
    size: int
    received: float
    digest: bytes
    flags: frozenset[str] = frozenset()
    start: int = 0


class Box(ABC):
    """A mailbox on the disk. `teaches`: the user chose it for training, so that its keywords are
    labels.
    """

    teaches = False

    def __init__(self, path: Path, largest: int) -> None:
        self.path = path
        self._largest = largest
        self._entries: dict[int, Entry] = {}
        self._signature: object = None

    @abstractmethod
    def signature(self) -> object:
        """Return a value that changes if the box may have changed, without reading mail."""

    @abstractmethod
    def scan(self) -> Iterator[Entry]:
        """Yield all messages."""

    def entries(self) -> dict[int, Entry]:
        """Return all messages by UID, which has 63 bits; scan again if the signature changed."""
        signature = self.signature()
        if signature != self._signature:
            self._entries = {}
            times = Counter[int]()
            for entry in self.scan():
                uid = first = min(max(int(entry.received), 1), LATEST) << 32 | int.from_bytes(
                    entry.digest
                )
                # Equal messages are numbered: probing for a free UID is quadratic.
                while uid in self._entries:
                    times[first] += 1
                    uid = first >> 32 << 32 | int.from_bytes(
                        _digest(b"%d %d" % (first, times[first]))
                    )
                self._entries[uid] = entry
            self._signature = signature
        return self._entries

    def server_state(self, stored: StoredFolder) -> ServerState:
        known = stored.flags
        no_flags = frozenset[str]()
        flags = {
            uid: self._flags(entry, known.get(uid, no_flags))
            for uid, entry in self.entries().items()
        }
        return ServerState(VALIDITY, 0, flags)

    def arrivals(self, uids: Iterable[int], limit: int = 0) -> Iterator[Arrival]:
        """Yield messages that still exist, cut at `limit` bytes; 0 for the account's limit."""
        for uid in uids:
            if entry := self._entries.get(uid):
                with suppress(FileNotFoundError):
                    raw = self.read(entry, limit or self._largest)
                    yield Arrival(uid, self._flags(entry), entry.received, raw, entry.size)

    def _flags(self, entry: Entry, stored: frozenset[str] = frozenset()) -> frozenset[str]:
        """Return the flags of a message. Without training its label keywords are the stored
        ones.
        """
        if self.teaches:
            return entry.flags
        return (entry.flags - _label_keywords(entry.flags)) | _label_keywords(stored)

    def read(self, entry: Entry, limit: int) -> bytes:
        """Return the first bytes of a message. `FileNotFoundError` if another program removed
        it.
        """
        with entry.path.open("rb") as file:
            file.seek(entry.start)
            return file.read(min(entry.size, limit))


def _changed_at(status: os.stat_result) -> object:
    """Return the time of the latest change; a unique value while another change could get the same
    time.
    """
    return status.st_mtime_ns if abs(time.time() - status.st_mtime) > SETTLED else object()


class MaildirBox(Box):
    """Maildir: one file for each message, with the flags in its name."""

    def signature(self) -> object:
        """Return the times of both folders: each delivery, removal and flag changes one of them."""
        return tuple(_changed_at((self.path / part).stat()) for part in ("new", "cur"))

    def scan(self) -> Iterator[Entry]:
        for each in mail_files.maildir_files(self.path):
            key, _, info = each.name.partition(":2,")
            flags = frozenset(MAILDIR_FLAGS[letter] for letter in info if letter in MAILDIR_FLAGS)
            head = key.partition(".")[0]
            # Another program may rename the file to change its flags.
            with suppress(FileNotFoundError):
                status = each.stat()
                moment = int(head) if head.isdecimal() and len(head) < 12 else int(status.st_mtime)
                yield Entry(
                    Path(each.path), status.st_size, float(moment), _digest(os.fsencode(key)), flags
                )


class LetterBox(Box):
    """Folder of single messages in `.eml` files, also in subfolders; or one such file."""

    def signature(self) -> object:
        return tuple(
            (str(path), _changed_at(status), status.st_size) for path, status in self._letters()
        )

    def scan(self) -> Iterator[Entry]:
        for path, status in self._letters():
            digest = _digest(os.fsencode(path.relative_to(self.path)), b"%d" % status.st_size)
            yield Entry(path, status.st_size, float(int(status.st_mtime)), digest)

    def _letters(self) -> Iterator[tuple[Path, os.stat_result]]:
        found = mail_files.files_below(self.path)
        return (
            (path, path.stat())
            for path, single in found
            if single and path.suffix.lower() == ".eml"
        )


class MboxBox(Box):
    """Single file, usually an mbox file. Status headers that programs add don't change the UID of a
    message.
    """

    def signature(self) -> object:
        status = self.path.stat()
        return _changed_at(status), status.st_size

    def scan(self) -> Iterator[Entry]:
        for message in mail_files.messages_in(self.path):
            stored = message.stored
            start = message.place + message.begin
            head = head_of(stored)
            moment = _moment(message.from_line, head)
            flags = _flags(message, head)
            yield Entry(self.path, len(stored), moment, _digest_of(stored), flags, start)

    def read(self, entry: Entry, limit: int) -> bytes:
        """Return the original message, if it is still in the same place."""
        stored = super().read(entry, entry.size)
        if _digest_of(stored) != entry.digest:
            raise FileNotFoundError(entry.path)
        # In an mbox file no message starts at byte 0.
        return (mail_files.unquoted(stored) if entry.start else stored)[:limit]


@lru_cache
def _label_keywords(flags: frozenset[str]) -> frozenset[str]:
    return frozenset(flag for flag in flags if flag.lower() in LABEL_KEYWORDS)


def _digest(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=4)
    for part in parts:
        digest.update(part)
    return digest.digest()


def _digest_of(stored: bytes) -> bytes:
    head = head_of(stored)
    return _digest(_NOTED.sub(b"", head), stored[len(head) :])


def head_of(stored: bytes) -> bytes:
    """Return the headers of a message with the empty line below them."""
    blank = _BLANK.search(stored, 0, LONGEST_HEAD)
    return stored[: blank.end() if blank else LONGEST_HEAD]


def _moment(from_line: bytes, head: bytes) -> float:
    """Return the time of delivery from the "From " line, otherwise from the Date header, without
    time zones.
    """
    date = _DATE.search(head)
    for text in (from_line[5:].partition(b" ")[2], date.group(1) if date else b""):
        with suppress(ValueError, IndexError):
            parsed = parsedate(text.strip().decode("ascii", "replace"))
            moment = calendar.timegm(parsed) if parsed is not None else 0
            if 0 < moment <= LATEST:
                return float(moment)
    return 0.0


def _flags(message: mail_files.FileMessage, head: bytes) -> frozenset[str]:
    flags = {name for bit, name in MOZILLA_FLAGS.items() if message.mozilla_status & bit}
    for found in _STATUS.finditer(head):
        flags |= {
            STATUS_FLAGS[letter]
            for letter in found.group(1).decode("ascii")
            if letter in STATUS_FLAGS
        }
    own = _THUNDERBIRD.match(head)
    keys = (
        _KEYS.search(own[0]) if own is not None and b"x-mozilla-status:" in own[0].lower() else None
    )
    return frozenset(flags | set(keys.group(1).decode("ascii", "replace").split() if keys else ()))


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
    if mail_files.is_maildir(path):
        below = (
            each
            for each in _folders(path)
            if each.name.startswith(".") and mail_files.is_maildir(each)
        )
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
        elif path.is_dir() and mail_files.is_maildir(path):
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
        return path.suffix.lower() != ".eml" and mail_files.is_mbox(file.read(4096))


def _folders(path: Path) -> list[Path]:
    return sorted(each for each in path.iterdir() if each.is_dir()) if path.is_dir() else []
