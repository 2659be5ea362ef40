"""Ways to unsubscribe that a verified sender makes safe."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from nbmail.core.senders.authentication import Authentication
from nbmail.core.senders.result_fields import Headers

BODY = b"List-Unsubscribe=One-Click"
"""Body of a one-click request."""
FIELD = "list-unsubscribe"
POST = "list-unsubscribe-post"
_ONE_CLICK = "list-unsubscribe=one-click"
_WEB_ADDRESS = re.compile(r"<\s*([^<>\s]{1,4000})\s*>")
_TAG = re.compile(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)", re.IGNORECASE)


class UnsubscribeWay(NamedTuple):
    """A way to unsubscribe.

    `one_click`: https address (RFC 8058) if the sender signed both fields. `mail`: mailto address
    (RFC 2369).
    """

    one_click: str = ""
    mail: str = ""


def read_unsubscribe(headers: Headers, authentication: Authentication) -> UnsubscribeWay:
    fields = [value for name, value in headers if name == FIELD]
    if len(fields) != 1 or not authentication.verified:
        return UnsubscribeWay()
    addresses = _WEB_ADDRESS.findall(fields[0])
    mail = next(filter(_is_mailto, addresses), "")
    web = next(filter(_is_https, addresses), "")
    posts = [value.strip().lower() for name, value in headers if name == POST]
    is_offered = posts == [_ONE_CLICK]
    if not is_offered or not _is_signed(headers, authentication):
        web = ""
    return UnsubscribeWay(web, mail)


def _is_mailto(address: str) -> bool:
    return address.lower().startswith("mailto:")


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
    covering: dict[str, bool] = {}
    for name, value in headers:
        if name == "dkim-signature":
            tags = {tag.lower(): text.strip() for tag, text in _TAG.findall(value)}
            domain = tags.get("d", "").lower()
            names = tags.get("h", "").split(":")
            signed = {each.strip().lower() for each in names}
            covering[domain] = covering.get(domain, True) and {FIELD, POST} <= signed
    return any(
        each.method == "dkim" and each.result == "pass" and covering.get(each.domain, False)
        for each in authentication.results
    )
