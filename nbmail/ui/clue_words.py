"""The clues of a message in words people use: what was found, and where."""

from __future__ import annotations

from functools import cache

from nbmail.ui.language import tr


@cache
def _places() -> dict[str, str]:
    return {
        "body": tr("text"),
        "text": tr("text"),
        "subject": tr("subject"),
        "subjcase": tr("subject"),
        "from": tr("sender"),
        "to": tr("recipients"),
        "cc": tr("recipients"),
        "reply-to": tr("answer address"),
        "return": tr("return address"),
        "link": tr("link"),
        "tld": tr("link's ending"),
        "path": tr("inside a link"),
        "start": tr("beginning of the text"),
        "origin": tr("where it set out"),
        "file": tr("attachment"),
        "html": tr("page layout"),
        "caps": tr("in capitals"),
        "header": tr("header present"),
        "received": tr("way it took"),
        "id": tr("message number"),
        "message-id": tr("message number"),
        "signed": tr("signed by"),
        "mailer": tr("program"),
        "content-type": tr("kind of content"),
        "measure": tr("size"),
    }


@cache
def _facts() -> dict[str, str]:
    return {
        "charset": tr("character set"),
        "type": tr("kind of content"),
        "parts": tr("parts"),
        "reply": tr("is an answer"),
        "date": tr("date"),
        "weekday": tr("weekday"),
        "hour": tr("sent from this hour on"),
        "zone": tr("time zone"),
        "from": tr("sender"),
        "message-id": tr("who numbered it, against the sender"),
        "reply-to": tr("answer address, against the sender's"),
        "return-path": tr("return address, against the sender's"),
        "spf": tr("sender check (SPF)"),
        "dkim": tr("signature check (DKIM)"),
        "dmarc": tr("sender check (DMARC)"),
        "arc": tr("signature check (ARC)"),
    }


def place_words(word: str, place: str) -> str:
    """Where in a message a clue stood."""
    if place == "fact":
        name = word.removeprefix("fact:").partition("=")[0]
        return _facts().get(name, name)
    return _places().get(place) or tr("{name} header").format(name=place)


def bare_word(word: str, place: str) -> str:
    """A clue without its place in front."""
    bare = word.removeprefix(f"{place}:")
    if place == "fact" and "=" in bare:
        return bare.partition("=")[2]
    return _measure(bare) if place == "measure" and "=" in bare else bare


def _measure(bare: str) -> str:
    """A measure counts doublings: "links=3" is from 4 to 7 links."""
    name, _, bits = bare.partition("=")
    name = name.replace("-", " ")
    if not bits.isdecimal():
        return bare
    low, high = (2 ** (int(bits) - 1), 2 ** int(bits) - 1) if int(bits) else (0, 0)
    return tr("{low} to {high} {name}").format(low=low, high=high, name=name) if low != high else f"{low} {name}"
