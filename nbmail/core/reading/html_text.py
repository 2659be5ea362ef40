"""HTML to what a person sees and where it leads, in time linear in the input.

Not a parser: one split finds the tags (a tag ends at the next bracket of either kind, so that no search runs over
another's end), and dictionaries remember what each tag means.
"""

import html
import re
from typing import NamedTuple

from nbmail.core.reading.links import LINK_CAP, Link, links_in, read_target

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
_TARGET = re.compile(r"""\b(?:href|src|action|background)\s*=[\s"']*([^"'\s>]{1,500})""", re.IGNORECASE)
# What hides text, in a tag without its spaces.
_HIDING = (
    "display:none", "visibility:hidden", "font-size:0", "font-size:1px", "opacity:0;", 'opacity:0"', "mso-hide:all",
    "max-height:0", "line-height:0", "fontcolor=white", 'fontcolor="white', "fontcolor=#ffffff", 'fontcolor="#ffffff',
    ";color:#fff", '"color:#fff', ";color:white", '"color:white',
)  # fmt: skip


class HtmlPage(NamedTuple):
    """What an HTML part says; `tag_count` counts its tags."""

    text: str
    links: list[Link]
    tag_count: int
    tricks: list[str]


class _Tag(NamedTuple):
    """What a tag means: what it leaves between the text around it, its name if it opens, where it leads."""

    separator: str
    name: str
    target: str
    hides: bool


class _Tags(dict[str, _Tag]):
    """The meaning of each tag, worked out once for those that come back."""

    def __missing__(self, written: str) -> _Tag:
        tag = _read_tag(written)
        if not tag.target and len(written) < 200 and len(self) < 20_000:
            self[written] = tag
        return tag


_TAGS = _Tags()


def _read_tag(written: str) -> _Tag:
    name, _, attributes = written.replace("\n", " ").partition(" ")
    name = name.lower()
    separator = "" if name.strip("/") in _INLINE else " "
    if not attributes or name.startswith("/"):
        return _Tag(separator, "" if name.startswith("/") else name.rstrip("/"), "", False)
    found = _TARGET.search(attributes) if name in _LINKING else None
    return _Tag(separator, name, unescape(found[1]) if found else "", _hides(written.lower()))


def _hides(tag: str) -> bool:
    if "style" not in tag and not tag.startswith("font"):
        return False
    dense = tag.replace(" ", "")
    return any(sign in dense for sign in _HIDING)


def read_page(source: str) -> HtmlPage:
    """Take a page apart."""
    chunks = _TAG.split(_without_unread(source), TAG_CAP)
    if len(chunks) > 2 * TAG_CAP:
        chunks[-1] = ""
    written = chunks[1::2]
    tags = {tag: _TAGS[tag] for tag in dict.fromkeys(written)}
    links = [Link(tag.name, tag.target) for tag in tags.values() if tag.target]
    leading = {written for written, tag in tags.items() if tag.name == "a" and tag.target}
    for before, text in zip(written, chunks[2::2], strict=True):
        if before in leading and _misleads(tags[before], text):
            links.append(Link("elsewhere", tags[before].target))
    separators = {name: tag.separator for name, tag in tags.items()}
    chunks[1::2] = map(separators.__getitem__, written)
    tricks = ["comment"] if "<!--" in source else []
    if any(tag.hides for tag in tags.values()):
        tricks.append("hiding")
    return HtmlPage(unescape("".join(chunks)), links[:LINK_CAP], len(written), tricks)


def _without_unread(source: str) -> str:
    """The page without comments, styles and scripts. What is never closed goes to the end of the page."""
    if "<!--" in source:
        first, *others = source.split("<!--")
        source = first + "".join(chunk[1:] if chunk.startswith(">") else chunk.partition("-->")[2] for chunk in others)
    kept, place = [], 0
    while start := _UNREAD.search(source, place):
        kept.append(source[place : start.start()])
        end = _UNREAD_END.search(source, start.end())
        place = end.end() if end else len(source)
    return "".join((*kept, source[place:])) if kept else source


def _misleads(tag: _Tag, text: str) -> bool:
    """Whether a link's text shows a web address of another domain than it leads to."""
    shown, led = links_in(text), read_target(tag.target)
    return bool(shown and led.host) and read_target(shown[0].target).domain != led.domain


def unescape(text: str) -> str:
    """Text with its character references read; a number too long for Python to read leaves all as they are."""
    if "&" not in text:
        return text
    text = text.replace("&nbsp;", " ")
    try:
        return html.unescape(text) if "&" in text else text
    except ValueError:
        return text
