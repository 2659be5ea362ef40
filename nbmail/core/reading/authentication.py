"""Results of the checks by the user's own mail server (RFC 8601), and ways to unsubscribe that they
make safe.

A sender can write headers with results of SPF, DKIM and DMARC checks, too. A header counts only if
it names a trusted server of the account. It also has to be above the headers that the message
arrived with, where that server puts it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlsplit

from nbmail.core.reading.words import author_in
from nbmail.text.web_addresses import domain_of

ENOUGH_MESSAGES = 20
ENOUGH_SHARE = 0.9
"""Messages of an inbox, and the share of them, whose topmost field has to name a server before it
is trusted.
"""

_CAP = 4000
# Words, quoted strings, and single signs. Comments are taken out before.
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s;=/"]+)|([;=/])')
_SIGN = re.compile(r'\\.?|["()]|[^\\"()]+', re.DOTALL)
_RESULT = re.compile(r"[a-z]{1,20}")
_METHODS = ("spf", "dkim", "dmarc", "arc")
_PROPERTIES = {
    "dkim": ("header.d", "header.i"),
    "dmarc": ("header.from",),
    "spf": ("smtp.mailfrom", "smtp.helo"),
}
_BY = re.compile(r"\bby\s+([^\s;()]{1,253})", re.IGNORECASE)
# In the part of Received about the sender: names of hosts, names of their addresses, and addresses.
_HOST_NAME = re.compile(r"\b(?=[\w-]*[a-z])[\w-]+(?:\.[\w-]+)*\.[a-z][\w-]*\b")
_REVERSE_NAME = re.compile(r"\(([\w-]+(?:\.[\w-]+)+)\.? \[")
_ADDRESS = re.compile(r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|\b[0-9a-f]{1,4}:[0-9a-f:]+")

_PRIVATE = ("10.", "127.", "192.168.", "::1", "fe80:", "fc", "fd")

Headers = Sequence[tuple[str, str]]


class MethodResult(NamedTuple):
    """Result of one check: `method` (spf, dkim, dmarc, arc), `result` (pass, fail, none, …) and its
    domain.
    """

    method: str
    result: str
    domain: str = ""


class Authentication(NamedTuple):
    """All results that the account's own server reports. Empty without a trusted server."""

    results: tuple[MethodResult, ...] = ()
    verified: bool = False
    """True if the server confirms the domain of From: DMARC passed, or DKIM for that domain."""


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


def server_id(value: str) -> str:
    """Return the authserv-id of an Authentication-Results field, in lower case; empty if the field
    has none.
    """
    tokens = _tokens(value)
    if len(tokens) > 1 and tokens[1] == "=":
        return ""
    return tokens[0].lower() if tokens and tokens[0] not in (";", "=", "/") else ""


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


def read_authentication(headers: Headers, trust: Trust) -> Authentication:
    """Return the results of the trusted servers. `headers`: all headers of the message, from top to
    bottom.
    """
    if not trust.servers:
        return Authentication()
    results: list[MethodResult] = []
    end = _own_end(headers, trust.provider)
    for name, value in _first_below(headers, end) if trust.below else headers[:end]:
        if name == "authentication-results" and server_id(value) in trust.servers:
            results += _results(value)
        elif name == "received-spf" and domain_of(_receiver(value)) == trust.provider:
            results.append(MethodResult("spf", value[:20].partition(" ")[0].lower()))
    senders = [value for name, value in headers if name == "from"]
    verified = len(senders) == 1 and _is_verified(results, senders[0])
    return Authentication(tuple(dict.fromkeys(results)), verified)


def _topmost(headers: Headers) -> tuple[str, str, bool]:
    """Return the server of the first field that the receiving provider can have written, the
    provider, and `below`.
    """
    hosts = (_by_host(value) for name, value in headers if name == "received")
    provider = next(filter(None, hosts), "")
    end = _own_end(headers, provider)
    parts = ((False, headers[:end]), (True, _first_below(headers, end)))
    named = (
        (value, below)
        for below, part in parts
        for name, value in part
        if name == "authentication-results"
    )
    value, below = next(named, ("", False))
    return server_id(value), provider, below


def _first_below(headers: Headers, end: int) -> Headers:
    """Return the fields from `end` down to the first Authentication-Results. All others may be the
    sender's.
    """
    for position in range(end, len(headers) if end else 0):
        if headers[position][0] == "received":
            break
        if headers[position][0] == "authentication-results":
            return headers[end : position + 1]
    return ()


def _own_end(headers: Headers, provider: str) -> int:
    """Return the number of headers down to the Received with which the message came into the
    provider's network.

    That is the first one of the provider that names a foreign sender. A sender can write further
    ones that look the same. The result is 0 if the provider wrote none, except that mail without
    any Received was delivered locally.
    """
    end = 0
    for position, (name, value) in enumerate(headers):
        if name != "received":
            continue
        host = _by_host(value)
        if host not in ("", "localhost", provider):
            return end
        if host == provider != "":
            end = position + 1
        if not _is_internal(value, provider):
            return end
    return end or (0 if any(name == "received" for name, _ in headers) else len(headers))


