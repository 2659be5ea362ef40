"""Words of a message with their places and repetitions, and its numeric facts.

This module doesn't import numpy, so that a process that only reads mail starts quickly. The effect
of each family of words was measured: `tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count, islice, pairwise, repeat

from nbmail.core.compiled import compiled
from nbmail.core.reading.authentication import NO_TRUST, Trust, read_authentication
from nbmail.core.reading.mail import Mail
from nbmail.core.reading.part_text import HtmlPage, Link, Target, links_in, read_page, read_target
from nbmail.core.reading.words import (
    BYTE_MAP,
    HEADER_PLACES,
    HEADER_READERS,
    PlacedWords,
    header_words,
    mailboxes_in,
    split_mixed,
    split_western,
    split_words,
    without_typography,
)
from nbmail.text.web_addresses import domain_of

TOKENIZER_VERSION = 5
"""Stored with every message and in model files. It changes whenever the words of any message
change.
"""

# The pages of mail begin with much white space, and words of dense scripts have few characters.
_START_CAP = 4000
_START_CHUNKS = 10
_START_READ = 100
_START_WORDS = 6

_HIDDEN = PlacedWords("hidden")

PHRASE = "phrase:"
"""Place of the user's phrases, before the words of one."""
LONGEST_PHRASE = 100

Tokens = tuple[bytes, bytes, tuple[int, ...]]
"""Sorted word numbers of a message and their occurrences, as 32-bit integers; the numeric facts."""


class Tokenizer:
    """Reads the tokens of messages. Words are numbered by first occurrence. `trust`, `phrases`: see
    `read_tokens`.
    """

    def __init__(self, trust: Trust = NO_TRUST, phrases: Sequence[str] = ()) -> None:
        self._table = new_table()
        self._trust = trust
        self._phrases = phrases
        self._reported = 0

    def read(self, mail: Mail) -> Tokens:
        return read_tokens(mail, self._table, self._trust, phrases=self._phrases)

    def new_words(self) -> list[str]:
        """Return the words that are new since the last call, in the order of their numbers."""
        words = self._table.words_from(self._reported)
        self._reported += len(words)
        return words


def read_tokens(
    mail: Mail,
    table: PlainTable,
    trust: Trust = NO_TRUST,
    facts: Sequence[str] = (),
    phrases: Sequence[str] = (),
) -> Tokens:
    """Return the tokens of a message, with one for each of the user's `phrases` in its text.

    `trust`, `facts`: as in `collect`.
    """
    table.begin()
    measures = collect(mail, table, trust, facts)
    words, occurrences = table.take()
    if counts := count_phrases(mail, phrases):
        numbers = table.numbers_of([PHRASE + phrase for phrase in counts])
        words, occurrences = with_counts(
            words, occurrences, dict(zip(numbers, counts.values(), strict=True))
        )
    return words, occurrences, measures


def phrase_of(text: str) -> str:
    """Return the words of a phrase as they follow each other in the text of a message; "" if it
    can't be one.
    """
    words = split_words(text)
    phrase = " ".join(words)
    return phrase if len(words) > 1 and len(phrase) <= LONGEST_PHRASE else ""


def count_phrases(mail: Mail, phrases: Sequence[str]) -> dict[str, int]:
    """Count the phrases in the text of a message, without those that it doesn't contain."""
    # Two spaces between words: a phrase can follow another without a word in between.
    text = f" {'  '.join(split_words(_read_texts(mail)[0]))} " if phrases else ""
    counts = {phrase: text.count(f" {phrase.replace(' ', '  ')} ") for phrase in phrases}
    return {phrase: count for phrase, count in counts.items() if count}


def with_counts(words: bytes, occurrences: bytes, counts: Mapping[int, int]) -> tuple[bytes, bytes]:
    """Return sorted words and their occurrences, some of them replaced by `counts`; 0 removes the
    word.
    """
    found = dict(zip(array("i", words), array("i", occurrences), strict=True)) | dict(counts)
    kept = sorted(word for word, count in found.items() if count)
    return array("i", kept).tobytes(), array("i", [found[word] for word in kept]).tobytes()


