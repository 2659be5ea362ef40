"""Automatic moves to the junk folder, of which several computers may run the same at the same moment.

Each data folder has a keyword, its mark. A message is marked only if its flags did not change since it was judged.
Then its flags are read back, and it is moved if it has no other mark. Measured with Dovecot, Cyrus and
Courier: a plain MOVE duplicates 2 to 50 % of the messages that two clients move, this none of 14,800. A mark never
expires: it stays on a message that a person moves back, and a timeout would let another computer move it again.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.moving import DELETED, MessageMove, MoveProgress, MoveStage, find_copies, prepare_move
from nbmail.sync.imap.session import Session
from nbmail.values import AUTOMATIC_CLAIM, HAND_CLAIM, Outcome, ServerAction, ServerLocation

CLAIMING = "claiming"
"""Progress of a move whose mark may have been set."""
# Seconds until all computers see each other's marks on a server without conditional changes, where two may mark the
# same message, and until an interrupted MOVE of an earlier connection has ended.
SETTLING = 5.0
# Another computer removes its mark within these seconds, if its mark is the higher one.
YIELDING, YIELD_CHECKS = 0.1, 5
_EXCEPTIONS = {"\\flagged", "\\answered", "\\deleted"}
_LABELS = {"$junk", "junk", "$notjunk", "nonjunk"}


class Complete(Protocol):
    """Called once with each action that ended."""

    def __call__(
        self, action: ServerAction, outcome: Outcome, detail: str = "", new_location: ServerLocation | None = None, /
    ) -> None: ...


StoreProgress = Callable[[dict[ServerAction, str]], None]


class SortingMarks(NamedTuple):
    """SortingMarks on a message: True if the own one is set, and the others in lower case."""

    own: bool
    others: frozenset[str]

    @classmethod
    def read(cls, flags: Collection[str], own: str) -> "SortingMarks":
        found = {flag.lower() for flag in flags if flag.lower().startswith(AUTOMATIC_CLAIM)}
        return cls(own.lower() in found, frozenset(found - {own.lower()}))


class ClaimedMove:
    """Automatic moves out of one folder. `retried`: moves to repeat after the next look at the folder."""

    def __init__(self, session: Session, target: str, actions: Sequence[ServerAction]) -> None:
        self._session, self._target = session, target
        first = actions[0]
        self._folder, self._validity, self._modseq = first.folder.folder, first.validity, first.modseq
        self._mark = next(iter(first.add))
        self._left = {action.uid: action for action in actions}
        self._progress = {action.uid: action.progress for action in actions}
        self._matched: set[int] = set()
        self.retried: list[ServerAction] = []

    def run(self, store_progress: StoreProgress, complete: Complete) -> None:
        """Run the moves. `store_progress` is called before each step that may be interrupted."""
        self._store, self._report = store_progress, complete
        try:
            self._run()
        except Refusal as refusal:
            if (refusal.temporary and refusal.code != "OVERQUOTA") or refusal.code == "EXPUNGEISSUED":
                self.retried += self._left.values()
                return
            self._refuse(refusal.detail)

    def _run(self) -> None:
        present = self._present()
        self._resume([uid for uid, text in self._progress.items() if MoveProgress.read(_moving(text))], present)
        present &= self._present()
        for uid in self._left.keys() - present:
            self._end(uid, Outcome.OBSOLETE)
        self._withdraw([uid for uid, action in self._left.items() if action.remove])
        if not self._left:
            return
        if not (self._session.can("MOVE") or self._session.can("UIDPLUS")):
            self._refuse("the server can't move a single message")
            return
        self._move(self._claimed())

    def _present(self) -> set[int]:
        if not self._left or not self._session.opens(self._folder, self._validity):
            return set()
        return set(self._session.search(b"UID " + b",".join(b"%d" % uid for uid in sorted(self._left))))

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
        fresh = [uid for uid in self._left if not self._progress[uid]]
        conditional = self._session.can("CONDSTORE") and bool(folder.modseq)
        if conditional and not self._modseq:
            self._retry(fresh)
            fresh = []
        elif not conditional:
            fresh = self._free(fresh)
        if fresh:
            self._note({uid: CLAIMING for uid in fresh})
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
        return (
            {uid: SortingMarks.read(flags, self._mark) for uid, flags in self._session.flags(uids).items()}
            if uids
            else {}
        )

    def _withdraw(self, uids: Collection[int]) -> None:
        """Remove the own mark, and leave the messages to other computers or in the inbox."""
        if uids:
            self._session.store(uids, [self._mark], add=False)
        for uid in uids:
            self._end(uid, Outcome.CLAIMED)

    # -------------------------------------------------------------------------------------------------------- moves

    def _move(self, uids: Sequence[int]) -> None:
        if not uids:
            return
        if not self._session.can("MOVE"):
            for uid in uids:
                self._move_one(uid)
            return
        progress = prepare_move(self._session, uids, self._target, MoveStage.MOVING)
        self._note({uid: each.text for uid, each in progress.items()})
        moved = self._session.move(uids, self._target)
        for uid in uids:
            self._end(uid, Outcome.DONE if uid in moved else Outcome.OBSOLETE, location=moved.get(uid))

    def _move_one(self, uid: int, progress: MoveProgress | None = None) -> None:
        """Copy and delete a message, or continue that."""
        move = MessageMove(*(self._session, self._folder, self._validity, uid), lambda text: self._note({uid: text}))
        new_uid = move.resume(progress) if progress else move.start(self._target)
        reached = MoveProgress.read(_moving(self._progress[uid]))
        location = ServerLocation(self._target, reached.validity, new_uid) if reached and new_uid else None
        self._end(uid, Outcome.DONE if new_uid else Outcome.OBSOLETE, location=location)

    def _resume(self, uids: Sequence[int], present: set[int]) -> None:
        """Complete moves that were interrupted. A MOVE of the earlier connection may still be running."""
        if any(uid in present for uid in uids):
            self._session.client.wake_signal.wait(SETTLING)
            self._session.client.noop()
            present &= self._present()
        for uid in uids:
            progress = MoveProgress.read(_moving(self._progress[uid]))
            if progress is None:
                continue
            if progress.stage is not MoveStage.MOVING:
                self._move_one(uid, progress)
                continue
            copies = [copy for copy in find_copies(self._session, progress) if copy not in self._matched]
            if not copies:
                continue
            self._matched.add(copies[0])
            if uid in present:
                self._remove_original(uid)
            self._end(uid, Outcome.DONE, location=ServerLocation(progress.target, progress.validity, copies[0]))

    def _remove_original(self, uid: int) -> None:
        """Complete a MOVE that copied a message and did not remove the original. The copy is never removed."""
        if self._session.can("UIDPLUS") and self._session.opens(self._folder, self._validity):
            self._session.store([uid], [DELETED], add=True)
            self._session.client.uid_expunge([uid])

    # ------------------------------------------------------------------------------------------------------ results

    def _note(self, texts: Mapping[int, str]) -> None:
        self._progress |= texts
        self._store({self._left[uid]: text for uid, text in texts.items() if uid in self._left})

    def _retry(self, uids: Collection[int]) -> None:
        """Begin again after the next look at the folder."""
        begun = {uid: "" for uid in uids if self._progress[uid]}
        if begun:
            self._note(begun)
        self.retried += [self._left.pop(uid) for uid in uids]

    def _refuse(self, detail: str) -> None:
        """Leave all messages in the inbox, without the own mark."""
        begun = [uid for uid in self._left if self._progress[uid]]
        try:
            if begun and self._session.opens(self._folder, self._validity):
                self._session.store(begun, [self._mark], add=False)
        except Refusal:
            pass
        for uid in list(self._left):
            self._end(uid, Outcome.REFUSED, detail)

    def _end(self, uid: int, outcome: Outcome, detail: str = "", location: ServerLocation | None = None) -> None:
        self._report(self._left.pop(uid), outcome, detail, location)


def _moving(progress: str) -> str:
    """Return the progress of a move, empty if only its claim has begun."""
    return "" if progress == CLAIMING else progress
