"""Stored progress of a move, from which an interrupted one continues."""

from __future__ import annotations

import json
from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

from nbmail.sync.imap.actions.fingerprints import Fingerprint, find_messages
from nbmail.sync.imap.session import Session
from nbmail.values import ServerLocation


class MoveStage(StrEnum):
    """Next step of a move, which may have been carried out without an answer."""

    MOVING = "moving"
    COPYING = "copying"
    DELETING = "deleting"
    WITHDRAWING = "withdrawing"


class MoveProgress(NamedTuple):
    """Progress of a move.

    `uid`: that of the copy in the target; before it exists, the lowest UID that it can get.
    """

    stage: MoveStage
    origin: ServerLocation
    target: str
    validity: int
    uid: int
    fingerprint: Fingerprint

    @property
    def location(self) -> ServerLocation:
        """Location of the copy."""
        return ServerLocation(self.target, self.validity, self.uid)

    def text(self) -> str:
        return json.dumps(self)

    @classmethod
    def read(cls, text: str) -> MoveProgress | None:
        """Parse `text`; None if no move has begun."""
        if not text.startswith("["):
            return None
        stage, origin, target, validity, uid, fingerprint = json.loads(text)
        return cls(
            stage=MoveStage(stage),
            origin=ServerLocation(*origin),
            target=target,
            validity=validity,
            uid=uid,
            fingerprint=Fingerprint(*fingerprint),
        )


def begin_moves(
    session: Session, uids: Collection[int], target: str, stage: MoveStage
) -> dict[int, MoveProgress]:
    """Return the progress to store before messages of the open folder are moved, by UID.

    Messages that are gone have none.
    """
    opened = session.selected
    if opened is None:
        return {}
    counts = session.counts(target)
    return {
        uid: MoveProgress(
            stage,
            origin=ServerLocation(opened.name, opened.validity, uid),
            target=target,
            validity=counts.get(b"UIDVALIDITY", 0),
            uid=counts.get(b"UIDNEXT", 1),
            fingerprint=message.fingerprint,
        )
        for uid, message in find_messages(session, uids).items()
    }


def arrived_in_target(session: Session, progress: MoveProgress) -> dict[int, Fingerprint]:
    """Open the target. Return the messages that arrived there since the move began, by UID."""
    if not session.opens(progress.target, progress.validity):
        return {}
    # A range up to "*" always includes the last message.
    newer = [uid for uid in session.search(b"UID %d:*" % progress.uid) if uid >= progress.uid]
    return {uid: message.fingerprint for uid, message in find_messages(session, newer).items()}
