"""Requests about the list of sorted messages."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from nbmail.core.sorting.sorted_message import SortedMessage, SortedState
from nbmail.store.labels.journal import By
from nbmail.values import SPAM
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.model.updates import Updates
from nbmail.worker.sorting.put_back import PutBack
from nbmail.worker.sorting.sorting_accounts import SortingAccounts
from nbmail.worker.sorting.spam_in_inbox import SpamInInbox

# Messages sorted in one time slice, about 3 ms, and those moved back: about 8 ms.
CHUNK = 500
MOVED = 100
# Log-odds above the spam threshold within which a message counts as near.
NEAR = 1.0


class SortedList:
    """Requests about sorted messages."""

    def __init__(
        self,
        updates: Updates,
        accounts: SortingAccounts,
        inbox: SpamInInbox,
        put_back: PutBack,
    ) -> None:
        self._updates = updates
        self._store = updates.store
        self._changes = updates.changes
        self._clock = updates.around.clock
        self._accounts = accounts
        self._inbox = inbox
        self._put_back = put_back

    def list_sorted(self, since: float = 0.0, limit: int = 1000) -> tuple[SortedMessage, ...]:
        """List sorted messages since a moment, nearest to the spam threshold first."""
        rows = self._described(self._store.sorted.since(since, limit))
        return tuple(sorted(rows, key=lambda one: one.probability))

    def find_sorted(self, message: int) -> SortedMessage | None:
        """Return what sorting did with a message.

        None if it was neither spam nor filed on arrival.
        """
        row = self._store.sorted.of(message)
        return self._described([row])[0] if row else None

    def sort_now(self, account: str, messages: Sequence[int]) -> JobSteps[tuple[int, ...]]:
        """Move messages of a preview. Return those that are moved. One undo step."""
        moving = dict[int, None]()
        now = self._clock()
        step = 0
        for first in range(0, len(messages), CHUNK):
            chances = self._inbox.chances(messages[first : first + CHUNK])
            located = self._inbox.stays(account, chances).items()
            free = [(one, chances[one.message]) for one, stays in located if not stays]
            with self._store.transaction():
                if free and not step:
                    step = self._store.steps.begin(By.SORTING, now)
                self._store.sorted_moves.request(free, now, step)
            moving |= dict.fromkeys(one.message for one, _ in free)
            yield Pause(first + CHUNK, len(messages))
        self._changes.learned()
        self._accounts.announce(account)
        return tuple(moving)

    def confirm_filing(self, messages: Collection[int]) -> tuple[int, ...]:
        """Learn that automatically filed messages are where they belong.

        Return those that were not confirmed before.
        """
        with self._store.transaction():
            confirmed = self._store.sorted.confirm(messages)
        self._changes.rows_changed(confirmed)
        for account in set(confirmed.values()):
            self._accounts.announce(account)
        return tuple(confirmed)

    def undo_sorting(self, messages: Sequence[int]) -> JobSteps[tuple[int, ...]]:
        """Move sorted messages back without a label, as one undo step. Return those that go back.

        They are never sorted again.
        """
        begin = self._one_step()
        returning = list[int]()
        for first in range(0, len(messages), MOVED):
            moved = self._put_back.move_back(messages[first : first + MOVED], begin)
            returning += moved
            self._updates.messages_moved(moved)
            yield Pause(first + MOVED, len(messages))
        return tuple(returning)

    def _one_step(self) -> Callable[[], int]:
        """Return a function that begins an undo step at its first call, and returns it always."""
        step = 0

        def begin() -> int:
            nonlocal step
            step = step or self._store.steps.begin(By.MOVE, self._clock())
            return step

        return begin

    def _described(self, rows: Sequence[SortedMessage]) -> list[SortedMessage]:
        """Return the messages as the window shows them."""
        labels = self._store.labels.of({row.message for row in rows})
        found = list[SortedMessage]()
        for row in rows:
            state = row.state
            is_spam = not row.target and labels.get(row.message) == SPAM
            if state is SortedState.MOVED and is_spam:
                state = SortedState.CONFIRMED
            reason = row.reason if state is SortedState.STAYED else None
            near = not row.target and self._is_near(row.probability)
            found.append(row._replace(state=state, near=near, reason=reason))
        return found

    def _is_near(self, probability: float) -> bool:
        """True if a chance is little above the spam threshold."""
        threshold = self._updates.scoring.costs.spam_from
        above = probability * (1 - threshold)
        return bool(above <= np.exp(NEAR) * threshold * (1 - probability))
