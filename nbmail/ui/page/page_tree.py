"""Tree of an HTML page with the styles that matter for reading. Its time is linear in the length of the page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from nbmail.html_hiding import (
    CELLS,
    INHERITED,
    TABLE_PARTS,
    VISIBLE,
    VOID,
    Nesting,
    effects_of,
    read_effect,
    read_rules,
    states_behind,
)
from nbmail.html_tags import Tag, read_references, read_tag, scan_page

MOST_CHARACTERS = 300_000
MOST_TAGS = 8_000
DEEPEST = 100
"""Maximum depth of the tree. The contents of deeper elements become part of their ancestor."""
_ROW_PARTS = TABLE_PARTS - CELLS
BLOCKS = TABLE_PARTS | frozenset(
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
_DECLARATION = re.compile(
    r"(?<![\w-])(color|background(?:-color)?|font-(?:size|weight|style)|text-(?:align|decoration)|display|visibility"
    r"|max-height|opacity|mso-hide|white-space|width|height)\s*:\s*([^;]{1,60})"
)


class Style(NamedTuple):
    """Declarations of one element by their names. `hides`: the element is not shown."""

    values: dict[str, str]
    hides: bool = False

    def get(self, name: str) -> str:
        return self.values.get(name, "")


PLAIN, HIDDEN = Style({}), Style({}, hides=True)


@dataclass(slots=True, eq=False)
class Element:
    """Element with its children in order. `measure` sets its visible extent: letters, lines, pictures and tables."""

    name: str
    attributes: dict[str, str]
    style: Style = PLAIN
    children: list["Element | str"] = field(default_factory=list)
    letters: int = 0
    lines: int = 0
    pictures: int = 0
    tables: int = 0

    def elements(self) -> Iterator["Element"]:
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
    return Style(values)


def read_tree(page: str) -> tuple[Element, bool]:
    """Return the root of a page, and whether the end of the page was cut."""
    sheets = list[str]()
    texts, tags = scan_page(page[:MOST_CHARACTERS], MOST_TAGS, sheets)
    parsed = {written: read_tag(written) for written in tags}
    inline = {written: effect for written, tag in parsed.items() if (effect := read_effect(written)) != INHERITED}
    effects = effects_of(tags, inline, read_rules(sheets))
    builder, state = _Builder(), VISIBLE
    for text, written, behind in zip(texts, tags, states_behind(tags, effects), strict=False):
        if text:
            builder.add_text(text, is_visible=state == VISIBLE)
        builder.add_tag(parsed[written], hides=written in effects and effects[written].gone)
        state = behind
    builder.add_text(texts[-1], is_visible=state == VISIBLE)
    return builder.root, len(page) > MOST_CHARACTERS or len(tags) >= MOST_TAGS


BREAK = Element("br", {})
"""Line break in place of an element that is nested too deeply."""


class _Builder:
    """Adds tags and texts to the open element. Elements below `DEEPEST` are open by name only."""

    def __init__(self) -> None:
        self.root = Element("", {})
        self._nesting, self._open = Nesting(), [self.root]

    def add_text(self, text: str, *, is_visible: bool) -> None:
        """Add text to the open element; hidden text in an element that is not shown."""
        above = self._open[-1]
        shown: Element | str = read_references(text)
        # Text between the cells of a table becomes a cell.
        between = above.name in _ROW_PARTS and not text.isspace()
        if not is_visible and not text.isspace():
            shown = Element("span", {}, HIDDEN, [shown])
        above.children.append(Element("td", {}, children=[shown]) if between else shown)

    def add_tag(self, tag: Tag, *, hides: bool) -> None:
        if tag.closes:
            del self._open[self._nesting.end(tag.name) :]
        elif tag.name:
            attributes = tag.attributes()
            style = read_style(attributes["style"]) if "style" in attributes else PLAIN
            if hides:
                style = style._replace(hides=True)
            del self._open[self._nesting.begin(tag.name) :]
            self._add(Element(tag.name, attributes, style))

    def _add(self, element: Element) -> None:
        above, deep = self._open[-1], len(self._open) > DEEPEST
        if not deep or element.name in VOID:
            above.children.append(element)
        elif element.name in BLOCKS and (not above.children or above.children[-1] is not BREAK):
            above.children.append(BREAK)
        if element.name not in VOID:
            self._open.append(above if deep else element)


def measure(element: Element) -> None:
    """Set the extent of an element and of everything in it."""
    element.letters = element.lines = element.pictures = element.tables = 0
    if element.hides:
        return
    is_open = False
    for child in element.children:
        if isinstance(child, str):
            letters = 0 if child.isspace() else len(child.strip())
            element.letters += letters
            element.lines += letters > 0 and not is_open
            is_open = is_open or letters > 0
        elif child.name == "br":
            is_open = False
        elif child.name == "img":
            element.pictures += 1
        else:
            measure(child)
            element.letters += child.letters
            element.pictures += child.pictures
            element.tables += child.tables + (child.name == "table")
            element.lines += child.lines - (is_open and child.lines > 0 and not child.is_block)
            is_open = not child.is_block and (is_open or child.lines > 0)
