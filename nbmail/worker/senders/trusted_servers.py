"""Servers of each account whose checks of senders count, named or learned."""

from collections.abc import Iterable, Sequence

from nbmail.core.mail.parser import parse
from nbmail.core.senders.result_fields import Headers
from nbmail.core.senders.trusted_servers import (
    ENOUGH_MESSAGES,
    NO_TRUST,
    Trust,
    learn_trust,
    trust_named,
)
from nbmail.store.store import Store
from nbmail.values import INBOX
from nbmail.worker.engine.jobs import JobSteps, Pause

# Newest messages of the inbox that are read, and in one time slice.
_READ = 100
_CHUNK = 8
HEADERS = 64_000
"""Bytes of a message that are parsed for its headers."""
_SETTING = "trusted-servers"

LearnedServers = dict[str, tuple[Sequence[str], str, bool]]
"""Servers, provider and `Trust.below` of each account, as the setting stores them."""


class TrustedServers:
    """Trusted servers by account. Learned ones are stored in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._named: dict[str, tuple[str, ...] | None] = {}
        self._unread: dict[str, int] = {}
        """Messages that came into the inbox since the last attempt to learn."""

    def list_trusted_servers(self, account: str) -> tuple[str, ...]:
        """Return the servers whose checks of senders count in an account."""
        return tuple(sorted(self.of(account).servers))

    def name(self, account: str, servers: tuple[str, ...] | None) -> bool:
        """Set the servers that the user named, None to learn them. True if that changes any."""
        before = self.of(account)
        self._named[account] = servers
        return self.of(account) != before

    def of(self, account: str) -> Trust:
        named = self._named.get(account)
        learned = self._learned(account)
        if named is None:
            return learned
        return trust_named(named, learned)

    def of_messages(self, messages: Iterable[int]) -> dict[int, Trust]:
        """Return the trust of messages by their locations, of those with a known server."""
        accounts: dict[str, Trust] = {}
        found: dict[int, Trust] = {}
        for location in self._store.folders.locations(messages):
            if location.account not in accounts:
                accounts[location.account] = self.of(location.account)
            trust = accounts[location.account]
            if trust.servers:
                found.setdefault(location.message, trust)
        return found

    def learn(self, account: str, arrived: int | None = None) -> JobSteps[bool]:
        """Learn the servers from the cached mail of the inbox. True if that makes them known.

        `arrived`: messages that came into the inbox. Nothing is read while they are few, or if
        servers are known.
        """
        if arrived is not None:
            self._unread[account] = self._unread.get(account, 0) + arrived
        if self._is_known(account) or not self._has_enough(account):
            return False

        self._unread[account] = 0
        headers = yield from self._read_headers(account)
        trust = learn_trust(headers)
        # A time slice of another job may have learned them meanwhile.
        if trust == NO_TRUST or self._learned(account).servers:
            return False

        learned = self._stored()
        learned[account] = (sorted(trust.servers), trust.provider, trust.below)
        self._store.settings.set(_SETTING, learned)
        return True

    def forget(self, account: str) -> None:
        learned = self._stored()
        if learned.pop(account, None):
            self._store.settings.set(_SETTING, learned)

    def _is_known(self, account: str) -> bool:
        """True if there is nothing to learn: named or learned servers, or a removed account."""
        is_removed = account not in self._named
        is_named = self._named.get(account) is not None
        return is_removed or is_named or bool(self._learned(account).servers)

    def _has_enough(self, account: str) -> bool:
        return self._unread.get(account, ENOUGH_MESSAGES) >= ENOUGH_MESSAGES

    def _read_headers(self, account: str) -> JobSteps[list[Headers]]:
        """Return the headers of the newest cached messages in the inbox."""
        messages = list[int]()
        for name in self._store.folders.names(INBOX):
            if name.account == account:
                messages += self._store.folders.messages(name)[-_READ:]

        headers = list[Headers]()
        for first in range(0, len(messages), _CHUNK):
            identities = self._store.messages.identities(messages[first : first + _CHUNK])
            for identity in identities.values():
                raw = self._store.raw_mail.get(identity)
                if raw:
                    headers.append(parse(raw[:HEADERS]).headers)
            yield Pause()
        return headers

    def _learned(self, account: str) -> Trust:
        servers, provider, below = self._stored().get(account, ((), "", False))
        return Trust(frozenset(servers), provider, below)

    def _stored(self) -> LearnedServers:
        learned: LearnedServers = self._store.settings.get(_SETTING, {})
        return learned
