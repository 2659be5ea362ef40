"""Tree of an HTML page and the styles that its contents inherit, in colors adjusted to the contrast
of the theme.

The time is linear in the length of the page.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtGui import QColor

from nbmail import html_hiding
from nbmail.html_hiding import INHERITED
from nbmail.html_tags import Tag, read_references, read_tag, scan_page
from nbmail.ui.kit.theme import Colors
from nbmail.ui.message.link_targets import read_link
from nbmail.ui.page.page_writer import Ink, Paragraph

MOST_CHARACTERS = 300_000
MOST_TAGS = 8_000
DEEPEST = 100
"""Maximum depth of the tree. The contents of deeper elements become part of their ancestor."""
BLOCKS = html_hiding.TABLE_PARTS.union(
    (
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
    (
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
    ("main", "nav", "ol", "p", "pre", "section", "summary", "ul"),
)
_ROW_PARTS = html_hiding.TABLE_PARTS - html_hiding.CELLS
_DECLARATION = re.compile(
    r"(?<![\w-])(color|background(?:-color)?|font-(?:size|weight|style)|text-(?:align|decoration)|white-space|width"
    r"|height)\s*:\s*([^;]{1,60})"
)


@dataclass(slots=True, eq=False)
class Element:
    """Element with its children in order. `measure` sets its visible extent: letters, lines,
    pictures and tables.
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
    return {name: value.strip() for name, value in _DECLARATION.findall(written[:1_500].lower())}


def read_tree(page: str) -> tuple[Element, bool]:
    """Return the root of a page, and whether the end of the page was cut."""
    sheets = list[str]()
    texts, tags = scan_page(page[:MOST_CHARACTERS], MOST_TAGS, sheets)
    parsed = {written: read_tag(written) for written in tags}
    inline = {
        written: effect
        for written in parsed
        if (effect := html_hiding.read_effect(written)) != INHERITED
    }
    effects = html_hiding.effects_of(tags, inline, html_hiding.read_rules(sheets))
    builder = _Builder()
    for text, written in zip(texts, ["", *tags], strict=True):
        if written:
            builder.follow(parsed[written], effects.get(written, INHERITED))
        if text:
            builder.add_text(text)
    return builder.root, len(page) > MOST_CHARACTERS or len(tags) >= MOST_TAGS


_BREAK = Element("br")
"""Line break in place of an element that is nested too deeply."""


class _Builder:
    """Adds tags and texts to the open element. Elements below `DEEPEST` are open by name only."""

    def __init__(self) -> None:
        self.root = Element("")
        self._elements = html_hiding.OpenElements()
        self._open = [self.root]

    def add_text(self, text: str) -> None:
        """Add text to the open element; hidden text in an element that is not shown."""
        above = self._open[-1]
        is_space = text.isspace()
        shown: Element | str = read_references(text)
        if not is_space and self._elements.state != html_hiding.VISIBLE:
            shown = Element("span", children=[shown], hides=True)
        # Text between the cells of a table becomes a cell.
        between = above.name in _ROW_PARTS and not is_space
        above.children.append(Element("td", children=[shown]) if between else shown)

    def follow(self, tag: Tag, effect: html_hiding.Effect) -> None:
        del self._open[self._elements.follow(tag.written, effect) :]
        if tag.closes or not tag.name:
            return
        element = Element(tag.name, tag.attributes(), hides=effect.gone)
        above = self._open[-1]
        is_deep = len(self._open) > DEEPEST
        is_void = tag.name in html_hiding.VOID
        if is_void or not is_deep:
            above.children.append(element)
        elif element.is_block and (not above.children or above.children[-1] is not _BREAK):
            above.children.append(_BREAK)
        if not is_void:
            self._open.append(above if is_deep else element)


def measure(element: Element) -> None:
    """Set the extent of an element and of everything in it."""
    element.letters = element.lines = element.pictures = element.tables = 0
    if element.hides:
        return
    is_open = False
    for child in element.children:
        if isinstance(child, str):
            letters = len(child.strip())
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


# -------------------------------------------------------------------------------------------------------------
# colors

LEAST_CONTRAST = 4.5
"""Minimum contrast of text (WCAG AA)."""
_RGB = re.compile(
    r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*([\d.]+%?)\s*)?\)"
)
_HEX = re.compile(r"#?([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])")
_NAME = re.compile(r"[a-z]{3,20}")


