"""Automatic moves, which several computers may attempt at the same moment."""

from collections.abc import Collection, Iterable, Sequence

from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.actions.folder_actions import Ended, FolderActions
from nbmail.sync.imap.actions.hand_claim import YIELD_CHECKS, YIELDING
from nbmail.sync.imap.protocol.refusals import Refusal
from nbmail.sync.imap.session import Session
from nbmail.values import (
    AUTOMATIC_CLAIM,
    CLAIMING,
    HAND_CLAIM,
    Outcome,
    ServerAction,
    ServerLocation,
)

# Seconds until all computers see each other's marks on a server without conditional changes, where
# two may mark the same message, and until an interrupted MOVE of an earlier connection has ended.
SETTLING = 5.0
# Decisions of a user after which the engine must judge the message again.
_DECISIONS = {"\\flagged", "\\answered", "\\deleted", "$junk", "junk", "$notjunk", "nonjunk"}


class ClaimedMove(FolderActions):
    """Automatic moves out of one folder. `retried`: moves to repeat after the next look at the
    folder.
    """

    def __init__(
        self,
        session: Session,
        backend: AccountBackend,
        actions: Sequence[ServerAction],
        ended: list[Ended],
    ) -> None:
        super().__init__(session, backend, actions, ended)
        self._mark = next(iter(self.first.add))
        self.retried: list[ServerAction] = []

    def run(self) -> None:
        try:
            self._run(self.target())
        except Refusal as refusal:
            if (
                refusal.temporary and refusal.code != "OVERQUOTA"
            ) or refusal.code == "EXPUNGEISSUED":
                self.retried += self.left.values()
            else:
                self._refuse(refusal.detail)

    def end(
        self, uid: int, outcome: Outcome, detail: str = "", location: ServerLocation | None = None
    ) -> None:
        """End a move. A refused message stays in the inbox without the own mark."""
        if outcome is Outcome.REFUSED:
            self._unmark([uid])
        super().end(uid, outcome, detail, location)

    def _run(self, target: str) -> None:
        begun = [uid for uid in self.left if self.begun(uid)]
        present = self.present(begun)
        if present:
            # A MOVE of the earlier connection may still be running.
            self.session.client.wake_signal.wait(SETTLING)
            self.session.client.noop()
            present &= self.present(begun)
        for uid in begun:
            self.resume(uid, present=uid in present)
        self.end_all(self.left.keys() - self.present(self.left), Outcome.OBSOLETE)
        self._withdraw_claims([uid for uid, action in self.left.items() if action.remove])
        if self.session.can("MOVE") or self.session.can("UIDPLUS"):
            self.move(self._claimed() if self.left else [], target)
        else:
            self._refuse("the server can't move a single message")

    def _claimed(self) -> list[int]:
        """Claim the messages that are left. Return those that only this computer has claimed."""
        folder = self.session.selected
        if folder is None or not folder.writable:
            self._refuse("the folder can only be read")
            return []
        if not folder.allows(self._mark):
            if self.session.account.sorts_alone:
                return list(self.left)
            self._refuse("the server keeps no keywords in this folder")
            return []
        fresh = [uid for uid, action in self.left.items() if not action.progress]
        conditional = self.session.can("CONDSTORE") and bool(folder.modseq)
        if conditional and not self.first.modseq:
            self._retry(fresh)
            fresh = []
        elif not conditional and fresh:
            # Messages with any mark belong to other computers.
            for uid, flags in self.session.flags(fresh).items():
                if uid in fresh and self._others(flags):
                    fresh.remove(uid)
                    self.end(uid, Outcome.CLAIMED)
        if fresh:
            self.note(dict.fromkeys(fresh, CLAIMING))
            self.session.claim(fresh, self._mark, self.first.modseq if conditional else 0)
        if not conditional and self.left:
            self.session.client.wake_signal.wait(SETTLING)
        return self._read_back()

    def _read_back(self) -> list[int]:
        """Return the messages with the own mark alone. A lower mark wins, a higher one is removed
        by its computer.
        """
        alone = list[int]()
        checked = list(self.left)
        for attempt in range(YIELD_CHECKS):
            if not checked:
                break
            if attempt:
                self.session.client.wake_signal.wait(YIELDING)
            flags = self.session.flags(checked)
            found = {uid: self._decide(uid, flags.get(uid)) for uid in checked}
            alone += [uid for uid, alone_now in found.items() if alone_now]
            checked = [uid for uid, alone_now in found.items() if alone_now is None]
        return alone

    def _decide(self, uid: int, flags: frozenset[str] | None) -> bool | None:
        """True if the message may be moved, None if a higher mark must go first."""
        if flags is None:
            self.end(uid, Outcome.OBSOLETE)
            return False
        lower = {flag.lower() for flag in flags}
        own = self._mark.lower()
        others = self._others(flags)
        if own not in lower:
            if others:
                self.end(uid, Outcome.CLAIMED)
            else:
                self._retry([uid])
            return False
        if any(other < own for other in others):
            self._withdraw_claims([uid])
            return False
        by_hand = lower - {own.replace(AUTOMATIC_CLAIM, HAND_CLAIM)}
        if lower & _DECISIONS or any(flag.startswith(HAND_CLAIM) for flag in by_hand):
            # The engine decides again, with these flags.
            self.session.store([uid], [self._mark], add=False)
            self._retry([uid])
            return False
        return None if others else True

    def _others(self, flags: Iterable[str]) -> set[str]:
        """Return the marks of other computers, in lower case."""
        return {flag.lower() for flag in flags if flag.lower().startswith(AUTOMATIC_CLAIM)} - {
            self._mark.lower()
        }

    def _withdraw_claims(self, uids: Collection[int]) -> None:
        """Remove the own mark, and leave the messages to other computers or in the inbox."""
        if uids:
            self.session.store(uids, [self._mark], add=False)
        self.end_all(uids, Outcome.CLAIMED)

    def _retry(self, uids: Collection[int]) -> None:
        """Begin again after the next look at the folder."""
        self.note({uid: "" for uid in uids if self.left[uid].progress})
        self.retried += [self.left.pop(uid) for uid in uids]

    def _refuse(self, detail: str) -> None:
        """Leave all messages in the inbox, without the own mark."""
        self._unmark([uid for uid, action in self.left.items() if action.progress])
        for uid in list(self.left):
            super().end(uid, Outcome.REFUSED, detail)

    def _unmark(self, uids: Collection[int]) -> None:
        try:
            if uids and self.open():
                self.session.store(uids, [self._mark], add=False)
        except Refusal:
            pass
