"""Run the pending server actions of an account: keywords, then moves.

Each action completes once, and no message is moved twice. Actions that differ only in the message
run together. Keywords come first, while the messages are in their known locations. After a time
budget the account synchronizes folders before it continues.
"""

import time
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from nbmail.chunks import batches
from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.actions.action_batch import ActionBatch
from nbmail.sync.imap.actions.automatic_move import AutomaticMove
from nbmail.sync.imap.actions.folder_actions import EndedAction
from nbmail.sync.imap.session import Session
from nbmail.values import JUNK_FOLDER, ActionKind, ServerAction

# A mark of thousands of messages takes a few round trips and completes in steps.
BATCH_SIZE = 250
# Seconds after which new mail is fetched before further actions.
TIME_BUDGET = 1.0
# Immediate attempts to claim a message whose flags change. The next one follows a change or the
# next poll.
CLAIM_ATTEMPTS = 3
_ORDER = list(ActionKind)


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
        self.ended: list[EndedAction] = []
        self.has_more = False
        self.lacks_spam_folder = False
        self._attempts: Counter[int] = Counter()

    def run(self, session: Session) -> bool:
        """Run the pending actions. True if any that change the server were completed."""
        self.has_more = False
        self.lacks_spam_folder = False
        self.ended.clear()
        has_acted = False
        started = time.monotonic()
        for number, batch in enumerate(self._batches()):
            if number and time.monotonic() - started > TIME_BUDGET:
                self.has_more = True
                break
            has_acted |= self._run_batch(session, batch)
        return has_acted

    def _run_batch(self, session: Session, batch: list[ServerAction]) -> bool:
        """Run actions that differ only in the message. True if they changed the server."""
        first = batch[0]
        if first.target == JUNK_FOLDER and session.find(JUNK_FOLDER) is None:
            self.lacks_spam_folder = True
            return False
        if first.kind is ActionKind.SORT:
            moves = AutomaticMove(session, self._backend, batch, self.ended)
            moves.run()
            self._count_attempts(moves.retried)
            return True
        is_completed = ActionBatch(session, self._backend, batch, self.ended).run()
        return is_completed and first.kind is not ActionKind.FETCH

    def _count_attempts(self, retried: list[ServerAction]) -> None:
        """Repeat moves after the next look at their folder, a few times without a change."""
        for action in retried:
            self._attempts[action.number] += 1
            if self._attempts[action.number] <= CLAIM_ATTEMPTS:
                self.has_more = True

    def _batches(self) -> Iterator[list[ServerAction]]:
        """Yield pending actions and those that result from them, each once."""
        tried = set[tuple[object, ...]]()
        while True:
            pending = self._backend.pending_actions(self._account)
            waiting = [action for action in pending if _identity(action) not in tried]
            if not waiting:
                return
            tried.update(map(_identity, waiting))
            waiting.sort(key=_batch_key)
            for _, alike in groupby(waiting, _batch_key):
                yield from batches(alike, BATCH_SIZE)


def _identity(action: ServerAction) -> tuple[object, ...]:
    return action.kind, action.number, action.folder.folder, action.uid


def _batch_key(action: ServerAction) -> tuple[object, ...]:
    """Return the same for actions that differ only in the message. Keywords come first."""
    return (
        _ORDER.index(action.kind),
        action.folder.folder,
        action.validity,
        sorted(action.add),
        sorted(action.remove),
        action.target,
        action.most,
        action.modseq,
    )
