"""Moving a message so that it is never lost and never there twice, whatever the server can do or breaks off.

How far a move has come is noted before each step that may break off, so that the next connection, or the next run of
the program, goes on from there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from dataclasses import astuple, dataclass, replace
from enum import StrEnum

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.connection.fetch_answers import fetched, uid_sets
from nbmail.sync.connection.imap_connection import Refusal
from nbmail.sync.imap.session import Session

_ID = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
ITEMS = b"(UID FLAGS RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])"
DELETED = "\\Deleted"

Note = Callable[[str], None]


class MoveStage(StrEnum):
    """What a move that may have broken off was about to do."""

    MOVING = "moving"
    COPYING = "copying"
    DELETING = "deleting"
    WITHDRAWING = "withdrawing"


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a copy has in common with its original."""

    size: int
    received: float
    identity: str

    def fits(self, other: Likeness) -> bool:
        """Whether they can be the same message. Not every server keeps the date of arrival in a copy."""
        known = self.identity or self.received
        return self.size == other.size and known == (other.identity if self.identity else other.received)


@dataclass(frozen=True, slots=True)
class MoveProgress:
    """How far the move of what lay at `origin` (folder, UIDVALIDITY, UID) has come.

    `uid` is the copy's in the target; before there is one, the least it can have.
    """

    stage: MoveStage
    origin: tuple[str, int, int]
    target: str
    validity: int
    uid: int
    likeness: Likeness

    @property
    def text(self) -> str:
        return json.dumps(astuple(self))

    @classmethod
    def read(cls, text: str) -> MoveProgress | None:
        """What `text` wrote; None for nothing."""
        if not text:
            return None
        stage, (folder, its_validity, its_uid), target, validity, uid, likeness = json.loads(text)
        return cls(MoveStage(stage), (folder, its_validity, its_uid), target, validity, uid, Likeness(*likeness))


def prepare_move(session: Session, uids: Collection[int], target: str, stage: MoveStage) -> dict[int, MoveProgress]:
    """What is to be noted before these messages of the open folder go to the target."""
    selected, counts = session.selected, session.counts(target)
    if selected is None:
        return {}
    least, validity = counts.get(b"UIDNEXT", 1), counts.get(b"UIDVALIDITY", 0)
    name, its = selected.name, selected.validity
    return {
        uid: MoveProgress(stage, (name, its, uid), target, validity, least, like)
        for uid, like, _ in _looks(session, uids)
    }


def arrived(session: Session, progress: MoveProgress) -> list[int]:
    """The UIDs, oldest first, of messages like this one that came to the target since the move began."""
    if not session.opens(progress.target, progress.validity):
        return []
    there = [uid for uid in session.search(b"UID %d:*" % progress.uid) if uid >= progress.uid]
    return sorted(uid for uid, like, _ in _looks(session, there) if progress.likeness.fits(like))


@dataclass(frozen=True, slots=True)
class MessageMove:
    """Moves one message of a folder on a server without MOVE. `note` keeps how far that has come.

    COPY, \\Deleted, EXPUNGE of this one UID: never a plain EXPUNGE, which would also delete what others marked.
    """

    session: Session
    folder: str
    validity: int
    uid: int
    note: Note

    def start(self, target: str) -> int:
        """All of it: the UID of what was moved. 0: someone else took it away or is deleting it; they were first."""
        looks = _looks(self.session, [self.uid]) if self._open() else []
        progress = prepare_move(self.session, [self.uid], target, MoveStage.COPYING).get(self.uid) if looks else None
        if progress is None or DELETED in looks[0][2]:
            return 0
        self.note(progress.text)
        return self._copy(progress)

    def resume(self, progress: MoveProgress) -> int:
        """Go on where an earlier try may have broken off, as `start` does."""
        if progress.stage is MoveStage.WITHDRAWING:
            return self._withdraw(progress)
        there = self._is_there()
        if progress.stage is MoveStage.DELETING:
            return self._delete_if_copied(progress) if there else progress.uid
        copies = arrived(self.session, progress)
        if not there:
            # Taken away by someone. One copy may be theirs, and then it is the only one; of two, one is ours.
            return self._withdraw(replace(progress, uid=copies[0])) if len(copies) > 1 else 0
        if copies:
            return self._delete(replace(progress, uid=copies[0]))
        self._reopen()
        return self._copy(progress)

    def _open(self) -> bool:
        return self.session.opens(self.folder, self.validity)

    def _reopen(self) -> None:
        if not self._open():
            raise KnownError(ErrorCode.SERVER_GONE, f"{self.folder} was made anew meanwhile")

    def _is_there(self) -> bool:
        return self._open() and self.uid in self.session.search(b"UID %d" % self.uid)

    def _copy(self, progress: MoveProgress) -> int:
        uid = self.session.copy(self.uid, progress.target)
        copies = [uid] if uid else arrived(self.session, progress)
        # A server that says the copy is made and has none: nothing is deleted for that.
        return self._delete(replace(progress, uid=copies[0])) if copies else 0

    def _delete_if_copied(self, progress: MoveProgress) -> int:
        """Whoever took the copy away in the meantime has the last word: then the original stays."""
        if self.session.opens(progress.target, progress.validity) and progress.uid in self.session.search(
            b"UID %d" % progress.uid
        ):
            return self._delete(progress)
        self._reopen()
        self.session.store([self.uid], [DELETED], add=False)
        return 0

    def _delete(self, progress: MoveProgress) -> int:
        self.note(replace(progress, stage=MoveStage.DELETING).text)
        self._reopen()
        try:
            told = self.session.store([self.uid], [DELETED], add=True)
            # Not by the answer to STORE alone: a server needn't tell a flag that was set before.
            if self.session.search(b"UID %d DELETED" % self.uid):
                self.session.client.uid_expunge([self.uid])
                return progress.uid
        except Refusal as refusal:
            if not refusal.passing:
                self._give_up(progress)
            raise
        # Gone between the two: with our mark upon it when the server told so, and then our copy is the message.
        return progress.uid if told else self._withdraw(progress)

    def _give_up(self, progress: MoveProgress) -> None:
        """The server lets us copy and not delete: all is to be as it was."""
        self.session.store([self.uid], [DELETED], add=False)
        self._withdraw(progress)

    def _withdraw(self, progress: MoveProgress) -> int:
        """Remove our copy: always 0."""
        self.note(replace(progress, stage=MoveStage.WITHDRAWING).text)
        if self.session.opens(progress.target, progress.validity):
            self.session.store([progress.uid], [DELETED], add=True)
            self.session.client.uid_expunge([progress.uid])
        return 0


def _looks(session: Session, uids: Collection[int]) -> list[tuple[int, Likeness, frozenset[str]]]:
    """UID, likeness and flags of messages of the open folder."""
    found = []
    for reply in session.connection.flow(b"UID FETCH " + each + b" " + ITEMS for each in uid_sets(uids)):
        message = fetched(reply)
        if message is not None and message.body is not None:
            identity = _ID.search(message.body)
            text = identity.group(1).decode("latin-1") if identity else ""
            found.append((message.uid, Likeness(message.size, message.received, text), message.flags or frozenset()))
    return found
