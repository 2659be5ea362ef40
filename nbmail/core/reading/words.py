"""Text to words, normalized so that look-alikes are equal, and the places of words in a message.

Invisible characters are removed, full-width and mathematical letters become plain ones, accents
stay. A word that mixes Latin letters with similar Cyrillic or Greek letters is read as Latin.
Scripts without spaces become character pairs.

Words of the headers are those of senders and recipients, mail programs, the route, and the subject.
The effect of each family was measured: `tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TypeVar

from nbmail.text.web_addresses import domain_of

BODY = "body"
# Headers with few values. The name of the header is the place of their words.
WORDED_HEADERS = (
    "organization", "x-priority", "precedence", "importance", "x-msmail-priority", "mime-version",
    "content-transfer-encoding", "auto-submitted", "content-language",
)  # fmt: skip
PLACES = (
    BODY, "phrase", "start", "text", "hidden", "html", "link", "path", "file",
    "subject", "from", "to", "reply", "return", "sender", "mailer", "list-id", "id", "signed", "received", "origin",
    "header", "fact", "measure",
    *WORDED_HEADERS,
)  # fmt: skip
"""All places of words. Explanations by the method `tree` also use "pair", for two words
together.
"""

# Signs that belong to a word besides letters and digits: "$19", "50%" and "free!" differ from "19",
# "50" and "free". They remove a quarter of the errors in bodies (`tests/bench/MEASUREMENTS.md`,
# "Words and facts").
_WORD_SIGNS = "$%!'-_"
_ASCII = (
    bytes(code if chr(code).isalnum() or chr(code) in _WORD_SIGNS else 32 for code in range(128))
    + b" " * 128
)
_ASCII_LOWER = _ASCII.lower()
_LOOKALIKES = str.maketrans(
    "аеорсухівԁԛԝһӏјѕкмнтгпбьαεοινρτυκχγωηѵց", "aeopcyxibdqwhljskmhtrnbbaeoivptukxywnvg"
)
_MIXED = re.compile(
    "[a-z][\u0370-\u03ff\u0400-\u052f\u0578-\u0587]|[\u0370-\u03ff\u0400-\u052f\u0578-\u0587][a-z]"
)
_LOOKALIKE = re.compile("[\u0370-\u03ff\u0400-\u052f\u0578-\u0587]")
# Typographic signs of otherwise Western text, and their replacements.
_TYPOGRAPHY = (
    ("\u2019", "'"), ("\u2018", "'"), ("\u201c", " "), ("\u201d", " "), ("\u2013", "-"), ("\u2014", " "),
    ("\u2026", " "), ("\u2022", " "), ("\u200b", ""), ("\u200c", ""), ("\ufeff", ""), ("\u2122", " "),
    ("\u034f", ""), ("\u2007", " "),
)  # fmt: skip
_DELETED = b"\xad"

Key = TypeVar("Key")
Value = TypeVar("Value")


@cache
def _dense_scripts() -> re.Pattern[str]:
    """Return the pattern of Thai, Lao, Burmese, Khmer, kana, Hangul and Han, compiled at the first
    use: 1 ms.
    """
    return re.compile(
        "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
        "\uf900-\ufaff\U00020000-\U0003ffff]+"
    )


class BoundedCache(dict[Key, Value]):
    """Dictionary that computes missing values. It stores at most `most`, and only those that
    `stores` accepts.
    """

    def __init__(
        self,
        compute: Callable[[Key], Value],
        most: int,
        stores: Callable[[Key, Value], bool] = lambda key, value: True,
    ) -> None:
        super().__init__()
        self._compute = compute
        self._most = most
        self._stores = stores

    def __missing__(self, key: Key) -> Value:
        value = self._compute(key)
        if len(self) < self._most and self._stores(key, value):
            self[key] = value
        return value


def _normalize(character: str) -> str:
    if character.isascii():
        return chr(_ASCII[ord(character)])
    kind = unicodedata.category(character)
    if kind == "Cf" or (kind in ("Mn", "Me") and not "\u0900" <= character <= "\u17ff"):
        return ""
    plain = unicodedata.normalize("NFKC", character)
    if character < "\u0100" and not (len(plain) == 1 and plain < "\u0100"):
        # Western text is read byte by byte, so its characters must stay below U+0100.
        plain = character if character.isalpha() else " "
    if plain.isascii():
        return plain.encode("ascii").translate(_ASCII).decode("ascii")
    # A pictogram is a word by itself, anything else that is no letter or number a space.
    if kind == "So" and character >= "\u2190":
        return f" {character} "
    return plain.replace(" ", "") if kind[0] in "LNM" or kind == "Sc" else " "


# Normalizing a whole text with long runs of combining marks would take quadratic time.
_NORMALIZED = BoundedCache[int, str](lambda code: _normalize(chr(code)), 20_000)


def _normalize_byte(code: int) -> int:
    """Return the lower-case form of a character of Western text."""
    normalized = _normalize(chr(code)).lower()
    return ord(normalized) if len(normalized) == 1 and ord(normalized) < 256 else 32


_WESTERN = bytes(map(_normalize_byte, range(256)))
BYTE_MAP = _WESTERN[: _DELETED[0]] + b"\0" + _WESTERN[_DELETED[0] + 1 :]
"""Normalized form of each byte of Western text, for the compiled table of words. Zero means a
deleted character.
"""


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, in their order. Pairs of dense scripts follow the
    other words.
    """
    text, is_western = without_typography(text)
    return split_western(text) if is_western else split_mixed(text)[0]


