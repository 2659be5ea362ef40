"""Text, links and tricks of an HTML page.

The meaning of a tag is cached, because the tags of mail repeat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from nbmail import html_hiding
from nbmail.core.bounded_cache import BoundedCache
from nbmail.core.compiled import compiled
from nbmail.core.mail.links import LINK_CAP, Link, misleads
from nbmail.html_hiding import INHERITED, Effect
from nbmail.html_tags import read_references, split_tags, without_unread

TAG_CAP = 8000
# Tags that don't end a word: "V<b></b>iagra" is one word.
_INLINE = frozenset(
    ("a", "abbr", "b", "big", "code", "em", "font", "i", "ins", "kbd", "mark", "o:p", "s", "small", "span", "strike",
     "strong", "sub", "sup", "tt", "u", "wbr")
)  # fmt: skip
_LINKING = frozenset(
    ("a", "area", "img", "form", "iframe", "frame", "body", "table", "td", "link", "input")
)
_LINK_ATTRIBUTES = ("href", "src", "action", "background")
_TARGET = re.compile(
    rf"""\b(?:{"|".join(_LINK_ATTRIBUTES)})\s*=[\s"']*([^"'\s>]{{1,500}})""", re.IGNORECASE
)
# Signs of hidden text, in a tag in lower case without its spaces. One pattern for all takes twice
# the time.
_HIDING = (
    "display:none", "visibility:hidden", "font-size:0", "font-size:1px", "opacity:0;", 'opacity:0"', "mso-hide:all",
    "max-height:0", "line-height:0", "fontcolor=white", 'fontcolor="white', "fontcolor=#ffffff", 'fontcolor="#ffffff',
    ";color:#fff", '"color:#fff', ";color:white", '"color:white',
)  # fmt: skip


class HtmlPage(NamedTuple):
    """Contents of an HTML part. `tricks`: names of features. `hidden`: text that the window doesn't
    show.
    """

    text: str
    links: list[Link]
    tag_count: int
    tricks: list[str]
    hidden: str = ""


def read_page(source: str) -> HtmlPage:
    hidden = list[str]()
    sheets = list[str]()
    page = without_unread(source, hidden, sheets)
    nesting = html_hiding.nesting_of, INHERITED, html_hiding.inside, html_hiding.state_of
    read = _read_tags(page, TAG_CAP, _TAGS, _links_of, partial(_effects_in, sheets), *nesting)
    text, (links, hides), tag_count, unshown = read
    tricks = (["comment"] if "<!--" in source else []) + (["hiding"] if hides else [])
    return HtmlPage(
        unescape(text), links, tag_count, tricks, unescape(" ".join((*hidden, *unshown)))
    )


def read_plainly(
    page: str,
    most_tags: int,
    meanings: Mapping[str, _Meaning],
    links_of: _LinksOf,
    effects_in: _EffectsIn,
    *_: object,
) -> tuple[str, tuple[list[Link], bool], int, list[str]]:
    """Return text, links, number of tags and hidden texts of a page, as `pages.c` does."""
    texts, tags = split_tags(page, most_tags)
    found = {tag: meanings[tag] for tag in dict.fromkeys(tags)}
    shown = [
        (found[tag], text)
        for tag, text in zip(tags, texts[1:], strict=True)
        if found[tag][1] == "a"
    ]
    links = links_of([*found.values()], shown)
    effects = effects_in(found, [*found.values()]) or {}
    hidden = list[str]()
    elements = html_hiding.OpenElements()
    for place, tag in enumerate(tags if effects else (), 1):
        elements.follow(tag, effects.get(tag, INHERITED))
        if texts[place] and elements.state != html_hiding.VISIBLE:
            hidden.append(texts[place])
            texts[place] = ""
    chunks = [""] * (2 * len(tags) + 1)
    chunks[::2] = texts
    chunks[1::2] = [found[tag][0] for tag in tags]
    return "".join(chunks), links, len(tags), hidden


def _links_of(
    meanings: Sequence[_Meaning], shown: Sequence[tuple[_Meaning, str]]
) -> tuple[list[Link], bool]:
    """Return the links of a page, and True if a tag looks like hiding. `shown`: texts behind the
    tags of links.
    """
    links = [Link(name, target) for _, name, target, _, _ in meanings if target]
    links += [
        Link("elsewhere", target)
        for (_, _, target, *_), text in shown
        if target and misleads(target, text)
    ]
    return links[:LINK_CAP], any(meaning[3] for meaning in meanings)


def _effects_in(
    sheets: Sequence[str], tags: Mapping[str, object], meanings: Sequence[_Meaning]
) -> Mapping[str, Effect] | None:
    """Return the effects of tags, None if they hide nothing."""
    effects = {
        tag: meaning[4]
        for tag, meaning in zip(tags, meanings, strict=True)
        if meaning[4] is not None
    }
    rules = html_hiding.read_rules(sheets) if sheets else {}
    if (effects or rules) and html_hiding.can_hide(
        (*effects.values(), *(rule.effect for rule in rules.values()))
    ):
        return html_hiding.effects_of(tags, effects, rules)
    return None


def unescape(text: str) -> str:
    """Return text with its character references read. A non-breaking space becomes an ordinary
    one.
    """
    return read_references(text.replace("&nbsp;", " ")) if "&" in text else text


_Meaning = tuple[str, str, str, bool, Effect | None]
"""Meaning of a tag: separator between the texts around it, name of a start tag, link target, True
if it looks like hiding, and its effect on the text behind it if it has one.
"""


_LinksOf = Callable[[Sequence[_Meaning], Sequence[tuple[_Meaning, str]]], tuple[list[Link], bool]]
_EffectsIn = Callable[[Mapping[str, object], Sequence[_Meaning]], Mapping[str, Effect] | None]
PAGES_VERSION = 3
_compiled = compiled("pages", PAGES_VERSION)
_read_tags = read_plainly if _compiled is None else _compiled.read_page


def _read_tag(written: str) -> _Meaning:
    name, _, attributes = written.replace("\n", " ").partition(" ")
    name = name.lower()
    separator = "" if name.strip("/") in _INLINE else " "
    if not attributes or name.startswith("/"):
        return separator, "" if name.startswith("/") else name.rstrip("/"), "", False, None
    lowered = written.lower()
    target = ""
    if (
        name in _LINKING
        and any(map(lowered.__contains__, _LINK_ATTRIBUTES))
        and (found := _TARGET.search(attributes))
    ):
        target = unescape(found[1])
    effect = html_hiding.read_effect(written)
    styled = "style" in lowered or lowered.startswith("font")
    hides = styled and any(map(lowered.replace(" ", "").__contains__, _HIDING))
    return separator, name, target, hides, None if effect == INHERITED else effect


# Links rarely repeat.
_TAGS = BoundedCache(
    _read_tag, 20_000, lambda written, meaning: not meaning[2] and len(written) < 200
)
