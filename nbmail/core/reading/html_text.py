"""Text that a person sees of an HTML page, and its links. The meaning of frequent tags is cached."""

import re
from typing import NamedTuple

from nbmail.core.reading.links import LINK_CAP, Link, links_in, read_target
from nbmail.html_tags import read_references, scan_page, unread_elements

TAG_CAP = 8000

_UNREAD = unread_elements("style", "script")
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
    """Return text, links and tricks of a page."""
    texts, written = scan_page(source, _UNREAD, TAG_CAP)
    tags = {tag: _TAGS[tag] for tag in dict.fromkeys(written)}
    special = {tag: meaning for tag, meaning in tags.items() if meaning.target or meaning.hides}
    links = [Link(meaning.name, meaning.target) for meaning in special.values() if meaning.target]
    leading = {tag for tag, meaning in special.items() if meaning.name == "a" and meaning.target}
    if leading:
        for tag, text in zip(written, texts[1:], strict=True):
            if tag in leading and _misleads(tags[tag], text):
                links.append(Link("elsewhere", tags[tag].target))
    separators = {name: tag.separator for name, tag in tags.items()}
    chunks = [""] * (2 * len(written) + 1)
    chunks[::2], chunks[1::2] = texts, map(separators.__getitem__, written)
    tricks = ["comment"] if "<!--" in source else []
    if any(meaning.hides for meaning in special.values()):
        tricks.append("hiding")
    return HtmlPage(unescape("".join(chunks)), links[:LINK_CAP], len(written), tricks)


def _misleads(tag: _Tag, text: str) -> bool:
    """Whether a link's text shows a web address of another domain than it leads to."""
    shown, led = links_in(text), read_target(tag.target)
    return bool(shown and led.host) and read_target(shown[0].target).domain != led.domain


def unescape(text: str) -> str:
    """Return text with its character references read; a space that doesn't break becomes an ordinary one."""
    return read_references(text.replace("&nbsp;", " ")) if "&" in text else text
