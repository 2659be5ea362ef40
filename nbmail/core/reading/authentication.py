"""Results of SPF, DKIM and DMARC checks, as the user's own mail server reports them (RFC 8601).

A sender can write such headers too. So a header counts only if it names a server that the account trusts, and only
where that server puts it: above the headers that the message arrived with.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nbmail.links import domain_of

ENOUGH_MESSAGES, ENOUGH_SHARE = 20, 0.9
"""Messages of an inbox, and the share of them, whose topmost field has to name a server before it is trusted."""

_CAP = 4000
# Words, quoted strings, and single signs. Comments are taken out before.
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s;=/"]+)|([;=/])')
_RESULT = re.compile(r"[a-z]{1,20}")
_METHODS = ("spf", "dkim", "dmarc", "arc")
_BY = re.compile(r"\bby\s+([\w.-]{1,253})", re.IGNORECASE)

Headers = Sequence[tuple[str, str]]


class MethodResult(NamedTuple):
    """One result: `method` (spf, dkim, dmarc, arc), `result` (pass, fail, none, …) and the domain it is about."""

    method: str
    result: str
    domain: str = ""


class Authentication(NamedTuple):
    """All results that the account's own server reports. Empty without a trusted server."""

    results: tuple[MethodResult, ...] = ()
    verified: bool = False
    """True if the server confirms the domain of From: DMARC passed, or DKIM for that domain."""


def server_id(value: str) -> str:
    """Return the authserv-id of an Authentication-Results field, in lower case; empty if the field has none."""
    tokens = _tokens(value)
    if len(tokens) > 1 and tokens[1] == "=":
        return ""
    return tokens[0].lower() if tokens and tokens[0] not in (";", "=", "/") else ""


def topmost_server(headers: Headers) -> str:
    """Return the authserv-id of the first Authentication-Results field above or within the top run of Received."""
    for name, value in _own_headers(headers, ""):
        if name == "authentication-results":
            return server_id(value)
    return ""


def trusted_servers(topmost: Iterable[str]) -> frozenset[str]:
    """Return the authserv-ids to trust, from the topmost one of each message of an inbox.

    They are the ids of one organization that at least 90 % of at least 20 messages name. Otherwise the set is empty.
    """
    counts = Counter(topmost)
    total = sum(counts.values())
    if total < ENOUGH_MESSAGES:
        return frozenset()
    organizations: Counter[str] = Counter()
    for name, count in counts.items():
        organizations[domain_of(name)] += count
    organization, count = organizations.most_common(1)[0]
    if not organization or count < ENOUGH_SHARE * total:
        return frozenset()
    return frozenset(name for name in counts if domain_of(name) == organization)


def read_authentication(headers: Headers, trusted: frozenset[str]) -> Authentication:
    """Return the results of the trusted servers. `headers`: all headers of the message, from top to bottom."""
    if not trusted:
        return Authentication()
    results: list[MethodResult] = []
    provider = domain_of(next(iter(trusted)))
    for name, value in _own_headers(headers, provider):
        if name == "authentication-results" and server_id(value) in trusted:
            results += _results(value)
        elif name == "received-spf" and domain_of(_receiver(value)) == provider:
            results.append(MethodResult("spf", value[:20].partition(" ")[0].lower()))
    sender = next((value for name, value in headers if name == "from"), "")
    return Authentication(tuple(dict.fromkeys(results)), _is_verified(results, sender))


def own_verdict_headers(headers: Headers, trusted: frozenset[str]) -> Headers:
    """Return the headers that the receiving provider added itself: above or within its own run of Received."""
    return _own_headers(headers, domain_of(next(iter(trusted)))) if trusted else ()


def _own_headers(headers: Headers, provider: str) -> Headers:
    """Return the headers down to the last Received of the top run whose `by` host belongs to `provider`.

    Without `provider` its domain is that of the topmost Received. Mail without Received was delivered locally: all its
    headers count if no provider is given, none otherwise.
    """
    end = 0
    received = False
    for position, (name, value) in enumerate(headers):
        if name != "received":
            continue
        host = _by_host(value)
        if not received and not provider:
            provider = host
        if host != provider or not host:
            break
        received, end = True, position + 1
    if received:
        return headers[:end]
    first = next((position for position, (name, _) in enumerate(headers) if name == "received"), len(headers))
    return headers[:first]


def _by_host(received: str) -> str:
    found = _BY.search(received[:_CAP].partition(";")[0])
    return domain_of(found[1].lower().rstrip(".")) if found else ""


def _receiver(value: str) -> str:
    """Return the host that wrote a Received-SPF field."""
    found = re.search(r"\breceiver\s*=\s*([\w.-]{1,253})", value[:_CAP]) or re.search(
        r"\(([\w.-]{1,253}):", value[:_CAP]
    )
    return found[1].lower() if found else ""


def _results(value: str) -> list[MethodResult]:
    """Return the results of one field: `method=result` with the domain among its properties."""
    results: list[MethodResult] = []
    for part in _parts(_tokens(value)[1:]):
        if len(part) < 3 or part[1] not in ("=", "/"):
            continue
        method = part[0].lower()
        # A version may stand behind the method: "dkim/1 = pass".
        rest = part[2:] if part[1] == "=" else part[4:]
        if method not in _METHODS or not rest or not _RESULT.fullmatch(rest[0].lower()):
            continue
        results.append(MethodResult(method, rest[0].lower(), _domain(method, rest[1:])))
    return results


def _domain(method: str, tokens: list[str]) -> str:
    """Return the domain that the result is about, from `header.d`, `header.i`, `header.from` or `smtp.mailfrom`."""
    wanted = {"dkim": ("header.d", "header.i"), "dmarc": ("header.from",), "spf": ("smtp.mailfrom", "smtp.helo")}
    properties = {
        tokens[place].lower(): tokens[place + 2].lower() for place in range(len(tokens) - 2) if tokens[place + 1] == "="
    }
    for name in wanted.get(method, ()):
        if name in properties:
            return properties[name].rpartition("@")[2].strip("<>. ")
    return ""


def _is_verified(results: list[MethodResult], sender: str) -> bool:
    """True if DMARC passed for From's domain, or DKIM for a domain of the same organization."""
    addresses = [word.strip("<>,;\"'()") for word in sender[:_CAP].lower().split() if "@" in word]
    if len(addresses) != 1:
        return False
    domain = addresses[0].rpartition("@")[2]
    for method, result, about in results:
        if result != "pass":
            continue
        if method == "dmarc" and (not about or domain_of(about) == domain_of(domain)):
            return True
        if method == "dkim" and about and domain_of(about) == domain_of(domain):
            return True
    return False


def _tokens(value: str) -> list[str]:
    """Split a field into words and signs, without comments and with quoted strings as one word."""
    return [
        found[1].replace("\\", "") if found[1] is not None else found[0]
        for found in _TOKEN.finditer(_without_comments(value[:_CAP]))
    ]


def _without_comments(value: str) -> str:
    """Take out comments, which may be nested and may contain quoted signs."""
    kept: list[str] = []
    depth, position, quoted = 0, 0, False
    while position < len(value):
        sign = value[position]
        if sign == "\\":
            if not depth:
                kept.append(value[position : position + 2])
            position += 2
            continue
        if sign == '"' and not depth:
            quoted = not quoted
        elif sign == "(" and not quoted:
            depth += 1
        if not depth:
            kept.append(sign)
        elif sign == ")":
            depth -= 1
            kept.append(" ")
        position += 1
    return "".join(kept)


def _parts(tokens: list[str]) -> list[list[str]]:
    """Split tokens at semicolons."""
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == ";":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
