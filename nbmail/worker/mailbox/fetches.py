"""Requests to accounts for raw mail that is not cached, or only in part."""

import itertools
import time
import zlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from nbmail.core.reading.mail import parse
from nbmail.store.store import Store
from nbmail.values import AccountState, ActionKind, Arrival, Phase, ServerAction
from nbmail.worker.engine.job_queue import JobSteps, Pause, Surroundings
from nbmail.worker.mailbox.mail_rows import searched_text
from nbmail.worker.protocol.events import AccountChanged, BodyFetched

# Requests of the user that are kept: who walks through a list without a connection makes many.
MOST_REQUESTS = 20
# Requests for a message that breaks the connection each time are abandoned after so many tries.
TRIES = 3
# Bytes compressed in one time slice: about 5 ms.
COMPRESSED = 250_000
# Actions in the background that an account gets at once, and messages after which their words are read.
TOGETHER, READ_AFTER = 100, 400
_PROGRESS_EVERY = 0.1


@dataclass(slots=True)
class _Request:
    """Request for a message to one account."""

    message: int
    action: ServerAction
    tries: int = 0


class Fetches:
    """Messages that the user wants to read are requested from all their accounts; the first result counts.

    Mail of labels whose words are outdated is requested once each, in the background, from one account. `read` is
    called when some of it was fetched.
    """

    def __init__(self, store: Store, around: Surroundings) -> None:
        self._store, self._around = store, around
        self.read: Callable[[], None] = lambda: None
        self._numbers = itertools.count(-1, -1)
        self._wanted: dict[int, _Request] = {}
        # In the background, by account and number.
        self._waiting: dict[str, dict[int, _Request]] = {}
        self._totals: dict[str, int] = {}
        self._requested: set[int] = set()
        self._reported_at = 0.0

    def request(self, message: int, most: int = 0) -> tuple[str, ...]:
        """Request at most `most` bytes of a message (0: the size limit) for the user. Return its accounts."""
        places = {place.account: place for place in reversed(self._store.folders.locations([message]))}
        self._drop(message)
        for place in places.values():
            number = next(self._numbers)
            action = ServerAction(number, ActionKind.FETCH, place.name, place.validity, place.uid, most=most)
            self._wanted[number] = _Request(message, action)
        for number in list(self._wanted)[:-MOST_REQUESTS]:
            del self._wanted[number]
        for account in places:
            self._around.wake(account)
        return tuple(places)

    def request_in_background(self, messages: Collection[int]) -> None:
        """Request messages from the first account that has each, unless they were requested before."""
        wanted = [message for message in messages if message not in self._requested]
        self._requested.update(wanted)
        places = {place.message: place for place in reversed(self._store.folders.locations(wanted))}
        for place in places.values():
            number = next(self._numbers)
            action = ServerAction(number, ActionKind.FETCH, place.name, place.validity, place.uid)
            self._waiting.setdefault(place.account, {})[number] = _Request(place.message, action)
            self._totals[place.account] = self._totals.get(place.account, 0) + 1
        for account in {place.account for place in places.values()}:
            self._around.wake(account)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return what this account must fetch for the user, the latest first."""
        return self._tried([each for each in reversed(self._wanted.values()) if each.action.folder.account == account])

    def background_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return what this account must fetch next in the background."""
        return self._tried(itertools.islice(self._waiting.get(account, {}).values(), TOGETHER))

    def _tried(self, requests: Iterable[_Request]) -> tuple[ServerAction, ...]:
        tried = list(requests)
        for request in tried:
            request.tries += 1
            if request.tries > TRIES:
                self.complete_without(request.action)
        return tuple(request.action for request in tried if request.tries <= TRIES)

    def complete_without(self, action: ServerAction) -> None:
        """End a request of an account that doesn't have the message, or refuses it."""
        if request := self._wanted.pop(action.number, None):
            if all(other.message != request.message for other in self._wanted.values()):
                self._around.emit(BodyFetched(request.message, found=False))
        elif action.number in self._waiting.get(action.folder.account, {}):
            self._end_in_background(action)

    def store(self, action: ServerAction, arrival: Arrival) -> JobSteps[None]:
        request = self._wanted.get(action.number)
        is_wanted = request is not None
        request = request or self._waiting.get(action.folder.account, {}).get(action.number)
        if request is None:
            return
        packer, packed = zlib.compressobj(1), list[bytes]()
        for start in range(0, len(arrival.raw), COMPRESSED):
            packed.append(packer.compress(arrival.raw[start : start + COMPRESSED]))
            yield Pause()
        identity = self._store.messages.identities([request.message]).get(request.message)
        if identity is not None:
            self._store.raw_mail.put([(identity, b"".join([*packed, packer.flush()]))], self._around.clock())
            if request.message <= self._store.texts.upto:
                self._store.texts.add([(request.message, *searched_text(parse(arrival.raw)))])
                yield Pause()
            if arrival.size == len(arrival.raw):
                self._store.messages.resize(request.message, arrival.size)
        if is_wanted:
            self._drop(request.message)
            self._around.emit(BodyFetched(request.message, found=identity is not None))
        else:
            self.complete_without(action)

    def _drop(self, message: int) -> None:
        for number in [number for number, request in self._wanted.items() if request.message == message]:
            del self._wanted[number]

    def _end_in_background(self, action: ServerAction) -> None:
        """Forget a request, report progress, and have the words read from time to time."""
        account = action.folder.account
        remaining = self._waiting[account]
        del remaining[action.number]
        done, total = self._totals[account] - len(remaining), self._totals[account]
        if not remaining:
            del self._totals[account], self._waiting[account]
        elif done % TOGETHER == 0:
            self._around.wake(account)
        if not remaining or done % READ_AFTER == 0:
            self.read()
        if not remaining or time.monotonic() - self._reported_at >= _PROGRESS_EVERY:
            self._reported_at = time.monotonic()
            state = AccountState(account, Phase.WORKING, self._around.clock(), done=done, total=total)
            self._around.emit(AccountChanged(state))
