"""Scanner for HTML pages, shared by the tokenizer and the window. Its time is linear in the length of the page.

A page becomes texts and, between them, tags. A tag ends at the next bracket of either kind, so that no search runs over
the end of another tag.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from html import unescape
from typing import NamedTuple

LONGEST_TAG = 4_000
"""Characters of a tag beyond which its attributes are not read."""
UNREADABLE = ("script", "style")
UNSHOWN = ("title", "template", "svg", "math", "iframe", "object", "select", "textarea", "noscript")
"""Elements whose text the window doesn't show, besides scripts and style sheets."""
_TAG = re.compile(r"<([a-zA-Z/!?][^<>]*)>")
_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:]*)")
# A name begins behind a space, a quote or a slash: tried anywhere else the search would take quadratic time.
_ATTRIBUTE = re.compile(r"""(?<![^\s"'/])([a-zA-Z][a-zA-Z-]*)\s*=\s*("[^"]*|'[^']*|[^\s"'>]+)""")
_LONG_NUMBER = re.compile(r"&#[0-9]{8,};?")


class Tag(NamedTuple):
    """A tag with its name in lower case, empty for a declaration. `written` is the tag without its brackets."""

    name: str
    closes: bool
    written: str

    def attributes(self) -> dict[str, str]:
        """Return attribute values by names in lower case; nothing if the tag is longer than `LONGEST_TAG`."""
        if len(self.written) > LONGEST_TAG or "=" not in self.written:
            return {}
        return {name.lower(): read_references(value.strip("\"'")) for name, value in _ATTRIBUTE.findall(self.written)}


def read_tag(written: str) -> Tag:
    """Return the tag that is `written` between two brackets."""
    name = _NAME.match(written)
    return Tag(name[1].lower() if name else "", written.startswith("/"), written)


def unread_elements(*names: str) -> re.Pattern[str]:
    """Return a pattern for `scan_page` that finds comments and the elements of these names."""
    return re.compile(rf"<(?:!--|({'|'.join(names)})(?![\w:-])[^<>]*>)", re.IGNORECASE)


UNREAD = unread_elements(*UNREADABLE, *UNSHOWN)
"""Comments and all elements that are not shown."""


def scan_page(
    page: str, unread: re.Pattern[str], most_tags: int, removed: list[str] | None = None
) -> tuple[list[str], list[str]]:
    """Return the texts of a page and the tags between them as written, without brackets: one text more than tags.

    Comments and elements that `unread` finds are removed. The text behind the last of `most_tags` tags is dropped.
    `removed`: gets the texts of removed elements except scripts and style sheets.
    """
    chunks = _TAG.split(_without_unread(page, unread, removed), most_tags)
    texts, tags = chunks[::2], chunks[1::2]
    if len(tags) >= most_tags:
        texts[-1] = ""
    return texts, tags


def _without_unread(page: str, unread: re.Pattern[str], removed: list[str] | None) -> str:
    """Remove comments and unread elements. One that is never closed ends with the page."""
    kept, place = [], 0
    while start := unread.search(page, place):
        kept.append(page[place : start.start()])
        if page.startswith("<!-->", start.start()):
            place = start.end() + 1
        elif start[1] is None:
            place = page.find("-->", start.end()) + 3
        else:
            end = re.compile(rf"</{start[1]}\b[^<>]*>?", re.IGNORECASE).search(page, start.end())
            place = end.end() if end else 0
            if removed is not None and start[1].lower() not in UNREADABLE:
                inside = page[start.end() : end.start() if end else len(page)]
                removed.append(" ".join(_TAG.split(inside)[::2]))
        if place < start.end():
            return "".join(kept)
    return "".join((*kept, page[place:])) if kept else page


def read_references(text: str) -> str:
    """Return text with its character references read."""
    if "&" not in text:
        return text
    try:
        return unescape(text)
    except ValueError:
        # Python refuses to read a number of more than 4,300 digits. No character has a number that long.
        return unescape(_LONG_NUMBER.sub("\ufffd", text))


# --------------------------------------------------------------------------------------------------- hidden text

