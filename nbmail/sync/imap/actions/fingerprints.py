"""Fingerprints of messages: properties that a copy shares with its original."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from nbmail.sync.imap.session import Session

_ID = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_ITEMS = b"(UID FLAGS RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])"


class Fingerprint(NamedTuple):
    """Properties that a copy shares with its original."""

    size: int
    received: float
    identity: str

    def matches(self, other: Fingerprint) -> bool:
        """True if both can be the same message."""
        if self.size != other.size:
            return False
        if self.identity:
            return self.identity == other.identity
        # Not every server keeps the date of arrival in a copy.
        return self.received == other.received


class FoundMessage(NamedTuple):
    """Message that is in the open folder."""

    fingerprint: Fingerprint
    flags: frozenset[str]


def find_messages(session: Session, uids: Collection[int]) -> dict[int, FoundMessage]:
    """Return the messages of the open folder that have these UIDs."""
    found: dict[int, FoundMessage] = {}
    for message in session.fetch(uids, _ITEMS):
        if message.body is not None:
            identity = _ID.search(message.body)
            text = identity.group(1).decode("latin-1") if identity else ""
            fingerprint = Fingerprint(message.size, message.received, text)
            found[message.uid] = FoundMessage(fingerprint, message.flags or frozenset())
    return found
