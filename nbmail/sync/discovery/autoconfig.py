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
    """Return the addresses at which a domain may publish settings."""
    return (
        f"https://autoconfig.{domain}/mail/config-v1.1.xml",
        f"https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
    )


class _WithoutDoctype(TreeBuilder):
    """Builder that refuses declarations of entities, which could expand without end."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise KnownError(ErrorCode.NOT_FOUND, "the settings declare a document type")


def read_settings(answer: Answer, mail_address: str) -> list[ServerFound]:
    """Return the IMAP servers in published settings. Raise `KnownError` if it has none."""
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
    if issuer and "://" not in issuer:
        issuer = f"https://{issuer}"
    found: list[ServerFound] = []
    for entry in root.iterfind("emailProvider/incomingServer"):
        if entry.get("type") == "imap":
            server = _candidate(entry, mail_address, issuer)
            if server is not None:
                found.append(server)
    return found


def _candidate(entry: Element, mail_address: str, issuer: str) -> ServerFound | None:
    """Return a server; None without encryption or with an invalid name, port or user."""
    security = _PROTECTED.get(_text(entry, "socketType").upper())
    host = _filled_in(_text(entry, "hostname"), mail_address)
    user = _filled_in(_text(entry, "username"), mail_address)
    port = _text(entry, "port")
    if security is None or not is_host(host) or not user.isprintable() or "%" in user:
        return None
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65_536):
        return None

    elements = entry.iterfind("authentication")
    ways = {(each.text or "").strip().lower() for each in elements}
    has_sign_in = "oauth2" in ways
    return ServerFound(
        MailServer(host.lower(), int(port), security),
        user or mail_address,
        closed=has_sign_in and len(ways) == 1,
        sign_in=Issuer("", issuer) if has_sign_in and issuer else None,
    )


def _text(entry: Element, name: str) -> str:
    return (entry.findtext(name) or "").strip()


def _filled_in(text: str, mail_address: str) -> str:
    """Replace the placeholders of the format."""
    local, _, domain = mail_address.rpartition("@")
    text = text.replace("%EMAILADDRESS%", mail_address)
    text = text.replace("%EMAILLOCALPART%", local)
    return text.replace("%EMAILDOMAIN%", domain)


def is_host(name: str) -> bool:
    return _HOST.match(name) is not None
