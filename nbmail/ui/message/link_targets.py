"""Targets of links, parsed like a browser (WHATWG URL) and written in unambiguous letters."""

import ipaddress
import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote

from PySide6.QtCore import QUrl

from nbmail.text.web_addresses import domain_of, read_place

LONGEST = 8_000
"""Maximum number of letters of an address that are read."""
LONGEST_SUBJECT = 200
MOST_RECIPIENTS = 50
MAIL = "mailto:"
LAST_PORT = 65535
_WEB = re.compile(r"(https?):[/\\]*(.*)", re.IGNORECASE | re.DOTALL)
_STRIPPED = "".join(map(chr, range(33)))
"""Spaces and control characters, which browsers remove at both ends."""
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
    """Parse a link like a browser. None if it is invalid or leads to neither web nor mail."""
    some = address[:LONGEST].encode("utf-8", "replace").decode()
    plain = _UNSEEN.sub("", some.strip(_STRIPPED))
    if plain[: len(MAIL)].lower() == MAIL:
        return _read_mail(plain[len(MAIL) :])
    found = _WEB.fullmatch(plain)
    return _read_web(found[1].lower(), found[2]) if found else None


# -------------------------------------------------------------------------------------------------
# web


def _read_web(scheme: str, rest: str) -> LinkTarget | None:
    place = read_place(rest)
    parts = _SERVER.fullmatch(place.server)
    if parts is None:
        return None
    server = server_name(parts[1])
    port = int(parts[2] or "0")
    if not server or port > LAST_PORT:
        return None

    name = f"[{server}]" if ":" in server else server
    if parts[2]:
        name = f"{name}:{port}"
    is_foreign = not unquote(parts[1]).isascii() or "xn--" in server
    return LinkTarget(f"{scheme}://{name}{_path(place.path)}", server, foreign=is_foreign)


def _path(written: str) -> str:
    """Return path, query and fragment in ASCII."""
    whole, hash_sign, fragment = written.partition("#")
    before, mark, query = whole.partition("?")
    path = before.replace("\\", "/") + mark + query
    if not path.startswith("/"):
        path = f"/{path}"
    return quote(path, _ALLOWED) + quote(hash_sign + fragment, _ALLOWED)


def server_name(host: str) -> str:
    """Return the server's name in ASCII, "xn--…" for other scripts, "" if browsers reject it."""
    place = QUrl()
    place.setHost(host, QUrl.ParsingMode.TolerantMode)
    name = place.host(QUrl.ComponentFormattingOption.FullyEncoded)
    last = name.rstrip(".").rpartition(".")[2]
    if ":" in name or not _NUMBER.fullmatch(last):
        return name
    # Qt reads no number before a dot at the end, but one behind spaces and signs.
    place.setHost(name.rstrip("."))
    if _SIGNED.search(unquote(host)):
        return ""
    try:
        return str(ipaddress.IPv4Address(place.host()))
    except ValueError:
        return ""


# -------------------------------------------------------------------------------------------------
# mail


def _read_mail(rest: str) -> LinkTarget | None:
    """Return recipients and subject of a mail link. Other fields are left out."""
    path, _, query = rest.partition("#")[0].partition("?")
    fields = [(name.lower(), value) for name, value in parse_qsl(query.replace("+", "%2B"))]
    named = [unquote(path), *(value for name, value in fields if name == "to")]
    recipients = _recipients(",".join(named))
    if not recipients:
        return None

    address = MAIL + ",".join(quote(each, "@") for each in recipients)
    subject = _subject(fields)
    if subject:
        address += f"?subject={quote(subject, '')}"
    return LinkTarget(address, recipients=recipients)


def _recipients(named: str) -> tuple[str, ...]:
    """Return the valid ones of different addresses that are separated by commas."""
    written = dict.fromkeys(each.strip() for each in named.split(","))
    valid = [address for address in map(_recipient, written) if address]
    return tuple(valid[:MOST_RECIPIENTS])


def _recipient(written: str) -> str:
    """Return an address with a valid server, "" for anything else."""
    name, _, host = written.rpartition("@")
    if not name.isprintable() or not _RECIPIENT.fullmatch(written):
        return ""
    server = server_name(host)
    return f"{name}@{server}" if server else ""


def _subject(fields: Sequence[tuple[str, str]]) -> str:
    """Return the first subject among the fields of a mail link, without control characters."""
    for name, value in fields:
        if name == "subject":
            printable = "".join(letter for letter in value if letter.isprintable())
            return printable[:LONGEST_SUBJECT]
    return ""


# -------------------------------------------------------------------------------------------------
# addresses


def ascii_address(address: QUrl) -> str:
    """Return the address in plain ASCII, "" for invalid ones."""
    return address.toString(QUrl.ComponentFormattingOption.FullyEncoded)


def owner_of(server: str) -> str:
    """Return the registered domain of a server. Its owner chooses everything in front of it."""
    is_number = ":" in server or server.replace(".", "").isdecimal()
    return server if is_number else domain_of(server)
