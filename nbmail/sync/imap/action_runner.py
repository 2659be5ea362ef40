"""Run pending server actions: keywords, then moves. Each action completes once, and no message is moved twice.

Actions that differ only in the message run together. Keywords come first, while the messages are in their known
locations. After a time budget the account synchronizes folders before it continues.
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.claimed_move import ClaimedMove, HandClaims
from nbmail.sync.imap.folder_names import ARCHIVE, INBOX, JUNK, TRASH
from nbmail.sync.imap.imap_connection import Refusal
from nbmail.sync.imap.imap_folder import ImapFolder
from nbmail.sync.imap.moving import DELETED, FolderMoves
from nbmail.sync.imap.session import Session
from nbmail.values import ActionKind, Outcome, ServerAction, ServerLocation

# A mark of thousands of messages takes a few round trips and completes in steps.
BATCH_SIZE = 250
# Seconds after which new mail is fetched before further actions.
TIME_BUDGET = 1.0
_ORDER = [
    ActionKind.FETCH,
    ActionKind.KEYWORDS,
    ActionKind.SEEN,
    ActionKind.MOVE,
    ActionKind.EXPUNGE,
    ActionKind.PUT_BACK,
    ActionKind.SORT,
]
_AUTOMATIC = {ActionKind.PUT_BACK, ActionKind.SORT}
# Immediate attempts to claim a message whose flags change; the next follows a change or the next poll.
CLAIM_ATTEMPTS = 3


class ActionRunner:
    """Runs the actions of one account on successive sessions.

    - `has_more`: actions are left after the time budget.
    - `completed`: results of the latest run, with the new locations of moved messages.
    - `lacks_junk_folder`: messages wait to be moved to a junk folder that the server lacks; the user has to name one.
    - `refusal`: the server's reason for refusing a move, until it is reported.
    - `without_keywords`: a folder in which the server stores no keywords.
    """

    def __init__(self, account: str, backend: AccountBackend) -> None:
        self._account = account
        self._backend = backend
        self.completed: list[tuple[ServerAction, Outcome, ServerLocation | None]] = []
        self.has_more = self.lacks_junk_folder = False
        self.refusal = self.without_keywords = ""
        self._attempts: Counter[int] = Counter()

    def run(self, session: Session) -> bool:
        """Run the pending actions. True if any that change the server were completed."""
        self.has_more = self.lacks_junk_folder = acted = False
        self.completed.clear()
        started, ran = time.monotonic(), False
        for batch in self._batches():
            if ran and time.monotonic() - started > TIME_BUDGET:
                self.has_more = True
                break
            if batch[0].target == JUNK and session.find(JUNK) is None:
                self.lacks_junk_folder = True
            elif ActionBatch(session, self._backend, batch, self).run() and batch[0].kind is not ActionKind.FETCH:
                acted = True
            ran = True
        return acted

    def retry(self, actions: Iterable[ServerAction]) -> None:
        """Run these moves again after the next look at their folder, a few times without waiting for a change."""
        for action in actions:
            self._attempts[action.number] += 1
            self.has_more |= self._attempts[action.number] <= CLAIM_ATTEMPTS

    def _batches(self) -> Iterator[list[ServerAction]]:
        """Yield pending actions and those that result from them, each once."""
        tried = set[tuple[ActionKind, int, str, int]]()
        while waiting := [one for one in self._backend.pending_actions(self._account) if _key(one) not in tried]:
            tried.update(map(_key, waiting))
            for _, group in groupby(sorted(waiting, key=_batch_key), _batch_key):
                alike = list(group)
                for start in range(0, len(alike), BATCH_SIZE):
                    yield alike[start : start + BATCH_SIZE]


class ActionBatch:
    """Pending actions that differ only in their message."""

    def __init__(
        self, session: Session, backend: AccountBackend, actions: list[ServerAction], runner: ActionRunner
    ) -> None:
        self._session = session
        self._backend = backend
        self._runner = runner
        self._first = actions[0]
        self._folder = self._first.folder.folder
        self._left = {action.uid: action for action in actions}
        self._moves = FolderMoves(session, actions, self._store_progress, self._end)

    def run(self, *, again: bool = True) -> bool:
        """Run and complete the actions. False if a temporary refusal leaves some for later."""
        try:
            if self._first.kind is ActionKind.SORT:
                self._sort()
                return True
            present = self._moves.present(self._left)
            for uid in list(self._left):
                if not self._moves.resume(uid, present=uid in present) and uid not in present:
                    self._end(uid, Outcome.OBSOLETE)
            if self._left:
                self._act(list(self._left.values()))
        except Refusal as refusal:
            # Another client expunged a message just now.
            if refusal.code == "EXPUNGEISSUED" and again:
                return self.run(again=False)
            if refusal.temporary and refusal.code != "OVERQUOTA":
                return False
            self._complete(list(self._left.values()), Outcome.REFUSED, refusal.detail)
        return True

    def _act(self, actions: list[ServerAction]) -> None:
        if self._first.kind in (ActionKind.KEYWORDS, ActionKind.SEEN):
            self._set_flags(actions)
        elif self._first.kind in (ActionKind.MOVE, ActionKind.PUT_BACK):
            self._move(actions)
        elif self._first.kind is ActionKind.EXPUNGE:
            self._expunge(actions)
        else:
            self._fetch({action.uid: action for action in actions})

    def _fetch(self, requested: dict[int, ServerAction]) -> None:
        for arrival in ImapFolder(self._session, self._folder).arrivals(list(requested), self._first.most):
            self._backend.complete_fetch(requested.pop(arrival.uid), arrival)
            del self._left[arrival.uid]
        self._complete(requested.values(), Outcome.OBSOLETE)

    def _set_flags(self, actions: list[ServerAction]) -> None:
        add, remove = self._first.add, self._first.remove
        self._session.opens(self._folder, self._first.validity)
        folder = self._session.selected
        allowed = {each for each in add | remove if folder is not None and folder.allows(each)}
        if add and not add & allowed:
            if self._first.kind is ActionKind.KEYWORDS:
                self._runner.without_keywords = self._folder
            self._complete(actions, Outcome.REFUSED, "the server keeps no such flags in this folder")
            return
        if self._first.kind is ActionKind.KEYWORDS:
            self._backend.store_progress(actions)
        # Remove first: two programs at the same moment may leave the keywords of both labels, which any of them can
        # repair, but never none.
        for names, adding in ((remove & allowed, False), (add & allowed, True)):
            if names:
                self._session.store([action.uid for action in actions], names, add=adding)
        # The server doesn't report messages that were expunged in the meantime.
        present = self._moves.present(self._left)
        for action in actions:
            self._complete([action], Outcome.DONE if action.uid in present else Outcome.OBSOLETE)

    def _move(self, actions: list[ServerAction]) -> None:
        target = self._target()
        if target == self._folder:
            for action in actions:
                self._end(action.uid, Outcome.DONE, "", ServerLocation(target, action.validity, action.uid))
        elif self._session.can("MOVE") or self._session.can("UIDPLUS"):
            self._moves.move(self._claimed(actions), target)
        else:
            self._complete(actions, Outcome.REFUSED, "the server can't move a single message")

    def _claimed(self, actions: list[ServerAction]) -> list[int]:
        """Return the messages that no other computer moves at the same moment."""
        if not self._session.opens(self._folder, self._first.validity):
            return []
        uids, claims = [action.uid for action in actions], HandClaims(self._session, next(iter(self._first.add), ""))
        claimed = claims.claim(uids) if claims.is_possible else uids
        self._complete([action for action in actions if action.uid not in claimed], Outcome.OBSOLETE)
        return claimed

    def _expunge(self, actions: list[ServerAction]) -> None:
        """Delete messages permanently. A plain EXPUNGE would also delete messages that other clients marked."""
        if not self._session.can("UIDPLUS"):
            self._complete(actions, Outcome.REFUSED, "the server can't delete a single message")
            return
        self._session.opens(self._folder, self._first.validity)
        uids = [action.uid for action in actions]
        self._session.store(uids, [DELETED], add=True)
        self._session.client.uid_expunge(uids)
        present = self._moves.present(self._left)
        left = [action for action in actions if action.uid in present]
        self._complete([action for action in actions if action.uid not in present], Outcome.DONE)
        if left:
            self._complete(left, Outcome.REFUSED, "the server kept the message")

    def _sort(self) -> None:
        claimed = ClaimedMove(self._session, self._target(), list(self._left.values()), self._store_progress, self._end)
        claimed.run()
        self._runner.retry(claimed.retried)

    def _target(self) -> str:
        """Return the folder to move to, after creating it if the user named one that doesn't exist."""
        folders, target = self._session.folders, self._first.target
        if target in (INBOX, JUNK):
            return folders.junk.name if target == JUNK and folders.junk else "INBOX" if target == INBOX else ""
        for use in (ARCHIVE, TRASH):
            if target == folders.to_create(use):
                self._session.find(use)
        folders = self._session.folders
        prefixed = folders.prefix + target
        return prefixed if target not in folders and prefixed in folders else target

    def _store_progress(self, texts: Mapping[int, str]) -> None:
        self._backend.store_progress([self._left[uid]._replace(progress=text) for uid, text in texts.items()])

    def _complete(self, actions: Iterable[ServerAction], outcome: Outcome, detail: str = "") -> None:
        for action in actions:
            self._end(action.uid, outcome, detail)

    def _end(self, uid: int, outcome: Outcome, detail: str = "", new_location: ServerLocation | None = None, /) -> None:
        action = self._left[uid]
        self._backend.complete(action, outcome, detail, new_location)
        del self._left[uid]
        if action.kind in _AUTOMATIC and outcome is Outcome.REFUSED:
            self._runner.refusal = detail
        self._runner.completed.append((action, outcome, new_location))


def _key(action: ServerAction) -> tuple[ActionKind, int, str, int]:
    return action.kind, action.number, action.folder.folder, action.uid


def _batch_key(action: ServerAction) -> tuple[object, ...]:
    location, flags = (action.folder.folder, action.validity), (sorted(action.add), sorted(action.remove))
    return _ORDER.index(action.kind), location, flags, action.target, action.most, action.modseq
