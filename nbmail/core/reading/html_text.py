"""Text that a person sees of an HTML page, and its links. The meaning of frequent tags is cached."""

import re
from functools import lru_cache
from typing import NamedTuple

from nbmail.html_tags import read_references, scan_page, unread_elements
from nbmail.links import domain_of, read_place

LINK_CAP = 500

_WRITTEN_OUT = re.compile(r"[^\s<>\"')\]]{1,500}")
_PATH_CAP, _PATH_WORDS, _PATH_WORD = 100, 3, 20
_PATH_SPLIT = re.compile(r"[a-z0-9]+")
_NUMERIC = re.compile(r"(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\d{6,}|0x[0-9a-f]+)(?::\d+)?")


class Link(NamedTuple):
    """Where a link leads; `kind` is the HTML tag that holds it, "text", or "elsewhere" for one that misleads."""

    kind: str
    target: str


class Target(NamedTuple):
    """What a link's target tells: its host, the domain that belongs to, and its words."""

    host: str
    domain: str
    words: tuple[str, ...]


def links_in(text: str) -> list[Link]:
    """Web addresses written out in plain text, found by what they have in common and no search over all of it."""
    found: list[Link] = []
    for mark, start in (("://", "http://"), ("www.", "http://www.")):
        if mark not in text:
            continue
        before, *chunks = text.split(mark, LINK_CAP)
        for chunk in chunks:
            if (mark == "://" or not before.endswith("://")) and (rest := _WRITTEN_OUT.match(chunk)):
                found.append(Link("text", start + rest[0]))
            before = chunk
    return found


@lru_cache(8192)
def read_target(target: str) -> Target:
    """Return host, domain and words of an address."""
    _, mark, rest = target.partition("://")
    if not mark:
        return Target("", "", (f"link:{target.partition(':')[0].lower()[:12]}:",))
    place = read_place(rest)
    found = _read_host(place.server.lower(), place.has_user)
    return found if not place.path else Target(*found[:2], (*found.words, *_path_words(place.path)))


@lru_cache(4096)
def _read_host(host: str, has_user: bool) -> Target:
    domain = domain_of(host)
    words = [f"link:{host}", f"link:@{domain}"]
    if has_user:
        words.append("link:user@")
    if _NUMERIC.fullmatch(host):
        words.append("link:number")
    return Target(host, domain, tuple(words))


def _path_words(path: str) -> list[str]:
    """The first words of the way to a page, but its long numbers and keys: they never come back."""
    found = _PATH_SPLIT.findall(path[:_PATH_CAP].lower())[:_PATH_WORDS]
    return [f"path:{word}" for word in found if len(word) <= _PATH_WORD]


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
