"""Automatic moves, which several computers may attempt at the same moment.

Each data folder has a keyword for them, its mark. Measured with Dovecot, Cyrus and Courier: when
two clients move, a plain MOVE duplicates 2 to 50 % of the messages. A mark that is read back
duplicated none of 14,800.

A message is marked only if its flags did not change since it was judged. Then its flags are read
back, and it is moved if it has no other mark. A mark never expires: it stays on a message that a
person moves back, and a timeout would let another computer move it again.
"""

from collections.abc import Collection, Iterable, Sequence
from enum import Enum, auto

from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.actions.folder_actions import EndedAction
from nbmail.sync.imap.actions.hand_claim import YIELD_CHECKS, YIELDING
from nbmail.sync.imap.actions.moving import FolderMoves
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


class Claim(Enum):
    """Result of reading a mark back. WAIT: another computer has to remove its mark first."""

    WON = auto()
    WAIT = auto()
    ENDED = auto()


class AutomaticMove(FolderMoves):
    """Automatic moves out of one folder.

    `retried`: moves to repeat after the next look at the folder.
    """

    def __init__(
        self,
        session: Session,
        backend: AccountBackend,
        actions: Sequence[ServerAction],
        ended: list[EndedAction],
    ) -> None:
        super().__init__(session, backend, actions, ended)
        self._mark = next(iter(self.first.add))
        self.retried: list[ServerAction] = []

    def run(self) -> None:
        target = self.target()
        try:
            self._resume_begun()
            self.end_all(self.left.keys() - self.present(self.left), Outcome.OBSOLETE)
            self._withdraw_claims([uid for uid, action in self.left.items() if action.remove])
            if not self.can_move():
                self._refuse("the server can't move a single message")
            else:
                self.move(self._claim() if self.left else [], target)
        except Refusal as refusal:
            is_full = refusal.code == "OVERQUOTA"
            if (refusal.temporary and not is_full) or refusal.code == "EXPUNGEISSUED":
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

    def _resume_begun(self) -> None:
        """Continue the moves that an earlier connection began."""
        begun = [uid for uid in self.left if self.begun(uid)]
        present = self.present(begun)
        if present:
            # A MOVE of the earlier connection may still be running.
            self.session.wait(SETTLING)
            self.session.noop()
            present &= self.present(begun)
        for uid in begun:
            self.resume(uid, present=uid in present)

    def _claim(self) -> list[int]:
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

        is_conditional = self.session.can("CONDSTORE") and bool(folder.modseq)
        new = self._unclaimed(is_conditional=is_conditional)
        if new:
            self.note(dict.fromkeys(new, CLAIMING))
            unchanged_since = self.first.modseq if is_conditional else 0
            self.session.claim(new, self._mark, unchanged_since)
        if not is_conditional and self.left:
            self.session.wait(SETTLING)
        return self._read_back()

    def _unclaimed(self, *, is_conditional: bool) -> list[int]:
        """Return the messages to mark: neither marked by this computer before nor by another."""
        new = [uid for uid, action in self.left.items() if not action.progress]
        if is_conditional and not self.first.modseq:
            self._retry(new)
            return []
        if is_conditional or not new:
            return new
        flags = self.session.flags(new)
        for uid in list(new):
            # Messages with any mark belong to other computers.
            if self._other_marks(flags.get(uid, ())):
                new.remove(uid)
                self.end(uid, Outcome.CLAIMED)
        return new

    def _read_back(self) -> list[int]:
        """Return the messages with the own mark alone.

        A lower mark wins, a higher one is removed by its computer.
        """
        won: list[int] = []
        waiting = list(self.left)
        for attempt in range(YIELD_CHECKS):
            if not waiting:
                break
            if attempt:
                self.session.wait(YIELDING)
            flags = self.session.flags(waiting)
            claims = {uid: self._decide(uid, flags.get(uid)) for uid in waiting}
            won += [uid for uid, claim in claims.items() if claim is Claim.WON]
            waiting = [uid for uid, claim in claims.items() if claim is Claim.WAIT]
        return won

    def _decide(self, uid: int, flags: frozenset[str] | None) -> Claim:
        """Compare the marks of a message. None: the message is gone."""
        if flags is None:
            self.end(uid, Outcome.OBSOLETE)
            return Claim.ENDED
        lower = {flag.lower() for flag in flags}
        own = self._mark.lower()
        others = self._other_marks(flags)
        if own not in lower:
            if others:
                self.end(uid, Outcome.CLAIMED)
            else:
                self._retry([uid])
            return Claim.ENDED
        if others and min(others) < own:
            self._withdraw_claims([uid])
            return Claim.ENDED
        if lower & _DECISIONS or self._is_moved_by_hand(lower):
            # The engine decides again, with these flags.
            self.session.store([uid], [self._mark], add=False)
            self._retry([uid])
            return Claim.ENDED
        return Claim.WAIT if others else Claim.WON

    def _is_moved_by_hand(self, flags: set[str]) -> bool:
        """True if another computer's user moves the message at this moment."""
        own = self._mark.lower().replace(AUTOMATIC_CLAIM, HAND_CLAIM)
        return any(flag.startswith(HAND_CLAIM) for flag in flags - {own})

    def _other_marks(self, flags: Iterable[str]) -> set[str]:
        """Return the marks of other computers, in lower case."""
        lower = {flag.lower() for flag in flags} - {self._mark.lower()}
        return {flag for flag in lower if flag.startswith(AUTOMATIC_CLAIM)}

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
