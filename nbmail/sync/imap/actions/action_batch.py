"""Actions of one kind on messages of one folder."""

from nbmail.sync.imap.actions.folder_actions import DELETED, FolderActions
from nbmail.sync.imap.actions.hand_claim import claim_by_hand
from nbmail.sync.imap.folders.imap_folder import ImapFolder
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.values import ActionKind, Outcome, ServerLocation

NO_FLAGS = "the server keeps no such flags in this folder"


class ActionBatch(FolderActions):
    """Pending actions other than automatic moves."""

    def run(self, *, again: bool = True) -> bool:
        """Run and complete the actions. False if a temporary refusal leaves some for later."""
        try:
            present = self.present(self.left)
            for uid in list(self.left):
                if not self.resume(uid, present=uid in present) and uid not in present:
                    self.end(uid, Outcome.OBSOLETE)
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

    def _act(self) -> None:
        if self.first.kind in (ActionKind.KEYWORDS, ActionKind.SEEN):
            self._set_flags()
        elif self.first.kind is ActionKind.MOVE:
            self._move()
        elif self.first.kind is ActionKind.EXPUNGE:
            self._expunge()
        else:
            for arrival in ImapFolder(self.session, self.folder).arrivals(
                list(self.left), self.first.most
            ):
                self.backend.complete_fetch(self.left.pop(arrival.uid), arrival)
            self.end_all(self.left, Outcome.OBSOLETE)

    def _set_flags(self) -> None:
        add = self.first.add
        remove = self.first.remove
        self.open()
        folder = self.session.selected
        allowed = {each for each in add | remove if folder is not None and folder.allows(each)}
        if add and not add & allowed:
            self.end_all(self.left, Outcome.REFUSED, NO_FLAGS)
            return
        if self.first.kind is ActionKind.KEYWORDS:
            self.backend.store_progress(list(self.left.values()))
        # Remove first: two programs at the same moment may leave the keywords of both labels, which
        # any of them can repair, but never none.
        for names, adding in ((remove & allowed, False), (add & allowed, True)):
            if names:
                self.session.store(list(self.left), names, add=adding)
        # The server doesn't report messages that were expunged in the meantime.
        self._end_by_presence(Outcome.DONE, Outcome.OBSOLETE)

    def _move(self) -> None:
        target = self.target()
        if target == self.folder:
            for uid in list(self.left):
                self.end(uid, Outcome.DONE, "", ServerLocation(target, self.validity, uid))
        elif self.session.can("MOVE") or self.session.can("UIDPLUS"):
            mark = next(iter(self.first.add), "")
            claimed = claim_by_hand(self.session, list(self.left), mark) if self.open() else []
            self.end_all(self.left.keys() - set(claimed), Outcome.OBSOLETE)
            self.move(claimed, target)
        else:
            self.end_all(self.left, Outcome.REFUSED, "the server can't move a single message")

    def _expunge(self) -> None:
        """Delete messages permanently. A plain EXPUNGE would also delete messages that other
        clients marked.
        """
        if not self.session.can("UIDPLUS"):
            self.end_all(self.left, Outcome.REFUSED, "the server can't delete a single message")
            return
        self.open()
        uids = list(self.left)
        self.session.store(uids, [DELETED], add=True)
        self.session.client.uid_expunge(uids)
        self._end_by_presence(Outcome.REFUSED, Outcome.DONE, "the server kept the message")

    def _end_by_presence(self, present: Outcome, gone: Outcome, detail: str = "") -> None:
        found = self.present(self.left)
        self.end_all(self.left.keys() - found, gone)
        self.end_all(self.left, present, detail)
