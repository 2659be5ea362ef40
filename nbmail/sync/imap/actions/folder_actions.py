"""Moves that lose no message, whatever the server supports and wherever the line breaks.

They leave one copy, except if a client without claims moves the message at the same moment.

The progress is stored before each step that may break, so that the next connection, or the next run
of the program, continues from there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.actions.fingerprints import Fingerprint, fetch_fingerprints
from nbmail.sync.imap.actions.move_progress import MoveProgress, MoveStage
from nbmail.sync.imap.folders.folder_names import ARCHIVE, INBOX, JUNK, TRASH
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.sync.imap.protocol.uid_sets import uid_sets
from nbmail.sync.imap.session import Session
from nbmail.values import Outcome, ServerAction, ServerLocation

DELETED = "\\Deleted"

# Action that ended, its outcome with the reason of a refusal, and the new location of a moved
# message.
Ended = tuple[ServerAction, Outcome, str, ServerLocation | None]


class FolderActions:
    """Pending actions that differ only in their message, and the moves out of their folder.

    `left`: the actions that have not ended, by UID, with their latest progress. Progress is stored
    before the step that it is for. `ended` gets each action that ends.

    Without MOVE a message is moved by COPY, \\Deleted and UID EXPUNGE. A plain EXPUNGE would also
    remove messages that other clients marked.
    """

    def __init__(
        self,
        session: Session,
        backend: AccountBackend,
        actions: Sequence[ServerAction],
        ended: list[Ended],
    ) -> None:
        self.session = session
        self.backend = backend
        self.first = actions[0]
        self.folder = self.first.folder.folder
        self.validity = self.first.validity
        self.left = {action.uid: action for action in actions}
        self._ended = ended
        # Each of two equal messages has its own copy.
        self._matched = set[int]()

    def end(
        self, uid: int, outcome: Outcome, detail: str = "", location: ServerLocation | None = None
    ) -> None:
        """End the action of a message. `location`: new one of a moved message, None if unknown."""
        self.backend.complete(self.left[uid], outcome, detail, location)
        self._ended.append((self.left.pop(uid), outcome, detail, location))

    def end_all(self, uids: Iterable[int], outcome: Outcome, detail: str = "") -> None:
        for uid in list(uids):
            self.end(uid, outcome, detail)

    def target(self) -> str:
        """Return the folder to move to, after creating it if the user named one that doesn't
        exist.
        """
        folders = self.session.folders
        target = self.first.target
        if target in (INBOX, JUNK):
            return (
                folders.spam.name
                if target == JUNK and folders.spam
                else "INBOX"
                if target == INBOX
                else ""
            )
        for use in (ARCHIVE, TRASH):
            if target == folders.to_create(use):
                self.session.find(use)
        folders = self.session.folders
        prefixed = folders.prefix + target
        return prefixed if target not in folders and prefixed in folders else target

    def open(self) -> bool:
        return self.session.opens(self.folder, self.validity)

    def present(self, uids: Collection[int]) -> set[int]:
        """Return the UIDs that are still in the folder. What another client moved is left to it."""
        return (
            set(self.session.search(b"UID " + next(uid_sets(uids))))
            if uids and self.open()
            else set()
        )

    def begun(self, uid: int) -> MoveProgress | None:
        """Return the progress of the move of a message out of this folder; None if it has not
        begun.
        """
        progress = MoveProgress.read(self.left[uid].progress)
        here = self.folder, self.validity, uid
        return progress if progress is not None and progress.origin == here else None

    def note(self, texts: Mapping[int, str]) -> None:
        """Store progress durably."""
        if texts:
            self.left |= {
                uid: self.left[uid]._replace(progress=text) for uid, text in texts.items()
            }
            self.backend.store_progress([self.left[uid] for uid in texts])

    def resume(self, uid: int, *, present: bool) -> bool:
        progress = self.begun(uid)
        if progress is None:
            return False
        if progress.stage is not MoveStage.MOVING:
            self._move_by_copy(uid, progress)
            return True
        if present and not self.session.can("UIDPLUS"):
            return False
        location = self._find_copy(progress, self._arrived(progress))
        if location is not None:
            if present and self.open():
                # The server copied it and didn't remove the original. The copy is never removed.
                self.session.store([uid], [DELETED], add=True)
                self.session.client.uid_expunge([uid])
            self.end(uid, Outcome.DONE, "", location)
        return location is not None

    def move(self, uids: Collection[int], target: str) -> None:
        """Move messages. Each ends as DONE, as OBSOLETE if it is gone, or as REFUSED."""
        if not self.session.can("MOVE"):
            for uid in uids:
                self._move_by_copy(uid, target)
        elif uids:
            progress = self._prepare(uids, target, MoveStage.MOVING)
            self.note({uid: json.dumps(each) for uid, each in progress.items()})
            moved = self.session.move(uids, target)
            unknown = [
                progress[uid] for uid, place in moved.items() if place is None and uid in progress
            ]
            # An undo needs the new location, which not every server reports.
            arrived = self._arrived(unknown[0]) if unknown else {}
            for uid in uids:
                place = moved.get(uid)
                if uid in moved and place is None and uid in progress:
                    place = self._find_copy(progress[uid], arrived)
                self.end(uid, Outcome.DONE if uid in moved else Outcome.OBSOLETE, "", place)

    def _prepare(
        self, uids: Collection[int], target: str, stage: MoveStage
    ) -> dict[int, MoveProgress]:
        """Return the progress to store before these messages of the open folder are moved, by
        UID.
        """
        counts = self.session.counts(target)
        least = counts.get(b"UIDNEXT", 1)
        validity = counts.get(b"UIDVALIDITY", 0)
        return {
            uid: MoveProgress(
                stage, (self.folder, self.validity, uid), target, validity, least, fingerprint
            )
            for uid, (fingerprint, _) in fetch_fingerprints(self.session, uids).items()
        }

    def _arrived(self, progress: MoveProgress) -> dict[int, Fingerprint]:
        if not self.session.opens(progress.target, progress.validity):
            return {}
        newer = [
            uid for uid in self.session.search(b"UID %d:*" % progress.uid) if uid >= progress.uid
        ]
        return {
            uid: fingerprint
            for uid, (fingerprint, _) in fetch_fingerprints(self.session, newer).items()
        }

    def _find_copy(
        self, progress: MoveProgress, arrived: Mapping[int, Fingerprint]
    ) -> ServerLocation | None:
        for uid in sorted(arrived.keys() - self._matched):
            if progress.fingerprint.matches(arrived[uid]):
                self._matched.add(uid)
                return progress._replace(uid=uid).location
        return None

    # ----------------------------------------------------------------------------------------------
    # without MOVE

    def _move_by_copy(self, uid: int, goal: str | MoveProgress) -> None:
        """Move a message to the folder `goal`, or continue an interrupted move."""
        try:
            location = (
                self._start(uid, goal) if isinstance(goal, str) else self._continue(uid, goal)
            )
        except Refusal as refusal:
            if refusal.temporary or refusal.code == "EXPUNGEISSUED":
                raise
            self.end(uid, Outcome.REFUSED, refusal.detail)
        else:
            self.end(uid, Outcome.DONE if location else Outcome.OBSOLETE, "", location)

    def _start(self, uid: int, target: str) -> ServerLocation | None:
        """Move a message. Return its new location; None if another client has moved or is deleting
        it.
        """
        found = fetch_fingerprints(self.session, [uid]) if self.open() else {}
        progress = (
            self._prepare([uid], target, MoveStage.COPYING).get(uid) if uid in found else None
        )
        if progress is None or DELETED in found[uid][1]:
            return None
        self._note_step(uid, progress)
        return self._copy(uid, progress)

    def _continue(self, uid: int, progress: MoveProgress) -> ServerLocation | None:
        """Continue an interrupted move. Return the same as `_start`."""
        if progress.stage is MoveStage.WITHDRAWING:
            return self._withdraw(uid, progress)
        exists = self.open() and uid in self._search(uid)
        if progress.stage is MoveStage.DELETING:
            return self._delete_if_copied(uid, progress) if exists else progress.location
        copies = self._copies(progress)
        if not exists:
            # Another client moved it. A single copy may be its copy; of two, one is ours.
            return (
                self._withdraw(uid, progress._replace(uid=copies[0])) if len(copies) > 1 else None
            )
        if copies:
            return self._delete(uid, progress._replace(uid=copies[0]))
        self._reopen()
        return self._copy(uid, progress)

    def _search(self, uid: int, condition: bytes = b"") -> list[int]:
        return self.session.search(b"UID %d" % uid + condition)

    def _reopen(self) -> None:
        if not self.open():
            raise KnownError(ErrorCode.SERVER_GONE, f"{self.folder} was recreated")

    def _note_step(self, uid: int, progress: MoveProgress) -> None:
        self.note({uid: json.dumps(progress)})

    def _copies(self, progress: MoveProgress) -> list[int]:
        """Return the UIDs, lowest first, of matching messages that arrived in the target since the
        move started.
        """
        return sorted(
            uid
            for uid, found in self._arrived(progress).items()
            if progress.fingerprint.matches(found)
        )

    def _copy(self, uid: int, progress: MoveProgress) -> ServerLocation | None:
        reported = self.session.copy(uid, progress.target)
        if reported:
            return self._delete(uid, progress._replace(uid=reported), is_own=True)
        copies = self._copies(progress)
        # Without a copy, whatever the server answered, nothing is deleted.
        return self._delete(uid, progress._replace(uid=copies[0])) if copies else None

    def _delete_if_copied(self, uid: int, progress: MoveProgress) -> ServerLocation | None:
        """Delete the original if the copy still exists. If another client removed the copy, keep
        the original.
        """
        if self.session.opens(progress.target, progress.validity) and self._search(progress.uid):
            return self._delete(uid, progress)
        self._reopen()
        self.session.store([uid], [DELETED], add=False)
        return None

    def _delete(
        self, uid: int, progress: MoveProgress, *, is_own: bool = False
    ) -> ServerLocation | None:
        """Delete the original. If another client was faster, remove the own copy.

        `is_own`: the server reported this copy. Any other may be that of the other client, and
        stays.
        """
        self._note_step(uid, progress._replace(stage=MoveStage.DELETING))
        self._reopen()
        try:
            shown = self.session.store([uid], [DELETED], add=True)
            # Not by the response to STORE: a server needn't report a flag that was set before.
            if self._search(uid, b" DELETED"):
                self.session.client.uid_expunge([uid])
                return progress.location
        except Refusal as refusal:
            if not refusal.temporary:
                # The server allows copying and not deleting.
                self.session.store([uid], [DELETED], add=False)
                if is_own:
                    self._withdraw(uid, progress)
            raise
        # Expunged between the two commands. If the response showed our flag, our copy is the
        # message.
        if shown:
            return progress.location
        return self._withdraw(uid, progress) if is_own else None

    def _withdraw(self, uid: int, progress: MoveProgress) -> ServerLocation | None:
        """Remove the own copy: there is no new location."""
        self._note_step(uid, progress._replace(stage=MoveStage.WITHDRAWING))
        if self.session.opens(progress.target, progress.validity):
            self.session.store([progress.uid], [DELETED], add=True)
            self.session.client.uid_expunge([progress.uid])
        return None
