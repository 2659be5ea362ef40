"""Stored progress of a move."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import NamedTuple

from nbmail.sync.imap.actions.fingerprints import Fingerprint
from nbmail.values import ServerLocation


class MoveStage(StrEnum):
    """Next step of a move, which may have been carried out without an answer."""

    MOVING = "moving"
    COPYING = "copying"
    DELETING = "deleting"
    WITHDRAWING = "withdrawing"


class MoveProgress(NamedTuple):
    """Progress of a move. `uid`: that of the copy in the target; before it exists, the lowest UID
    that it can get.
    """

    stage: MoveStage
    origin: tuple[str, int, int]
    target: str
    validity: int
    uid: int
    fingerprint: Fingerprint

    @property
    def location(self) -> ServerLocation:
        return ServerLocation(self.target, self.validity, self.uid)

    @classmethod
    def read(cls, text: str) -> MoveProgress | None:
        """Parse `text`; None if no move has begun."""
        if not text.startswith("["):
            return None
        stage, (folder, origin_validity, origin_uid), target, validity, uid, fingerprint = (
            json.loads(text)
        )
        origin = (folder, origin_validity, origin_uid)
        return cls(MoveStage(stage), origin, target, validity, uid, Fingerprint(*fingerprint))
