"""Moves that lose no message, whatever the server supports and wherever the line breaks.

They leave one copy, except if a client without claims moves the message at the same moment.

The progress is stored before each step that may break, so that the next connection, or the next run
of the program, continues from there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.actions.fingerprints import Fingerprint
from nbmail.sync.imap.actions.folder_actions import EndedAction, FolderActions
from nbmail.sync.imap.actions.move_by_copy import DELETED, MoveByCopy
from nbmail.sync.imap.actions.move_progress import (
    MoveProgress,
    MoveStage,
    arrived_in_target,
    begin_moves,
)
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.sync.imap.session import Session
from nbmail.values import Outcome, ServerAction, ServerLocation


class FolderMoves(FolderActions):
    """Moves of messages out of one folder: by MOVE, otherwise by COPY and UID EXPUNGE."""

    def __init__(
        self,
        session: Session,
        backend: AccountBackend,
        actions: Sequence[ServerAction],
        ended: list[EndedAction],
    ) -> None:
        super().__init__(session, backend, actions, ended)
        # Each of two equal messages has its own copy.
        self._found_copies = set[int]()

    def begun(self, uid: int) -> MoveProgress | None:
        """Return the progress of a move out of this folder; None if it has not begun."""
        progress = MoveProgress.read(self.left[uid].progress)
        here = ServerLocation(self.folder, self.validity, uid)
        return progress if progress is not None and progress.origin == here else None

    def resume(self, uid: int, *, present: bool) -> bool:
        """Continue an interrupted move. False if it must begin again.

        `present`: the message is still in this folder.
        """
        progress = self.begun(uid)
        if progress is None:
            return False
        if progress.stage is not MoveStage.MOVING:
            self._move_by_copy(uid, progress)
            return True
        if present and not self.session.can("UIDPLUS"):
            return False

        location = self._find_copy(progress, arrived_in_target(self.session, progress))
        if location is None:
            return False
        if present and self.open():
            # The server copied it and didn't remove the original. The copy is never removed.
            self.session.store([uid], [DELETED], add=True)
            self.session.expunge([uid])
        self.end(uid, Outcome.DONE, "", location)
        return True

    def move(self, uids: Collection[int], target: str) -> None:
        """Move messages. Each ends as DONE, as OBSOLETE if it is gone, or as REFUSED."""
        if not self.session.can("MOVE"):
            for uid in uids:
                self._move_by_copy(uid, target)
        elif uids:
            self._move(uids, target)

    def _move(self, uids: Collection[int], target: str) -> None:
        progress = begin_moves(self.session, uids, target, MoveStage.MOVING)
        self.note({uid: each.text() for uid, each in progress.items()})
        locations = self.session.move(uids, target)

        # An undo needs the new location, which not every server reports.
        unknown = [
            uid for uid, location in locations.items() if location is None and uid in progress
        ]
        if unknown:
            arrived = arrived_in_target(self.session, progress[unknown[0]])
            for uid in unknown:
                locations[uid] = self._find_copy(progress[uid], arrived)

        for uid in uids:
            outcome = Outcome.DONE if uid in locations else Outcome.OBSOLETE
            self.end(uid, outcome, "", locations.get(uid))

    def _find_copy(
        self, progress: MoveProgress, arrived: Mapping[int, Fingerprint]
    ) -> ServerLocation | None:
        """Return the location of the first matching copy that no other message has."""
        for uid in sorted(arrived.keys() - self._found_copies):
            if progress.fingerprint.matches(arrived[uid]):
                self._found_copies.add(uid)
                return progress._replace(uid=uid).location
        return None

    def _move_by_copy(self, uid: int, goal: str | MoveProgress) -> None:
        """Move a message to the folder `goal`, or continue an interrupted move."""
        move = MoveByCopy(self, uid)
        try:
            location = move.start(goal) if isinstance(goal, str) else move.resume(goal)
        except Refusal as refusal:
            if refusal.temporary or refusal.code == "EXPUNGEISSUED":
                raise
            self.end(uid, Outcome.REFUSED, refusal.detail)
        else:
            self.end(uid, Outcome.DONE if location else Outcome.OBSOLETE, "", location)
