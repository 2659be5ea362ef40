"""Facts of a message: categorical ones as words ("fact:charset=utf-8"), numeric ones as measures.

What they bring was measured: `tests/bench/MEASUREMENTS.md`, "Words and facts".
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from nbmail.core.reading.header_words import mailboxes_in
from nbmail.core.reading.mail import Mail
from nbmail.links import domain_of

# The numeric facts, in the order of `Sample.measures`. Whole numbers; shares are per mille of the text's bytes.
MEASURES = (
    "size", "words", "links", "link-hosts", "images", "tags", "files", "headers", "hops", "recipients",
    "subject-length", "quoted-lines", "capitals", "digits", "exclamations", "foreign",
)  # fmt: skip

_SHARES_CAP = 4096
_CAPITALS, _DIGITS = bytes(range(65, 91)), bytes(range(48, 58))
_ASCII_BYTES = bytes(range(128))
_MEASURE_WORDS = [[f"measure:{name}={bits}" for bits in range(65)] for name in MEASURES]
_AUTHENTICATION = re.compile(r"\b(spf|dkim|dmarc|arc)\s*=\s*(\w{1,20})", re.IGNORECASE)
_DATE = re.compile(r"\b(\d{1,2}):\d\d\b(?:.{0,20}?([+-]\d{4}|\b[A-Z]{2,4}\b))?")
_SENDERS = ("from", "reply-to", "return-path", "sender")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def character_shares(text: str) -> tuple[int, ...]:
    """Capitals, digits, exclamation marks and bytes beyond ASCII, per mille of the text's first bytes."""
    data = text[:_SHARES_CAP].encode("utf-8", "replace")
    size = len(data)
    counts = (
        size - len(data.translate(None, _CAPITALS)),
        size - len(data.translate(None, _DIGITS)),
        data.count(b"!"),
        0 if data.isascii() else len(data.translate(None, _ASCII_BYTES)),
    )
    return tuple(1000 * count // (size or 1) for count in counts)


def measure_words(measures: tuple[int, ...]) -> list[str]:
    """Each measure as a word, by the power of two it falls under: 0, 1, 2 (2 to 3), 3 (4 to 7), …"""
    return [words[value.bit_length()] for words, value in zip(_MEASURE_WORDS, measures, strict=True)]


def fact_words(mail: Mail, heads: Mapping[str, str]) -> list[str]:
    """All categorical facts of a message; `heads` are the first of each name."""
    words = [
        f"fact:type={heads.get('content-type', 'none')[:80].partition(';')[0].strip().lower()[:40]}",
        f"fact:parts={'+'.join(dict.fromkeys(part.kind for part in mail.texts))[:60]}",
        *_date_facts(heads.get("date", "")),
        *_sender_facts(*(heads[name][:500] if name in heads else None for name in _SENDERS)),
    ]
    if "message-id" in heads:
        words.append(_numbering_fact(heads["message-id"], heads.get("from", "")[:500]))
    words += [f"fact:charset={charset}" for charset in {part.charset[:20]: None for part in mail.texts}]
    if "in-reply-to" in heads or "references" in heads:
        words.append("fact:reply=yes")
    if "authentication-results" in heads or "received-spf" in heads:
        words += _authentication_facts(mail)
    return words


def _date_facts(value: str) -> tuple[str, ...]:
    """Weekday, part of the day and time zone the sender's clock shows; or that it shows none."""
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
    """Whether the addresses a sender gives belong together, and whether one hides in the name."""
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
    """Whether the sender's own domain numbered the message."""
    domain = domain_of(identifier[:1000].lower().rpartition("@")[2].strip("<> "))
    return "fact:message-id=same" if domain == _domain_in(sender) else "fact:message-id=other"


@lru_cache(4096)
def _domain_in(value: str) -> str:
    found = mailboxes_in(value)
    return domain_of(found[-1].rpartition("@")[2]) if found else ""


def _authentication_facts(mail: Mail) -> list[str]:
    """What the receiving server found about SPF, DKIM and DMARC: a fact about the sender, not a verdict on the mail."""
    found: dict[str, None] = {}
    for name, value in mail.headers:
        if name == "authentication-results":
            for method, result in _AUTHENTICATION.findall(value[:2000]):
                found[f"fact:{method.lower()}={result.lower()}"] = None
        elif name == "received-spf":
            found[f"fact:spf={value[:20].partition(' ')[0].lower()}"] = None
    return list(found)
