"""The clues of a message in words people use: what was found, and where."""

from __future__ import annotations

from functools import cache

from nbmail.ui.evidence.fact_texts import fact_phrase, measure_phrase
from nbmail.ui.kit.language import tr


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
        "header": tr("header"),
        "received": tr("came by"),
        "id": tr("message number"),
        "message-id": tr("message number"),
        "signed": tr("signed by"),
        "mailer": tr("program"),
        "content-type": tr("kind of content"),
    }


def place_words(word: str, place: str) -> str:
    """Where in a message a clue stood; nothing for facts and measures, which say so themselves."""
    if place in ("fact", "measure"):
        return ""
    return _places().get(place) or tr("{name} header").format(name=place)


def bare_word(word: str, place: str) -> str:
    """A clue without its place in front; a fact or a measure as a phrase."""
    bare = word.removeprefix(f"{place}:")
    name, equals, value = bare.partition("=")
    if place == "fact" and equals:
        return fact_phrase(name, value)
    return measure_phrase(name, value) if place == "measure" and equals else bare
