"""Tree of an HTML page with the styles that matter for reading. Its time is linear in the length of the page."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from nbmail.html_tags import read_references, read_tag, scan_page, unread_elements

MOST_CHARACTERS = 300_000
MOST_TAGS = 8_000
DEEPEST = 100
"""Maximum depth of the tree. The contents of deeper elements become part of their ancestor."""
FARTHEST = 100
"""Maximum number of open elements that are searched for the one that a tag ends."""

_UNREAD = unread_elements(
    *("script", "style", "title", "template", "svg", "math", "iframe", "object", "select", "textarea", "noscript")
)
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_TABLE = frozenset(("table",))
_CELLS = frozenset(("td", "th"))
_ROWS = _CELLS | {"tr"}
_GROUPS = _ROWS | {"tbody", "thead", "tfoot"}
_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    **dict.fromkeys(_CELLS, (_CELLS, _TABLE | {"tr"})),
    "tr": (_ROWS, _TABLE),
    **dict.fromkeys(_GROUPS - _ROWS, (_GROUPS, _TABLE)),
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "td", "th"))),
    **dict.fromkeys(("dt", "dd"), (frozenset(("dt", "dd")), frozenset(("dl", "td", "th")))),
    **dict.fromkeys(
        [
            "p",
            "div",
            "table",
            "ul",
            "ol",
            "dl",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "blockquote",
            "pre",
            "hr",
            "center",
        ],
        (frozenset(("p",)), frozenset(("td", "th", "table"))),
    ),
}
"""Open elements that an opening tag ends, and those beyond which it ends none."""
_TABLE_PARTS = _GROUPS | _TABLE
_ROW_PARTS = _TABLE_PARTS - _CELLS
BLOCKS = _TABLE_PARTS | frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "center",
            "dd",
            "details",
            "div",
            "dl",
            "dt",
            "fieldset",
        ),
        *(
            "figcaption",
            "figure",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "html",
            "legend",
            "li",
        ),
        *("main", "nav", "ol", "p", "pre", "section", "summary", "ul"),
    )
)
_QUOTED = re.compile(r"""\"[^\"]*\"|'[^']*'""")
_HIDDEN = re.compile(r"\shidden(?=[\s/=]|$)", re.IGNORECASE)
_DECLARATION = re.compile(
    r"(?<![\w-])(color|background(?:-color)?|font-(?:size|weight|style)|text-(?:align|decoration)|display|visibility"
    r"|max-height|opacity|mso-hide|white-space|width|height)\s*:\s*([^;]{1,60})"
)
_NOTHING = re.compile(r"0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:!important)?$")


class Style(NamedTuple):
    """Declarations of one element by their names.

    `hides`: the text is not shown. `is_tiny`: the font size is 0; a larger size inside shows its text again.
    """

    values: dict[str, str]
    hides: bool = False
    is_tiny: bool = False

    def get(self, name: str) -> str:
        return self.values.get(name, "")


PLAIN = Style({})


@dataclass(slots=True, eq=False)
class Element:
    """An element with its children in order.

    `measure` sets the extent of the visible contents: `letters`, `lines` of text, `pictures` and `tables`.
    """

    name: str
    attributes: dict[str, str]
    style: Style = PLAIN
    children: list["Element | str"] = field(default_factory=list)
    letters: int = 0
    lines: int = 0
    pictures: int = 0
    tables: int = 0

    def elements(self) -> Iterator["Element"]:
        """Return the children that are elements."""
        return (each for each in self.children if not isinstance(each, str))

    @property
    def hides(self) -> bool:
        return self.style.hides

    @property
    def is_block(self) -> bool:
        return self.name in BLOCKS


@lru_cache(4096)
def read_style(written: str) -> Style:
    """Return the declarations of a style attribute."""
    values = {name: value.strip() for name, value in _DECLARATION.findall(written[:1_500].lower())}
    hides = (
        values.get("display", "").startswith("none")
        or values.get("visibility", "").startswith("hidden")
        or values.get("mso-hide", "").startswith("all")
        or any(_NOTHING.match(values.get(name, "")) for name in ("max-height", "opacity"))
    )
    return Style(values, hides, bool(_NOTHING.match(values.get("font-size", ""))))


