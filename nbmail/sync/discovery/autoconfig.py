"""Settings of mail servers in Thunderbird's format, which domains publish."""

import re
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.mailbox_values import Issuer, MailServer, ServerFound
from nbmail.sync.web import Answer

DIRECTORY = "autoconfig.thunderbird.net"
_PROTECTED = {"SSL": Security.TLS, "STARTTLS": Security.STARTTLS}
_HOST = re.compile(
    r"(?=.{1,253}\Z)(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{1,62}\Z"
)


def addresses_of(domain: str) -> tuple[str, str]:
    return (
        f"https://autoconfig.{domain}/mail/config-v1.1.xml",
        f"https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
    )


class _WithoutDoctype(TreeBuilder):
    """Builder that refuses declarations of entities, which could expand without end."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise KnownError(ErrorCode.NOT_FOUND, "the settings declare a document type")


def read_settings(answer: Answer, mail_address: str) -> list[ServerFound]:
    # HTML is the page of a captive portal or of a web server without settings.
    if answer.status != 200 or "html" in answer.kind:
        raise KnownError(ErrorCode.NOT_FOUND, f"status {answer.status}, {answer.kind}")
    parser = XMLParser(target=_WithoutDoctype())
    try:
        parser.feed(answer.body)
        root: Element = parser.close()
    except (ParseError, ValueError, LookupError) as error:
        raise KnownError(ErrorCode.NOT_FOUND, str(error)) from error
    if root.tag != "clientConfig":
        raise KnownError(ErrorCode.NOT_FOUND, f"<{root.tag[:40]}> instead of settings")
    issuer = (root.findtext(".//oAuth2/issuer") or "").strip()
    issuer = issuer if not issuer or "://" in issuer else f"https://{issuer}"
    servers = (
        each for each in root.iterfind("emailProvider/incomingServer") if each.get("type") == "imap"
    )
    return [
        each
        for each in (_candidate(one, mail_address, issuer) for one in servers)
        if each is not None
    ]


def _candidate(entry: Element, mail_address: str, issuer: str) -> ServerFound | None:
    """Return a server; None without encryption or with an invalid name, port or user."""
    security = _PROTECTED.get((entry.findtext("socketType") or "").strip().upper())
    local, _, domain = mail_address.rpartition("@")
    places = {"%EMAILADDRESS%": mail_address, "%EMAILLOCALPART%": local, "%EMAILDOMAIN%": domain}
    host, user = ((entry.findtext(name) or "").strip() for name in ("hostname", "username"))
    for place, text in places.items():
        host = host.replace(place, text)
        user = user.replace(place, text)
    port = (entry.findtext("port") or "").strip()
    ways = {(each.text or "").strip().lower() for each in entry.iterfind("authentication")}
    if security is None or not is_host(host) or not user.isprintable() or "%" in user:
        return None
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65_536):
        return None
    server = MailServer(host.lower(), int(port), security)
    signs = "oauth2" in ways
    offer = Issuer("", issuer) if signs and issuer else None
    return ServerFound(server, user or mail_address, closed=signs and len(ways) == 1, sign_in=offer)


def is_host(name: str) -> bool:
    return _HOST.match(name) is not None