def collect(
    mail: Mail, table: PlainTable, trust: Trust = NO_TRUST, facts: Sequence[str] = ()
) -> tuple[int, ...]:
    """Add the words of a message to `table`; return its `MEASURES`. `trust`: servers whose checks
    of senders count.
    """
    text, pages, links = _read_texts(mail)
    body, is_western = without_typography(text)
    words, mixed = ([], False) if is_western else split_mixed(body)
    table.add_words(words)
    count = table.add_text(body) if is_western else len(words)
    hosts = table.add_links(links, read_target)
    header = mail.first_headers.get
    measures = (
        mail.size,
        count,
        len(links),
        hosts,
        [kind for kind, _ in links].count("img"),
        sum([page.tag_count for page in pages]),
        len(mail.files),
        len(mail.headers),
        [name for name, _ in mail.headers].count("received"),
        header("to", "").count("@") + header("cc", "").count("@"),
        len(header("subject", "")),
        # A search for one character is many times as fast as one for two.
        text.count("\n>") if ">" in text else 0,
        *character_shares(text),
    )
    table.add_headers(mail.headers)
    start = split_words(
        " ".join(text[:_START_CAP].split(None, _START_CHUNKS)[:_START_CHUNKS])[:_START_READ]
    )
    words = [f"start:{one} {other}" for one, other in pairwise(start[:_START_WORDS])]
    words += fact_words(mail, trust)
    words += facts
    words += measure_words(measures)
    for page in pages:
        words += [f"html:{trick}" for trick in page.tricks]
        if page.hidden:
            words += _HIDDEN.place(split_words(page.hidden))
    words += _file_words(mail)
    if mixed:
        words.append("text:mixed-scripts")
    table.add_words(words)
    return measures


def _read_texts(mail: Mail) -> tuple[str, list[HtmlPage], list[Link]]:
    texts = list[str]()
    pages = list[HtmlPage]()
    links = list[Link]()
    for part in mail.texts:
        text = part.text
        if part.kind == "text/html":
            page = read_page(text)
            pages.append(page)
            links += page.links
            text = page.text
        texts.append(text)
        links += links_in(text)
    return "\n".join(texts), pages, links


def _file_words(mail: Mail) -> list[str]:
    words: list[str] = []
    for file in mail.files:
        words += (f"file:{file.kind}", f"file:.{file.name.lower().rpartition('.')[2]}")
        words += [f"file:{word}" for word in split_words(file.name)]
    return words


MEASURES = (
    "size", "words", "links", "link-hosts", "images", "tags", "files", "headers", "hops", "recipients",
    "subject-length", "quoted-lines", "capitals", "digits", "exclamations", "foreign",
)  # fmt: skip
"""Numeric facts in the order of `Sample.measures`: integers. Shares are per mille of the bytes of
the text.
"""

