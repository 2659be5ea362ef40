"""Words of headers: senders and recipients, mail programs, the route, and the subject.

The effect of each family was measured: `tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits

from nbmail.core.bounded_cache import BoundedCache
from nbmail.core.mail.addresses import ADDRESS_OR_NAME, VALUE_CAP
from nbmail.core.words.splitting import split_words
from nbmail.core.words.word_places import WORDED_HEADERS, PlacedWords
from nbmail.text.web_addresses import domain_of

# Names of headers, or their beginnings, with the verdicts of other filters. Learning from them
# would copy that filter.
VERDICT_HEADERS = (
    "x-spam", "x-bogosity", "x-junk", "x-dspam", "x-crm114", "x-mailscanner", "x-rspamd",
    "x-barracuda", "x-ironport", "x-microsoft-antispam", "x-forefront-antispam",
    "x-ms-exchange-organization-scl", "x-ms-exchange-organization-pcl", "x-proofpoint", "x-amavis",
    "x-virus", "x-cmae", "x-text-classification", "x-hammie", "x-popfile", "x-sonic-spam",
    "x-gmx-antispam", "x-ui-filterresults", "x-dcc", "x-razor", "x-pyzor", "x-mail-scanner",
    "x-antispam", "x-sa-", "x-no-spam", "spamdiagnostic", "x-exchange-antispam", "x-kaspersky",
    "x-trend", "x-tm-as", "x-ovh-spam", "x-pmx",
)  # fmt: skip
# Headers that a mail program or archive adds after delivery, such as the folder or the read status.
LOCAL_HEADERS = (
    "x-folder", "x-origin", "x-filename", "x-mozilla", "x-keywords", "keywords", "status",
    "x-status", "x-uid", "x-imap", "x-gmail-labels", "x-gm-", "x-evolution", "x-kmail",
    "x-account-key", "x-apple-", "x-label", "x-tuid", "content-length", "lines", "xref", "path",
    "newsgroups", "delivery-date", "deliver-date", "x-uidl", "x-sylpheed", "x-claws", "x-mutt",
    "x-balsa",
)  # fmt: skip
_AROUND_HOSTS = bytes.maketrans(b'[](){}<>=",;:@/\t', b" " * 16)
_HOSTS_CAP = 10
# With its place it fits into the longest word.
_LONGEST_LIST_ID = 30
_NETWORK = re.compile(r"\b(\d{1,3})(\.\d{1,3})(\.\d{1,3})\.\d{1,3}\b")
_ROUTE_WORD = re.compile(r"[\w.@-]{2,40}")
_SIGNER = re.compile(r"\bd=\s*([\w.-]{1,100})")
_IN_CAPITALS = re.compile(r"\b[A-Z]{3,24}\b")
_KINDS_READ = 10
_KINDS = bytes.maketrans(
    f"{ascii_lowercase}{ascii_uppercase}{digits}".encode(), b"a" * 26 + b"A" * 26 + b"9" * 10
)
"""Letters become "a" or "A", digits "9"."""
_LONGEST_NAME = 40
_MAILER_CAP = 200
_FEW_CAP = 100
NAMES_CAP = 5000

Reader = Callable[[str, str], Iterable[str]]
"""Function from name and value of a header to its words."""


def header_words(headers: Sequence[tuple[str, str]]) -> list[str]:
    words: list[str] = []
    for name, value in headers:
        reader = HEADER_READERS[name]
        words += reader if isinstance(reader, tuple) else reader(name, value[:VALUE_CAP])
    for name, value in reversed(headers):
        if name == "received":
            words += _origin(LOWEST, value[:VALUE_CAP])
            break
    return words


def _subject(_: str, value: str) -> list[str]:
    """Return the words, those in capitals as written, and pairs of neighbours.

    The ends of the line have pairs, too.
    """
    found = split_words(value)
    in_capitals = _IN_CAPITALS.findall(value)
    pairs = [f"subject:{word} {following}" for word, following in pairwise(("^", *found, "$"))]
    return _SUBJECT.place(found) + _SUBJECT.place(in_capitals) + pairs


@lru_cache(4096)
def _addresses(name: str, value: str) -> tuple[str, ...]:
    """Return addresses, their domains, recipients without their domain, and display names."""
    place = _ADDRESS_PLACES[name]
    words: list[str] = []
    names: list[str] = []
    for word in ADDRESS_OR_NAME.findall(value.lower()):
        if "@" not in word:
            names.append(word)
            continue
        domain = domain_of(word.rpartition("@")[2])
        words += (f"{place}:{word}", f"{place}:@{domain}")
        if place == "to":
            words.append(f"to:{word.partition('@')[0]}@")
    words += [f"{place}:{word}" for word in split_words(" ".join(names))]
    return tuple(words)


def _received(_: str, value: str) -> tuple[str, ...]:
    """Return networks and hosts of the sender, then the words of the receiving server.

    Serial number and time are left out. The remaining text repeats and is cached.
    """
    sent, taken = _both_sides(value)
    taker = taken.partition(" ")[0]
    without_id, _, after = taken.partition(" id ")
    if after:
        without_id += after[after.find(" ") :]
    return _handover_words(sent, taker) + _server_words(without_id)


def _both_sides(value: str) -> tuple[str, str]:
    """Return the parts of a Received field about the sender and about the receiving server."""
    sent, _, taken = value.partition(";")[0].lower().partition("by ")
    return sent, taken.lstrip()


@lru_cache(4096)
def _handover_words(sent: str, taker: str) -> tuple[str, ...]:
    """Return the sender's networks of two sizes, and the domains of both sides."""
    words: list[str] = []
    for large, middle, small in _NETWORK.findall(sent)[:_HOSTS_CAP]:
        words += (f"received:{large}{middle}{small}", f"received:{large}.*")
    taking = domain_of(taker)
    words += [f"received:{giving}>{taking}" for giving in _domains_in(sent) or ("nobody",)]
    return tuple(words)


