"""Fetches labelled mail in the background whose words are outdated and that is no longer cached."""

import itertools
import time
from collections.abc import Callable, Collection

from nbmail.store.mail.derived_mail import pack
from nbmail.store.store import Store
from nbmail.values import AccountState, ActionKind, Arrival, Phase, ServerAction
from nbmail.worker.engine.announcer import Emit
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.protocol.events import AccountChanged

# Actions that an account gets at once, and messages after which their words are read.
TOGETHER, READ_AFTER = 100, 400
# A message that breaks the connection each time is abandoned after so many tries.
_TRIES = 3
_PROGRESS_EVERY = 0.1


class TrainingFetches:
    """Requests for raw mail, each once while the engine runs. `read` is called when some mail was fetched."""

    def __init__(self, store: Store, emit: Emit, wake: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._store, self._emit, self._wake, self._clock = store, emit, wake, clock
        self.read: Callable[[], None] = lambda: None
        # Other requests for mail have odd numbers.
        self._numbers = itertools.count(-2, -2)
        self.waiting: dict[str, dict[int, ServerAction]] = {}
        """Actions by account and number."""
        self._messages: dict[int, int] = {}
        self._tries: dict[int, int] = {}
        self._totals: dict[str, int] = {}
        self._requested: set[int] = set()
        self._reported_at = 0.0

    def __contains__(self, action: ServerAction) -> bool:
        return action.number in self._messages

    def request(self, messages: Collection[int]) -> None:
        """Request messages from the first account that has each, unless they were requested before."""
        wanted = [message for message in messages if message not in self._requested]
        self._requested.update(wanted)
        places = {place.message: place for place in reversed(self._store.folders.locations(wanted))}
        for place in places.values():
            number = next(self._numbers)
            action = ServerAction(number, ActionKind.FETCH, place.name, place.validity, place.uid)
            self.waiting.setdefault(place.account, {})[number] = action
            self._messages[number] = place.message
            self._totals[place.account] = self._totals.get(place.account, 0) + 1
        for account in {place.account for place in places.values()}:
            self._wake(account)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return the next messages that an account must fetch."""
        actions = list(itertools.islice(self.waiting[account].values(), TOGETHER))
        for action in actions:
            self._tries[action.number] = self._tries.get(action.number, 0) + 1
            if self._tries[action.number] > _TRIES:
                self.complete_without(action)
        return tuple(action for action in actions if action in self)

    def complete_without(self, action: ServerAction) -> None:
        """End a request of an account that doesn't have the message, or refuses it."""
        account = action.folder.account
        remaining = self.waiting[account]
        del remaining[action.number], self._messages[action.number], self._tries[action.number]
        done, total = self._totals[account] - len(remaining), self._totals[account]
        if not remaining:
            del self._totals[account], self.waiting[account]
        elif done % TOGETHER == 0:
            self._wake(account)
        if not remaining or done % READ_AFTER == 0:
            self.read()
        if not remaining or time.monotonic() - self._reported_at >= _PROGRESS_EVERY:
            self._reported_at = time.monotonic()
            self._emit(AccountChanged(AccountState(account, Phase.WORKING, self._clock(), done=done, total=total)))

    def store(self, action: ServerAction, arrival: Arrival) -> JobSteps[None]:
        """Cache a fetched message."""
        identity = self._store.messages.identities([self._messages[action.number]]).get(self._messages[action.number])
        if identity is not None:
            self._store.raw_mail.put([(identity, pack(arrival.raw))], self._clock())
        yield Pause()
        self.complete_without(action)
