"""Moves of which several computers may run the same at the same moment.

Each data folder has a keyword for them, its mark. Measured with Dovecot, Cyrus and Courier: when two clients move, a
plain MOVE duplicates 2 to 50 % of the messages. A mark that is read back duplicated none of 14,800.

*Automatic* moves: a message is marked only if its flags did not change since it was judged. Then its flags are read
back, and it is moved if it has no other mark. A mark never expires: it stays on a message that a person moves back, and
a timeout would let another computer move it again.

Moves *by hand*: each computer marks the message with another keyword and reads its flags back. The lowest mark wins:
its computer moves, the others remove their marks and wait until the message is gone. A mark stays on the moved message.
So a lower mark that is still there after this wait is an old one, or its computer ended: it is ignored.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.moving import End, FolderMoves
from nbmail.sync.imap.session import Session
from nbmail.values import AUTOMATIC_CLAIM, HAND_CLAIM, Outcome, ServerAction, ServerLocation

CLAIMING = "claiming"
"""Progress of a move whose mark may have been set."""
# Seconds until all computers see each other's marks on a server without conditional changes, where two may mark the
# same message, and until an interrupted MOVE of an earlier connection has ended.
SETTLING = 5.0
# Seconds between two looks at flags, and looks until a computer has removed its mark or moved the message.
YIELDING, YIELD_CHECKS = 0.1, 5
_EXCEPTIONS = {"\\flagged", "\\answered", "\\deleted"}
_LABELS = {"$junk", "junk", "$notjunk", "nonjunk"}


class SortingMarks(NamedTuple):
    """Marks on a message: True if the own one is set, and the others in lower case."""

    own: bool
    others: frozenset[str]

    @classmethod
    def read(cls, flags: Collection[str], own: str) -> "SortingMarks":
        found = {flag.lower() for flag in flags if flag.lower().startswith(AUTOMATIC_CLAIM)}
        return cls(own.lower() in found, frozenset(found - {own.lower()}))


class ClaimedMove:
    """Automatic moves out of one folder. `retried`: moves to repeat after the next look at the folder."""

    def __init__(
        self,
        session: Session,
        target: str,
        actions: Sequence[ServerAction],
        store: Callable[[Mapping[int, str]], None],
        end: End,
    ) -> None:
        self._session, self._target, self._report = session, target, end
        first = actions[0]
        self._folder, self._validity, self._modseq = first.folder.folder, first.validity, first.modseq
        self._mark = next(iter(first.add))
        self._left = {action.uid: action for action in actions}
        self._moves = FolderMoves(session, actions, store, self._end_move)
        self.retried: list[ServerAction] = []

    def run(self) -> None:
        """Run the moves."""
        try:
            self._run()
        except Refusal as refusal:
            if (refusal.temporary and refusal.code != "OVERQUOTA") or refusal.code == "EXPUNGEISSUED":
                self.retried += self._left.values()
                return
            self._refuse(refusal.detail)

    def _run(self) -> None:
        self._resume([uid for uid in self._left if self._moves.has_begun(uid)])
        for uid in self._left.keys() - self._moves.present(self._left):
            self._end(uid, Outcome.OBSOLETE)
        self._withdraw([uid for uid, action in self._left.items() if action.remove])
        if not self._left:
            return
        if not (self._session.can("MOVE") or self._session.can("UIDPLUS")):
            self._refuse("the server can't move a single message")
            return
        self._moves.move(self._claimed(), self._target)

    def _resume(self, uids: Sequence[int]) -> None:
        """Complete moves that were interrupted. A MOVE of the earlier connection may still be running."""
        present = self._moves.present(uids)
        if present:
            self._session.client.wake_signal.wait(SETTLING)
            self._session.client.noop()
            present &= self._moves.present(uids)
        for uid in uids:
            self._moves.resume(uid, present=uid in present)

    # ------------------------------------------------------------------------------------------------------- claims

    def _claimed(self) -> list[int]:
        """Claim the messages that are left. Return those that only this computer has claimed."""
        folder = self._session.selected
        if folder is None or not folder.writable:
            self._refuse("the folder can only be read")
            return []
        if not folder.allows(self._mark):
            if self._session.account.sorts_alone:
                return list(self._left)
            self._refuse("the server keeps no keywords in this folder")
            return []
        fresh = [uid for uid in self._left if not self._moves.progress[uid]]
        conditional = self._session.can("CONDSTORE") and bool(folder.modseq)
        if conditional and not self._modseq:
            self._retry(fresh)
            fresh = []
        elif not conditional:
            fresh = self._free(fresh)
        if fresh:
            self._moves.note({uid: CLAIMING for uid in fresh})
            self._session.claim(fresh, self._mark, self._modseq if conditional else 0)
        if not conditional and self._left:
            self._session.client.wake_signal.wait(SETTLING)
        return self._read_back()

    def _free(self, uids: Sequence[int]) -> list[int]:
        """Return the messages without any mark. The others belong to other computers."""
        marks = self._marks(uids)
        for uid in uids:
            if uid in marks and marks[uid].others:
                self._end(uid, Outcome.CLAIMED)
        return [uid for uid in uids if uid in self._left]

    def _read_back(self) -> list[int]:
        """Return the messages with the own mark alone. A lower mark wins, a higher one is removed by its computer."""
        alone = list[int]()
        checked = list(self._left)
        for attempt in range(YIELD_CHECKS):
            if attempt:
                self._session.client.wake_signal.wait(YIELDING)
            flags = self._session.flags(checked) if checked else {}
            found = {uid: self._decide(uid, flags.get(uid)) for uid in checked}
            alone += [uid for uid, alone_now in found.items() if alone_now]
            checked = [uid for uid, alone_now in found.items() if alone_now is None]
        return alone

    def _decide(self, uid: int, flags: frozenset[str] | None) -> bool | None:
        """True if the message may be moved, None if a higher mark must go first."""
        if flags is None:
            self._end(uid, Outcome.OBSOLETE)
            return False
        marks = SortingMarks.read(flags, self._mark)
        if not marks.own:
            if marks.others:
                self._end(uid, Outcome.CLAIMED)
            else:
                self._retry([uid])
            return False
        if any(other < self._mark.lower() for other in marks.others):
            self._withdraw([uid])
            return False
        lower, own = {flag.lower() for flag in flags}, self._mark.replace(AUTOMATIC_CLAIM, HAND_CLAIM).lower()
        by_hand = any(flag.startswith(HAND_CLAIM) for flag in lower - {own})
        if by_hand or lower & (_EXCEPTIONS | _LABELS):
            # The engine decides again, with these flags.
            self._session.store([uid], [self._mark], add=False)
            self._retry([uid])
            return False
        return None if marks.others else True

    def _marks(self, uids: Collection[int]) -> Mapping[int, SortingMarks]:
        found = self._session.flags(uids) if uids else {}
        return {uid: SortingMarks.read(flags, self._mark) for uid, flags in found.items()}

    def _withdraw(self, uids: Collection[int]) -> None:
        """Remove the own mark, and leave the messages to other computers or in the inbox."""
        if uids:
            self._session.store(uids, [self._mark], add=False)
        for uid in uids:
            self._end(uid, Outcome.CLAIMED)

    # ------------------------------------------------------------------------------------------------------ results

    def _retry(self, uids: Collection[int]) -> None:
        """Begin again after the next look at the folder."""
        self._moves.note({uid: "" for uid in uids if self._moves.progress[uid]})
        self.retried += [self._left.pop(uid) for uid in uids]

    def _refuse(self, detail: str) -> None:
        """Leave all messages in the inbox, without the own mark."""
        self._unmark([uid for uid in self._left if self._moves.progress[uid]])
        for uid in list(self._left):
            self._end(uid, Outcome.REFUSED, detail)

    def _end(self, uid: int, outcome: Outcome, detail: str = "", location: ServerLocation | None = None) -> None:
        del self._left[uid]
        self._report(uid, outcome, detail, location)

    def _end_move(
        self, uid: int, outcome: Outcome, detail: str = "", new_location: ServerLocation | None = None, /
    ) -> None:
        """End a move; a refused message stays in the inbox without the own mark."""
        if outcome is Outcome.REFUSED:
            self._unmark([uid])
        self._end(uid, outcome, detail, new_location)

    def _unmark(self, uids: Collection[int]) -> None:
        try:
            if uids and self._session.opens(self._folder, self._validity):
                self._session.store(uids, [self._mark], add=False)
        except Refusal:
            pass


class HandClaims(NamedTuple):
    """Claims with the keyword `mark` on messages of the open folder. Without CONDSTORE, servers overwrite marks."""

    session: Session
    mark: str

    @property
    def is_possible(self) -> bool:
        folder = self.session.selected
        return bool(self.mark) and folder is not None and folder.allows(self.mark) and self.session.can("CONDSTORE")

    def claim(self, uids: Collection[int]) -> list[int]:
        """Return those of the messages that this computer may move. The others are gone."""
        free, left = list[int](), list(uids)
        ignored = dict.fromkeys(left, frozenset[str]())
        for _ in range(2):
            if left:
                self.session.claim(left, self.mark, 0)
                won, lost = self._compare(left, ignored)
                free += won
                left = self._left_after_yielding(lost, ignored)
        return free + left

    def _compare(
        self, uids: Collection[int], ignored: Mapping[int, frozenset[str]]
    ) -> tuple[Collection[int], Collection[int]]:
        """Return the messages without a lower mark, and those with one. Wait for higher marks to be removed."""
        won, lost, waiting = set[int](), set[int](), set(uids)
        for attempt in range(YIELD_CHECKS):
            others = self._others(waiting, wait=attempt > 0)
            waiting = set()
            for uid, marks in others.items():
                new = marks - ignored[uid]
                yields = any(mark.startswith(AUTOMATIC_CLAIM) or mark < self.mark for mark in new)
                (lost if yields else waiting if new else won).add(uid)
            if not waiting:
                break
        return won | waiting, lost

    def _left_after_yielding(self, uids: Collection[int], ignored: dict[int, frozenset[str]]) -> list[int]:
        """Let other computers move messages. Return those that are still there, and ignore their marks from now on."""
        if uids:
            self.session.store(uids, [self.mark], add=False)
        for _ in range(YIELD_CHECKS):
            if uids:
                others = self._others(uids, wait=True)
                ignored |= others
                uids = others.keys()
        return sorted(uids)

    def _others(self, uids: Collection[int], *, wait: bool) -> dict[int, frozenset[str]]:
        """Return the marks of other computers by message, without messages that are gone."""
        if wait:
            self.session.client.wake_signal.wait(YIELDING)
        found = self.session.flags(sorted(uids)) if uids else {}
        # The server may report other messages as well.
        return {uid: self._marks(found[uid]) for uid in uids if uid in found}

    def _marks(self, flags: Iterable[str]) -> frozenset[str]:
        own = (self.mark, self.mark.replace(HAND_CLAIM, AUTOMATIC_CLAIM))
        marks = (flag.lower() for flag in flags)
        return frozenset(mark for mark in marks if mark.startswith((AUTOMATIC_CLAIM, HAND_CLAIM)) and mark not in own)
