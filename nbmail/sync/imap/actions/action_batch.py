"""Batch of pending actions that differ only in their message, except automatic moves."""

from __future__ import annotations

from nbmail.sync.imap.actions.hand_claim import claim_by_hand
from nbmail.sync.imap.actions.move_by_copy import DELETED
from nbmail.sync.imap.actions.moving import FolderMoves
from nbmail.sync.imap.folders.imap_folder import ImapFolder
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.values import ActionKind, Outcome, ServerLocation

NO_FLAGS = "the server keeps no such flags in this folder"


class ActionBatch(FolderMoves):
    """Pending actions other than automatic moves."""

    def run(self, *, again: bool = True) -> bool:
        """Run and complete the actions. False if a temporary refusal leaves some for later."""
        try:
            self._end_absent()
            if self.left:
                self._act()
        except Refusal as refusal:
            # Another client expunged a message just now.
            if refusal.code == "EXPUNGEISSUED" and again:
                return self.run(again=False)
            if refusal.temporary and refusal.code != "OVERQUOTA":
                return False
            self.end_all(self.left, Outcome.REFUSED, refusal.detail)
        return True

    def _end_absent(self) -> None:
        """Continue interrupted moves, and end actions whose messages are gone."""
        present = self.present(self.left)
        for uid in list(self.left):
            is_resumed = self.resume(uid, present=uid in present)
            if not is_resumed and uid not in present:
                self.end(uid, Outcome.OBSOLETE)

    def _act(self) -> None:
        kind = self.first.kind
        if kind in (ActionKind.KEYWORDS, ActionKind.SEEN):
            self._set_flags()
        elif kind is ActionKind.MOVE:
            self._move_by_hand()
        elif kind is ActionKind.EXPUNGE:
            self._delete()
        else:
            self._fetch()

    def _fetch(self) -> None:
        folder = ImapFolder(self.session, self.folder)
        for arrival in folder.arrivals(list(self.left), self.first.most):
            self.backend.complete_fetch(self.left.pop(arrival.uid), arrival)
        self.end_all(self.left, Outcome.OBSOLETE)

    def _set_flags(self) -> None:
        self.open()
        add = self._allowed(self.first.add)
        remove = self._allowed(self.first.remove)
        if self.first.add and not add:
            self.end_all(self.left, Outcome.REFUSED, NO_FLAGS)
            return
        if self.first.kind is ActionKind.KEYWORDS:
            self.backend.store_progress(list(self.left.values()))
        # Remove first: two programs at the same moment may leave the keywords of both labels, which
        # any of them can repair, but never none.
        if remove:
            self.session.store(list(self.left), remove, add=False)
        if add:
            self.session.store(list(self.left), add, add=True)
        # The server doesn't report messages that were expunged in the meantime.
        self._end_by_presence(Outcome.DONE, Outcome.OBSOLETE)

    def _allowed(self, flags: frozenset[str]) -> frozenset[str]:
        """Return the flags that the server stores in the open folder."""
        opened = self.session.selected
        if opened is None:
            return frozenset()
        return frozenset(flag for flag in flags if opened.allows(flag))

    def _move_by_hand(self) -> None:
        target = self.target()
        if target == self.folder:
            for uid in list(self.left):
                self.end(uid, Outcome.DONE, "", ServerLocation(target, self.validity, uid))
        elif self.can_move():
            claimed: list[int] = []
            if self.open():
                mark = next(iter(self.first.add), "")
                claimed = claim_by_hand(self.session, list(self.left), mark)
            self.end_all(self.left.keys() - set(claimed), Outcome.OBSOLETE)
            self.move(claimed, target)
        else:
            self.end_all(self.left, Outcome.REFUSED, "the server can't move a single message")

    def _delete(self) -> None:
        """Delete messages permanently.

        A plain EXPUNGE would also delete messages that other clients marked.
        """
        if not self.session.can("UIDPLUS"):
            self.end_all(self.left, Outcome.REFUSED, "the server can't delete a single message")
            return
        self.open()
        uids = list(self.left)
        self.session.store(uids, [DELETED], add=True)
        self.session.expunge(uids)
        self._end_by_presence(Outcome.REFUSED, Outcome.DONE, "the server kept the message")

    def _end_by_presence(self, present: Outcome, gone: Outcome, detail: str = "") -> None:
        """End the actions of messages that are still there, and of those that are gone."""
        found = self.present(self.left)
        self.end_all(self.left.keys() - found, gone)
        self.end_all(self.left, present, detail)
