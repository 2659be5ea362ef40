"""Targets of links, parsed like a browser (WHATWG URL) and written in unambiguous letters."""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote

from PySide6.QtCore import QUrl

from nbmail.text.web_addresses import domain_of, read_place

LONGEST = 8_000
"""Maximum number of letters of an address that are read."""
LONGEST_SUBJECT = 200
MOST_RECIPIENTS = 50
_WEB = re.compile(r"(https?):[/\\]*(.*)", re.IGNORECASE | re.DOTALL)
_UNSEEN = re.compile(r"[\t\n\r]")
_SIGNED = re.compile(r"[\s+-]")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+", re.IGNORECASE)
_SERVER = re.compile(r"(\[[0-9a-f:.]*\]|[^:[]*)(?::([0-9]{0,20}))?", re.IGNORECASE)
_RECIPIENT = re.compile(r"[^\s,;:<>()\"@\\]+@[^\s,;:<>()\"@\\]+")
_ALLOWED = "!#$%&'()*+,/:;=?@[]~-._"


class LinkTarget(NamedTuple):
    """Target of a link: a web `server` or the mailboxes of `recipients`.

    `address`: the ASCII address to open, without user names. Of a mail link it contains only
    recipients and subject. `foreign`: True if the server's name has letters of other scripts.
    """

    address: str
    server: str = ""
    recipients: tuple[str, ...] = ()
    foreign: bool = False


def read_link(address: str) -> LinkTarget | None:
    """Parse a link like a browser. None for invalid links and for schemes other than web and
    mail.
    """
    some = address[:LONGEST].encode("utf-8", "replace").decode()
    plain = _UNSEEN.sub("", some.strip("".join(map(chr, range(33)))))
    if plain[:7].lower() == "mailto:":
        return _read_mail(plain[7:])
    found = _WEB.fullmatch(plain)
    if found is None:
        return None
    place = read_place(found[2])
    parts = _SERVER.fullmatch(place.server)
    server = server_name(parts[1]) if parts else ""
    if parts is None or not server or int(parts[2] or "0") > 65535:
        return None
    path, hash_sign, fragment = place.path.partition("#")
    before, mark, query = path.partition("?")
    path = before.replace("\\", "/") + mark + query
    rest = quote(path if path.startswith("/") else f"/{path}", _ALLOWED) + quote(
        hash_sign + fragment, _ALLOWED
    )
    name = f"[{server}]" if ":" in server else server
    whole = f"{found[1].lower()}://{name}{f':{int(parts[2])}' if parts[2] else ''}{rest}"
    return LinkTarget(whole, server, foreign=not unquote(parts[1]).isascii() or "xn--" in server)


def server_name(host: str) -> str:
    """Return the server's name in ASCII, "xn--…" for other scripts, "" if browsers reject it."""
    place = QUrl()
    place.setHost(host, QUrl.ParsingMode.TolerantMode)
    name = place.host(QUrl.ComponentFormattingOption.FullyEncoded)
    if ":" in name or not _NUMBER.fullmatch(name.rstrip(".").rpartition(".")[2]):
        return name
    # Qt reads no number before a dot at the end, but one behind spaces and signs.
    place.setHost(name.rstrip("."))
    try:
        return "" if _SIGNED.search(unquote(host)) else str(ipaddress.IPv4Address(place.host()))
    except ValueError:
        return ""


def _read_mail(rest: str) -> LinkTarget | None:
    """Return recipients and subject of a mail link. Other fields are left out."""
    path, _, query = rest.partition("#")[0].partition("?")
    given = [(name.lower(), value) for name, value in parse_qsl(query.replace("+", "%2B"))]
    named = [unquote(path), *(value for name, value in given if name == "to")]
    found = [each.strip() for part in named for each in part.split(",")]
    recipients = tuple(filter(None, map(_recipient, dict.fromkeys(found))))[:MOST_RECIPIENTS]
    if not recipients:
        return None
    subject = next((value for name, value in given if name == "subject"), "")
    subject = "".join(letter for letter in subject if letter.isprintable())[:LONGEST_SUBJECT]
    address = "mailto:" + ",".join(quote(each, "@") for each in recipients)
    return LinkTarget(
        address + (f"?subject={quote(subject, '')}" if subject else ""), recipients=recipients
    )


def _recipient(written: str) -> str:
    """Return an address with a valid server, "" for anything else."""
    name, _, host = written.rpartition("@")
    server = server_name(host) if _RECIPIENT.fullmatch(written) and name.isprintable() else ""
    return f"{name}@{server}" if server else ""


def ascii_address(address: QUrl) -> str:
    """Return the address in plain ASCII, "" for invalid ones."""
    return address.toString(QUrl.ComponentFormattingOption.FullyEncoded)


def owner_of(server: str) -> str:
    """Return the registered domain of a server's name. The owner chooses everything in front of
    it.
    """
    return server if ":" in server or server.replace(".", "").isdecimal() else domain_of(server)
