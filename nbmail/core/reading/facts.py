"""Facts of a message: categorical ones as words ("fact:charset=utf-8"), numeric ones as integers.

Their effect was measured: `tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

import re
from functools import lru_cache

from nbmail.core.reading.authentication import NO_TRUST, Trust, read_authentication
from nbmail.core.reading.header_words import mailboxes_in
from nbmail.core.reading.mail import Mail
from nbmail.links import domain_of

MEASURES = (
    "size", "words", "links", "link-hosts", "images", "tags", "files", "headers", "hops", "recipients",
    "subject-length", "quoted-lines", "capitals", "digits", "exclamations", "foreign",
)  # fmt: skip
"""Numeric facts in the order of `Sample.measures`: integers. DecomposedOdds are per mille of the bytes of the text."""

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
    """Return capitals, digits, exclamation marks and bytes beyond ASCII, per mille of the first bytes of the text."""
    data = text[:_SHARES_CAP].encode("utf-8", "replace")
    classes, size = data.translate(_CLASSES, _UNCOUNTED), len(data) or 1
    return tuple([1000 * classes.count(each) // size for each in (b"A", b"0", b"!", b"\x80")])


def measure_words(measures: tuple[int, ...]) -> list[str]:
    """Return each numeric fact as a word with the number of its binary digits."""
    return [words[value.bit_length()] for words, value in zip(_MEASURE_WORDS, measures, strict=True)]


def fact_words(mail: Mail, trust: Trust = NO_TRUST) -> list[str]:
    """Return all categorical facts of a message.

    `trust`: servers whose checks of the sender count. Without one no check is a fact.
    """
    headers = mail.first_headers
    words = [
        f"fact:type={headers.get('content-type', 'none')[:80].partition(';')[0].strip().lower()[:40]}",
        f"fact:parts={'+'.join(dict.fromkeys([part.kind for part in mail.texts]))[:60]}",
        *_date_facts(headers.get("date", "")),
        *_sender_facts(*[value and value[:500] for value in map(headers.get, _SENDERS)]),
    ]
    if "message-id" in headers:
        words.append(_numbering_fact(headers["message-id"], headers.get("from", "")[:500]))
    words += [f"fact:charset={charset}" for charset in dict.fromkeys([part.charset[:20] for part in mail.texts])]
    if "in-reply-to" in headers or "references" in headers:
        words.append("fact:reply=yes")
    if trust.servers and ("authentication-results" in headers or "received-spf" in headers):
        results = read_authentication(mail.headers, trust).results
        words += dict.fromkeys(f"fact:{each.method}={each.result}" for each in results)
    return words


def _date_facts(value: str) -> tuple[str, ...]:
    """Return weekday, part of the day and time zone of the sender's clock, or that there is no valid date."""
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
    """Return whether all addresses of the sender have the same domain, and whether From has none or several."""
    addresses = mailboxes_in(sender or "")
    domain = _domain_in(sender or "")
    found = [] if addresses else ["fact:from=none"]
    if len(addresses) > 1:
        found.append("fact:from=several")
    for name, value in zip(_SENDERS[1:], others, strict=True):
        if value is not None:
            found.append(f"fact:{name}={'same' if _domain_in(value) == domain else 'other'}")
    return tuple(found)


def _numbering_fact(identifier: str, sender: str) -> str:
    """Return whether the Message-ID has the domain of the sender."""
    domain = domain_of(identifier[:1000].lower().rpartition("@")[2].strip("<> "))
    return "fact:message-id=same" if domain == _domain_in(sender) else "fact:message-id=other"


@lru_cache(4096)
def _domain_in(value: str) -> str:
    found = mailboxes_in(value)
    return domain_of(found[-1].rpartition("@")[2]) if found else ""