_SHARES_CAP = 4096
_COUNTED = bytes(range(65, 91)) + bytes(range(48, 58)) + b"!" + bytes(range(128, 256))
_UNCOUNTED = bytes(set(range(256)) - set(_COUNTED))
# The first byte of its class stands for each counted byte.
_CLASSES = bytes.maketrans(_COUNTED, b"A" * 26 + b"0" * 10 + b"!" + b"\x80" * 128)
_MEASURE_WORDS = [[f"measure:{name}={bits}" for bits in range(65)] for name in MEASURES]
_DATE = re.compile(r"\b(\d{1,2}):\d\d\b(?:.{0,20}?([+-]\d{4}|\b[A-Z]{2,4}\b))?")
_SENDERS = ("from", "reply-to", "return-path", "sender")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def character_shares(text: str) -> tuple[int, ...]:
    """Return capitals, digits, exclamation marks and bytes beyond ASCII, per mille of the first
    bytes of the text.
    """
    data = text[:_SHARES_CAP].encode("utf-8", "replace")
    classes = data.translate(_CLASSES, _UNCOUNTED)
    size = len(data) or 1
    return tuple([1000 * classes.count(each) // size for each in (b"A", b"0", b"!", b"\x80")])


def measure_words(measures: tuple[int, ...]) -> list[str]:
    return [
        words[value.bit_length()] for words, value in zip(_MEASURE_WORDS, measures, strict=True)
    ]


def fact_words(mail: Mail, trust: Trust = NO_TRUST) -> list[str]:
    """Return all categorical facts of a message. `trust`: servers whose checks of the sender count
    as facts.
    """
    headers = mail.first_headers
    words = [
        f"fact:type={headers.get('content-type', 'none')[:80].partition(';')[0].strip().lower()[:40]}",
        f"fact:parts={'+'.join(dict.fromkeys([part.kind for part in mail.texts]))[:60]}",
        *_date_facts(headers.get("date", "")),
        *_sender_facts(*[value and value[:500] for value in map(headers.get, _SENDERS)]),
    ]
    if "message-id" in headers:
        domain = domain_of(headers["message-id"][:1000].lower().rpartition("@")[2].strip("<> "))
        is_same = domain == _domains_in(headers.get("from", "")[:500])[-1]
        words.append(f"fact:message-id={'same' if is_same else 'other'}")
    words += [
        f"fact:charset={charset}"
        for charset in dict.fromkeys([part.charset[:20] for part in mail.texts])
    ]
    if "in-reply-to" in headers or "references" in headers:
        words.append("fact:reply=yes")
    if trust.servers and ("authentication-results" in headers or "received-spf" in headers):
        results = read_authentication(mail.headers, trust).results
        words += dict.fromkeys(f"fact:{each.method}={each.result}" for each in results)
    return words


def _date_facts(value: str) -> tuple[str, ...]:
    """Return weekday, part of the day and time zone of the sender's clock, or that there is no
    valid date.
    """
    found = _DATE.search(value[:100])
    if found is None:
        return ("fact:date=broken",) if value else ("fact:date=none",)
    return _clock_facts(value[:3].lower(), found[1], found[2] or "none")


@lru_cache(4096)
def _clock_facts(day: str, hour: str, zone: str) -> tuple[str, ...]:
    return (
        f"fact:weekday={day if day in _WEEKDAYS else 'none'}",
        f"fact:hour={int(hour) // 4 * 4}",
        f"fact:zone={zone.lower()}",
    )


@lru_cache(8192)
def _sender_facts(sender: str | None, *others: str | None) -> tuple[str, ...]:
    """Return whether all addresses of the sender have the same domain, and whether From has none or
    several.
    """
    own = _domains_in(sender or "")
    found = [] if len(own) > 1 else ["fact:from=none"]
    if len(own) > 2:
        found.append("fact:from=several")
    for name, value in zip(_SENDERS[1:], others, strict=True):
        if value is not None:
            found.append(f"fact:{name}={'same' if _domains_in(value)[-1] == own[-1] else 'other'}")
    return tuple(found)


@lru_cache(4096)
def _domains_in(value: str) -> tuple[str, ...]:
    """Return the domains of all addresses, behind an empty one."""
    return ("", *[domain_of(each.rpartition("@")[2]) for each in mailboxes_in(value)])


# Longer ones are numbers of messages and encoded data, which never come back. A bound of 20 gives
# the same figures.
LONGEST_WORD = 40
WORDTABLE_VERSION = 6

wordtable = compiled("wordtable", WORDTABLE_VERSION)
"""`wordtable.c`, where it was compiled: what `PlainTable` does, many times faster."""


def new_table() -> PlainTable:
    """Return an empty table; the compiled one has the methods of the plain one."""
    if wordtable is None:
        return PlainTable()
    table: PlainTable = wordtable.WordTable(BYTE_MAP, LONGEST_WORD, HEADER_READERS, HEADER_PLACES)
    return table


class PlainTable:
    """Words numbered 0, 1, 2, … by first occurrence, and the numbered words of one message at a
    time.
    """

    def __init__(self) -> None:
        self._words: list[str] = []
        # Numbering takes one dictionary look-up for each word. The list of words is updated when it
        # is read.
        self._numbers = defaultdict[str, int](count().__next__)
        self._met: list[int] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def word(self, number: int) -> str:
        return self._all()[number]

    def words_from(self, number: int) -> list[str]:
        return self._all()[number:]

    def numbers_of(self, words: Iterable[str]) -> list[int]:
        return list(map(self._numbers.__getitem__, words))

    def known_numbers_of(self, words: Iterable[str]) -> list[int]:
        return list(map(self._numbers.get, words, repeat(-1)))

    def begin(self) -> None:
        """Begin a message: drop the words that were added and not taken."""
        self._met.clear()

    def add_text(self, text: str) -> int:
        """Add the words of a text of characters below U+0100. Return their number, long ones
        included.
        """
        words = split_western(text)
        self.add_words(words)
        return len(words)

    def add_words(self, words: Sequence[str]) -> None:
        if max(map(len, words), default=0) > LONGEST_WORD:
            words = [word for word in words if len(word) <= LONGEST_WORD]
        self._met += map(self._numbers.__getitem__, words)

    def add_links(self, links: list[Link], read_target: Callable[[str], Target]) -> int:
        """Add hosts, domains and first path words of link targets. Return the number of different
        hosts.
        """
        hosts: set[str] = set()
        for kind, target in links:
            host, _, words = read_target(target)
            hosts.add(host)
            self.add_words(words)
            if kind == "elsewhere":
                self.add_words(("link:elsewhere",))
        return len(hosts)

    def add_headers(self, headers: Sequence[tuple[str, str]]) -> None:
        self.add_words(header_words(headers))

    def take(self) -> tuple[bytes, bytes]:
        """Return the numbers of the added words, sorted, and their occurrences, both as 32-bit
        integers.
        """
        found = sorted(Counter(self._met).items())
        self._met.clear()
        numbers = array("i", [number for number, _ in found])
        occurrences = array("i", [times for _, times in found])
        return numbers.tobytes(), occurrences.tobytes()

    def _all(self) -> list[str]:
        unlisted = len(self._numbers) - len(self._words)
        if unlisted:
            self._words += reversed(list(islice(reversed(self._numbers), unlisted)))
        return self._words
