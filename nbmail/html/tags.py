"""Scanner for the tags of an HTML page. Its time is linear in the length of the page.

A page becomes texts and, between them, tags. A tag ends at the next bracket of either kind, so that
no search runs over the end of another tag.
"""

import re
from html import unescape
from typing import NamedTuple

LONGEST_TAG = 4_000
"""Characters of a tag beyond which its attributes are not read."""
UNREADABLE = ("script", "style")
UNSHOWN = (
    *("title", "template", "svg", "math", "iframe", "object", "select", "textarea", "noscript"),
    *("noframes", "datalist", "dialog", "video", "audio", "canvas"),
)
"""Elements whose text the window doesn't show, besides scripts and style sheets."""
_TAG = re.compile(r"<([a-zA-Z/!?][^<>]*)>")
_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:]*)")
# A name begins behind a space, a quote or a slash: tried anywhere else the search would take
# quadratic time.
_ATTRIBUTE = re.compile(r"""(?<![^\s"'/])([a-zA-Z][a-zA-Z-]*)\s*=\s*("[^"]*|'[^']*|[^\s"'>]+)""")
_LONG_NUMBER = re.compile(r"&#[0-9]{8,};?")


class Tag(NamedTuple):
    """A tag with its name in lower case, empty for a declaration.

    `written`: the tag without its brackets.
    """

    name: str
    closes: bool
    written: str

    def attributes(self) -> dict[str, str]:
        """Return attribute values by names in lower case; nothing for very long tags."""
        if len(self.written) > LONGEST_TAG or "=" not in self.written:
            return {}
        return {
            name.lower(): read_references(value.strip("\"'"))
            for name, value in _ATTRIBUTE.findall(self.written)
        }


def read_tag(written: str) -> Tag:
    name = _NAME.match(written)
    return Tag(name[1].lower() if name else "", written.startswith("/"), written)


# Other first letters are skipped in half of the time.
_FIRST = "".join({name[0] for name in UNREADABLE + UNSHOWN})
_NAMES = "|".join(UNREADABLE + UNSHOWN)
_UNREAD = re.compile(rf"<(?=[!{_FIRST}])(?:!--|({_NAMES})(?![\w:-])[^<>]*>)", re.IGNORECASE)
"""Comments and all elements that are not shown."""


def scan_page(
    page: str, most_tags: int, sheets: list[str] | None = None
) -> tuple[list[str], list[str]]:
    """Return the texts of a page and the tags between them, as written, without brackets.

    There is one text more than tags. The text behind the last of `most_tags` tags is dropped.
    `sheets`: gets the style sheets.
    """
    return split_tags(without_unread(page, None, sheets), most_tags)


def split_tags(page: str, most_tags: int) -> tuple[list[str], list[str]]:
    chunks = _TAG.split(page, most_tags)
    texts = chunks[::2]
    tags = chunks[1::2]
    if len(tags) >= most_tags:
        texts[-1] = ""
    return texts, tags


def without_unread(page: str, removed: list[str] | None, sheets: list[str] | None) -> str:
    """Remove comments and elements that are not shown. One that is never closed ends with the page.

    `removed`: gets the texts of removed elements except scripts and style sheets. `sheets`: gets
    the style sheets.
    """
    kept = list[str]()
    place = 0
    while start := _UNREAD.search(page, place):
        kept.append(page[place : start.start()])
        end = _end_of(start, page)
        if start[1] is not None:
            contents = page[start.end() : end.start]
            if sheets is not None and start[1].lower() == "style":
                sheets.append(contents)
            if removed is not None and start[1].lower() not in UNREADABLE:
                removed.append(" ".join(_TAG.split(contents)[::2]))
        if not end.is_closed:
            return "".join(kept)
        place = end.end
    if not kept:
        return page
    kept.append(page[place:])
    return "".join(kept)


class _End(NamedTuple):
    """Start and end of what closes an element or a comment, those of the page if nothing does."""

    start: int
    end: int
    is_closed: bool = True


def _end_of(start: re.Match[str], page: str) -> _End:
    """Return the end of an unread element or comment that begins at `start`."""
    if start[1] is not None:
        closing = re.compile(rf"</{start[1]}\b[^<>]*>?", re.IGNORECASE).search(page, start.end())
        if closing:
            return _End(closing.start(), closing.end())
    elif page.startswith("<!-->", start.start()):
        return _End(start.end(), start.end() + 1)
    else:
        place = page.find("-->", start.end())
        if place >= 0:
            return _End(place, place + 3)
    return _End(len(page), len(page), is_closed=False)


def read_references(text: str) -> str:
    if "&" not in text:
        return text
    try:
        return unescape(text)
    except ValueError:
        # Python reads no number of more than 4,300 digits, and no character has one that long.
        return unescape(_LONG_NUMBER.sub("\ufffd", text))
