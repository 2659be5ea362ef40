"""Search for the mail server of an address: all sources are queried concurrently, and the rank of
the source decides.

Nothing but the domain is sent, and no user name or password reaches any server. A server counts as
found after it answered over a verified TLS connection.
"""

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, TimeoutError
from functools import partial
from queue import Empty, SimpleQueue
from typing import NamedTuple, TypeVar

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.discovery.autoconfig import DIRECTORY, addresses_of, is_host, read_settings
from nbmail.sync.discovery.dns_records import exchangers, services
from nbmail.sync.discovery.providers import Provider, provider_of
from nbmail.sync.imap.protocol.connecting import connect
from nbmail.sync.mailbox_values import (
    MailServer,
    ServerFound,
    ServerTried,
    SettingsSource,
    SourceAsked,
)
from nbmail.sync.sign_in.known_issuers import KNOWN
from nbmail.sync.wake_signal import Stopped, WakeSignal
from nbmail.sync.web import Web

PATIENCE = 8.0
# Sources must leave time for their servers to be tried.
SOURCE_PATIENCE = 5.0

SearchStep = SourceAsked | ServerTried
OnStep = Callable[[SearchStep], None]


class _Ended(NamedTuple):
    rank: int
    found: ServerFound | None


def usual_guesses(domain: str) -> list[MailServer]:
    """Return the usual servers of a domain, most likely first."""
    hosts = (f"imap.{domain}", f"mail.{domain}", domain)
    wrapped = [MailServer(host, 993) for host in hosts]
    return wrapped + [MailServer(host, 143, Security.STARTTLS) for host in hosts]


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
    local, _, named = address.strip().rpartition("@")
    try:
        domain = named.lower().encode("idna").decode("ascii")
    except UnicodeError as error:
        raise KnownError(ErrorCode.BAD_INPUT, address) from error
    if not local or not is_host(domain):
        raise KnownError(ErrorCode.BAD_INPUT, address)
    search = _Search(address.strip(), domain, web or Web(timeout=SOURCE_PATIENCE), patience)
    provider = provider_of(domain)
    if directory:
        sources: list[_Source] = [search.directory]
    elif provider is not None:
        sources = [partial(search.table, provider)]
    else:
        published = [
            partial(search.published, location) for location in addresses_of(search.domain)
        ]
        sources = [*published, search.exchanger, search.services, partial(search.guesses, guess)]
    return search.run(sources, on_step)


_Source = Callable[[], list[ServerFound]]
Item = TypeVar("Item")


