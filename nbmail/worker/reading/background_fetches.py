"""Fetching of messages whose text the program needs, in the background."""

import time
from collections.abc import Callable, Collection
from itertools import islice

from nbmail.store.store import Store
from nbmail.values import AccountState, Phase, ServerAction
from nbmail.worker.engine.jobs import Surroundings
from nbmail.worker.reading.fetch_request import FetchRequest, FetchRequests

# Actions that an account gets at once, and messages after which their words are read.
TOGETHER = 100
READ_AFTER = 400
# Seconds between two reports of progress.
_PROGRESS_EVERY = 0.1


class BackgroundFetches:
    """Requests each message once, from one account. `read`: called when some were fetched."""

    def __init__(
        self,
        store: Store,
        around: Surroundings,
        requests: FetchRequests,
        read: Callable[[], None],
    ) -> None:
        self._store = store
        self._around = around
        self._requests = requests
        self._read = read
        self._waiting: dict[str, dict[int, FetchRequest]] = {}
        """Requests by account and number of the action."""
        self._totals: dict[str, int] = {}
        """Number of requests since the account last had none, by account."""
        self._requested: set[int] = set()
        self._reported_at = 0.0

    def request(self, messages: Collection[int]) -> None:
        """Request messages from the first account of each, unless they were requested before."""
        wanted = [message for message in messages if message not in self._requested]
        self._requested.update(wanted)
        locations = self._store.folders.locations(wanted)
        first_locations = {location.message: location for location in reversed(locations)}

        accounts = dict[str, None]()
        for location in first_locations.values():
            account = location.account
            request = self._requests.make(location)
            self._waiting.setdefault(account, {})[request.action.number] = request
            self._totals[account] = self._totals.get(account, 0) + 1
            accounts[account] = None
        for account in accounts:
            self._around.wake(account)

    def find(self, action: ServerAction) -> FetchRequest | None:
        """Return the request with this action."""
        return self._waiting.get(action.folder.account, {}).get(action.number)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return what this account must fetch next."""
        actions = list[ServerAction]()
        for request in list(islice(self._waiting.get(account, {}).values(), TOGETHER)):
            if request.is_tried_again():
                actions.append(request.action)
            else:
                self.end(request)
        return tuple(actions)

    def end(self, request: FetchRequest) -> None:
        """Forget a request, report progress, and have the words read from time to time."""
        account = request.account
        waiting = self._waiting[account]
        del waiting[request.action.number]
        total = self._totals[account]
        done = total - len(waiting)
        is_last = not waiting

        if is_last:
            del self._totals[account]
            del self._waiting[account]
        elif done % TOGETHER == 0:
            self._around.wake(account)
        if is_last or done % READ_AFTER == 0:
            self._read()
        if is_last or time.monotonic() - self._reported_at >= _PROGRESS_EVERY:
            self._reported_at = time.monotonic()
            self._report(account, done, total)

    def _report(self, account: str, done: int, total: int) -> None:
        now = self._around.clock()
        self._around.emit(AccountState(account, Phase.WORKING, now, done=done, total=total))
