"""Moves that neither lose nor duplicate messages, whatever the server supports and wherever the line breaks.

The progress is stored before each step that may break, so that the next connection, or the next run of the program,
continues from there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.session import Session, fetched, uid_sets
from nbmail.values import Outcome, ServerAction, ServerLocation

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
    """Progress of a move. `uid`: that of the copy in the target; before it exists, the lowest UID that it can get."""

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
        """Parse `text`; None if no move has begun."""
        if not text.startswith("["):
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
    return sorted(uid for uid, found in _arrived(session, progress).items() if progress.fingerprint.matches(found))


def _arrived(session: Session, progress: MoveProgress) -> dict[int, Fingerprint]:
    """Return the messages that arrived in the target since the move started."""
    if not session.opens(progress.target, progress.validity):
        return {}
    newer = [uid for uid in session.search(b"UID %d:*" % progress.uid) if uid >= progress.uid]
    return {uid: fingerprint for uid, fingerprint, _ in _fetch_fingerprints(session, newer)}


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


class End(Protocol):
    """Called once with each message whose move ended. `new_location`: None if unknown."""

    def __call__(
        self, uid: int, outcome: Outcome, detail: str = "", new_location: ServerLocation | None = None, /
    ) -> None: ...


class FolderMoves:
    """Moves of messages out of one folder. `progress`: by UID. `store` is called before the step that it is for."""

    def __init__(
        self, session: Session, actions: Sequence[ServerAction], store: Callable[[Mapping[int, str]], None], end: End
    ) -> None:
        self._session, self._store, self._end = session, store, end
        self._folder, self._validity = actions[0].folder.folder, actions[0].validity
        self.progress = {action.uid: action.progress for action in actions}
        # Each of two equal messages has its own copy.
        self._matched = set[int]()

    def present(self, uids: Collection[int]) -> set[int]:
        """Return the UIDs that are still in the folder. What another client moved is left to it."""
        if not uids or not self._session.opens(self._folder, self._validity):
            return set()
        return set(self._session.search(b"UID " + next(uid_sets(uids))))

    def has_begun(self, uid: int) -> bool:
        return self._progress_of(uid) is not None

    def note(self, texts: Mapping[int, str]) -> None:
        """Store progress durably."""
        self.progress |= texts
        if texts:
            self._store(texts)

    def resume(self, uid: int, *, present: bool) -> bool:
        """Complete an interrupted move. False if there was none."""
        progress = self._progress_of(uid)
        if progress is None:
            return False
        if progress.stage is not MoveStage.MOVING:
            self._copy(uid, progress)
            return True
        if present and not self._session.can("UIDPLUS"):
            return False
        location = self._find_copy(progress, _arrived(self._session, progress))
        if location is not None:
            if present and self._session.opens(self._folder, self._validity):
                # The server copied it and didn't remove the original. The copy is never removed.
                self._session.store([uid], [DELETED], add=True)
                self._session.client.uid_expunge([uid])
            self._end(uid, Outcome.DONE, "", location)
        return location is not None

    def move(self, uids: Collection[int], target: str) -> None:
        """Move messages. Each ends as DONE, as OBSOLETE if it is gone, or as REFUSED."""
        if not self._session.can("MOVE"):
            for uid in uids:
                self._copy(uid, target)
        elif uids:
            self._move_together(uids, target)

    def _move_together(self, uids: Collection[int], target: str) -> None:
        progress = prepare_move(self._session, uids, target, MoveStage.MOVING)
        self.note({uid: each.text for uid, each in progress.items()})
        moved = self._session.move(uids, target)
        unknown = [progress[uid] for uid, place in moved.items() if place is None and uid in progress]
        # An undo needs the new location, which not every server reports.
        arrived = _arrived(self._session, unknown[0]) if unknown else {}
        for uid in uids:
            place = moved.get(uid)
            if uid in moved and place is None and uid in progress:
                place = self._find_copy(progress[uid], arrived)
            self._end(uid, Outcome.DONE if uid in moved else Outcome.OBSOLETE, "", place)

    def _copy(self, uid: int, goal: str | MoveProgress) -> None:
        """Move a message to the folder `goal` by copying it, or continue an interrupted move."""
        move = MessageMove(self._session, self._folder, self._validity, uid, lambda text: self.note({uid: text}))
        try:
            new_uid = move.start(goal) if isinstance(goal, str) else move.resume(goal)
        except Refusal as refusal:
            if refusal.temporary or refusal.code == "EXPUNGEISSUED":
                raise
            self._end(uid, Outcome.REFUSED, refusal.detail)
            return
        progress = self._progress_of(uid)
        location = ServerLocation(progress.target, progress.validity, new_uid) if progress and new_uid else None
        self._end(uid, Outcome.DONE if new_uid else Outcome.OBSOLETE, "", location)

    def _progress_of(self, uid: int) -> MoveProgress | None:
        progress = MoveProgress.read(self.progress[uid])
        here = self._folder, self._validity, uid
        return progress if progress is not None and progress.origin == here else None

    def _find_copy(self, progress: MoveProgress, arrived: Mapping[int, Fingerprint]) -> ServerLocation | None:
        for uid in sorted(arrived.keys() - self._matched):
            if progress.fingerprint.matches(arrived[uid]):
                self._matched.add(uid)
                return ServerLocation(progress.target, progress.validity, uid)
        return None


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
