"""Raw mail that isn't kept any more, or not whole: it is asked for once more when somebody wants to read it.

Requests live as long as the engine. They go to every account in which the message lies, as errands; the first answer
counts.
"""

import itertools
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from nbmail.core.reading.mail import parse
from nbmail.store.store import Store
from nbmail.values import ActionKind, Arrival, ServerAction
from nbmail.worker.engine.announcer import Emit
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.intake.message_text import sought_text
from nbmail.worker.protocol import BodyCame

# Bytes of a message that are fetched at most when all of it is wanted: more than any provider lets through.
WHOLE = 64_000_000
# Whoever walks through a list without a connection asks for many: the latest are still wanted when it is back.
MOST = 20
# A message on which the connection breaks each time is let be.
TRIES = 3
# Bytes packed between two looks at the queue: about 5 ms.
PIECE = 250_000


@dataclass(slots=True)
class BodyRequest:
    """A request to one account, and how often it was handed out."""

    message: int
    action: ServerAction
    tries: int = 0


class BodyRequests:
    """The requests of one engine."""

    def __init__(self, store: Store, emit: Emit, wake: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._store, self._emit, self._wake, self._clock = store, emit, wake, clock
        self._numbers = itertools.count(-1, -1)
        self._wanted: dict[int, BodyRequest] = {}

    def ask(self, message: int, most: int = 0) -> tuple[str, ...]:
        """Ask for this message, up to `most` bytes of it; the accounts that were asked."""
        places = {place.account: place for place in reversed(self._store.folders.locations([message]))}
        self._drop(message)
        for place in places.values():
            number = next(self._numbers)
            action = ServerAction(number, ActionKind.FETCH, place.name, place.validity, place.uid, most=most)
            self._wanted[action.number] = BodyRequest(message, action)
        for number in list(self._wanted)[:-MOST]:
            del self._wanted[number]
        for account in places:
            self._wake(account)
        return tuple(places)

    def pending_actions(self, account: str) -> tuple[ServerAction, ...]:
        """What this account is to fetch, the latest first."""
        requests = [each for each in reversed(self._wanted.values()) if each.action.folder.account == account]
        for request in requests:
            request.tries += 1
            if request.tries > TRIES:
                self.complete(request.action)
        return tuple(request.action for request in requests if request.tries <= TRIES)

    def complete(self, action: ServerAction) -> None:
        """This account hasn't got it, or won't give it."""
        request = self._wanted.pop(action.number, None)
        if request is not None and all(other.message != request.message for other in self._wanted.values()):
            self._emit(BodyCame(request.message, found=False))

    def take(self, action: ServerAction, arrival: Arrival) -> JobSteps:
        """Keep what came, packed piece by piece."""
        request = self._wanted.get(action.number)
        if request is None:
            return
        packer, packed = zlib.compressobj(1), list[bytes]()
        for start in range(0, len(arrival.raw), PIECE):
            packed.append(packer.compress(arrival.raw[start : start + PIECE]))
            yield Pause()
        identity = self._store.messages.identities([request.message]).get(request.message)
        if identity is not None:
            self._store.raw_mail.put([(identity, b"".join([*packed, packer.flush()]))], self._clock())
            if request.message <= self._store.texts.upto:
                self._store.texts.add([(request.message, sought_text(parse(arrival.raw)))])
                yield Pause()
            if arrival.size == len(arrival.raw):
                self._store.messages.resize(request.message, arrival.size)
        self._drop(request.message)
        self._emit(BodyCame(request.message, found=identity is not None))

    def _drop(self, message: int) -> None:
        for number in [number for number, request in self._wanted.items() if request.message == message]:
            del self._wanted[number]