@lru_cache(2048)
def read_color(written: str) -> str:
    """Return the first color of a CSS value as "#rrggbb", "" for none and for transparent ones."""
    text = written.lower().strip()
    if found := _RGB.search(text):
        red, green, blue = (min(255, int(each)) for each in found.groups()[:3])
        return (
            ""
            if found[4] and float(found[4].rstrip("%")) == 0
            else f"#{red:02x}{green:02x}{blue:02x}"
        )
    if (found := _HEX.search(text)) and (text.startswith("#") or found[0] == text):
        digits = found[1] if len(found[1]) > 3 else "".join(2 * each for each in found[1])
        return "" if digits[6:] == "00" else f"#{digits[:6]}"
    names = (
        each
        for each in _NAME.findall(text)
        if each != "transparent" and QColor.isValidColorName(each)
    )
    name = next(names, "")
    return QColor(name).name() if name else ""


@lru_cache(4096)
def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(4096)
def readable(ink: str, ground: str, text: str) -> str:
    """Return `ink` blended with `text`, the color of the theme, until its contrast on `ground`
    suffices.
    """
    pairs = list(zip(_channels(ink), _channels(text), strict=True))
    for share in (0.0, 0.25, 0.5, 0.75):
        blended = "#" + "".join(f"{round(one + share * (other - one)):02x}" for one, other in pairs)
        if contrast(blended, ground) >= LEAST_CONTRAST:
            return blended
    return text


def ink_on(ground: str) -> str:
    """Return black or white, whichever has the larger contrast."""
    return max(("#ffffff", "#000000"), key=lambda ink: contrast(ink, ground))


def _channels(color: str) -> bytes:
    return bytes.fromhex(color[1:])


def _luminance(color: str) -> float:
    shares = (each / 255 for each in _channels(color))
    red, green, blue = (
        each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# ---------------------------------------------------------------------------------------------------
# inherited styles

LONGEST_BUTTON = 40
"""Maximum letters of a link that is shown as a button."""
LONGEST_LARGE = 300
"""Maximum letters of a text whose font size is kept."""
COLORFUL_GROUND = 1.3
"""Contrast to white from which a ground makes a button."""
ORDINARY_CONTRAST = 8
"""Contrast from which gray text is ordinary text."""

_BOLD = frozenset(("b", "strong", "th", "h1", "h2", "h3", "h4", "h5", "h6"))
_ITALIC = frozenset(("i", "em", "cite", "dfn", "var"))
_UNDERLINE = frozenset(("u", "ins"))
_STRIKE = frozenset(("s", "strike", "del"))
_FIXED = frozenset(("code", "tt", "kbd", "samp", "pre"))
_STEPS = {"h1": 2, "h2": 2, "h3": 1, "small": -1, "big": 1}
_RAISED = {"sub": "sub", "sup": "super"}
_INDENTED = frozenset(("ul", "ol", "blockquote", "dd"))
_QUOTED = re.compile(r"cite|quote|border-left")
"""Sign, in the attributes of a block, that it quotes another message."""
_FORMATTING = _BOLD | _ITALIC | _UNDERLINE | _STRIKE | _FIXED | _STEPS.keys() | _RAISED.keys()
_PLAIN = frozenset(("", "html", "body", "div", "p", "span", "table", "tbody", "tr", "td", "li"))
_FONT_STEPS = {"1": -1, "4": 1, "5": 2, "6": 2, "7": 2, "+1": 1, "+2": 2, "-1": -1, "-2": -1}
_KEYWORDS = {
    "xx-small": -1,
    "x-small": -1,
    "small": 0,
    "medium": 0,
    "large": 1,
    "x-large": 2,
    "xx-large": 2,
}
_PIXELS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "%": 0.16}
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})\s*(px|pt|em|rem|%|)")


class Place(NamedTuple):
    """Properties that the contents of an element inherit.

    `color` and `ground`: colors of the page itself, "" if unknown. `owner`: element that has set
    the ground.
    """

    ink: Ink = Ink()
    paragraph: Paragraph = Paragraph()
    color: str = ""
    ground: str = "#ffffff"
    owner: Element | None = None

    def shown_ink(self, theme: Colors) -> Ink:
        ink = self.ink
        color = self.color
        if ink.ground:
            return ink._replace(color=ink_on(ink.ground))
        is_gray = bool(color) and max(_channels(color)) - min(_channels(color)) < 40
        if not color or (is_gray and contrast(color, self.ground or "#ffffff") > ORDINARY_CONTRAST):
            return ink._replace(
                color=theme.link if ink.link else theme.muted if self.paragraph.quote else ""
            )
        return ink._replace(color=readable(color, theme.base, theme.text))


