"""Run pending server actions: keywords, then moves. Each action completes once, and no message is
moved twice.

Actions that differ only in the message run together. Keywords come first, while the messages are in
their known locations. After a time budget the account synchronizes folders before it continues.

Several computers may run the same move at the same moment. Each data folder has a keyword for them,
its mark. Measured with Dovecot, Cyrus and Courier: when two clients move, a plain MOVE duplicates 2
to 50 % of the messages. A mark that is read back duplicated none of 14,800.

*Automatic* moves: a message is marked only if its flags did not change since it was judged. Then
its flags are read back, and it is moved if it has no other mark. A mark never expires: it stays on
a message that a person moves back, and a timeout would let another computer move it again.

Moves *by hand*: each computer marks the message with another keyword and reads its flags back. The
lowest mark wins: its computer moves, the others remove their marks and wait until the message is
gone. A mark stays on the moved message. So a lower mark that is still there after this wait is an
old one, or its computer ended: it is ignored.
"""

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.folder_names import JUNK
from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.imap_folder import ImapFolder
from nbmail.sync.imap.moving import DELETED, Ended, FolderActions
from nbmail.sync.imap.session import Session
from nbmail.values import (
    AUTOMATIC_CLAIM,
    CLAIMING,
    HAND_CLAIM,
    ActionKind,
    Outcome,
    ServerAction,
    ServerLocation,
)

# A mark of thousands of messages takes a few round trips and completes in steps.
BATCH_SIZE = 250
# Seconds after which new mail is fetched before further actions.
TIME_BUDGET = 1.0
_ORDER = list(ActionKind)
# Immediate attempts to claim a message whose flags change; the next follows a change or the next
# poll.
CLAIM_ATTEMPTS = 3
NO_FLAGS = "the server keeps no such flags in this folder"


class ActionRunner:
    """Runs the actions of one account on successive sessions.

    - `has_more`: actions are left after the time budget.
    - `ended`: results of the latest run.
    - `lacks_spam_folder`: messages wait to be moved to a spam folder that the server lacks; the
      user has to name one.
    """

    def __init__(self, account: str, backend: AccountBackend) -> None:
        self._account = account
        self._backend = backend
        self.ended: list[Ended] = []
        self.has_more = self.lacks_spam_folder = False
        self._attempts: Counter[int] = Counter()

    def run(self, session: Session) -> bool:
        """Run the pending actions. True if any that change the server were completed."""
        self.has_more = self.lacks_spam_folder = acted = False
        self.ended.clear()
        started = time.monotonic()
        ran = False
        for batch in self._batches():
            if ran and time.monotonic() - started > TIME_BUDGET:
                self.has_more = True
                break
            if batch[0].target == JUNK and session.find(JUNK) is None:
                self.lacks_spam_folder = True
            elif batch[0].kind is ActionKind.SORT:
                moves = ClaimedMove(session, self._backend, batch, self.ended)
                moves.run()
                # Those are repeated after the next look at their folder, a few times without
                # waiting for a change.
                self._attempts.update(action.number for action in moves.retried)
                self.has_more |= any(
                    self._attempts[each.number] <= CLAIM_ATTEMPTS for each in moves.retried
                )
                acted = True
            elif ActionBatch(session, self._backend, batch, self.ended).run():
                acted |= batch[0].kind is not ActionKind.FETCH
            ran = True
        return acted

    def _batches(self) -> Iterator[list[ServerAction]]:
        """Yield pending actions and those that result from them, each once."""
        tried = set[tuple[ActionKind, int, str, int]]()
        while waiting := [
            one for one in self._backend.pending_actions(self._account) if _key(one) not in tried
        ]:
            tried.update(map(_key, waiting))
            for _, group in groupby(sorted(waiting, key=_batch_key), _batch_key):
                alike = list(group)
                for start in range(0, len(alike), BATCH_SIZE):
                    yield alike[start : start + BATCH_SIZE]


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


def _key(action: ServerAction) -> tuple[ActionKind, int, str, int]:
    return action.kind, action.number, action.folder.folder, action.uid


def _batch_key(action: ServerAction) -> tuple[object, ...]:
    location = (action.folder.folder, action.validity)
    flags = (sorted(action.add), sorted(action.remove))
    return _ORDER.index(action.kind), location, flags, action.target, action.most, action.modseq


# Seconds until all computers see each other's marks on a server without conditional changes, where
# two may mark the same message, and until an interrupted MOVE of an earlier connection has ended.
SETTLING = 5.0
# Seconds between two looks at flags, and looks until a computer has removed its mark or moved the
# message.
YIELDING = 0.1
YIELD_CHECKS = 5
CLAIMS = AUTOMATIC_CLAIM, HAND_CLAIM
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


def claim_by_hand(session: Session, uids: Sequence[int], mark: str) -> list[int]:
    """Claim messages of the open folder. Return those that this computer may move; the others are
    gone.

    Without CONDSTORE servers overwrite marks: nothing is claimed.
    """
    folder = session.selected
    if not (mark and folder is not None and folder.allows(mark) and session.can("CONDSTORE")):
        return list(uids)
    free = list[int]()
    left = list(uids)
    # Marks of other computers by message.
    ignored = {uid: set[str]() for uid in uids}
    own = {mark, mark.replace(HAND_CLAIM, AUTOMATIC_CLAIM)}

    def look(uids: Collection[int], *, wait: bool) -> dict[int, set[str]]:
        """Return the marks of other computers by message, without messages that are gone."""
        if wait:
            session.client.wake_signal.wait(YIELDING)
        flags = session.flags(sorted(uids)) if uids else {}
        # The server may report other messages as well.
        lower = {uid: {flag.lower() for flag in flags[uid]} - own for uid in uids if uid in flags}
        return {
            uid: {flag for flag in found if flag.startswith(CLAIMS)} for uid, found in lower.items()
        }

    for _ in range(2):
        if not left:
            break
        session.claim(left, mark, 0)
        lost = set[int]()
        waiting = set(left)
        for attempt in range(YIELD_CHECKS):
            new = {
                uid: found - ignored[uid] for uid, found in look(waiting, wait=attempt > 0).items()
            }
            # Claims of automatic moves are below those of moves by hand.
            lost |= {uid for uid, found in new.items() if found and min(found) < mark}
            free += [uid for uid, found in new.items() if not found]
            # A higher mark is removed by its computer.
            waiting = {uid for uid, found in new.items() if found} - lost
            if not waiting:
                break
        free += waiting
        # Other computers move the lost messages. Marks on those that are still there then are old
        # ones.
        left = sorted(lost)
        if left:
            session.store(left, [mark], add=False)
        for _ in range(YIELD_CHECKS):
            if left:
                found = look(left, wait=True)
                ignored |= found
                left = sorted(found)
    return free + left
