"""Properties that a copy shares with its original."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from nbmail.sync.imap.protocol.fetch_responses import fetched
from nbmail.sync.imap.protocol.uid_sets import uid_sets
from nbmail.sync.imap.session import Session

_ID = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
ITEMS = b"(UID FLAGS RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])"


class Fingerprint(NamedTuple):
    """Properties that a copy shares with its original."""

    size: int
    received: float
    identity: str

    def matches(self, other: Fingerprint) -> bool:
        """True if both can be the same message. Not every server keeps the date of arrival in a
        copy.
        """
        known = self.identity or self.received
        return self.size == other.size and known == (
            other.identity if self.identity else other.received
        )


def fetch_fingerprints(
    session: Session, uids: Collection[int]
) -> dict[int, tuple[Fingerprint, frozenset[str]]]:
    found = {}
    for reply in session.connection.pipeline(
        b"UID FETCH " + each + b" " + ITEMS for each in uid_sets(uids)
    ):
        message = fetched(reply)
        if message is not None and message.body is not None:
            identity = _ID.search(message.body)
            text = identity.group(1).decode("latin-1") if identity else ""
            fingerprint = Fingerprint(message.size, message.received, text)
            found[message.uid] = fingerprint, message.flags or frozenset()
    return found
