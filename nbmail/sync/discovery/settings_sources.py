"""Sources of a mail server's settings: nbmail's table, the domain, its provider, and guesses."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from nbmail.errors import KnownError
from nbmail.settings import Security
from nbmail.sync.discovery.autoconfig import DIRECTORY, addresses_of, read_settings
from nbmail.sync.discovery.dns_records import exchangers, services
from nbmail.sync.discovery.providers import Provider, provider_of
from nbmail.sync.mailbox_values import MailServer, ServerFound, SettingsSource, SourceAsked
from nbmail.sync.web import Web

Source = Callable[[], list[ServerFound]]
"""Returns the servers that a source names, the preferred one first. Can wait for the network."""

Item = TypeVar("Item")


def usual_guesses(domain: str) -> list[MailServer]:
    """Return the usual servers of a domain, most likely first."""
    hosts = (f"imap.{domain}", f"mail.{domain}", domain)
    wrapped = [MailServer(host, 993) for host in hosts]
    return wrapped + [MailServer(host, 143, Security.STARTTLS) for host in hosts]


class SettingsSources:
    """Sources for one mail address. `report` is called with each query, and with its result."""

    def __init__(
        self, address: str, domain: str, web: Web, report: Callable[[SourceAsked], None]
    ) -> None:
        self._address = address
        self._domain = domain
        self._web = web
        self._report = report

    def all(self, guess: Callable[[str], list[MailServer]]) -> list[Source]:
        """Return all sources but the directory, the most reliable first."""
        provider = provider_of(self._domain)
        if provider is not None:
            return [partial(self._table, provider)]
        first, second = addresses_of(self._domain)
        return [
            partial(self._published, first),
            partial(self._published, second),
            self._exchanger,
            self._services,
            partial(self._guesses, guess),
        ]

    def directory(self) -> list[ServerFound]:
        """Query Thunderbird's directory, which learns the domain."""
        address = f"https://{DIRECTORY}/v1.1/{self._domain}"
        return self._published(address, SettingsSource.DIRECTORY)

    def _table(self, provider: Provider) -> list[ServerFound]:
        server = MailServer(provider.host, provider.port, provider.security)
        self._report(SourceAsked(SettingsSource.TABLE, provider.name, (server.host,)))
        user = self._address.rpartition("@")[0] if provider.short_user else self._address
        found = ServerFound(
            server,
            user,
            provider.name,
            provider.password_page,
            bridge=provider.bridge,
            closed=provider.closed,
        )
        return [found]

    def _published(
        self, address: str, source: SettingsSource = SettingsSource.AUTOCONFIG
    ) -> list[ServerFound]:
        host = address.removeprefix("https://").partition("/")[0]

        def read() -> list[ServerFound]:
            return read_settings(self._web.get(address), self._address)

        return self._query(source, host, read, lambda each: each.server.host)

    def _exchanger(self) -> list[ServerFound]:
        """Return the servers of the provider that receives the domain's mail.

        They are named by the table, or by the provider's own settings.
        """
        source = SettingsSource.EXCHANGER
        hosts = self._query(source, self._domain, partial(exchangers, self._domain), str)
        domains = list(dict.fromkeys(_domains_above(hosts[0]))) if hosts else []
        for domain in domains:
            provider = provider_of(domain)
            if provider is not None:
                return self._table(provider)
        for domain in domains:
            if domain != self._domain:
                for address in addresses_of(domain):
                    named = self._published(address)
                    if named:
                        return named
        return []

    def _services(self) -> list[ServerFound]:
        source = SettingsSource.SERVICE
        read = partial(services, self._domain)
        found = self._query(source, self._domain, read, lambda each: each.host)
        return [ServerFound(each, self._address) for each in found]

    def _guesses(self, guess: Callable[[str], list[MailServer]]) -> list[ServerFound]:
        return [ServerFound(each, self._address) for each in guess(self._domain)]

    def _query(
        self,
        source: SettingsSource,
        place: str,
        read: Callable[[], list[Item]],
        name: Callable[[Item], str],
    ) -> list[Item]:
        """Query a source, and report that and what it names."""
        self._report(SourceAsked(source, place))
        try:
            found = read()
        except KnownError as error:
            self._report(SourceAsked(source, place, (), error.error_code))
            return []
        names = dict.fromkeys(name(each) for each in found)
        self._report(SourceAsked(source, place, tuple(names)))
        return found


def _domains_above(host: str) -> Iterable[str]:
    """Yield the domains of an MX host that may publish settings, without suffixes such as co.uk."""
    labels = host.split(".")
    for start in range(1, min(4, len(labels) - 1)):
        rest = labels[start:]
        is_suffix = len(rest) == 2 and len(rest[1]) == 2 and len(rest[0]) <= 3
        if len(rest) >= 2 and not is_suffix:
            yield ".".join(rest)
