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
from collections.abc import Iterator
from itertools import groupby

from nbmail.sync.account_backend import AccountBackend
from nbmail.sync.imap.actions.action_batch import ActionBatch
from nbmail.sync.imap.actions.automatic_move import ClaimedMove
from nbmail.sync.imap.actions.folder_actions import Ended
from nbmail.sync.imap.folders.folder_names import JUNK
from nbmail.sync.imap.session import Session
from nbmail.values import ActionKind, ServerAction

# A mark of thousands of messages takes a few round trips and completes in steps.
BATCH_SIZE = 250
# Seconds after which new mail is fetched before further actions.
TIME_BUDGET = 1.0
_ORDER = list(ActionKind)
# Immediate attempts to claim a message whose flags change; the next follows a change or the next
# poll.
CLAIM_ATTEMPTS = 3


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


def _key(action: ServerAction) -> tuple[ActionKind, int, str, int]:
    return action.kind, action.number, action.folder.folder, action.uid


def _batch_key(action: ServerAction) -> tuple[object, ...]:
    location = (action.folder.folder, action.validity)
    flags = (sorted(action.add), sorted(action.remove))
    return _ORDER.index(action.kind), location, flags, action.target, action.most, action.modseq