def place_of(element: Element, place: Place) -> Place:
    name = element.name
    ink = place.ink
    if not element.attributes and name in _PLAIN:
        return place
    if name in _FORMATTING:
        ink = ink._replace(
            bold=ink.bold or name in _BOLD,
            italic=ink.italic or name in _ITALIC,
            underline=ink.underline or name in _UNDERLINE,
            strike=ink.strike or name in _STRIKE,
            fixed=ink.fixed or name in _FIXED,
            size=_STEPS.get(name, ink.size),
            raised=_RAISED.get(name, ink.raised),
        )
        place = place._replace(ink=ink)
    if element.attributes:
        place = _styled(element, place)
    paragraph = place.paragraph
    if element.is_block and name != "table":
        align = element.style.get("text-align") or element.attributes.get("align", "")
        align = "center" if name == "center" else align.strip().lower()
        if align in ("left", "center", "right"):
            paragraph = paragraph._replace(align=align.removeprefix("left"))
    if name in _INDENTED:
        paragraph = paragraph.quoted() if is_quote(element) else paragraph.indented()
    if (spaces := element.style.get("white-space")) or name == "pre":
        verbatim = name == "pre" or spaces in ("pre", "pre-wrap", "break-spaces")
        paragraph = paragraph._replace(verbatim=verbatim)
    return place if paragraph is place.paragraph else place._replace(paragraph=paragraph)


def _styled(element: Element, place: Place) -> Place:
    style = element.style
    attributes = element.attributes
    ink = place.ink
    if weight := style.get("font-weight"):
        ink = ink._replace(
            bold=weight.startswith("bold") or (weight[:3].isdecimal() and int(weight[:3]) >= 600)
        )
    if slant := style.get("font-style"):
        ink = ink._replace(italic=slant.startswith(("italic", "oblique")))
    if decoration := style.get("text-decoration"):
        ink = ink._replace(underline="underline" in decoration, strike="line-through" in decoration)
    if (size := style.get("font-size")) and element.letters <= LONGEST_LARGE:
        ink = ink._replace(size=_size_step(size, ink.size))
    if element.name == "font":
        ink = ink._replace(size=_FONT_STEPS.get(attributes.get("size", ""), ink.size))
    ground = (
        style.get("background-color") or style.get("background") or attributes.get("bgcolor", "")
    )
    if "url(" in ground or "gradient" in ground or "background" in attributes:
        place = place._replace(ground="", owner=element)
    elif ground and (found := read_color(ground)) and found != place.ground:
        place = place._replace(ground=found, owner=element)
    color = read_color(
        style.get("color") or attributes.get("text" if element.name == "body" else "color", "")
    )
    if element.name == "a" and (target := read_link(attributes.get("href", ""))) is not None:
        # A short link that is alone on a colored ground is a button.
        owner = place.owner
        ground = place.ground
        is_alone = (
            owner is not None
            and owner.letters == element.letters <= LONGEST_BUTTON
            and owner.lines == 1
        )
        is_button = is_alone and bool(ground) and contrast(ground, "#ffffff") > COLORFUL_GROUND
        ink = ink._replace(link=target.address, underline=False, ground=ground if is_button else "")
        return place._replace(ink=ink, color=color)
    return place._replace(ink=ink, color=color or place.color)


@lru_cache(512)
def _size_step(written: str, inherited: int) -> int:
    if written in _KEYWORDS:
        return _KEYWORDS[written]
    found = _LENGTH.match(written)
    if found is None:
        return inherited
    pixels = float(found[1]) * _PIXELS[found[2]]
    return -1 if pixels < 11 else 0 if pixels < 18 else 1 if pixels < 23 else 2


def is_quote(element: Element) -> bool:
    """True for a block that quotes another message. Other indented blocks have no sign of it."""
    given = element.attributes
    signs = " ".join((*given, *(given.get(each, "") for each in ("type", "class", "style"))))
    return element.name == "blockquote" and bool(_QUOTED.search(signs.lower()))


def is_pixel(picture: Element) -> bool:
    """True for pictures of at most 2 pixels, which track readers or fill space."""
    found = (_LENGTH.match(picture.given(name)) for name in ("width", "height"))
    return any(size is not None and size[2] != "%" and float(size[1]) <= 2 for size in found)


def shown_size(picture: Element, width: int, height: int, room: int) -> tuple[int, int]:
    """Return the size of a picture: as the page wants it, within the room, and at most twice its
    own size.
    """
    found = _LENGTH.match(picture.given("width"))
    wanted = float(found[1]) * _PIXELS[found[2]] if found and found[2] != "%" else width
    shown = max(1.0, min(wanted, room, 2 * width, 2 * room * width / max(1, height)))
    return round(shown), max(1, round(height * shown / max(1, width)))
