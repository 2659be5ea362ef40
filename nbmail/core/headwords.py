"""The headers' words: who wrote to whom, with what program, by which way, and about what.

How the effect of each was measured stands in `nbmail.core.words`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from nbmail.core.folding import split_words
from nbmail.core.links import domain_of
from nbmail.core.placing import Place

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

# What stands around addresses. Splitting there is linear; a pattern for addresses would not be.
_AROUND_ADDRESSES = str.maketrans("<>()[]\",;:'\t\n", " " * 13)
_NETWORK = re.compile(r"\b(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}\b")
_ROUTE_WORD = re.compile(r"[\w.@-]{2,40}")
_SIGNER = re.compile(r"\bd=\s*([\w.-]{1,100})")
_SHOUTED = re.compile(r"\b[A-Z]{3,24}\b")
# Of longer values only the beginning is read: it also bounds what the caches below can hold.
_VALUE_CAP = 1000
NAMES_KEPT = 5000


def mailboxes_in(value: str) -> list[str]:
    """The addresses in a header, in lower case."""
    words = value[:_VALUE_CAP].lower().translate(_AROUND_ADDRESSES).split()
    return [word for word in words if "@" in word]


def head_words(headers: Iterable[tuple[str, str]], verdict_headers: bool = False) -> list[str]:
    """The words of all headers, each with its place in front."""
    readers = _TRUSTING if verdict_headers else _USUAL
    words: list[str] = []
    for name, value in headers:
        reader = readers[name]
        if type(reader) is tuple:
            words += reader
        else:
            words += reader(name, value if len(value) <= _VALUE_CAP else value[:_VALUE_CAP])  # type: ignore[operator]
    return words


def _subject(_: str, value: str) -> list[str]:
    """Words, and once more as they stand those that shout. Without it 0.082 / 16.9 and 0.053 / 5.3.

    Shouting in bodies is left to a measure: as words it brought 0.103 to 0.101 without headers, nothing with them.
    """
    return _SUBJECT.words(split_words(value)) + _SUBJECT.words(_SHOUTED.findall(value))


@lru_cache(4096)
def _addresses(name: str, value: str) -> tuple[str, ...]:
    """Whole addresses, their domains, and the names beside them.

    Without those of senders 0.081 / 16.7 and 0.054 / 5.4, without those of receivers 0.079 / 14.4 and 0.050 / 5.5.
    """
    place = _ADDRESS_PLACES[name]
    words: list[str] = []
    names: list[str] = []
    for word in value.lower().translate(_AROUND_ADDRESSES).split():
        if "@" in word:
            words += (f"{place}:{word}", f"{place}:@{domain_of(word.rpartition('@')[2])}")
        else:
            names.append(word)
    words += [f"{place}:{word}" for word in split_words(" ".join(names))]
    return tuple(words)


def _route(_: str, value: str) -> tuple[str, ...]:
    """The networks a message came from; the servers that took it in, with what program and for whom.

    Its serial number and time say nothing: without them the servers' words are few, and known already. Without it
    0.094 / 18.3 and 0.074 / 9.8. That corpus was collected from several mailboxes, so elsewhere it will bring less.
    """
    sent, _, taken = value.partition(";")[0].lower().partition("by ")
    before, _, after = taken.partition(" id ")
    return _networks(sent) + _servers(before + after[after.find(" ") :] if after else before)


@lru_cache(4096)
def _networks(sent: str) -> tuple[str, ...]:
    return tuple(f"received:{network}" for network in _NETWORK.findall(sent))


@lru_cache(4096)
def _servers(taken: str) -> tuple[str, ...]:
    return tuple(f"received:{word}" for word in _ROUTE_WORD.findall(taken))


# Without it 0.082 / 16.4 and 0.051 / 5.6.
def _identifier(_: str, value: str) -> tuple[str, ...]:
    return (f"id:@{domain_of(value.lower().rpartition('@')[2].strip('<> '))}",)


def _signature(_: str, value: str) -> list[str]:
    return [f"signed:@{domain_of(host)}" for host in _SIGNER.findall(value.lower())[:1]]


# Without it 0.083 / 15.1 and 0.054 / 6.8.
@lru_cache(4096)
def _mailer(_: str, value: str) -> tuple[str, ...]:
    return tuple(f"mailer:{word}" for word in split_words(value[:200]))


@lru_cache(4096)
def _short(name: str, value: str) -> tuple[str, ...]:
    """A header whose value is a few words with a meaning of their own."""
    return tuple(f"{name}:{word}" for word in split_words(value[:100]))


_SUBJECT = Place("subject")
_ADDRESS_PLACES = {
    "from": "from", "to": "to", "cc": "to", "reply-to": "reply", "return-path": "return", "sender": "sender",
}  # fmt: skip
_Reader = Callable[[str, str], Iterable[str]]
_READERS: dict[str, _Reader] = {
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
}  # fmt: skip
# What the facts read, or what tells nothing.
_SILENT = ("date", "content-type", "authentication-results", "received-spf", "in-reply-to")


class _Readers(dict[str, "_Reader | tuple[str, ...]"]):
    """How to read each header: a function, or the words it gives whatever its value. Worked out once a name."""

    def __init__(self, verdict_headers: bool) -> None:
        super().__init__(_READERS)
        self._verdict_headers = verdict_headers

    def __missing__(self, name: str) -> _Reader | tuple[str, ...]:
        reader = self._find(name)
        if len(self) < NAMES_KEPT:
            self[name] = reader
        return reader

    def _find(self, name: str) -> _Reader | tuple[str, ...]:
        if name in _SILENT or name.startswith(LOCAL_HEADERS) or len(name) > 40:
            return ()
        if name.startswith(VERDICT_HEADERS):
            return _short if self._verdict_headers else ()
        # Of any other header only that it is there. Without it 0.088 / 16.9 and 0.051 / 5.7; the words of all their
        # values changed nothing.
        return (f"header:{name}",)


_USUAL, _TRUSTING = _Readers(False), _Readers(True)
