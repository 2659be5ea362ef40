"""Categorical facts of a message, as words: "fact:name=value"."""

from __future__ import annotations

import re
from functools import lru_cache

from nbmail.core.mail.addresses import mailboxes_in
from nbmail.core.mail.message import Mail
from nbmail.core.senders.authentication import read_authentication
from nbmail.core.senders.trusted_servers import NO_TRUST, Trust
from nbmail.text.web_addresses import domain_of

_DATE = re.compile(r"\b(\d{1,2}):\d\d\b(?:.{0,20}?([+-]\d{4}|\b[A-Z]{2,4}\b))?")
_SENDERS = ("from", "reply-to", "return-path", "sender")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def fact_words(mail: Mail, trust: Trust = NO_TRUST) -> list[str]:
    """Return all categorical facts of a message.

    `trust`: servers whose checks of the sender count as facts.
    """
    headers = mail.first_headers
    words = _part_facts(mail)
    words += _date_facts(headers.get("date", ""))
    words += _sender_facts(*[_shortened(headers.get(name)) for name in _SENDERS])
    if "message-id" in headers:
        message_id = headers["message-id"][:1000].lower()
        domain = domain_of(message_id.rpartition("@")[2].strip("<> "))
        own = _domains_in(headers.get("from", "")[:500])[-1]
        words.append(f"fact:message-id={_same_or_other(domain == own)}")
    charsets = dict.fromkeys([part.charset[:20] for part in mail.texts])
    words += [f"fact:charset={charset}" for charset in charsets]
    if "in-reply-to" in headers or "references" in headers:
        words.append("fact:reply=yes")
    if trust.servers and ("authentication-results" in headers or "received-spf" in headers):
        results = read_authentication(mail.headers, trust).results
        words += dict.fromkeys(f"fact:{each.method}={each.result}" for each in results)
    return words


def _part_facts(mail: Mail) -> list[str]:
    """Return the type of the message and those of its text parts."""
    declared = mail.first_headers.get("content-type", "none")[:80]
    kind = declared.partition(";")[0].strip().lower()[:40]
    parts = "+".join(dict.fromkeys([part.kind for part in mail.texts]))[:60]
    return [f"fact:type={kind}", f"fact:parts={parts}"]


def _shortened(value: str | None) -> str | None:
    return None if value is None else value[:500]


def _same_or_other(is_same: bool) -> str:
    return "same" if is_same else "other"


def _date_facts(value: str) -> tuple[str, ...]:
    """Return weekday, part of the day and time zone of the sender's clock.

    Without a valid date, return that.
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
    """Return whether all addresses of the sender have one domain, and From has none or several."""
    own = _domains_in(sender or "")
    found = [] if len(own) > 1 else ["fact:from=none"]
    if len(own) > 2:
        found.append("fact:from=several")
    for name, value in zip(_SENDERS[1:], others, strict=True):
        if value is not None:
            is_same = _domains_in(value)[-1] == own[-1]
            found.append(f"fact:{name}={_same_or_other(is_same)}")
    return tuple(found)


@lru_cache(4096)
def _domains_in(value: str) -> tuple[str, ...]:
    """Return the domains of all addresses, behind an empty one."""
    return ("", *[domain_of(each.rpartition("@")[2]) for each in mailboxes_in(value)])
