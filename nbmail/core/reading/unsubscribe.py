"""Ways to unsubscribe from a mailing list: one-click requests (RFC 8058) and addresses to write to (RFC 2369).

A one-click request is offered only if the sender signed both header fields, so no other server added them.
"""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from nbmail.core.reading.authentication import Authentication, Headers

BODY = b"List-Unsubscribe=One-Click"
"""Body of a one-click request."""
FIELD, POST = "list-unsubscribe", "list-unsubscribe-post"
_ADDRESS = re.compile(r"<\s*([^<>\s]{1,4000})\s*>")
_TAG = re.compile(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)", re.IGNORECASE)


class UnsubscribeWay(NamedTuple):
    """`one_click`: https address of a request; `mail`: mailto address. Empty if there is none."""

    one_click: str = ""
    mail: str = ""


def read_unsubscribe(headers: Headers, authentication: Authentication) -> UnsubscribeWay:
    """Return how to unsubscribe from the list of a verified message."""
    fields = [value for name, value in headers if name == FIELD]
    if len(fields) != 1 or not authentication.verified:
        return UnsubscribeWay()
    addresses = _ADDRESS.findall(fields[0])
    mail = next((each for each in addresses if each.lower().startswith("mailto:")), "")
    web = next((each for each in addresses if _is_https(each)), "")
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
    passed = {each.domain for each in authentication.results if (each.method, each.result) == ("dkim", "pass")}
    covering: dict[str, bool] = {}
    for name, value in headers:
        if name == "dkim-signature":
            tags = {tag.lower(): text.strip() for tag, text in _TAG.findall(value)}
            signed = {each.strip().lower() for each in tags.get("h", "").split(":")}
            domain = tags.get("d", "").lower()
            covering[domain] = covering.get(domain, True) and {FIELD, POST} <= signed
    return any(covering.get(domain, False) for domain in passed)
