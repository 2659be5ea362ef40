"""Facts of a message: categorical ones as words ("fact:charset=utf-8"), numeric ones as measures."""

from __future__ import annotations

import re
from email.utils import parsedate_tz

from nbmail.core.headwords import mailboxes_in
from nbmail.core.links import domain_of
from nbmail.core.mail import Mail

# The numeric facts, in the order of `Clues.measures`. Whole numbers; shares are per mille of the text's bytes.
MEASURES = (
    "size",
    "words",
    "links",
    "link-hosts",
    "images",
    "tags",
    "files",
    "headers",
    "hops",
    "recipients",
    "subject-length",
    "quoted-lines",
    "capitals",
    "digits",
    "exclamations",
    "foreign",
)

_SHARES_CAP = 4096
_KINDS = bytes(
    ord(
        "~"
        if code > 127
        else "A"
        if chr(code).isupper()
        else "0"
        if chr(code).isdigit()
        else "!"
        if code == 33
        else " "
    )
    for code in range(256)
)
_MEASURE_WORDS = [[f"measure:{name}={bits}" for bits in range(65)] for name in MEASURES]
_AUTHENTICATION = re.compile(r"\b(spf|dkim|dmarc|arc)\s*=\s*(\w{1,20})", re.IGNORECASE)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def character_shares(text: str) -> tuple[int, int, int, int]:
    """Capitals, digits, exclamation marks and bytes beyond ASCII, per mille of the text's first bytes."""
    data = text[:_SHARES_CAP].encode("utf-8", "replace")
    length = len(data) or 1
    kinds = data.translate(_KINDS)
    return (
        1000 * kinds.count(b"A") // length,
        1000 * kinds.count(b"0") // length,
        1000 * kinds.count(b"!") // length,
        1000 * kinds.count(b"~") // length if len(data) > len(text[:_SHARES_CAP]) else 0,
    )


def header_measures(mail: Mail) -> tuple[int, int, int, int]:
    """How many headers, hops and recipients, and how long the subject is."""
    names = [name for name, _ in mail.headers]
    recipients = sum(len(mailboxes_in(value)) for name, value in mail.headers if name in ("to", "cc"))
    return len(names), names.count("received"), recipients, len(mail.header("subject"))


def measure_words(measures: tuple[int, ...]) -> list[str]:
    """Each measure as a word, by the power of two it falls under: 0, 1, 2 (2 to 3), 3 (4 to 7), …"""
    return [words[value.bit_length()] for words, value in zip(_MEASURE_WORDS, measures, strict=True)]


def fact_words(mail: Mail) -> list[str]:
    """All categorical facts of a message."""
    heads = dict(reversed(mail.headers))
    kinds = "+".join(dict.fromkeys(part.kind for part in mail.texts))
    return [
        f"fact:type={heads.get('content-type', 'none').partition(';')[0].strip().lower()[:40]}",
        f"fact:parts={kinds[:60]}",
        *(f"fact:charset={charset}" for charset in dict.fromkeys(part.charset[:20] for part in mail.texts)),
        *_date_facts(heads.get("date", "")),
        *_sender_facts(heads),
        *_authentication_facts(mail),
    ]


def _date_facts(value: str) -> list[str]:
    """Weekday, part of the day and time zone the sender's clock shows; or that it shows none."""
    try:
        parts = parsedate_tz(value[:100]) if value else None
    except (ValueError, IndexError, OverflowError):
        parts = None
    if parts is None:
        return ["fact:date=broken" if value else "fact:date=none"]
    day, zone = value[:3].lower(), parts[9]
    return [
        f"fact:weekday={day if day in _WEEKDAYS else 'none'}",
        f"fact:hour={parts[3] // 4 * 4}",
        f"fact:zone={'none' if zone is None else zone // 900 / 4:g}" if zone is not None else "fact:zone=none",
    ]


def _sender_facts(heads: dict[str, str]) -> list[str]:
    """Whether the addresses a sender gives belong together, and whether one hides in the name."""
    sender = _domain_in(heads.get("from", ""))
    found = ["fact:from=none"] if not sender else []
    for name in ("reply-to", "return-path", "sender"):
        if name in heads:
            found.append(f"fact:{name}={'same' if _domain_in(heads[name]) == sender else 'other'}")
    if len(mailboxes_in(heads.get("from", ""))) > 1:
        found.append("fact:from=several")
    if "in-reply-to" in heads or "references" in heads:
        found.append("fact:reply=yes")
    return found


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
