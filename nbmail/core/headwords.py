"""The headers' words: who wrote to whom, with what program, by which way, and about what."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from nbmail.core.folding import split_with_capitals, split_words
from nbmail.core.links import domain_of

# Names or beginnings of names of headers in which another filter gives its verdict: learning from them would be
# learning that filter. `Choices.verdict_headers` lets them in.
VERDICT_HEADERS = (
    "x-spam", "x-bogosity", "x-junk", "x-dspam", "x-crm114", "x-mailscanner", "x-rspamd", "x-barracuda", "x-ironport",
    "x-microsoft-antispam", "x-forefront-antispam", "x-ms-exchange-organization-scl", "x-ms-exchange-organization-pcl",
    "x-proofpoint", "x-amavis", "x-virus", "x-cmae", "x-text-classification", "x-hammie", "x-popfile", "x-sonic-spam",
    "x-gmx-antispam", "x-ui-filterresults", "x-dcc", "x-razor", "x-pyzor", "x-mail-scanner", "x-antispam", "x-sa-",
    "x-no-spam", "spamdiagnostic", "x-exchange-antispam", "x-kaspersky", "x-trend", "x-tm-as", "x-ovh-spam", "x-pmx",
)  # fmt: skip
# Headers that a mail program or archive adds on the user's own side: they name the folder or tell that it was read.
LOCAL_HEADERS = (
    "x-folder", "x-origin", "x-filename", "x-mozilla", "x-keywords", "keywords", "status", "x-status", "x-uid",
    "x-imap", "x-gmail-labels", "x-gm-", "x-evolution", "x-kmail", "x-account-key", "x-apple-", "x-label", "x-tuid",
    "content-length", "lines", "xref", "path", "newsgroups", "delivery-date", "deliver-date", "x-uidl",
    "x-sylpheed", "x-claws", "x-mutt", "x-balsa",
)  # fmt: skip

_MAILBOX = re.compile(r"[^\s<>()\[\]\",;:@]+@[^\s<>()\[\]\",;:@]+")
_HOP = re.compile(r"\[?\b(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}\b|\b([a-z0-9-]+(?:\.[a-z0-9-]+)+)")
_SIGNER = re.compile(r"\bd=\s*([\w.-]+)")
_VALUE_CAP = 4000


def mailboxes_in(value: str) -> list[str]:
    """The addresses in a header, in lower case."""
    return _MAILBOX.findall(value[:_VALUE_CAP].lower())


def is_ignored(name: str, verdict_headers: bool) -> bool:
    """Whether a header tells what the program must not learn from."""
    return name.startswith(LOCAL_HEADERS) or (not verdict_headers and name.startswith(VERDICT_HEADERS))


def head_words(headers: Iterable[tuple[str, str]], verdict_headers: bool = False) -> list[str]:
    """The words of all headers, each with its place in front."""
    words: list[str] = []
    for name, value in headers:
        _handler(name, verdict_headers)(name, value, words)
    return words


def _subject(_: str, value: str, words: list[str]) -> None:
    found, capitals = split_with_capitals(value[:_VALUE_CAP])
    words += [f"subject:{word}" for word in found]
    words += [f"subject:{word}" for word in sorted(capitals)]


def _addresses(name: str, value: str, words: list[str]) -> None:
    """Whole addresses, their domains, and the names beside them."""
    place = _ADDRESS_PLACES[name]
    value = value[:_VALUE_CAP].lower()
    for address in _MAILBOX.findall(value):
        host = address.rpartition("@")[2]
        words += (f"{place}:{address}", f"{place}:@{domain_of(host)}")
    words += [f"{place}:{word}" for word in split_words(_MAILBOX.sub(" ", value))]


def _route(_: str, value: str, words: list[str]) -> None:
    """The networks and domains a message came through."""
    for network, host in _HOP.findall(value[:_VALUE_CAP].lower()):
        words.append(f"received:{network}" if network else f"received:{domain_of(host)}")


def _identifier(_: str, value: str, words: list[str]) -> None:
    words.append(f"id:@{domain_of(value[:_VALUE_CAP].lower().rpartition('@')[2].strip('<> '))}")


def _signature(_: str, value: str, words: list[str]) -> None:
    words += [f"signed:{domain_of(host)}" for host in _SIGNER.findall(value[:_VALUE_CAP].lower())[:1]]


def _mailer(_: str, value: str, words: list[str]) -> None:
    words += [f"mailer:{word}" for word in split_words(value[:200])]


def _short(name: str, value: str, words: list[str]) -> None:
    """A header whose value is a few words with a meaning of their own."""
    words += [f"{name}:{word}" for word in split_words(value[:100])]


def _present(name: str, _: str, words: list[str]) -> None:
    """Of any other header only that it is there."""
    words.append(f"header:{name}")


def _nothing(_: str, __: str, ___: list[str]) -> None:
    """What the facts read, or what tells nothing."""


_ADDRESS_PLACES = {"from": "from", "to": "to", "cc": "to", "reply-to": "reply", "return-path": "return", "sender": "sender"}
_HANDLERS: dict[str, Callable[[str, str, list[str]], None]] = {
    **dict.fromkeys(_ADDRESS_PLACES, _addresses),
    "subject": _subject,
    "received": _route,
    "message-id": _identifier,
    "dkim-signature": _signature,
    **dict.fromkeys(("x-mailer", "user-agent", "x-mimeole"), _mailer),
    **dict.fromkeys(
        ("list-id", "organization", "x-priority", "precedence", "importance", "x-msmail-priority", "mime-version",
         "content-transfer-encoding", "auto-submitted", "content-language"),
        _short,
    ),
    **dict.fromkeys(("date", "content-type", "authentication-results", "received-spf", "in-reply-to"), _nothing),
}  # fmt: skip


@lru_cache(4096)
def _handler(name: str, verdict_headers: bool) -> Callable[[str, str, list[str]], None]:
    if name in _HANDLERS:
        return _HANDLERS[name]
    if is_ignored(name, verdict_headers) or len(name) > 40:
        return _nothing
    return _short if name.startswith(VERDICT_HEADERS) else _present
