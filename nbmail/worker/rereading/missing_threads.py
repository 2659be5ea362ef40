"""Threads of messages that were stored without them."""

from collections.abc import Collection, Mapping

from nbmail.core.mail.parser import parse
from nbmail.core.senders.people import thread_of
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.senders.trusted_servers import HEADERS

# Messages parsed in one time slice, and those looked up at once.
_PARSED = 8
_LOOKED_UP = 500
_AFTER_LAST = 1 << 62
"""Number above those of all messages."""


class MissingThreads:
    """Reads missing threads from the cache of raw mail. `found`: number of threads read so far.

    `uncached`: messages that have no thread because they aren't cached.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.found = 0
        self.uncached = set[int]()

    def read(self) -> JobSteps[None]:
        """Read all missing threads, the newest messages first."""
        store = self._store
        before = _AFTER_LAST
        while messages := store.threads.missing(_LOOKED_UP, before):
            before = min(messages)
            identities = store.messages.identities(messages)
            cached = store.raw_mail.cached(identities.values())
            readable = [message for message in messages if identities[message] in cached]
            self.uncached.update(set(messages).difference(readable))
            for first in range(0, len(readable), _PARSED):
                self._store_threads(readable[first : first + _PARSED], identities)
                yield Pause()
            yield Pause()

    def _store_threads(self, messages: Collection[int], identities: Mapping[int, bytes]) -> None:
        threads = dict[int, tuple[bytes, ...]]()
        for message in messages:
            raw = self._store.raw_mail.get(identities[message])
            if raw:
                threads[message] = thread_of(parse(raw[:HEADERS]))
        self.found += len(threads)
        with self._store.connection.relaxed(), self._store.transaction():
            self._store.threads.put(threads)
