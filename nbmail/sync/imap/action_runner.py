"""Run pending server actions: keywords, then moves. Each action completes once, and no message is moved twice.

Actions that differ only in the message run together. Keywords come first, while the messages are in their known
locations. After a time budget the account synchronizes folders before it continues.
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.claimed_move import ClaimedMove, claim_by_hand
from nbmail.sync.imap.folder_names import JUNK
from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.imap_folder import ImapFolder
from nbmail.sync.imap.moving import DELETED, Ended, FolderActions
from nbmail.sync.imap.session import Session
from nbmail.values import ActionKind, Outcome, ServerAction, ServerLocation

# A mark of thousands of messages takes a few round trips and completes in steps.
BATCH_SIZE = 250
# Seconds after which new mail is fetched before further actions.
TIME_BUDGET = 1.0
_ORDER = list(ActionKind)
# Immediate attempts to claim a message whose flags change; the next follows a change or the next poll.
CLAIM_ATTEMPTS = 3
NO_FLAGS = "the server keeps no such flags in this folder"


class ActionRunner:
    """Runs the actions of one account on successive sessions.

    - `has_more`: actions are left after the time budget.
    - `ended`: results of the latest run.
    - `lacks_junk_folder`: messages wait to be moved to a junk folder that the server lacks; the user has to name one.
    """

    def __init__(self, account: str, backend: AccountBackend) -> None:
        self._account, self._backend = account, backend
        self.ended: list[Ended] = []
        self.has_more = self.lacks_junk_folder = False
        self._attempts: Counter[int] = Counter()

    def run(self, session: Session) -> bool:
        """Run the pending actions. True if any that change the server were completed."""
        self.has_more = self.lacks_junk_folder = acted = False
        self.ended.clear()
        started, ran = time.monotonic(), False
        for batch in self._batches():
            if ran and time.monotonic() - started > TIME_BUDGET:
                self.has_more = True
                break
            if batch[0].target == JUNK and session.find(JUNK) is None:
                self.lacks_junk_folder = True
            elif batch[0].kind is ActionKind.SORT:
                moves = ClaimedMove(session, self._backend, batch, self.ended)
                moves.run()
                # Those are repeated after the next look at their folder, a few times without waiting for a change.
                self._attempts.update(action.number for action in moves.retried)
                self.has_more |= any(self._attempts[each.number] <= CLAIM_ATTEMPTS for each in moves.retried)
                acted = True
            elif ActionBatch(session, self._backend, batch, self.ended).run():
                acted |= batch[0].kind is not ActionKind.FETCH
            ran = True
        return acted

    def _batches(self) -> Iterator[list[ServerAction]]:
        """Yield pending actions and those that result from them, each once."""
        tried = set[tuple[ActionKind, int, str, int]]()
        while waiting := [one for one in self._backend.pending_actions(self._account) if _key(one) not in tried]:
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
            self._end_all(self.left, Outcome.REFUSED, refusal.detail)
        return True

    def _act(self) -> None:
        if self.first.kind in (ActionKind.KEYWORDS, ActionKind.SEEN):
            self._set_flags()
        elif self.first.kind is ActionKind.MOVE:
            self._move()
        elif self.first.kind is ActionKind.EXPUNGE:
            self._expunge()
        else:
            for arrival in ImapFolder(self.session, self.folder).arrivals(list(self.left), self.first.most):
                self.backend.complete_fetch(self.left.pop(arrival.uid), arrival)
            self._end_all(self.left, Outcome.OBSOLETE)

    def _set_flags(self) -> None:
        add, remove = self.first.add, self.first.remove
        self.open()
        folder = self.session.selected
        allowed = {each for each in add | remove if folder is not None and folder.allows(each)}
        if add and not add & allowed:
            self._end_all(self.left, Outcome.REFUSED, NO_FLAGS)
            return
        if self.first.kind is ActionKind.KEYWORDS:
            self.backend.store_progress(list(self.left.values()))
        # Remove first: two programs at the same moment may leave the keywords of both labels, which any of them can
        # repair, but never none.
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
            self._end_all(self.left.keys() - set(claimed), Outcome.OBSOLETE)
            self.move(claimed, target)
        else:
            self._end_all(self.left, Outcome.REFUSED, "the server can't move a single message")

    def _expunge(self) -> None:
        """Delete messages permanently. A plain EXPUNGE would also delete messages that other clients marked."""
        if not self.session.can("UIDPLUS"):
            self._end_all(self.left, Outcome.REFUSED, "the server can't delete a single message")
            return
        self.open()
        uids = list(self.left)
        self.session.store(uids, [DELETED], add=True)
        self.session.client.uid_expunge(uids)
        self._end_by_presence(Outcome.REFUSED, Outcome.DONE, "the server kept the message")

    def _end_by_presence(self, present: Outcome, gone: Outcome, detail: str = "") -> None:
        found = self.present(self.left)
        self._end_all(self.left.keys() - found, gone)
        self._end_all(self.left, present, detail)

    def _end_all(self, uids: Iterable[int], outcome: Outcome, detail: str = "") -> None:
        for uid in list(uids):
            self.end(uid, outcome, detail)


def _key(action: ServerAction) -> tuple[ActionKind, int, str, int]:
    return action.kind, action.number, action.folder.folder, action.uid


def _batch_key(action: ServerAction) -> tuple[object, ...]:
    location, flags = (action.folder.folder, action.validity), (sorted(action.add), sorted(action.remove))
    return _ORDER.index(action.kind), location, flags, action.target, action.most, action.modseq
