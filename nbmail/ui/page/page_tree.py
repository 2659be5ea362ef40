"""Tree of an HTML page. It is read in time linear in the length of the page."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from nbmail.html.effects import INHERITED, VISIBLE, Effect, read_effect
from nbmail.html.nesting import CELLS, TABLE_PARTS, VOID, OpenElements
from nbmail.html.style_sheets import effects_of, read_rules
from nbmail.html.tags import Tag, read_references, read_tag, scan_page

MOST_CHARACTERS = 300_000
MOST_TAGS = 8_000
DEEPEST = 100
"""Maximum depth of the tree. The contents of deeper elements become part of their ancestor."""
BLOCKS = TABLE_PARTS | {
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "html", "legend", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "ul",
}  # fmt: skip
_ROW_PARTS = TABLE_PARTS - CELLS
_DECLARATION = re.compile(
    r"(?<![\w-])(color|background(?:-color)?|font-(?:size|weight|style)"
    r"|text-(?:align|decoration)|white-space|width|height)\s*:\s*([^;]{1,60})"
)


@dataclass(slots=True, eq=False)
class Element:
    """Element with its children in order.

    `measure` sets its visible extent: letters, lines, pictures and tables.
    """

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element | str"] = field(default_factory=list)
    hides: bool = False
    letters: int = 0
    lines: int = 0
    pictures: int = 0
    tables: int = 0

    def elements(self) -> Iterator["Element"]:
        return (each for each in self.children if not isinstance(each, str))

    def texts(self) -> Iterator[str]:
        """Yield all texts in the element, visible or not."""
        for each in self.children:
            if isinstance(each, str):
                yield each.strip()
            else:
                yield from each.texts()

    @property
    def is_block(self) -> bool:
        return self.name in BLOCKS

    @property
    def style(self) -> dict[str, str]:
        return _read_style(self.attributes["style"]) if "style" in self.attributes else {}

    def given(self, name: str) -> str:
        """Return a property by the style or an attribute of this name."""
        return (self.style.get(name) or self.attributes.get(name, "")).strip()


@lru_cache(4096)
def _read_style(written: str) -> dict[str, str]:
    declarations = _DECLARATION.findall(written[:1_500].lower())
    return {name: value.strip() for name, value in declarations}


def read_tree(page: str) -> tuple[Element, bool]:
    """Return the root of a page, and whether the end of the page was cut."""
    sheets = list[str]()
    texts, tags = scan_page(page[:MOST_CHARACTERS], MOST_TAGS, sheets)
    parsed = {written: read_tag(written) for written in tags}
    effects = _effects(tags, sheets)
    builder = _Builder()
    for text, written in zip(texts, ["", *tags], strict=True):
        if written:
            builder.follow(parsed[written], effects.get(written, INHERITED))
        if text:
            builder.add_text(text)
    return builder.root, len(page) > MOST_CHARACTERS or len(tags) >= MOST_TAGS


def _effects(tags: list[str], sheets: list[str]) -> Mapping[str, Effect]:
    """Return what tags hide, by themselves or by style sheets."""
    inline = {}
    for written in set(tags):
        effect = read_effect(written)
        if effect != INHERITED:
            inline[written] = effect
    return effects_of(tags, inline, read_rules(sheets))


_BREAK = Element("br")
"""Line break in place of an element that is nested too deeply."""


class _Builder:
    """Adds tags and texts to the open element. Elements below `DEEPEST` are open by name only."""

    def __init__(self) -> None:
        self.root = Element("")
        self._elements = OpenElements()
        self._open = [self.root]

    def add_text(self, text: str) -> None:
        """Add text to the open element; hidden text in an element that is not shown."""
        above = self._open[-1]
        is_space = text.isspace()
        shown: Element | str = read_references(text)
        if not is_space and self._elements.state != VISIBLE:
            shown = Element("span", children=[shown], hides=True)
        if above.name in _ROW_PARTS and not is_space:
            # Text between the cells of a table becomes a cell.
            shown = Element("td", children=[shown])
        above.children.append(shown)

    def follow(self, tag: Tag, effect: Effect) -> None:
        """End the elements that a tag ends, and begin its own."""
        del self._open[self._elements.follow(tag.written, effect) :]
        if tag.closes or not tag.name:
            return
        element = Element(tag.name, tag.attributes(), hides=effect.gone)
        above = self._open[-1]
        is_void = tag.name in VOID
        is_deep = len(self._open) > DEEPEST
        if is_void or not is_deep:
            above.children.append(element)
        elif element.is_block and (not above.children or above.children[-1] is not _BREAK):
            above.children.append(_BREAK)
        if not is_void:
            self._open.append(above if is_deep else element)


def measure(element: Element) -> None:
    """Set the extent of an element and of everything in it."""
    element.letters = 0
    element.lines = 0
    element.pictures = 0
    element.tables = 0
    if element.hides:
        return
    is_open = False
    for child in element.children:
        if isinstance(child, str):
            letters = len(child.strip())
            element.letters += letters
            if letters and not is_open:
                element.lines += 1
                is_open = True
        elif child.name == "br":
            is_open = False
        elif child.name == "img":
            element.pictures += 1
        else:
            measure(child)
            is_open = _add_extent(element, child, is_open)


def _add_extent(element: Element, child: Element, is_open: bool) -> bool:
    """Add the extent of a child. Return whether its last line goes on, as `is_open` did before."""
    element.letters += child.letters
    element.pictures += child.pictures
    element.tables += child.tables
    element.lines += child.lines
    if child.name == "table":
        element.tables += 1
    if child.is_block:
        return False
    if is_open and child.lines:
        # The first line of the child continues the one before.
        element.lines -= 1
    return is_open or child.lines > 0
