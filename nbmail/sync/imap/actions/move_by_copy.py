"""Move of one message on a server without MOVE: COPY, \\Deleted and UID EXPUNGE.

A plain EXPUNGE would also remove messages that other clients marked.
"""

from __future__ import annotations

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.imap.actions.fingerprints import find_messages
from nbmail.sync.imap.actions.folder_actions import FolderActions
from nbmail.sync.imap.actions.move_progress import (
    MoveProgress,
    MoveStage,
    arrived_in_target,
    begin_moves,
)
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.values import ServerLocation

DELETED = "\\Deleted"


class MoveByCopy:
    """Move of one message out of the folder of `actions`.

    `start` and `resume` return its new location; None if another client moved or deletes it.
    """

    def __init__(self, actions: FolderActions, uid: int) -> None:
        self._actions = actions
        self._session = actions.session
        self._uid = uid

    def start(self, target: str) -> ServerLocation | None:
        """Move the message."""
        if not self._actions.open():
            return None
        found = find_messages(self._session, [self._uid]).get(self._uid)
        if found is None:
            return None
        begun = begin_moves(self._session, [self._uid], target, MoveStage.COPYING)
        progress = begun.get(self._uid)
        if progress is None or DELETED in found.flags:
            return None
        self._note(progress)
        return self._copy(progress)

    def resume(self, progress: MoveProgress) -> ServerLocation | None:
        """Continue an interrupted move."""
        if progress.stage is MoveStage.WITHDRAWING:
            self._withdraw(progress)
            return None
        exists = self._actions.open() and self._uid in self._search(self._uid)
        if progress.stage is MoveStage.DELETING:
            return self._delete_if_copied(progress) if exists else progress.location

        copies = self._copies(progress)
        if exists and copies:
            return self._delete(progress._replace(uid=copies[0]))
        if exists:
            self._reopen()
            return self._copy(progress)
        # Another client moved it. A single copy may be its copy; of two, one is ours.
        if len(copies) > 1:
            self._withdraw(progress._replace(uid=copies[0]))
        return None

    def _copy(self, progress: MoveProgress) -> ServerLocation | None:
        reported = self._session.copy(self._uid, progress.target)
        if reported:
            return self._delete(progress._replace(uid=reported), is_own=True)
        copies = self._copies(progress)
        # Without a copy, whatever the server answered, nothing is deleted.
        return self._delete(progress._replace(uid=copies[0])) if copies else None

    def _delete_if_copied(self, progress: MoveProgress) -> ServerLocation | None:
        """Delete the original if the copy still exists.

        If another client removed the copy, keep the original.
        """
        if self._session.opens(progress.target, progress.validity) and self._search(progress.uid):
            return self._delete(progress)
        self._reopen()
        self._session.store([self._uid], [DELETED], add=False)
        return None

    def _delete(self, progress: MoveProgress, *, is_own: bool = False) -> ServerLocation | None:
        """Delete the original. If another client was faster, remove the own copy.

        `is_own`: the server reported this copy. Any other may be that of the other client, and
        stays.
        """
        self._note(progress._replace(stage=MoveStage.DELETING))
        self._reopen()
        try:
            shown = self._session.store([self._uid], [DELETED], add=True)
            # Not by the response to STORE: a server needn't report a flag that was set before.
            if self._search(self._uid, b" DELETED"):
                self._session.expunge([self._uid])
                return progress.location
        except Refusal as refusal:
            if not refusal.temporary:
                # The server allows copying and not deleting.
                self._session.store([self._uid], [DELETED], add=False)
                if is_own:
                    self._withdraw(progress)
            raise
        # Expunged between the two commands. If the response showed our flag, our copy is the
        # message.
        if shown:
            return progress.location
        if is_own:
            self._withdraw(progress)
        return None

    def _withdraw(self, progress: MoveProgress) -> None:
        """Remove the own copy: there is no new location."""
        self._note(progress._replace(stage=MoveStage.WITHDRAWING))
        if self._session.opens(progress.target, progress.validity):
            self._session.store([progress.uid], [DELETED], add=True)
            self._session.expunge([progress.uid])

    def _copies(self, progress: MoveProgress) -> list[int]:
        """Return the UIDs, lowest first, of matching messages that arrived in the target."""
        arrived = arrived_in_target(self._session, progress)
        return sorted(uid for uid, found in arrived.items() if progress.fingerprint.matches(found))

    def _search(self, uid: int, condition: bytes = b"") -> list[int]:
        return self._session.search(b"UID %d" % uid + condition)

    def _reopen(self) -> None:
        if not self._actions.open():
            raise KnownError(ErrorCode.SERVER_GONE, f"{self._actions.folder} was recreated")

    def _note(self, progress: MoveProgress) -> None:
        self._actions.note({self._uid: progress.text()})
