"""Checks of the sender by the user's own mail server (RFC 8601).

A sender can write headers with results of SPF, DKIM and DMARC checks, too. A header counts only if
it names a trusted server of the account. It also has to be above the headers that the message
arrived with, where that server puts it.
"""

from typing import NamedTuple

from nbmail.core.mail.addresses import author_in
from nbmail.core.senders.received_fields import first_below, own_end
from nbmail.core.senders.result_fields import (
    Headers,
    MethodResult,
    receiver_of,
    results_in,
    server_id,
)
from nbmail.core.senders.trusted_servers import Trust
from nbmail.text.web_addresses import domain_of

_LONGEST_RESULT = 20


class Authentication(NamedTuple):
    """All results that the account's own server reports. Empty without a trusted server."""

    results: tuple[MethodResult, ...] = ()
    verified: bool = False
    """True if the server confirms the domain of From: DMARC passed, or DKIM for that domain."""


def read_authentication(headers: Headers, trust: Trust) -> Authentication:
    """Return the results of the trusted servers.

    `headers`: all headers of the message, from top to bottom.
    """
    if not trust.servers:
        return Authentication()
    results: list[MethodResult] = []
    end = own_end(headers, trust.provider)
    own_headers = first_below(headers, end) if trust.below else headers[:end]
    for name, value in own_headers:
        if name == "authentication-results" and server_id(value) in trust.servers:
            results += results_in(value)
        elif name == "received-spf" and domain_of(receiver_of(value)) == trust.provider:
            result = value[:_LONGEST_RESULT].partition(" ")[0].lower()
            results.append(MethodResult("spf", result))
    senders = [value for name, value in headers if name == "from"]
    verified = len(senders) == 1 and _is_verified(results, senders[0])
    return Authentication(tuple(dict.fromkeys(results)), verified)


def _is_verified(results: list[MethodResult], sender: str) -> bool:
    """True if DMARC passed for the sender's domain or without naming one, or DKIM for it."""
    domain = domain_of(author_in(sender).rpartition("@")[2])
    if not domain:
        return False
    verifying = {("dmarc", ""), ("dmarc", domain), ("dkim", domain)}
    passed = [each for each in results if each.result == "pass"]
    return any((each.method, domain_of(each.domain)) in verifying for each in passed)