def without_typography(text: str) -> tuple[str, bool]:
    """Return text, with typographic signs replaced unless it is Western; True if all is below
    U+0100 then.
    """
    if text.isascii() or _is_western(text):
        return text, True
    for sign, plain in _TYPOGRAPHY:
        text = text.replace(sign, plain)
    return text, _is_western(text)


def _is_western(text: str) -> bool:
    # A pattern takes a hundred times as long, and 8 ms to compile.
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


def split_western(text: str) -> list[str]:
    if text.isascii():
        return text.encode("ascii").translate(_ASCII_LOWER).decode("ascii").split()
    return text.encode("latin-1").translate(_WESTERN, _DELETED).decode("latin-1").split()


def split_mixed(text: str) -> tuple[list[str], bool]:
    """Return the words of any text, and True if some mix Latin letters with look-alikes of another
    script.
    """
    text = text.translate(_NORMALIZED).lower()
    pairs: list[str] = []
    if runs := _dense_scripts().findall(text):
        text = _dense_scripts().sub(" ", text)
        for run in runs:
            pairs += [run] if len(run) == 1 else map("".join, pairwise(run))
    words = text.split()
    mixed = _LOOKALIKE.search(text) is not None and _MIXED.search(text) is not None
    if mixed:
        words = [word.translate(_LOOKALIKES) if _MIXED.search(word) else word for word in words]
    return words + pairs, mixed


def lookalikes_in(text: str, *, whole: bool = False) -> list[str]:
    """Return letters of other scripts that look Latin, in words with Latin letters, or `whole`
    words of them.
    """
    found: list[str] = []
    for word in text.lower().split():
        letters = [letter for letter in word if ord(letter) in _LOOKALIKES]
        if any("a" <= letter <= "z" for letter in word) or (
            whole and word.translate(_LOOKALIKES).isascii()
        ):
            found += letters
    return found


def place_of(word: str) -> str:
    """Return the place of a word: the text before its first colon. Words of the body have no
    colon.
    """
    place, colon, _ = word.partition(":")
    return place if colon else BODY


class PlacedWords(BoundedCache[str, str]):
    """Words with their place: `PlacedWords("subject")["free"]` is "subject:free"."""

    def __init__(self, place: str) -> None:
        super().__init__(
            lambda word: f"{place}:{word}", 50_000, lambda word, placed: len(word) < 50
        )

    def place(self, words: list[str]) -> list[str]:
        return list(map(self.__getitem__, words))