class _Search:
    """A search. Sources and connections run on daemon threads, because a name look-up can't be
    interrupted.
    """

    def __init__(self, address: str, domain: str, web: Web, patience: float) -> None:
        self.address = address
        self.domain = domain
        self._web = web
        self._deadline = time.monotonic() + patience
        self._queue: SimpleQueue[SearchStep | _Ended] = SimpleQueue()
        self._lock = threading.Lock()
        self._tries: dict[MailServer, Future[ServerTried]] = {}
        self._signals: list[WakeSignal] = []
        self._over = False

    def run(self, sources: list[_Source], on_step: OnStep) -> ServerFound | None:
        """Ask all sources; return the settings of the first one in the list with a server that
        answers.
        """
        ended: dict[int, ServerFound | None] = {}
        for rank, source in enumerate(sources):
            threading.Thread(
                target=self._run, args=(rank, source), name=f"finding-{rank}", daemon=True
            ).start()
        try:
            while len(ended) < len(sources):
                event = self._queue.get(timeout=max(0.0, self._deadline - time.monotonic()))
                if not isinstance(event, _Ended):
                    on_step(event)
                    continue
                ended[event.rank] = event.found
                best = next((rank for rank in range(len(sources)) if ended.get(rank, True)), None)
                if best is not None and (found := ended.get(best)) is not None and found.worked:
                    break
        except Empty:
            # The time is over: what is known by then decides.
            pass
        finally:
            with self._lock:
                self._over = True
                for signal in self._signals:
                    signal.stop()
        results = [found for _, found in sorted(ended.items()) if found is not None]
        return next((each for each in results if each.worked), next(iter(results), None))

    # --------------------------------------------------------------------------------------------------
    # the sources

    def table(self, provider: Provider) -> list[ServerFound]:
        server = MailServer(provider.host, provider.port, provider.security)
        self._queue.put(SourceAsked(SettingsSource.TABLE, provider.name, (server.host,)))
        user = self.address.rpartition("@")[0] if provider.short_user else self.address
        return [
            ServerFound(
                server,
                user,
                provider.name,
                provider.password_page,
                provider.bridge,
                provider.closed,
            )
        ]

    def published(
        self, location: str, source: SettingsSource = SettingsSource.AUTOCONFIG
    ) -> list[ServerFound]:
        place = location.removeprefix("https://").partition("/")[0]
        read = lambda: read_settings(self._web.get(location), self.address)  # noqa: E731
        return self._ask(source, place, read, lambda each: each.server.host)

    def directory(self) -> list[ServerFound]:
        return self.published(f"https://{DIRECTORY}/v1.1/{self.domain}", SettingsSource.DIRECTORY)

    def exchanger(self) -> list[ServerFound]:
        """Name the servers of the provider that receives the domain's mail: by the table, or by its
        own settings.
        """
        hosts = self._ask(
            SettingsSource.EXCHANGER, self.domain, partial(exchangers, self.domain), str
        )
        domains = dict.fromkeys(domain for host in hosts[:1] for domain in _domains_above(host))
        for domain in domains:
            if (provider := provider_of(domain)) is not None:
                return self.table(provider)
        for domain in domains:
            for location in addresses_of(domain) if domain != self.domain else ():
                if named := self.published(location):
                    return named
        return []

    def services(self) -> list[ServerFound]:
        found = self._ask(
            SettingsSource.SERVICE,
            self.domain,
            partial(services, self.domain),
            lambda each: each.host,
        )
        return [ServerFound(each, self.address) for each in found]

    def guesses(self, guess: Callable[[str], list[MailServer]]) -> list[ServerFound]:
        return [ServerFound(each, self.address) for each in guess(self.domain)]

    def _ask(
        self,
        source: SettingsSource,
        place: str,
        read: Callable[[], list[Item]],
        name: Callable[[Item], str],
    ) -> list[Item]:
        """Query a source, and report that and what it names."""
        self._queue.put(SourceAsked(source, place))
        try:
            found = read()
        except KnownError as error:
            self._queue.put(SourceAsked(source, place, (), error.error_code))
            return []
        self._queue.put(
            SourceAsked(source, place, tuple(dict.fromkeys(name(each) for each in found)))
        )
        return found

    # -------------------------------------------------------------------------------------------------
    # on the threads

    def _run(self, rank: int, source: _Source) -> None:
        found = None
        try:
            found = self._first_answering(source())
        finally:
            self._queue.put(_Ended(rank, found))

    def _first_answering(self, candidates: list[ServerFound]) -> ServerFound | None:
        """Try all servers concurrently; return the first that answers, or a known one that
        doesn't.
        """
        tries = [self._try(each.server) for each in candidates]
        failed = None
        for each, future in zip(candidates, tries, strict=True):
            try:
                tried = future.result(max(0.0, self._deadline - time.monotonic()))
            except TimeoutError:
                tried = ServerTried(each.server, worked=False)
            host = each.server.host
            # A provider of the table that only receives the domain's mail must be confirmed as
            # well.
            known = each.bridge or (each.provider and provider_of(self.domain))
            found = each._replace(
                sign_in=KNOWN.get(host.lower(), each.sign_in),
                foreign=not known and host != self.domain and not host.endswith("." + self.domain),
                worked=bool(tried.worked),
                error_code=tried.error_code,
            )
            if tried.worked:
                return found
            failed = found if each.provider else failed
        return failed

    def _try(self, server: MailServer) -> Future[ServerTried]:
        """Start an attempt to reach a server, unless it is running."""
        with self._lock:
            if server in self._tries:
                return self._tries[server]
            future = self._tries[server] = Future()
            signal = WakeSignal()
            if self._over:
                signal.stop()
            self._signals.append(signal)
        self._queue.put(ServerTried(server))
        given = server, signal, future
        threading.Thread(
            target=self._connect, args=given, name=f"guess-{server.host}", daemon=True
        ).start()
        return future

    def _connect(self, server: MailServer, signal: WakeSignal, future: Future[ServerTried]) -> None:
        left = max(0.1, self._deadline - time.monotonic())
        tried = ServerTried(server, worked=False)
        try:
            connect(server, signal, timeout=left, connect_timeout=left).logout()
            tried = ServerTried(server, worked=True)
        except KnownError as error:
            tried = tried._replace(error_code=error.error_code)
        except Stopped:
            pass
        finally:
            with self._lock:
                self._signals.remove(signal)
                signal.close()
            self._queue.put(tried)
            future.set_result(tried)


def _domains_above(host: str) -> Iterable[str]:
    """Yield the domains of an MX host that may publish settings, without suffixes such as co.uk."""
    labels = host.split(".")
    for start in range(1, min(4, len(labels) - 1)):
        rest = labels[start:]
        if len(rest) > 2 or (len(rest) == 2 and not (len(rest[1]) == 2 and len(rest[0]) <= 3)):
            yield ".".join(rest)
