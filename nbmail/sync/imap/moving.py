"""Moving a message without losing or duplicating it, whatever the server supports and wherever the line breaks.

The progress is stored before each step that may break, so that the next connection, or the next run of the program,
continues from there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from enum import StrEnum
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.session import Session, fetched, uid_sets

_ID = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
ITEMS = b"(UID FLAGS RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])"
DELETED = "\\Deleted"


class MoveStage(StrEnum):
    """Next step of a move, which may have been carried out without an answer."""

    MOVING = "moving"
    COPYING = "copying"
    DELETING = "deleting"
    WITHDRAWING = "withdrawing"


class Fingerprint(NamedTuple):
    """Properties that a copy shares with its original."""

    size: int
    received: float
    identity: str

    def matches(self, other: Fingerprint) -> bool:
        """True if both can be the same message. Not every server keeps the date of arrival in a copy."""
        known = self.identity or self.received
        return self.size == other.size and known == (other.identity if self.identity else other.received)


class MoveProgress(NamedTuple):
    """Progress of the move of the message at `origin` (folder, UIDVALIDITY, UID).

    `uid`: UID of the copy in the target; before it exists, the lowest UID that it can get.
    """

    stage: MoveStage
    origin: tuple[str, int, int]
    target: str
    validity: int
    uid: int
    fingerprint: Fingerprint

    @property
    def text(self) -> str:
        return json.dumps(self)

    @classmethod
    def read(cls, text: str) -> MoveProgress | None:
        """Parse `text`; None if it is empty."""
        if not text:
            return None
        stage, (folder, origin_validity, origin_uid), target, validity, uid, fingerprint = json.loads(text)
        origin = (folder, origin_validity, origin_uid)
        return cls(MoveStage(stage), origin, target, validity, uid, Fingerprint(*fingerprint))


def prepare_move(session: Session, uids: Collection[int], target: str, stage: MoveStage) -> dict[int, MoveProgress]:
    """Return the progress to store before these messages of the open folder are moved, by UID."""
    selected, counts = session.selected, session.counts(target)
    if selected is None:
        return {}
    least, validity = counts.get(b"UIDNEXT", 1), counts.get(b"UIDVALIDITY", 0)
    return {
        uid: MoveProgress(stage, (selected.name, selected.validity, uid), target, validity, least, fingerprint)
        for uid, fingerprint, _ in _fetch_fingerprints(session, uids)
    }


def find_copies(session: Session, progress: MoveProgress) -> list[int]:
    """Return the UIDs, lowest first, of matching messages that arrived in the target since the move started."""
    if not session.opens(progress.target, progress.validity):
        return []
    newer = [uid for uid in session.search(b"UID %d:*" % progress.uid) if uid >= progress.uid]
    found = _fetch_fingerprints(session, newer)
    return sorted(uid for uid, fingerprint, _ in found if progress.fingerprint.matches(fingerprint))


class MessageMove(NamedTuple):
    """Move of one message on a server without MOVE: COPY, \\Deleted, UID EXPUNGE.

    A plain EXPUNGE would also remove messages that other clients marked. `store_progress` is called before each step.
    """

    session: Session
    folder: str
    validity: int
    uid: int
    store_progress: Callable[[str], None]

    def start(self, target: str) -> int:
        """Move the message. Return its new UID; 0 if another client has moved or is deleting it."""
        found = _fetch_fingerprints(self.session, [self.uid]) if self._open() else []
        progress = prepare_move(self.session, [self.uid], target, MoveStage.COPYING).get(self.uid) if found else None
        if progress is None or DELETED in found[0][2]:
            return 0
        self.store_progress(progress.text)
        return self._copy(progress)

    def resume(self, progress: MoveProgress) -> int:
        """Continue an interrupted move. Returns the same as `start`."""
        if progress.stage is MoveStage.WITHDRAWING:
            return self._withdraw(progress)
        exists = self._exists()
        if progress.stage is MoveStage.DELETING:
            return self._delete_if_copied(progress) if exists else progress.uid
        copies = find_copies(self.session, progress)
        if not exists:
            # Another client moved it. A single copy may be its copy; of two, one is ours.
            return self._withdraw(progress._replace(uid=copies[0])) if len(copies) > 1 else 0
        if copies:
            return self._delete(progress._replace(uid=copies[0]))
        self._reopen()
        return self._copy(progress)

    def _open(self) -> bool:
        return self.session.opens(self.folder, self.validity)

    def _reopen(self) -> None:
        if not self._open():
            raise KnownError(ErrorCode.SERVER_GONE, f"{self.folder} was recreated")

    def _exists(self) -> bool:
        return self._open() and self.uid in self.session.search(b"UID %d" % self.uid)

    def _copy(self, progress: MoveProgress) -> int:
        uid = self.session.copy(self.uid, progress.target)
        copies = [uid] if uid else find_copies(self.session, progress)
        # Without a copy, whatever the server answered, nothing is deleted.
        return self._delete(progress._replace(uid=copies[0])) if copies else 0

    def _delete_if_copied(self, progress: MoveProgress) -> int:
        """Delete the original if the copy still exists. If another client removed the copy, keep the original."""
        copy = b"UID %d" % progress.uid
        if self.session.opens(progress.target, progress.validity) and self.session.search(copy):
            return self._delete(progress)
        self._reopen()
        self.session.store([self.uid], [DELETED], add=False)
        return 0

    def _delete(self, progress: MoveProgress) -> int:
        """Delete the original. If another client was faster, remove the own copy."""
        self.store_progress(progress._replace(stage=MoveStage.DELETING).text)
        self._reopen()
        try:
            shown = self.session.store([self.uid], [DELETED], add=True)
            # Not by the response to STORE: a server needn't report a flag that was set before.
            if self.session.search(b"UID %d DELETED" % self.uid):
                self.session.client.uid_expunge([self.uid])
                return progress.uid
        except Refusal as refusal:
            if not refusal.temporary:
                self._revert(progress)
            raise
        # Expunged between the two commands. If the response showed our flag, our copy is the message.
        return progress.uid if shown else self._withdraw(progress)

    def _revert(self, progress: MoveProgress) -> None:
        """Restore the state before the move: the server allows copying and not deleting."""
        self.session.store([self.uid], [DELETED], add=False)
        self._withdraw(progress)

    def _withdraw(self, progress: MoveProgress) -> int:
        """Remove the own copy. Always returns 0."""
        self.store_progress(progress._replace(stage=MoveStage.WITHDRAWING).text)
        if self.session.opens(progress.target, progress.validity):
            self.session.store([progress.uid], [DELETED], add=True)
            self.session.client.uid_expunge([progress.uid])
        return 0


def _fetch_fingerprints(session: Session, uids: Collection[int]) -> list[tuple[int, Fingerprint, frozenset[str]]]:
    """Return UID, fingerprint and flags of messages of the open folder."""
    found = []
    for reply in session.connection.pipeline(b"UID FETCH " + each + b" " + ITEMS for each in uid_sets(uids)):
        message = fetched(reply)
        if message is not None and message.body is not None:
            identity = _ID.search(message.body)
            text = identity.group(1).decode("latin-1") if identity else ""
            fingerprint = Fingerprint(message.size, message.received, text)
            found.append((message.uid, fingerprint, message.flags or frozenset()))
    return found