# Names of headers, or their beginnings, with the verdicts of other filters. Learning from them
# would copy that filter.
VERDICT_HEADERS = (
    "x-spam", "x-bogosity", "x-junk", "x-dspam", "x-crm114", "x-mailscanner", "x-rspamd", "x-barracuda", "x-ironport",
    "x-microsoft-antispam", "x-forefront-antispam", "x-ms-exchange-organization-scl", "x-ms-exchange-organization-pcl",
    "x-proofpoint", "x-amavis", "x-virus", "x-cmae", "x-text-classification", "x-hammie", "x-popfile", "x-sonic-spam",
    "x-gmx-antispam", "x-ui-filterresults", "x-dcc", "x-razor", "x-pyzor", "x-mail-scanner", "x-antispam", "x-sa-",
    "x-no-spam", "spamdiagnostic", "x-exchange-antispam", "x-kaspersky", "x-trend", "x-tm-as", "x-ovh-spam", "x-pmx",
)  # fmt: skip
# Headers that a mail program or archive adds after delivery, such as the folder or the read status.
LOCAL_HEADERS = (
    "x-folder", "x-origin", "x-filename", "x-mozilla", "x-keywords", "keywords", "status", "x-status", "x-uid",
    "x-imap", "x-gmail-labels", "x-gm-", "x-evolution", "x-kmail", "x-account-key", "x-apple-", "x-label", "x-tuid",
    "content-length", "lines", "xref", "path", "newsgroups", "delivery-date", "deliver-date", "x-uidl",
    "x-sylpheed", "x-claws", "x-mutt", "x-balsa",
)  # fmt: skip

# Text between the signs around addresses. A pattern for whole addresses would not take linear time.
_ADDRESS_OR_NAME = re.compile(r"""[^\s<>()\[\]",;:']+""")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')
_BRACKETED = re.compile(r"<\s*+([^\s<>]++@[^\s<>]++)\s*+>")
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
# Limits the time per header, and the size of the caches.
_VALUE_CAP = 1000
NAMES_CAP = 5000

Reader = Callable[[str, str], Iterable[str]]
"""Function from name and value of a header to its words."""


def header_words(headers: Sequence[tuple[str, str]]) -> list[str]:
    words: list[str] = []
    for name, value in headers:
        reader = HEADER_READERS[name]
        if type(reader) is tuple:
            words += reader
        else:
            words += reader(name, value if len(value) <= _VALUE_CAP else value[:_VALUE_CAP])  # type: ignore[operator]
    lowest = next((value for name, value in reversed(headers) if name == "received"), None)
    if lowest is not None:
        words += _origin(LOWEST, lowest[:_VALUE_CAP])
    return words


def mailboxes_in(value: str) -> list[str]:
    return [word for word in _ADDRESS_OR_NAME.findall(value[:_VALUE_CAP].lower()) if "@" in word]


def author_in(value: str) -> str:
    """Return the only address of a From header in lower case; empty if none, or if a reader could
    take another.
    """
    unquoted = _QUOTED.sub(" ", value[:_VALUE_CAP].lower())
    found = set(_BRACKETED.findall(unquoted) or mailboxes_in(unquoted))
    return found.pop() if len(found) == 1 else ""


def _subject(_: str, value: str) -> list[str]:
    """Return the words, those in capitals once more as written, and pairs of neighbours with both
    ends of the line.
    """
    found = split_words(value)
    pairs = [f"subject:{one} {other}" for one, other in pairwise(("^", *found, "$"))]
    return _SUBJECT.place(found) + _SUBJECT.place(_IN_CAPITALS.findall(value)) + pairs


@lru_cache(4096)
def _addresses(name: str, value: str) -> tuple[str, ...]:
    """Return addresses, their domains, recipients without their domain, and display names."""
    place = _ADDRESS_PLACES[name]
    words: list[str] = []
    names: list[str] = []
    for word in _ADDRESS_OR_NAME.findall(value.lower()):
        if "@" in word:
            words += (f"{place}:{word}", f"{place}:@{domain_of(word.rpartition('@')[2])}")
            if place == "to":
                words.append(f"to:{word.partition('@')[0]}@")
        else:
            names.append(word)
    words += [f"{place}:{word}" for word in split_words(" ".join(names))]
    return tuple(words)