def _is_internal(received: str, provider: str) -> bool:
    """True if the message was received from a server of the same provider.

    A sender can greet with any name. So behind a public address the name that belongs to it counts.
    """
    sent = _BY.split(received[:_CAP].partition(";")[0], maxsplit=1)[0].lower()
    if any(
        domain_of(name) not in (provider, "localhost.localdomain")
        for name in _HOST_NAME.findall(sent)
    ):
        return False
    named = any(domain_of(name) == provider for name in _REVERSE_NAME.findall(sent))
    return named or all(address.startswith(_PRIVATE) for address in _ADDRESS.findall(sent))


def _by_host(received: str) -> str:
    """Return the domain of the receiving host, empty if the field names none or only its
    address.
    """
    found = _BY.search(received[:_CAP].partition(";")[0])
    name = found[1].lower().rstrip(".") if found else ""
    return domain_of(name) if ":" not in name and any(map(str.isalpha, name)) else ""


def _receiver(value: str) -> str:
    value = value[:_CAP]
    found = re.search(r"\breceiver\s*=\s*([\w.-]{1,253})", value) or re.search(
        r"\(([\w.-]{1,253}):", value
    )
    return found[1].lower() if found else ""


def _results(value: str) -> list[MethodResult]:
    results: list[MethodResult] = []
    for is_sign, group in groupby(_tokens(value)[1:], ";".__eq__):
        part = list(group)
        if is_sign or len(part) < 3 or part[1] not in ("=", "/"):
            continue
        method = part[0].lower()
        # A version may stand behind the method: "dkim/1 = pass".
        rest = part[2:] if part[1] == "=" else part[4:]
        if method in _METHODS and rest and _RESULT.fullmatch(rest[0].lower()):
            results.append(MethodResult(method, rest[0].lower(), _domain(method, rest[1:])))
    return results


def _domain(method: str, tokens: list[str]) -> str:
    """Return the domain that the result is about, from `header.d`, `header.i`, `header.from` or
    `smtp.mailfrom`.
    """
    properties = {
        tokens[place].lower(): tokens[place + 2].lower()
        for place in range(len(tokens) - 2)
        if tokens[place + 1] == "="
    }
    found = next(
        (properties[name] for name in _PROPERTIES.get(method, ()) if name in properties), ""
    )
    return found.rpartition("@")[2].strip("<>. ")


def _is_verified(results: list[MethodResult], sender: str) -> bool:
    domain = domain_of(author_in(sender).rpartition("@")[2])
    passed = [(method, domain_of(about)) for method, result, about in results if result == "pass"]
    return domain != "" and any(
        each in passed for each in (("dmarc", ""), ("dmarc", domain), ("dkim", domain))
    )


def _tokens(value: str) -> list[str]:
    """Split a field into words and signs, without comments and with quoted strings as one word."""
    return [
        found[1].replace("\\", "") if found[1] is not None else found[0]
        for found in _TOKEN.finditer(_without_comments(value[:_CAP]))
    ]


def _without_comments(value: str) -> str:
    """Take out comments, which may be nested and may contain quoted signs."""
    kept: list[str] = []
    depth = 0
    quoted = False
    for sign in _SIGN.findall(value):
        if sign == '"' and not depth:
            quoted = not quoted
        elif sign == "(" and not quoted:
            depth += 1
        if not depth:
            kept.append(sign)
        elif sign == ")":
            depth -= 1
            kept.append(" ")
    return "".join(kept)


BODY = b"List-Unsubscribe=One-Click"
"""Body of a one-click request."""
FIELD = "list-unsubscribe"
POST = "list-unsubscribe-post"
_WEB_ADDRESS = re.compile(r"<\s*([^<>\s]{1,4000})\s*>")
_TAG = re.compile(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)", re.IGNORECASE)


class UnsubscribeWay(NamedTuple):
    """`one_click`: https address (RFC 8058) if the sender signed both fields; `mail`: mailto
    address (RFC 2369).
    """

    one_click: str = ""
    mail: str = ""


def read_unsubscribe(headers: Headers, authentication: Authentication) -> UnsubscribeWay:
    fields = [value for name, value in headers if name == FIELD]
    if len(fields) != 1 or not authentication.verified:
        return UnsubscribeWay()
    addresses = _WEB_ADDRESS.findall(fields[0])
    mail = next((each for each in addresses if each.lower().startswith("mailto:")), "")
    web = next(filter(_is_https, addresses), "")
    posts = [value.strip().lower() for name, value in headers if name == POST]
    signed = posts == ["list-unsubscribe=one-click"] and _is_signed(headers, authentication)
    return UnsubscribeWay(web if signed else "", mail)


def _is_https(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme.lower() == "https" and bool(parts.hostname)


def _is_signed(headers: Headers, authentication: Authentication) -> bool:
    """True if the mail server accepted a signature that covers both fields.

    It reports the domain, not which signature. So all signatures of that domain must cover them.
    """
    passed = {
        each.domain
        for each in authentication.results
        if (each.method, each.result) == ("dkim", "pass")
    }
    covering: dict[str, bool] = {}
    for name, value in headers:
        if name == "dkim-signature":
            tags = {tag.lower(): text.strip() for tag, text in _TAG.findall(value)}
            signed = {each.strip().lower() for each in tags.get("h", "").split(":")}
            domain = tags.get("d", "").lower()
            covering[domain] = covering.get(domain, True) and {FIELD, POST} <= signed
    return any(covering.get(domain, False) for domain in passed)
