"""Fetching of messages that the user wants to read."""

import zlib
from collections.abc import Callable

from nbmail.core.mail.parser import parse
from nbmail.store.store import Store
from nbmail.values import Arrival, ServerAction
from nbmail.worker.engine.jobs import JobSteps, Pause, Surroundings
from nbmail.worker.mailbox.text_indexing import searched_text
from nbmail.worker.protocol.events import BodyFetched
from nbmail.worker.reading.background_fetches import BackgroundFetches
from nbmail.worker.reading.fetch_request import FetchRequest, FetchRequests

# Requests of the user that are stored: going through a list without a connection makes many.
MOST_REQUESTS = 20
# Bytes compressed in one time slice: about 5 ms.
COMPRESSED = 250_000


class Fetches:
    """Requests messages from all their accounts; the first result counts.

    `background`: requests of the program. `read`: called when some of those were fetched.
    """

    def __init__(self, store: Store, around: Surroundings, read: Callable[[], None]) -> None:
        self._store = store
        self._around = around
        self._requests = FetchRequests()
        self.background = BackgroundFetches(store, around, self._requests, read)
        self._wanted: dict[int, FetchRequest] = {}
        """Requests by number of the action, the latest last."""

    def request(self, message: int, most: int = 0) -> tuple[str, ...]:
        """Request at most `most` bytes of a message (0: the size limit). Return its accounts."""
        self._drop(message)
        locations = self._store.folders.locations([message])
        first_locations = {location.account: location for location in reversed(locations)}
        for location in first_locations.values():
            request = self._requests.make(location, most)
            self._wanted[request.action.number] = request

        for number in list(self._wanted)[:-MOST_REQUESTS]:
            del self._wanted[number]
        for account in first_locations:
            self._around.wake(account)
        return tuple(first_locations)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """Return what this account must fetch for the user, the latest first."""
        actions = list[ServerAction]()
        for request in reversed(list(self._wanted.values())):
            if request.account != account:
                continue
            if request.is_tried_again():
                actions.append(request.action)
            else:
                self.complete_without(request.action)
        return tuple(actions)

    def complete_without(self, action: ServerAction) -> None:
        """End a request of an account that doesn't have the message, or refuses it."""
        request = self._wanted.pop(action.number, None)
        if request is not None:
            if not any(other.message == request.message for other in self._wanted.values()):
                self._around.emit(BodyFetched(request.message, found=False))
            return
        request = self.background.find(action)
        if request is not None:
            self.background.end(request)

    def store(self, action: ServerAction, arrival: Arrival) -> JobSteps[None]:
        """Store a fetched message in the cache, if it is still requested."""
        request = self._wanted.get(action.number)
        is_wanted = request is not None
        if request is None:
            request = self.background.find(action)
        if request is None:
            return

        message = request.message
        packed = yield from _pack(arrival.raw)
        identity = self._store.messages.identities([message]).get(message)
        if identity is not None:
            self._store.raw_mail.put([(identity, packed)], self._around.clock())
        # In the background, no text is indexed again, and no commit waits for the disk: thousands
        # of messages may come.
        if identity is not None and is_wanted:
            yield from self._index(message, arrival)

        if is_wanted:
            self._drop(message)
            self._around.emit(BodyFetched(message, found=identity is not None))
        else:
            self.complete_without(action)

    def _index(self, message: int, arrival: Arrival) -> JobSteps[None]:
        """Make the fetched text searchable, and store the size of a whole message."""
        if message <= self._store.texts.upto:
            self._store.texts.add([searched_text(message, parse(arrival.raw))])
            yield Pause()
        if arrival.size == len(arrival.raw):
            self._store.messages.resize(message, arrival.size)

    def _drop(self, message: int) -> None:
        """Forget the requests for a message."""
        self._wanted = {
            number: request
            for number, request in self._wanted.items()
            if request.message != message
        }


def _pack(raw: bytes) -> JobSteps[bytes]:
    """Compress a raw message in time slices."""
    packer = zlib.compressobj(1)
    packed = list[bytes]()
    for start in range(0, len(raw), COMPRESSED):
        packed.append(packer.compress(raw[start : start + COMPRESSED]))
        yield Pause()
    packed.append(packer.flush())
    return b"".join(packed)
