"""HTML to what a person sees and where it leads, in one pass over the tags: linear whatever the input.

Not a parser: `split("<")` finds the tags, a set says which of them don't end a word. The first `TAG_CAP` tags are
looked at; what follows them is dropped.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

TAG_CAP = 8000
LINK_CAP = 500

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/!?")
_INLINE_TAGS = "a abbr b big code em font i ins kbd mark o:p s small span strike strong sub sup tt u wbr".split()
# Tags that don't end a word: "V<b></b>iagra" is read as one.
_INLINE = frozenset(_INLINE_TAGS) | frozenset(f"/{name}" for name in _INLINE_TAGS)
_UNREAD = {"style": "</style", "script": "</script"}
_LINKING = frozenset(("a", "area", "img", "form", "iframe", "frame", "body", "table", "td", "link", "input", "v:fill"))
_TARGET = re.compile(r"""\b(?:href|src|action|background)\s*=\s*["']?\s*([^"'\s>]{1,500})""", re.IGNORECASE)
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?![\d.])|opacity\s*:\s*0(?![\d.])"
    r"|mso-hide\s*:\s*all|max-height\s*:\s*0|line-height\s*:\s*0(?![\d.])"
    r"|(?<![-\w])color\s*[:=]\s*[\"']?(?:#?f{6}\b|#?f{3}\b|white)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Link:
    """Where a link leads and what it shows; `kind` is the tag that holds it."""

    kind: str
    target: str
    shown: str = ""


@dataclass(slots=True)
class Page:
    """What an HTML part says: its text, its links, its tags in order, and the tags' attributes joined by line ends."""

    text: str = ""
    links: list[Link] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    attributes: str = ""
    comments: int = 0

    @property
    def hiding(self) -> int:
        """How many tags hide what they hold: no display, no size, white on white."""
        return len(_HIDING.findall(self.attributes))


def read_page(source: str) -> Page:
    """Take a page apart."""
    page = Page()
    pieces = source.split("<", TAG_CAP)
    if len(pieces) > TAG_CAP:
        pieces.pop()
    page.text = unescape("".join(_walk(pieces, page)))
    return page


def _walk(pieces: list[str], page: Page) -> list[str]:
    """Go through the tags, fill the page, and return the text between them."""
    out, tags, attributes = [pieces[0]], page.tags, []
    end = ""
    anchor, opened = Link("", ""), 0
    for piece in pieces[1:]:
        if end:
            end = _skipped(piece, end, out)
            continue
        if piece[:1] not in _LETTERS:
            out += ("<", piece)
            continue
        if piece.startswith("!--"):
            page.comments += 1
            end = _skipped(piece, "-->", out)
            continue
        inside, _, rest = piece.partition(">")
        words = inside.split(None, 1)
        name = words[0].lower()
        tags.append(name)
        if name == "/a":
            anchor.shown = unescape("".join(out[opened:])[:300])
            anchor = Link("", "")
        elif len(words) > 1:
            attributes.append(words[1])
            if name in _LINKING and (found := _TARGET.search(words[1])) and len(page.links) < LINK_CAP:
                link = Link(name, unescape(found[1]))
                page.links.append(link)
                if name == "a":
                    anchor, opened = link, len(out)
        if name in _UNREAD:
            end = _UNREAD[name]
        elif name in _INLINE:
            out.append(rest)
        else:
            out += (" ", rest)
    page.attributes = "\n".join(attributes)
    return out


def _skipped(piece: str, end: str, out: list[str]) -> str:
    """Keep what stands after the end of a comment, style or script; return what is still waited for."""
    if end.startswith("</"):
        if not piece[: len(end)].lower().startswith(end[1:]):
            return end
        out += (" ", piece.partition(">")[2])
        return ""
    _, found, rest = piece.partition(end)
    out.append(rest)
    return "" if found else end


def unescape(text: str) -> str:
    """Text with its character references read; a number too long for Python to read leaves all as they are."""
    if "&" not in text:
        return text
    text = text.replace("&nbsp;", " ")
    try:
        return html.unescape(text) if "&" in text else text
    except ValueError:
        return text
