"""Text, links and tricks of an HTML page.

The meaning of a tag is cached, because the tags of mail repeat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from nbmail.core.bounded_cache import BoundedCache
from nbmail.core.compiled import compiled
from nbmail.core.mail.links import LINK_CAP, Link, misleads
from nbmail.html.effects import (
    INHERITED,
    VISIBLE,
    Effect,
    can_hide,
    inside,
    read_effect,
    state_of,
)
from nbmail.html.nesting import OpenElements, nesting_of
from nbmail.html.style_sheets import effects_of, read_rules
from nbmail.html.tags import read_references, split_tags, without_unread

TAG_CAP = 8000
# Tags that don't end a word: "V<b></b>iagra" is one word.
_INLINE = frozenset((
    "a", "abbr", "b", "big", "code", "em", "font", "i", "ins", "kbd", "mark", "o:p", "s", "small",
    "span", "strike", "strong", "sub", "sup", "tt", "u", "wbr",
))  # fmt: skip
_LINKING = frozenset((
    "a", "area", "img", "form", "iframe", "frame", "body", "table", "td", "link", "input",
))  # fmt: skip
_LINK_ATTRIBUTES = ("href", "src", "action", "background")
_TARGET = re.compile(
    rf"""\b(?:{"|".join(_LINK_ATTRIBUTES)})\s*=[\s"']*([^"'\s>]{{1,500}})""", re.IGNORECASE
)
# Signs of hidden text, in a tag in lower case without its spaces. One pattern for all takes twice
# the time.
_HIDING = (
    "display:none",
    "visibility:hidden",
    "font-size:0",
    "font-size:1px",
    "opacity:0;",
    'opacity:0"',
    "mso-hide:all",
    "max-height:0",
    "line-height:0",
    "fontcolor=white",
    'fontcolor="white',
    "fontcolor=#ffffff",
    'fontcolor="#ffffff',
    ";color:#fff",
    '"color:#fff',
    ";color:white",
    '"color:white',
)


class HtmlPage(NamedTuple):
    """Contents of an HTML part.

    `tricks`: names of features. `hidden`: text that the window doesn't show.
    """

    text: str
    links: list[Link]
    tag_count: int
    tricks: list[str]
    hidden: str = ""


class TagMeaning(NamedTuple):
    """Meaning of a tag.

    `separator`: text between the texts around it. `name`: that of a start tag. `target`: that of a
    link. `looks_hiding`: True if it looks like hiding. `effect`: that on the text behind it, None
    without one.
    """

    separator: str
    name: str = ""
    target: str = ""
    looks_hiding: bool = False
    effect: Effect | None = None


class PageLinks(NamedTuple):
    """Links of a page, and whether a tag looks like hiding."""

    links: list[Link]
    looks_hiding: bool


class ReadTags(NamedTuple):
    """A page without its tags. `hidden`: texts that the window doesn't show."""

    text: str
    links: PageLinks
    tag_count: int
    hidden: list[str]


_LinksOf = Callable[[Sequence[TagMeaning], Sequence[tuple[TagMeaning, str]]], PageLinks]
_EffectsIn = Callable[[Mapping[str, object], Sequence[TagMeaning]], Mapping[str, Effect] | None]


def read_page(source: str) -> HtmlPage:
    hidden: list[str] = []
    sheets: list[str] = []
    page = without_unread(source, hidden, sheets)
    text, (links, looks_hiding), tag_count, unshown = _read_tags(
        page,
        TAG_CAP,
        _TAGS,
        _links_of,
        partial(_effects_in, sheets),
        nesting_of,
        INHERITED,
        inside,
        state_of,
    )
    tricks: list[str] = []
    if "<!--" in source:
        tricks.append("comment")
    if looks_hiding:
        tricks.append("hiding")
    hidden += unshown
    return HtmlPage(unescape(text), links, tag_count, tricks, unescape(" ".join(hidden)))