VISIBLE, NO_TEXT, GONE = range(3)
"""States behind a tag: all is shown, no text but further elements may be, nothing is shown."""
VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
TABLE = frozenset(("table",))
CELLS = frozenset(("td", "th"))
ROWS = CELLS | {"tr"}
GROUPS = ROWS | {"tbody", "thead", "tfoot"}
TABLE_PARTS = GROUPS | TABLE
FARTHEST = 100
"""Maximum number of open elements that are searched for the one that a tag ends."""
_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    **dict.fromkeys(CELLS, (CELLS, TABLE | {"tr"})),
    "tr": (ROWS, TABLE),
    **dict.fromkeys(GROUPS - ROWS, (GROUPS, TABLE)),
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "td", "th"))),
    **dict.fromkeys(("dt", "dd"), (frozenset(("dt", "dd")), frozenset(("dl", "td", "th")))),
    **dict.fromkeys(
        (
            *("p", "div", "table", "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6"),
            *("blockquote", "pre", "hr", "center"),
        ),
        (frozenset(("p",)), frozenset(("td", "th", "table"))),
    ),
}
"""Open elements that an opening tag ends, and those beyond which it ends none."""
UNSEEN_DIFFERENCE = 16
"""Maximum difference of a channel between text and background that nobody sees."""
_WHITE, _OTHER = "#ffffff", "other"
_QUOTED = re.compile(r"""\"[^\"]*\"|'[^']*'""")
_HIDDEN = re.compile(r"\shidden(?=[\s/=]|$)", re.IGNORECASE)
_ZERO = r"\s*:\s*(?:0+(?:\.0*)?|\.0+)(?:px|pt|em|rem|%)?\s*(?:[;!]|$)"
_GONE = re.compile(rf"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|opacity{_ZERO}|max-height{_ZERO}")
_FLAT = re.compile(rf"(?<![\w-])height{_ZERO}")
_CLIPPED = re.compile(r"overflow\s*:\s*hidden")
_SIZE = re.compile(r"font-size\s*:\s*([^;!]{1,20})|(?<![\w-])font\s*:[^;]*?\b([0-9.]+(?:px|pt|em|rem|%))")
_TINY = re.compile(r"0+(?:\.0*)?(?:px|pt|em|rem|%)?|(?:0*\.[0-9]+|0*1(?:\.0*)?)(?:px|pt)")
_COLOR = re.compile(r"(?<![\w-])color\s*:\s*([^;!]{1,40})")
_BACKGROUND = re.compile(r"(?<![\w-])background(?:-color|-image)?\s*:\s*([^;!]{1,200})")
_HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])")
_RGB = re.compile(r"rgba?\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})")
_NAMES = {
    "white": _WHITE, "snow": "#fffafa", "ivory": "#fffff0", "ghostwhite": "#f8f8ff", "whitesmoke": "#f5f5f5",
    "black": "#000000", "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "yellow": "#ffff00",
    "gray": "#808080", "silver": "#c0c0c0", "navy": "#000080", "maroon": "#800000", "orange": "#ffa500",
}  # fmt: skip


class Effect(NamedTuple):
    """Effect of a start tag on the text in its element. None: inherited."""

    gone: bool = False
    tiny: bool | None = None
    color: str | None = None
    background: str | None = None


_INHERITED = Effect()


def read_effect(tag: Tag) -> Effect:
    """Return the effect of a start tag, by its name, style and attributes."""
    lowered = tag.written.lower()
    if not any(map(lowered.__contains__, ("style", "color", "background", "hidden", "text"))):
        return _INHERITED
    given = tag.attributes()
    style = given.get("style", "").lower()
    gone = bool(_GONE.search(style) or (_FLAT.search(style) and _CLIPPED.search(style)))
    gone = gone or ("hidden" in lowered and bool(_HIDDEN.search(_QUOTED.sub("", lowered))))
    sizes = [first or second for first, second in _SIZE.findall(style)]
    attribute = "text" if tag.name == "body" else "color"
    color = [*([given[attribute]] if attribute in given else ()), *_COLOR.findall(style)]
    backgrounds = [given["bgcolor"]] if "bgcolor" in given else []
    backgrounds += [_OTHER] if given.get("background") else []
    backgrounds += _BACKGROUND.findall(style)
    return Effect(
        gone,
        bool(_TINY.fullmatch(sizes[-1].strip())) if sizes else None,
        _read_color(color[-1]) if color else None,
        next(filter(None, map(_read_color, reversed(backgrounds))), None),
    )


