"""HTML to what a person sees and where it leads, in time linear in the input.

Not a parser: one split finds the tags (a tag ends at the next bracket of either kind, so that no search runs over
another's end), and dictionaries remember what each tag means.
"""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from nbmail.core.links import LINK_CAP, Link, links_in, read_target

TAG_CAP = 8000

_TAG = re.compile(r"<([a-zA-Z/!?][^<>]*)>")
_UNREAD = re.compile(r"<(?:style|script)\b", re.IGNORECASE)
_UNREAD_END = re.compile(r"</(?:style|script)\b[^<>]*>?", re.IGNORECASE)
# Tags that don't end a word: "V<b></b>iagra" is read as one.
_INLINE = frozenset(
    ("a", "abbr", "b", "big", "code", "em", "font", "i", "ins", "kbd", "mark", "o:p", "s", "small", "span", "strike",
     "strong", "sub", "sup", "tt", "u", "wbr")
)  # fmt: skip
_LINKING = frozenset(("a", "area", "img", "form", "iframe", "frame", "body", "table", "td", "link", "input"))
_TARGET = re.compile(r"""\b(?:href|src|action|background)\s*=\s*["']?\s*([^"'\s>]{1,500})""", re.IGNORECASE)
# What hides text, in attributes without their spaces.
_HIDING = (
    "display:none", "visibility:hidden", "font-size:0", "font-size:1px", "opacity:0;", 'opacity:0"', "mso-hide:all",
    "max-height:0", "line-height:0", "fontcolor=white", 'fontcolor="white', "fontcolor=#ffffff", 'fontcolor="#ffffff',
    ";color:#fff", '"color:#fff', ";color:white", '"color:white',
)  # fmt: skip
_CACHE_CAP = 20_000


class Page(NamedTuple):
    """What an HTML part says. `tags` are the names of its opening tags, each once; `tag_count` counts them all."""

    text: str
    links: list[Link]
    tags: list[str]
    tag_count: int
    tricks: list[str]


class _Separators(dict[str, str]):
    """What a tag leaves between the text before and after it: nothing if it doesn't end a word, else a space."""

    def __missing__(self, tag: str) -> str:
        separator = "" if tag_name(tag).strip("/") in _INLINE else " "
        if len(self) < _CACHE_CAP:
            self[tag] = separator
        return separator


_SEPARATORS = _Separators()


def tag_name(tag: str) -> str:
    """The name of a tag given without its brackets, "/" in front if it closes."""
    return tag.split(None, 1)[0].lower()


def read_page(source: str) -> Page:
    """Take a page apart."""
    tricks = ["comment"] if "<!--" in source else []
    pieces = _TAG.split(_without_unread(source), TAG_CAP)
    if len(pieces) > 2 * TAG_CAP:
        pieces[-1] = ""
    tags = pieces[1::2]
    distinct = dict.fromkeys(tags)
    links = [*_links_of(distinct), *_misleading(pieces)]
    pieces[1::2] = map(_SEPARATORS.__getitem__, tags)
    if _hides(distinct):
        tricks.append("hiding")
    names = dict.fromkeys(tag_name(tag) for tag in distinct if tag[0] != "/")
    return Page(unescape("".join(pieces)), links, list(names), len(tags), tricks)


def _without_unread(source: str) -> str:
    """The page without comments, styles and scripts. What is never closed goes to the end of the page."""
    if "<!--" in source:
        first, *others = source.split("<!--")
        source = first + "".join(piece[1:] if piece.startswith(">") else piece.partition("-->")[2] for piece in others)
    kept, place = [], 0
    while start := _UNREAD.search(source, place):
        kept.append(source[place : start.start()])
        end = _UNREAD_END.search(source, start.end())
        place = end.end() if end else len(source)
    return "".join((*kept, source[place:])) if kept else source


def _links_of(tags: dict[str, None]) -> list[Link]:
    found = []
    for tag in tags:
        if "=" in tag and (name := tag_name(tag)) in _LINKING and (target := _TARGET.search(tag)):
            found.append(Link(name, unescape(target[1])))
            if len(found) >= LINK_CAP:
                break
    return found


def _misleading(pieces: list[str]) -> list[Link]:
    """Links whose text shows a web address of another domain than they lead to."""
    found = []
    for place in range(1, len(pieces) - 1, 2):
        tag, shown = pieces[place], pieces[place + 1]
        if ("www." in shown or "://" in shown) and tag[:2] in ("a ", "A ") and (target := _TARGET.search(tag)):
            led, shown_links = read_target(unescape(target[1])), links_in(shown)
            if led.host and shown_links and read_target(shown_links[0].target).domain != led.domain:
                found.append(Link("elsewhere", unescape(target[1])))
    return found[:LINK_CAP]


def _hides(tags: dict[str, None]) -> bool:
    attributes = "\n".join(tag for tag in tags if "=" in tag).lower().replace(" ", "")
    return any(sign in attributes for sign in _HIDING)


def unescape(text: str) -> str:
    """Text with its character references read; a number too long for Python to read leaves all as they are."""
    if "&" not in text:
        return text
    text = text.replace("&nbsp;", " ")
    try:
        return html.unescape(text) if "&" in text else text
    except ValueError:
        return text