def read_tree(page: str) -> tuple[Element, bool]:
    """Return the root of a page, and whether the end of the page was cut."""
    texts, tags = scan_page(page[:MOST_CHARACTERS], _UNREAD, MOST_TAGS)
    builder = _Builder()
    for text, written in zip(texts, tags, strict=False):
        if text:
            builder.add_text(text)
        builder.add_tag(written)
    builder.add_text(texts[-1])
    return builder.root, len(page) > MOST_CHARACTERS or len(tags) >= MOST_TAGS


BREAK = Element("br", {})
"""Line break in place of an element that is nested too deeply."""


class _Builder:
    """Adds tags and texts to the open element. Elements below `DEEPEST` are open by name only."""

    def __init__(self) -> None:
        self.root = Element("", {})
        self._names, self._open = [""], [self.root]
        self._counts: Counter[str] = Counter()

    def add_text(self, text: str) -> None:
        above = self._open[-1]
        shown = read_references(text)
        # Text between the cells of a table becomes a cell.
        between = above.name in _ROW_PARTS and not shown.isspace()
        above.children.append(Element("td", {}, children=[shown]) if between else shown)

    def add_tag(self, written: str) -> None:
        tag = read_tag(written)
        if tag.closes:
            self._close(tag.name)
        elif tag.name:
            if tag.name in _ENDS:
                self._end_open(*_ENDS[tag.name])
            attributes = tag.attributes()
            style = read_style(attributes["style"]) if "style" in attributes else PLAIN
            if "hidden" in written and _HIDDEN.search(_QUOTED.sub("", written)):
                style = style._replace(hides=True)
            self._add(Element(tag.name, attributes, style))

    def _add(self, element: Element) -> None:
        above, deep = self._open[-1], len(self._open) > DEEPEST
        if not deep or element.name in _VOID:
            above.children.append(element)
        elif element.name in BLOCKS and (not above.children or above.children[-1] is not BREAK):
            above.children.append(BREAK)
        if element.name not in _VOID:
            self._open.append(above if deep else element)
            self._names.append(element.name)
            self._counts[element.name] += 1

    def _end_open(self, ended: frozenset[str], barrier: frozenset[str]) -> None:
        lowest = 0
        for depth in range(len(self._names) - 1, max(0, len(self._names) - FARTHEST), -1):
            if self._names[depth] in ended:
                lowest = depth
            elif self._names[depth] in barrier:
                break
        if lowest:
            self._cut(lowest)

    def _close(self, name: str) -> None:
        if not self._counts[name]:
            return
        barrier = _TABLE if name in _TABLE_PARTS else _TABLE_PARTS
        for depth in range(len(self._names) - 1, max(0, len(self._names) - FARTHEST), -1):
            if self._names[depth] == name:
                self._cut(depth)
                return
            if self._names[depth] in barrier:
                return

    def _cut(self, depth: int) -> None:
        self._counts.subtract(self._names[depth:])
        del self._names[depth:], self._open[depth:]


def measure(element: Element, *, tiny: bool = False) -> None:
    """Set the extent of an element and of everything in it."""
    element.letters = element.lines = element.pictures = element.tables = 0
    if element.hides:
        return
    tiny = element.style.is_tiny or (tiny and not element.style.get("font-size"))
    is_open = False
    for child in element.children:
        if isinstance(child, str):
            letters = 0 if tiny or child.isspace() else len(child.strip())
            element.letters += letters
            element.lines += letters > 0 and not is_open
            is_open = is_open or letters > 0
        elif child.name == "br":
            is_open = False
        elif child.name == "img":
            element.pictures += 1
        else:
            measure(child, tiny=tiny)
            element.letters += child.letters
            element.pictures += child.pictures
            element.tables += child.tables + (child.name == "table")
            element.lines += child.lines - (is_open and child.lines > 0 and not child.is_block)
            is_open = not child.is_block and (is_open or child.lines > 0)