def _read_color(text: str) -> str | None:
    """Return a color in one spelling, `_OTHER` for one that is not known, None for none."""
    text = text.strip().lower()
    if text in ("", "none", "transparent", "inherit", "initial"):
        return None
    if "url" in text or "gradient" in text:
        return _OTHER
    if found := _HEX.search(text):
        digits = found[1] if len(found[1]) == 6 else "".join(2 * each for each in found[1])
        channels = [int(digits[place : place + 2], 16) for place in (0, 2, 4)]
    elif found := _RGB.search(text):
        channels = [min(255, int(each)) for each in found.groups()]
    else:
        return _NAMES.get(text.split()[0], _OTHER)
    return "#" + "".join(f"{each:02x}" for each in channels)


def can_hide(effects: Iterable[Effect]) -> bool:
    """True if tags with these effects can hide text."""
    colors, backgrounds = set[str](), {_WHITE}
    for each in effects:
        if each.gone or each.tiny:
            return True
        colors.add(each.color or _OTHER)
        backgrounds.add(each.background or _WHITE)
    return any(_is_same(color, background) for color in colors for background in backgrounds)


@lru_cache(4096)
def _is_same(color: str, background: str) -> bool:
    """True if no reader sees text of this color on the background."""
    if _OTHER in (color, background):
        return False
    pairs = zip(bytes.fromhex(color[1:]), bytes.fromhex(background[1:]), strict=True)
    return max(abs(one - other) for one, other in pairs) <= UNSEEN_DIFFERENCE


class Nesting:
    """Names of the open elements, from the outermost one. The first name is that of the page itself: empty."""

    def __init__(self) -> None:
        self.names = [""]
        self._counts: Counter[str] = Counter()

    def begin(self, name: str) -> int:
        """Add an element. Return the number of open elements around it: others ended where it begins."""
        if name in _ENDS:
            self._end_open(*_ENDS[name])
        around = len(self.names)
        if name not in VOID:
            self.names.append(name)
            self._counts[name] += 1
        return around

    def end(self, name: str) -> int:
        """End the innermost element of this name. Return the number of elements that stay open."""
        if self._counts[name]:
            barrier = TABLE if name in TABLE_PARTS else TABLE_PARTS
            for depth in range(len(self.names) - 1, max(0, len(self.names) - FARTHEST), -1):
                if self.names[depth] == name:
                    self._cut(depth)
                    break
                if self.names[depth] in barrier:
                    break
        return len(self.names)

    def _end_open(self, ended: frozenset[str], barrier: frozenset[str]) -> None:
        lowest = 0
        for depth in range(len(self.names) - 1, max(0, len(self.names) - FARTHEST), -1):
            if self.names[depth] in ended:
                lowest = depth
            elif self.names[depth] in barrier:
                break
        if lowest:
            self._cut(lowest)

    def _cut(self, depth: int) -> None:
        for name in self.names[depth:]:
            self._counts[name] -= 1
        del self.names[depth:]


class HidingWalk:
    """Follows the tags of a page and finds what they hide."""

    def __init__(self) -> None:
        self._nesting = Nesting()
        self._open = [_INHERITED]
        """Inherited effects of the open elements."""

    def state_behind(self, tag: Tag, effect: Effect | None = None) -> int:
        """Return `VISIBLE`, `NO_TEXT` or `GONE` for the text behind a tag. `effect`: of a start tag, if known."""
        if tag.closes:
            del self._open[self._nesting.end(tag.name) :]
        elif tag.name:
            del self._open[self._nesting.begin(tag.name) :]
            if tag.name not in VOID:
                self._open.append(_inside(tag.name, self._open[-1], read_effect(tag) if effect is None else effect))
        return _state(self._open[-1])


@lru_cache(4096)
def _state(effect: Effect) -> int:
    if effect.gone:
        return GONE
    same = _is_same(effect.color or _OTHER, effect.background or _WHITE)
    return NO_TEXT if effect.tiny or same else VISIBLE


@lru_cache(8192)
def _inside(name: str, outer: Effect, own: Effect) -> Effect:
    """Return the effect inside an element. A link has its own color."""
    color = own.color or (None if name == "a" else outer.color)
    tiny = outer.tiny if own.tiny is None else own.tiny
    return Effect(outer.gone or own.gone, tiny, color, own.background or outer.background)