def _received(_: str, value: str) -> tuple[str, ...]:
    """Return networks and hosts of the sender, then the words of the receiving server.

    Serial number and time are left out. The remaining text repeats and is cached.
    """
    sent, _, taken = value.partition(";")[0].lower().partition("by ")
    taken = taken.lstrip()
    before, _, after = taken.partition(" id ")
    servers = _server_words(before + after[after.find(" ") :] if after else before)
    return _handover_words(sent, taken.partition(" ")[0]) + servers


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
    """Return domains, countries and networks of the first sender, and the first server, from the
    lowest Received.
    """
    sent, _, taken = value.partition(";")[0].lower().partition("by ")
    words = [f"origin:by {domain_of(taken.lstrip().partition(' ')[0])}"]
    for domain in _domains_in(sent):
        words += (f"origin:@{domain}", f"origin:.{domain.rpartition('.')[2]}")
    return words + [
        f"origin:{large}{middle}.*" for large, middle, _ in _NETWORK.findall(sent)[:_HOSTS_CAP]
    ]


@lru_cache(4096)
def _domains_in(sent: str) -> tuple[str, ...]:
    # Translating bytes takes a third of the time of translating text.
    words = sent.encode("ascii", "replace").translate(_AROUND_HOSTS).decode().split()
    hosts = [word for word in words if "." in word and not word.replace(".", "").isdigit()]
    return tuple(dict.fromkeys(map(domain_of, hosts[:_HOSTS_CAP])))


def _identifier(_: str, value: str) -> tuple[str, ...]:
    """Return the domain of a Message-ID, and the kinds of its first characters, which are typical
    of a program.
    """
    number, _, host = value.rpartition("@")
    kinds = number.lstrip("<")[:_KINDS_READ].encode("ascii", "replace").translate(_KINDS).decode()
    return (f"id:@{domain_of(host.lower().strip('<> '))}", f"id:{kinds}")


def _signature(_: str, value: str) -> list[str]:
    return [f"signed:@{domain_of(host)}" for host in _SIGNER.findall(value.lower())[:1]]


@lru_cache(4096)
def _mailer(_: str, value: str) -> tuple[str, ...]:
    return tuple([f"mailer:{word}" for word in split_words(value[:200])])


@lru_cache(4096)
def _mailing_list(_: str, value: str) -> tuple[str, ...]:
    """Return the id as one word. Its seven words would count one fact seven times."""
    return (f"list-id:{value.lower().rpartition('<')[2].strip('<> ')[:_LONGEST_LIST_ID]}",)


@lru_cache(4096)
def _few_words(name: str, value: str) -> tuple[str, ...]:
    return tuple([f"{name}:{word}" for word in split_words(value[:100])])


_SUBJECT = PlacedWords("subject")
_ADDRESS_PLACES = {
    "from": "from", "to": "to", "cc": "to", "reply-to": "reply", "return-path": "return", "sender": "sender",
}  # fmt: skip
LOWEST = "lowest received"
"""Key of a second reader of the last Received. No header has a space in its name."""
HEADER_PLACES = {
    **_ADDRESS_PLACES,
    "subject": "subject",
    "received": "received",
    "message-id": "id",
    LOWEST: "origin",
}
"""Places of the words of headers that the compiled table of words reads by itself if they are
ASCII.
"""
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
    # Only the presence of any other header is a word. Words of its value made no difference.
    silent = name in _SILENT or len(name) > 40 or name.startswith(LOCAL_HEADERS + VERDICT_HEADERS)
    return () if silent else (f"header:{name}",)


HEADER_READERS = BoundedCache[str, Reader | tuple[str, ...]](_presence, NAMES_CAP)
"""Reader of each header, or the words that it has whatever its value is."""
HEADER_READERS.update(_KNOWN)
