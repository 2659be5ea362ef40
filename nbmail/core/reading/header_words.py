"""The headers' words: who wrote to whom, with what program, by which way, and about what.

What each family brings was measured: `tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits

from nbmail.core.reading.word_splitting import WORDED_HEADERS, PlacedWords, split_words
from nbmail.links import domain_of

# Names or beginnings of names of headers in which another filter gives its verdict: learning from them would be
# learning that filter.
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
_AROUND_HOSTS = bytes.maketrans(b'[](){}<>=",;:@/\t', b" " * 16)
_HOSTS_CAP = 10
# So that it fits into the longest word.
_LIST_READ = 30
_NETWORK = re.compile(r"\b(\d{1,3})(\.\d{1,3})(\.\d{1,3})\.\d{1,3}\b")
_ROUTE_WORD = re.compile(r"[\w.@-]{2,40}")
_SIGNER = re.compile(r"\bd=\s*([\w.-]{1,100})")
_IN_CAPITALS = re.compile(r"\b[A-Z]{3,24}\b")
# Letters and digits by their kind.
_KINDS_READ = 10
_KINDS = bytes.maketrans(f"{ascii_lowercase}{ascii_uppercase}{digits}".encode(), b"a" * 26 + b"A" * 26 + b"9" * 10)
# Of longer values only the beginning is read: it also bounds what the caches below can hold.
_VALUE_CAP = 1000
NAMES_KEPT = 5000


def mailboxes_in(value: str) -> list[str]:
    """The addresses in a header, in lower case."""
    words = value[:_VALUE_CAP].lower().translate(_AROUND_ADDRESSES).split()
    return [word for word in words if "@" in word]


def head_words(headers: Sequence[tuple[str, str]]) -> list[str]:
    """The words of all headers, each with its place in front."""
    words: list[str] = []
    for name, value in headers:
        reader = _READERS[name]
        if type(reader) is tuple:
            words += reader
        else:
            words += reader(name, value if len(value) <= _VALUE_CAP else value[:_VALUE_CAP])  # type: ignore[operator]
    lowest = next((value for name, value in reversed(headers) if name == "received"), None)
    if lowest is not None:
        words += _origin(*_sent_and_taken(lowest[:_VALUE_CAP]))
    return words


def _subject(_: str, value: str) -> list[str]:
    """Words, once more as they stand those in capitals, and neighbouring pairs, the two ends among them."""
    found = split_words(value)
    pairs = map(" ".join, pairwise(("^", *found, "$")))
    return _SUBJECT.all_of(found) + _SUBJECT.all_of(_IN_CAPITALS.findall(value)) + [f"subject:{pair}" for pair in pairs]


@lru_cache(4096)
def _addresses(name: str, value: str) -> tuple[str, ...]:
    """Whole addresses, their domains, receivers' names on any host, and the names beside them."""
    place = _ADDRESS_PLACES[name]
    words: list[str] = []
    names: list[str] = []
    for word in value.lower().translate(_AROUND_ADDRESSES).split():
        if "@" in word:
            words += (f"{place}:{word}", f"{place}:@{domain_of(word.rpartition('@')[2])}")
            if place == "to":
                words.append(f"to:{word.partition('@')[0]}@")
        else:
            names.append(word)
    words += [f"{place}:{word}" for word in split_words(" ".join(names))]
    return tuple(words)


def _way(_: str, value: str) -> tuple[str, ...]:
    """The networks a message came from and who gave it to whom; the servers that took it, with what program, for whom.

    Its serial number and time say nothing: without them the servers' words are few, and known already.
    """
    sent, taken = _sent_and_taken(value)
    before, _, after = taken.partition(" id ")
    servers = _servers(before + after[after.find(" ") :] if after else before)
    return _handovers(sent, taken.partition(" ")[0]) + servers


def _sent_and_taken(value: str) -> tuple[str, str]:
    """Whom a server has it from; itself and what else it says, but the time."""
    sent, _, taken = value.partition(";")[0].lower().partition("by ")
    return sent, taken.lstrip()


