"""Mailbox in an mbox file."""

import calendar
import re
from collections.abc import Iterator
from contextlib import suppress
from email.utils import parsedate

from nbmail.sync.local.local_mailbox import LATEST, Box, Entry, changed_at, digest_of
from nbmail.sync.local.mbox_files import FileMessage, messages_in, unquoted

STATUS_FLAGS = {
    "R": "\\Seen",
    "A": "\\Answered",
    "F": "\\Flagged",
    "D": "\\Deleted",
    "T": "\\Draft",
}
MOZILLA_FLAGS = {0x1: "\\Seen", 0x2: "\\Answered", 0x4: "\\Flagged"}

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


class MboxBox(Box):
    """Single file, usually an mbox file.

    Status headers that programs add don't change the UID of a message.
    """

    def signature(self) -> object:
        status = self.path.stat()
        return changed_at(status), status.st_size

    def scan(self) -> Iterator[Entry]:
        for message in messages_in(self.path):
            stored = message.stored
            start = message.place + message.begin
            head = head_of(stored)
            moment = _moment(message.from_line, head)
            flags = _flags(message, head)
            yield Entry(self.path, len(stored), moment, stored_digest(stored), flags, start)

    def read(self, entry: Entry, limit: int) -> bytes:
        """Return the original message, if it is still in the same place."""
        stored = super().read(entry, entry.size)
        if stored_digest(stored) != entry.digest:
            raise FileNotFoundError(entry.path)
        # In an mbox file no message starts at byte 0.
        return (unquoted(stored) if entry.start else stored)[:limit]


def stored_digest(stored: bytes) -> bytes:
    head = head_of(stored)
    return digest_of(_NOTED.sub(b"", head), stored[len(head) :])


def head_of(stored: bytes) -> bytes:
    """Return the headers of a message with the empty line below them."""
    blank = _BLANK.search(stored, 0, LONGEST_HEAD)
    return stored[: blank.end() if blank else LONGEST_HEAD]


def _moment(from_line: bytes, head: bytes) -> float:
    """Return the time of delivery in the "From " line, otherwise in the Date header.

    Time zones are ignored. Return 0 without a valid time.
    """
    date = _DATE.search(head)
    return _seconds(from_line[5:].partition(b" ")[2]) or _seconds(date.group(1) if date else b"")


def _seconds(text: bytes) -> float:
    with suppress(ValueError, IndexError):
        parsed = parsedate(text.strip().decode("ascii", "replace"))
        moment = calendar.timegm(parsed) if parsed is not None else 0
        if 0 < moment <= LATEST:
            return float(moment)
    return 0.0


def _flags(message: FileMessage, head: bytes) -> frozenset[str]:
    flags = {name for bit, name in MOZILLA_FLAGS.items() if message.mozilla_status & bit}
    for found in _STATUS.finditer(head):
        for letter in found.group(1).decode("ascii"):
            if letter in STATUS_FLAGS:
                flags.add(STATUS_FLAGS[letter])
    return frozenset(flags | _thunderbird_keywords(head))


def _thunderbird_keywords(head: bytes) -> set[str]:
    """Return the keywords in the block of headers that Thunderbird wrote."""
    block = _THUNDERBIRD.match(head)
    if block is None or b"x-mozilla-status:" not in block[0].lower():
        return set()
    keys = _KEYS.search(block[0])
    return set(keys.group(1).decode("ascii", "replace").split()) if keys else set()
