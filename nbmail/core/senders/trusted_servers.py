"""Servers whose results of sender checks count: those of the account's provider."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from nbmail.core.senders.received_fields import by_host, first_below, own_end
from nbmail.core.senders.result_fields import Headers, server_id
from nbmail.text.web_addresses import domain_of

ENOUGH_MESSAGES = 20
ENOUGH_SHARE = 0.9
"""Messages of an inbox, and the share of them, whose topmost field has to name a server before it
is trusted.
"""


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
    """Return trust in servers that the user named. Provider and position are those that were
    learned.
    """
    servers = frozenset(name.lower() for name in names)
    if not servers:
        return NO_TRUST
    organization = domain_of(min(servers))
    same = organization in {domain_of(name) for name in learned.servers}
    return learned._replace(servers=servers) if same else Trust(servers, organization)


def learn_trust(inbox: Iterable[Headers]) -> Trust:
    """Return the servers to trust: ids of one organization that 90 % of at least 20 messages name
    at one position.
    """
    found = Counter(map(_topmost, inbox))
    kinds: Counter[tuple[str, str, bool]] = Counter()
    for (server, provider, below), count in found.items():
        kinds[domain_of(server), provider, below] += count
    if found.total() < ENOUGH_MESSAGES:
        return NO_TRUST
    (organization, provider, below), count = kinds.most_common(1)[0]
    if not organization or count < ENOUGH_SHARE * found.total():
        return NO_TRUST
    return Trust(
        frozenset(server for server, *_ in found if domain_of(server) == organization),
        provider,
        below,
    )


def _topmost(headers: Headers) -> tuple[str, str, bool]:
    """Return the server of the first field that the receiving provider can have written, the
    provider, and `below`.
    """
    hosts = (by_host(value) for name, value in headers if name == "received")
    provider = next(filter(None, hosts), "")
    end = own_end(headers, provider)
    parts = ((False, headers[:end]), (True, first_below(headers, end)))
    named = (
        (value, below)
        for below, part in parts
        for name, value in part
        if name == "authentication-results"
    )
    value, below = next(named, ("", False))
    return server_id(value), provider, below