@lru_cache(4096)
def _handovers(sent: str, taker: str) -> tuple[str, ...]:
    """Networks of two sizes, a small one which is met again or not and a large one; the domains of both sides."""
    words: list[str] = []
    for large, middle, small in _NETWORK.findall(sent)[:_HOSTS_CAP]:
        words += (f"received:{large}{middle}{small}", f"received:{large}.*")
    taking = domain_of(taker)
    words += [f"received:{giving}>{taking}" for giving in _domains_in(sent) or ("nobody",)]
    return tuple(words)


@lru_cache(4096)
def _servers(taken: str) -> tuple[str, ...]:
    return tuple(f"received:{word}" for word in _ROUTE_WORD.findall(taken))


def _origin(sent: str, taken: str) -> list[str]:
    """Where it set out, as the lowest Received tells: the hosts' domains and countries, the network, who took it."""
    words = [f"origin:by {domain_of(taken.partition(' ')[0])}"]
    for domain in _domains_in(sent):
        words += (f"origin:@{domain}", f"origin:.{domain.rpartition('.')[2]}")
    return words + [f"origin:{large}{middle}.*" for large, middle, _ in _NETWORK.findall(sent)[:_HOSTS_CAP]]


@lru_cache(4096)
def _domains_in(sent: str) -> tuple[str, ...]:
    """Domains of the hosts that are called by name."""
    # By the byte it takes a third of the time.
    words = sent.encode("ascii", "replace").translate(_AROUND_HOSTS).decode().split()
    hosts = [word for word in words if "." in word and not word.replace(".", "").isdigit()]
    return tuple(dict.fromkeys(map(domain_of, hosts[:_HOSTS_CAP])))


def _identifier(_: str, value: str) -> tuple[str, ...]:
    """The domain that numbered the message, and how its number begins: each program builds them in its own way."""
    number, _, host = value.rpartition("@")
    kinds = number.lstrip("<")[:_KINDS_READ].encode("ascii", "replace").translate(_KINDS).decode()
    return (f"id:@{domain_of(host.lower().strip('<> '))}", f"id:{kinds}")


def _signature(_: str, value: str) -> list[str]:
    return [f"signed:@{domain_of(host)}" for host in _SIGNER.findall(value.lower())[:1]]


@lru_cache(4096)
def _mailer(_: str, value: str) -> tuple[str, ...]:
    return tuple(f"mailer:{word}" for word in split_words(value[:200]))


@lru_cache(4096)
def _mailing_list(_: str, value: str) -> tuple[str, ...]:
    """Its id as one word: seven words for one fact would count too much."""
    return (f"list-id:{value.lower().rpartition('<')[2].strip('<> ')[:_LIST_READ]}",)


@lru_cache(4096)
def _short(name: str, value: str) -> tuple[str, ...]:
    """A header whose value is a few words with a meaning of their own."""
    return tuple(f"{name}:{word}" for word in split_words(value[:100]))


_SUBJECT = PlacedWords("subject")
_ADDRESS_PLACES = {
    "from": "from", "to": "to", "cc": "to", "reply-to": "reply", "return-path": "return", "sender": "sender",
}  # fmt: skip
_Reader = Callable[[str, str], Iterable[str]]
_KNOWN: dict[str, _Reader] = {
    **dict.fromkeys(_ADDRESS_PLACES, _addresses),
    "subject": _subject,
    "received": _way,
    "message-id": _identifier,
    "list-id": _mailing_list,
    "dkim-signature": _signature,
    **dict.fromkeys(("x-mailer", "user-agent", "x-mimeole"), _mailer),
    **dict.fromkeys(WORDED_HEADERS, _short),
}
# What the facts read, or what tells nothing.
_SILENT = ("date", "content-type", "authentication-results", "received-spf", "in-reply-to")


class _Readers(dict[str, "_Reader | tuple[str, ...]"]):
    """How to read each header: a function, or the words it gives whatever its value. Worked out once a name."""

    def __missing__(self, name: str) -> tuple[str, ...]:
        # Of any other header only that it is there: the words of its value changed nothing.
        silent = name in _SILENT or len(name) > 40 or name.startswith(LOCAL_HEADERS + VERDICT_HEADERS)
        words = () if silent else (f"header:{name}",)
        if len(self) < NAMES_KEPT:
            self[name] = words
        return words


_READERS = _Readers(_KNOWN)
