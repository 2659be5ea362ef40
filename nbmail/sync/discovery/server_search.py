"""Search for the mail server of an address.

All sources are queried concurrently, and the rank of the source decides. Nothing but the domain is
sent, and no user name or password reaches any server. A server counts as found after it answered
over a verified TLS connection.
"""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import NamedTuple

from nbmail.errors import ErrorCode, KnownError
from nbmail.sync.discovery.autoconfig import is_host
from nbmail.sync.discovery.providers import provider_of
from nbmail.sync.discovery.server_attempts import ServerAttempts
from nbmail.sync.discovery.settings_sources import SettingsSources, Source, usual_guesses
from nbmail.sync.mailbox_values import MailServer, ServerFound, ServerTried, SourceAsked
from nbmail.sync.sign_in.known_issuers import KNOWN
from nbmail.sync.web import Web

PATIENCE = 8.0
# Sources must leave time for their servers to be tried.
SOURCE_PATIENCE = 5.0

SearchStep = SourceAsked | ServerTried
OnStep = Callable[[SearchStep], None]


class _Ended(NamedTuple):
    """End of a source: the settings of a server, if it named any that can be used."""

    rank: int
    found: ServerFound | None


def find_server(
    address: str,
    on_step: OnStep,
    *,
    guess: Callable[[str], list[MailServer]] = usual_guesses,
    directory: bool = False,
    web: Web | None = None,
    patience: float = PATIENCE,
) -> ServerFound | None:
    """Find the settings of a mail address; None if the user must enter them. Blocks.

    `on_step` is called in the calling thread; an exception from it ends the search. `directory`:
    ask only Thunderbird's directory, which learns the domain.
    """
    address = address.strip()
    domain = _domain_of(address)
    search = _Search(domain, patience)
    web = web or Web(timeout=SOURCE_PATIENCE)
    sources = SettingsSources(address, domain, web, search.report)
    return search.run([sources.directory] if directory else sources.all(guess), on_step)


def _domain_of(address: str) -> str:
    """Return the domain of a mail address. Raise `KnownError` if the address can't exist."""
    local, _, named = address.rpartition("@")
    try:
        domain = named.lower().encode("idna").decode("ascii")
    except UnicodeError as error:
        raise KnownError(ErrorCode.BAD_INPUT, address) from error
    if not local or not is_host(domain):
        raise KnownError(ErrorCode.BAD_INPUT, address)
    return domain


class _Search:
    """One search.

    Sources run on daemon threads, because a name look-up can't be interrupted.
    """

    def __init__(self, domain: str, patience: float) -> None:
        self._domain = domain
        self._deadline = time.monotonic() + patience
        self._queue: SimpleQueue[SearchStep | _Ended] = SimpleQueue()
        self._attempts = ServerAttempts(self._deadline, self.report)

    def report(self, step: SearchStep) -> None:
        """Pass a step to the thread that waits in `run`. Called on any thread."""
        self._queue.put(step)

    def run(self, sources: list[Source], on_step: OnStep) -> ServerFound | None:
        """Query all sources. Return the settings of the first in the list whose server answers."""
        for rank, source in enumerate(sources):
            threading.Thread(
                target=self._run_source, args=(rank, source), name=f"finding-{rank}", daemon=True
            ).start()
        ended: dict[int, ServerFound | None] = {}
        try:
            while len(ended) < len(sources) and not _is_decided(ended):
                event = self._queue.get(timeout=max(0.0, self._deadline - time.monotonic()))
                if isinstance(event, _Ended):
                    ended[event.rank] = event.found
                else:
                    on_step(event)
        except Empty:
            # The time is over: what is known by then decides.
            pass
        finally:
            self._attempts.stop()
        return _best(ended)

    def _run_source(self, rank: int, source: Source) -> None:
        found = None
        try:
            found = self._first_answering(source())
        finally:
            self._queue.put(_Ended(rank, found))

    def _first_answering(self, candidates: list[ServerFound]) -> ServerFound | None:
        """Try all servers concurrently. Return the first that answers.

        If none answers, return the server of a known provider.
        """
        attempts = [self._attempts.start(each.server) for each in candidates]
        failed = None
        for candidate, attempt in zip(candidates, attempts, strict=True):
            tried = self._attempts.result(attempt, candidate.server)
            found = self._described(candidate, tried)
            if tried.worked:
                return found
            if candidate.provider:
                failed = found
        return failed

    def _described(self, candidate: ServerFound, tried: ServerTried) -> ServerFound:
        """Add what is known after an attempt to connect."""
        host = candidate.server.host
        is_own = host == self._domain or host.endswith("." + self._domain)
        # A provider of the table that only receives the domain's mail must be confirmed as well.
        is_known = candidate.bridge or bool(candidate.provider and provider_of(self._domain))
        return candidate._replace(
            sign_in=KNOWN.get(host.lower(), candidate.sign_in),
            foreign=not is_own and not is_known,
            worked=bool(tried.worked),
            error_code=tried.error_code,
        )


def _is_decided(ended: dict[int, ServerFound | None]) -> bool:
    """True if a server answered and all sources of higher rank have named none."""
    rank = 0
    while rank in ended:
        found = ended[rank]
        if found is not None:
            return found.worked
        rank += 1
    return False


def _best(ended: dict[int, ServerFound | None]) -> ServerFound | None:
    """Return the settings of the highest rank whose server answered, otherwise of any."""
    results = [found for _, found in sorted(ended.items()) if found is not None]
    for found in results:
        if found.worked:
            return found
    return results[0] if results else None
