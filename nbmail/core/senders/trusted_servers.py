"""Servers whose results of sender checks count: those of the account's provider."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from nbmail.core.senders.received_fields import by_host, first_below, own_end
from nbmail.core.senders.result_fields import Headers, server_id
from nbmail.text.web_addresses import domain_of

ENOUGH_MESSAGES = 20
ENOUGH_SHARE = 0.9
"""Messages of an inbox, and the share of them, that have to name a server before it is trusted."""


class Trust(NamedTuple):
    """Servers whose results count.

    - `servers`: authserv-ids.
    - `provider`: domain of the `by` hosts of the provider's own Received fields.
    - `below`: True if the provider writes the results below its own Received fields, as Gmail does.
    """

    servers: frozenset[str] = frozenset()
    provider: str = ""
    below: bool = False


NO_TRUST = Trust()


def trust_named(names: Iterable[str], learned: Trust = NO_TRUST) -> Trust:
    """Return trust in servers that the user named.

    Provider and position are those that were learned.
    """
    servers = frozenset(name.lower() for name in names)
    if not servers:
        return NO_TRUST
    organization = domain_of(min(servers))
    if organization in {domain_of(name) for name in learned.servers}:
        return learned._replace(servers=servers)
    return Trust(servers, organization)


def learn_trust(inbox: Iterable[Headers]) -> Trust:
    """Return the servers to trust.

    They are ids of one organization that 90 % of at least 20 messages name at one position.
    """
    found = Counter(map(_topmost, inbox))
    if found.total() < ENOUGH_MESSAGES:
        return NO_TRUST
    kinds: Counter[_Topmost] = Counter()
    for one, count in found.items():
        kinds[one._replace(server=domain_of(one.server))] += count
    (organization, provider, below), count = kinds.most_common(1)[0]
    if not organization or count < ENOUGH_SHARE * found.total():
        return NO_TRUST
    servers = (one.server for one in found if domain_of(one.server) == organization)
    return Trust(frozenset(servers), provider, below)


class _Topmost(NamedTuple):
    """The first field with results that the receiving provider can have written."""

    server: str
    provider: str
    below: bool


def _topmost(headers: Headers) -> _Topmost:
    hosts = (by_host(value) for name, value in headers if name == "received")
    provider = next(filter(None, hosts), "")
    end = own_end(headers, provider)
    for name, value in headers[:end]:
        if name == "authentication-results":
            return _Topmost(server_id(value), provider, below=False)
    for name, value in first_below(headers, end):
        if name == "authentication-results":
            return _Topmost(server_id(value), provider, below=True)
    return _Topmost("", provider, below=False)
