"""Received fields: which of them the account's own provider wrote."""

import re

from nbmail.core.senders.result_fields import VALUE_CAP, Headers
from nbmail.text.web_addresses import domain_of

_BY = re.compile(r"\bby\s+([^\s;()]{1,253})", re.IGNORECASE)
# In the part of Received about the sender: names of hosts, names of their addresses, and addresses.
_HOST_NAME = re.compile(r"\b(?=[\w-]*[a-z])[\w-]+(?:\.[\w-]+)*\.[a-z][\w-]*\b")
_REVERSE_NAME = re.compile(r"\(([\w-]+(?:\.[\w-]+)+)\.? \[")
_ADDRESS = re.compile(r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|\b[0-9a-f]{1,4}:[0-9a-f:]+")

_PRIVATE = ("10.", "127.", "192.168.", "::1", "fe80:", "fc", "fd")


def first_below(headers: Headers, end: int) -> Headers:
    """Return the fields from `end` down to the first Authentication-Results.

    All others may be the sender's.
    """
    if not end:
        return ()
    for position in range(end, len(headers)):
        name, _ = headers[position]
        if name == "received":
            break
        if name == "authentication-results":
            return headers[end : position + 1]
    return ()


def own_end(headers: Headers, provider: str) -> int:
    """Return the number of headers that the provider wrote.

    They end with the Received with which the message came into the provider's network. That is
    the first one of the provider that names a foreign sender. A sender can write further ones that
    look the same. The result is 0 if the provider wrote none, except that mail without any
    Received was delivered locally.
    """
    end = 0
    was_received = False
    for position, (name, value) in enumerate(headers):
        if name != "received":
            continue
        was_received = True
        host = by_host(value)
        if host not in ("", "localhost", provider):
            return end
        if host == provider != "":
            end = position + 1
        if not _is_internal(value, provider):
            return end
    return end if was_received else len(headers)


def _is_internal(received: str, provider: str) -> bool:
    """True if the message was received from a server of the same provider.

    A sender can greet with any name. So behind a public address the name that belongs to it counts.
    """
    sent = _BY.split(_without_date(received), maxsplit=1)[0].lower()
    for name in _HOST_NAME.findall(sent):
        if domain_of(name) not in (provider, "localhost.localdomain"):
            return False
    if any(domain_of(name) == provider for name in _REVERSE_NAME.findall(sent)):
        return True
    return all(address.startswith(_PRIVATE) for address in _ADDRESS.findall(sent))


def by_host(received: str) -> str:
    """Return the domain of the receiving host.

    Empty if the field names none, or only its address.
    """
    found = _BY.search(_without_date(received))
    name = found[1].lower().rstrip(".") if found else ""
    is_address = ":" in name or not any(map(str.isalpha, name))
    return "" if is_address else domain_of(name)


def _without_date(received: str) -> str:
    return received[:VALUE_CAP].partition(";")[0]