@lru_cache(4096)
def _server_words(taken: str) -> tuple[str, ...]:
    return tuple([f"received:{word}" for word in _ROUTE_WORD.findall(taken)])


def _origin(_: str, value: str) -> list[str]:
    """Return the first server, and domains, countries and networks of the first sender."""
    sent, taken = _both_sides(value)
    words = [f"origin:by {domain_of(taken.partition(' ')[0])}"]
    for domain in _domains_in(sent):
        country = domain.rpartition(".")[2]
        words += (f"origin:@{domain}", f"origin:.{country}")
    networks = _NETWORK.findall(sent)[:_HOSTS_CAP]
    words += [f"origin:{large}{middle}.*" for large, middle, _ in networks]
    return words


@lru_cache(4096)
def _domains_in(sent: str) -> tuple[str, ...]:
    # Translating bytes takes a third of the time of translating text.
    words = sent.encode("ascii", "replace").translate(_AROUND_HOSTS).decode().split()
    hosts = [word for word in words if "." in word and not word.replace(".", "").isdigit()]
    return tuple(dict.fromkeys(map(domain_of, hosts[:_HOSTS_CAP])))


def _identifier(_: str, value: str) -> tuple[str, ...]:
    """Return the domain of a Message-ID, and the kinds of its first characters.

    The kinds are typical of a program.
    """
    number, _, host = value.rpartition("@")
    start = number.lstrip("<")[:_KINDS_READ].encode("ascii", "replace")
    kinds = start.translate(_KINDS).decode()
    domain = domain_of(host.lower().strip("<> "))
    return (f"id:@{domain}", f"id:{kinds}")


def _signature(_: str, value: str) -> list[str]:
    found = _SIGNER.search(value.lower())
    return [] if found is None else [f"signed:@{domain_of(found[1])}"]


@lru_cache(4096)
def _mailer(_: str, value: str) -> tuple[str, ...]:
    return tuple([f"mailer:{word}" for word in split_words(value[:_MAILER_CAP])])


@lru_cache(4096)
def _mailing_list(_: str, value: str) -> tuple[str, ...]:
    """Return the id as one word. Its seven words would count one fact seven times."""
    identifier = value.lower().rpartition("<")[2].strip("<> ")
    return (f"list-id:{identifier[:_LONGEST_LIST_ID]}",)


@lru_cache(4096)
def _few_words(name: str, value: str) -> tuple[str, ...]:
    return tuple([f"{name}:{word}" for word in split_words(value[:_FEW_CAP])])


_SUBJECT = PlacedWords("subject")
_ADDRESS_PLACES = {
    "from": "from",
    "to": "to",
    "cc": "to",
    "reply-to": "reply",
    "return-path": "return",
    "sender": "sender",
}
LOWEST = "lowest received"
"""Key of a second reader of the last Received. No header has a space in its name."""
HEADER_PLACES = {
    **_ADDRESS_PLACES,
    "subject": "subject",
    "received": "received",
    "message-id": "id",
    LOWEST: "origin",
}
"""Places of the words of headers that the compiled table reads by itself if they are ASCII."""
_KNOWN: dict[str, Reader] = {
    LOWEST: _origin,
    **dict.fromkeys(_ADDRESS_PLACES, _addresses),
    "subject": _subject,
    "received": _received,
    "message-id": _identifier,
    "list-id": _mailing_list,
    "dkim-signature": _signature,
    **dict.fromkeys(("x-mailer", "user-agent", "x-mimeole"), _mailer),
    **dict.fromkeys(WORDED_HEADERS, _few_words),
}
# Headers that `facts` reads, or that contain no information.
_SILENT = ("date", "content-type", "authentication-results", "received-spf", "in-reply-to")


def _presence(name: str) -> tuple[str, ...]:
    """Return the word for the presence of any other header, or none.

    Words of its value made no difference.
    """
    if name in _SILENT or len(name) > _LONGEST_NAME:
        return ()
    if name.startswith(LOCAL_HEADERS + VERDICT_HEADERS):
        return ()
    return (f"header:{name}",)


HEADER_READERS = BoundedCache[str, Reader | tuple[str, ...]](_presence, NAMES_CAP)
"""Reader of each header, or the words that it has whatever its value is."""
HEADER_READERS.update(_KNOWN)
