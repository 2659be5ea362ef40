"""Settings that a domain publishes as XML (autoconfig). The domain alone is sent, never the address."""

import re
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.mailbox_values import MailServer
from nbmail.sync.server_search.providers import ServerCandidate
from nbmail.sync.sign_in.web import Answer, Web

DIRECTORY = "autoconfig.thunderbird.net"
_PROTECTED = {"SSL": Security.TLS, "STARTTLS": Security.STARTTLS}
_HOST = re.compile(r"(?=.{1,253}\Z)(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{1,62}\Z")


def addresses_of(domain: str) -> tuple[str, str]:
    """Return the addresses of a domain's settings, the preferred one first."""
    return (
        f"https://autoconfig.{domain}/mail/config-v1.1.xml",
        f"https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
    )


def directory_address(domain: str) -> str:
    """Return the address of a domain's settings in Thunderbird's directory."""
    return f"https://{DIRECTORY}/v1.1/{domain}"


def read_settings(web: Web, location: str, mail_address: str) -> list[ServerCandidate]:
    """Return the protected IMAP servers of the settings at `location`, preferred first. Raise `KnownError`."""
    return _servers(_document(web.get(location)), mail_address)


class _WithoutDoctype(TreeBuilder):
    """Builder that refuses declarations of entities, which could expand without end."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Raise an error."""
        raise KnownError(ErrorCode.NOT_FOUND, "the settings declare a document type")


def _document(answer: Answer) -> Element:
    """Parse an answer. HTML is the page of a captive portal or of a web server without settings."""
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
    return root


def _servers(root: Element, mail_address: str) -> list[ServerCandidate]:
    issuer = (root.findtext(".//oAuth2/issuer") or "").strip()
    issuer = issuer if not issuer or "://" in issuer else f"https://{issuer}"
    found = [
        _candidate(each, mail_address, issuer)
        for each in root.iterfind("emailProvider/incomingServer")
        if each.get("type") == "imap"
    ]
    return [each for each in found if each is not None]


def _candidate(entry: Element, mail_address: str, issuer: str) -> ServerCandidate | None:
    """Return a server; None without encryption or with an invalid name, port or user."""
    security = _PROTECTED.get((entry.findtext("socketType") or "").strip().upper())
    local, _, domain = mail_address.rpartition("@")
    places = {"%EMAILADDRESS%": mail_address, "%EMAILLOCALPART%": local, "%EMAILDOMAIN%": domain}
    host, user = ((entry.findtext(name) or "").strip() for name in ("hostname", "username"))
    for place, text in places.items():
        host, user = host.replace(place, text), user.replace(place, text)
    port = (entry.findtext("port") or "").strip()
    ways = {(each.text or "").strip().lower() for each in entry.iterfind("authentication")}
    if security is None or not is_host(host) or not user.isprintable() or "%" in user:
        return None
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65_536):
        return None
    server = MailServer(host.lower(), int(port), security)
    signs = "oauth2" in ways
    return ServerCandidate(server, user or mail_address, issuer if signs else "", only_sign_in=signs and len(ways) == 1)


def is_host(name: str) -> bool:
    """True for a name of a host with a domain."""
    return _HOST.match(name) is not None