def read_plainly(
    page: str,
    most_tags: int,
    meanings: Mapping[str, TagMeaning],
    links_of: _LinksOf,
    effects_in: _EffectsIn,
    *_: object,
) -> ReadTags:
    """Read the tags of a page, as `pages.c` does."""
    texts, tags = split_tags(page, most_tags)
    found = {tag: meanings[tag] for tag in dict.fromkeys(tags)}
    shown: list[tuple[TagMeaning, str]] = []
    for tag, text in zip(tags, texts[1:], strict=True):
        if found[tag].name == "a":
            shown.append((found[tag], text))
    different = list(found.values())
    links = links_of(different, shown)
    effects = effects_in(found, different)
    hidden = _take_hidden(texts, tags, effects) if effects else []

    chunks = [""] * (2 * len(tags) + 1)
    chunks[::2] = texts
    chunks[1::2] = [found[tag].separator for tag in tags]
    return ReadTags("".join(chunks), links, len(tags), hidden)


def _take_hidden(texts: list[str], tags: Sequence[str], effects: Mapping[str, Effect]) -> list[str]:
    """Take the hidden ones out of the texts between the tags, and return them."""
    hidden: list[str] = []
    elements = OpenElements()
    for place, tag in enumerate(tags, 1):
        elements.follow(tag, effects.get(tag, INHERITED))
        if texts[place] and elements.state != VISIBLE:
            hidden.append(texts[place])
            texts[place] = ""
    return hidden


# Compiled code passes meanings as plain tuples.


def _links_of(meanings: Sequence[TagMeaning], shown: Sequence[tuple[TagMeaning, str]]) -> PageLinks:
    """Return the links of a page. `shown`: texts behind the tags of links."""
    links: list[Link] = []
    looks_hiding = False
    for _, name, target, hides, _ in meanings:
        looks_hiding = looks_hiding or hides
        if target:
            links.append(Link(name, target))
    for (_, _, target, _, _), text in shown:
        if target and misleads(target, text):
            links.append(Link("elsewhere", target))
    return PageLinks(links[:LINK_CAP], looks_hiding)


def _effects_in(
    sheets: Sequence[str], tags: Mapping[str, object], meanings: Sequence[TagMeaning]
) -> Mapping[str, Effect] | None:
    """Return the effects of tags, None if they hide nothing."""
    effects: dict[str, Effect] = {}
    for tag, (*_, effect) in zip(tags, meanings, strict=True):
        if effect is not None:
            effects[tag] = effect
    rules = read_rules(sheets) if sheets else {}
    if not effects and not rules:
        return None
    all_effects = [*effects.values(), *(rule.effect for rule in rules.values())]
    if not can_hide(all_effects):
        return None
    return effects_of(tags, effects, rules)


def unescape(text: str) -> str:
    """Return text with its character references read.

    A non-breaking space becomes an ordinary one.
    """
    if "&" not in text:
        return text
    return read_references(text.replace("&nbsp;", " "))


PAGES_VERSION = 3
_compiled = compiled("pages", PAGES_VERSION)
_read_tags = read_plainly if _compiled is None else _compiled.read_page


def _read_tag(written: str) -> TagMeaning:
    name, _, attributes = written.replace("\n", " ").partition(" ")
    name = name.lower()
    separator = "" if name.strip("/") in _INLINE else " "
    if name.startswith("/"):
        return TagMeaning(separator)
    if not attributes:
        return TagMeaning(separator, name.rstrip("/"))
    lowered = written.lower()
    effect = read_effect(written)
    return TagMeaning(
        separator=separator,
        name=name,
        target=_link_target(name, lowered, attributes),
        looks_hiding=_looks_hiding(lowered),
        effect=None if effect == INHERITED else effect,
    )


def _link_target(name: str, lowered: str, attributes: str) -> str:
    """Return the target of a link; empty for any other tag. `lowered`: the tag in lower case."""
    if name not in _LINKING or not any(map(lowered.__contains__, _LINK_ATTRIBUTES)):
        return ""
    found = _TARGET.search(attributes)
    return "" if found is None else unescape(found[1])


def _looks_hiding(lowered: str) -> bool:
    if "style" not in lowered and not lowered.startswith("font"):
        return False
    return any(map(lowered.replace(" ", "").__contains__, _HIDING))


def _is_kept(written: str, meaning: TagMeaning) -> bool:
    """True for short tags without a target: links rarely repeat."""
    return not meaning.target and len(written) < _LONGEST_KEPT


_LONGEST_KEPT = 200
_TAGS = BoundedCache(_read_tag, 20_000, _is_kept)
