"""Facts and measures of a message as plain phrases: "it is a reply", "4 to 7 links"."""

from __future__ import annotations

from functools import cache

from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import grouped, locale, tr

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SHARES = frozenset({"capitals", "digits", "exclamations", "foreign"})
"""Measures that count letters in a thousand."""


def fact_phrase(name: str, value: str) -> str:
    """What was found, as a phrase; a fact unknown here is told as it is."""
    known = _fixed().get((name, value))
    if known is not None:
        return known
    if name == "weekday" and value in WEEKDAYS:
        return tr("sent on a {day}").format(day=locale().dayName(WEEKDAYS.index(value) + 1))
    pattern = _open().get(name)
    shown = value.replace("+", ", ") if name == "parts" else value
    return pattern.format(value=shown) if pattern else _check(name, value)


@cache
def _fixed() -> dict[tuple[str, str], str]:
    return {**_clock(), **_addresses(), **_kinds()}


def _clock() -> dict[tuple[str, str], str]:
    return {
        ("date", "none"): tr("no date"),
        ("date", "broken"): tr("a date that can't be read"),
        ("weekday", "none"): tr("no weekday in its date"),
        ("zone", "none"): tr("no time zone in its date"),
        ("hour", "0"): tr("sent between midnight and 4 o'clock"),
        ("hour", "4"): tr("sent between 4 and 8 o'clock"),
        ("hour", "8"): tr("sent between 8 o'clock and noon"),
        ("hour", "12"): tr("sent between noon and 4 o'clock"),
        ("hour", "16"): tr("sent between 4 and 8 in the evening"),
        ("hour", "20"): tr("sent between 8 in the evening and midnight"),
    }


def _addresses() -> dict[tuple[str, str], str]:
    return {
        ("from", "none"): tr("no address of a sender"),
        ("from", "several"): tr("several addresses of senders"),
        ("message-id", "same"): tr("numbered by the sender's own server"),
        ("message-id", "other"): tr("numbered by another server than the sender's"),
        ("reply-to", "same"): tr("answers go to the sender"),
        ("reply-to", "other"): tr("answers go elsewhere than to the sender"),
        ("return-path", "same"): tr("returns to the sender if it can't be delivered"),
        ("return-path", "other"): tr("returns elsewhere if it can't be delivered"),
        ("sender", "same"): tr("sent off by the sender's own server"),
        ("sender", "other"): tr("sent off by somebody else for the sender"),
        ("reply", "yes"): tr("it is a reply"),
    }


def _kinds() -> dict[tuple[str, str], str]:
    return {
        ("type", "text/plain"): tr("plain text only"),
        ("type", "text/html"): tr("a web page only"),
        ("type", "multipart/alternative"): tr("plain text and a web page"),
        ("type", "multipart/mixed"): tr("a message in several parts"),
        ("type", "multipart/related"): tr("a web page with its pictures"),
        ("type", "none"): tr("no word on what kind of mail it is"),
        ("parts", ""): tr("no text"),
    }


@cache
def _open() -> dict[str, str]:
    return {
        "charset": tr("written in the letters of {value}"),
        "type": tr("mail of the kind {value}"),
        "parts": tr("text as {value}"),
        "zone": tr("sent from the time zone {value}"),
    }


def _check(name: str, value: str) -> str:
    checks = {
        "spf": tr("sender check (SPF)"),
        "dkim": tr("signature check (DKIM)"),
        "dmarc": tr("sender check (DMARC)"),
        "arc": tr("signature check (ARC)"),
    }
    if name not in checks:
        return f"{name}: {value}"
    patterns = {"pass": tr("passed the {check}"), "fail": tr("failed the {check}"), "none": tr("no {check}")}
    return patterns.get(value, tr("{check}: {value}")).format(check=checks[name], value=value)


def measure_phrase(name: str, bits: str) -> str:
    """A measure counts doublings: "links=3" is from 4 to 7 links."""
    if not bits.isdecimal() or name not in _measures():
        return f"{name}={bits}"
    low, high = (2 ** (int(bits) - 1), 2 ** int(bits) - 1) if int(bits) else (0, 0)
    none, one, many = _measures()[name]
    if not high:
        return none
    if name == "size":
        return many.format(n=phrases.size_words(high + 1))
    if name in SHARES:
        return many.format(n=_share(low, high))
    return one if high == 1 else many.format(n=tr("{low} to {high}").format(low=grouped(low), high=grouped(high)))


def _share(low: int, high: int) -> str:
    """Letters in a thousand as a percentage."""
    places = 1 if low < 32 else 0
    first, last = (locale().toString(each / 10, "f", places) for each in (low, min(1000, high + 1)))
    return tr("{low} to {high} %").format(low=first, high=last)


@cache
def _measures() -> dict[str, tuple[str, str, str]]:
    return {**_counts(), **_shares()}


def _counts() -> dict[str, tuple[str, str, str]]:
    return {
        "size": (tr("empty"), tr("empty"), tr("about {n} large")),
        "words": (tr("no words"), tr("1 word"), tr("{n} words")),
        "links": (tr("no links"), tr("1 link"), tr("{n} links")),
        "link-hosts": (tr("links to no server"), tr("links to 1 server"), tr("links to {n} servers")),
        "images": (tr("no pictures"), tr("1 picture"), tr("{n} pictures")),
        "tags": (tr("no page layout"), tr("1 layout tag"), tr("{n} layout tags")),
        "files": (tr("no attachments"), tr("1 attachment"), tr("{n} attachments")),
        "headers": (tr("no header lines"), tr("1 header line"), tr("{n} header lines")),
        "hops": (tr("came over no server"), tr("came over 1 server"), tr("came over {n} servers")),
        "recipients": (tr("names no recipient"), tr("1 recipient"), tr("{n} recipients")),
        "subject-length": (tr("no subject"), tr("subject of 1 letter"), tr("subject of {n} letters")),
        "quoted-lines": (tr("no quoted lines"), tr("1 quoted line"), tr("{n} quoted lines")),
    }


def _shares() -> dict[str, tuple[str, str, str]]:
    return {
        "capitals": (tr("no capital letters"), "", tr("{n} capital letters")),
        "digits": (tr("no digits"), "", tr("{n} digits")),
        "exclamations": (tr("no exclamation marks"), "", tr("{n} exclamation marks")),
        "foreign": (tr("no letters beyond English"), "", tr("{n} letters beyond English")),
    }
