"""Inherited properties of the elements of a page, in colors that are adjusted to the contrast of the theme."""

import re
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtGui import QColor

from nbmail.ui.kit.theme import Colors
from nbmail.ui.message.link_targets import read_link
from nbmail.ui.page.page_tree import Element
from nbmail.ui.page.page_writer import Ink, Paragraph

LEAST_CONTRAST = 4.5
"""Minimum contrast of text (WCAG AA)."""
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*([\d.]+%?)\s*)?\)")
_HEX = re.compile(r"#?([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])")
_NAME = re.compile(r"[a-z]{3,20}")
Rgb = tuple[int, int, int]


@lru_cache(2048)
def read_color(written: str) -> str:
    """Return the first color of a CSS value as "#rrggbb", "" for none and for transparent ones."""
    text = written.lower().strip()
    if found := _RGB.search(text):
        red, green, blue = (min(255, int(each)) for each in found.groups()[:3])
        return "" if found[4] and float(found[4].rstrip("%")) == 0 else f"#{red:02x}{green:02x}{blue:02x}"
    if (found := _HEX.search(text)) and (text.startswith("#") or found[0] == text):
        digits = found[1] if len(found[1]) > 3 else "".join(2 * each for each in found[1])
        return "" if digits[6:] == "00" else f"#{digits[:6]}"
    names = (each for each in _NAME.findall(text) if each != "transparent" and QColor.isValidColorName(each))
    name = next(names, "")
    return QColor(name).name() if name else ""


@lru_cache(4096)
def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors, from 1 to 21."""
    low, high = sorted((_luminance(_rgb(one)), _luminance(_rgb(other))))
    return (high + 0.05) / (low + 0.05)


@lru_cache(4096)
def readable(ink: str, ground: str, text: str) -> str:
    """Return `ink` blended with `text`, the color of the theme, until its contrast on `ground` suffices."""
    for share in (0.0, 0.25, 0.5, 0.75):
        blended = _blend(_rgb(ink), _rgb(text), share)
        if contrast(blended, ground) >= LEAST_CONTRAST:
            return blended
    return text


def ink_on(ground: str) -> str:
    """Return black or white, whichever has the larger contrast."""
    return max(("#ffffff", "#000000"), key=lambda ink: contrast(ink, ground))


@lru_cache(1024)
def is_gray(color: str) -> bool:
    """True for black, gray and white."""
    return max(_rgb(color)) - min(_rgb(color)) < 40


def _rgb(color: str) -> Rgb:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _blend(one: Rgb, other: Rgb, share: float) -> str:
    return "#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(one, other, strict=True))


def _luminance(color: Rgb) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in (each / 255 for each in color)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


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
_UNDERLINE, _STRIKE = frozenset(("u", "ins")), frozenset(("s", "strike", "del"))
_FIXED = frozenset(("code", "tt", "kbd", "samp", "pre"))
_STEPS = {"h1": 2, "h2": 2, "h3": 1, "small": -1, "big": 1}
_RAISED = {"sub": "sub", "sup": "super"}
_INDENTED = frozenset(("ul", "ol", "blockquote", "dd"))
_QUOTED = re.compile(r"cite|quote|border-left")
"""Sign, in the attributes of a block, that it quotes another message."""
_FORMATTING = _BOLD | _ITALIC | _UNDERLINE | _STRIKE | _FIXED | _STEPS.keys() | _RAISED.keys()
_PLAIN = frozenset(("", "html", "body", "div", "p", "span", "table", "tbody", "tr", "td", "li"))
_FONT_STEPS = {"1": -1, "4": 1, "5": 2, "6": 2, "7": 2, "+1": 1, "+2": 2, "-1": -1, "-2": -1}
_KEYWORDS = {"xx-small": -1, "x-small": -1, "small": 0, "medium": 0, "large": 1, "x-large": 2, "xx-large": 2}
_PIXELS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "%": 0.16}
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})\s*(px|pt|em|rem|%|)")


class Place(NamedTuple):
    """Properties that the contents of an element inherit.

    `color` and `ground`: colors of the page itself, "" if unknown. `owner`: element that has set the ground.
    """

    ink: Ink = Ink()
    paragraph: Paragraph = Paragraph()
    color: str = ""
    ground: str = "#ffffff"
    owner: Element | None = None

    def shown_ink(self, theme: Colors) -> Ink:
        """Return the format of text in the colors of a theme."""
        ink = self.ink
        if ink.ground:
            return ink._replace(color=ink_on(ink.ground))
        if not self.color or (
            is_gray(self.color) and contrast(self.color, self.ground or "#ffffff") > ORDINARY_CONTRAST
        ):
            return ink._replace(color=theme.link if ink.link else theme.muted if self.paragraph.quote else "")
        return ink._replace(color=readable(self.color, theme.base, theme.text))


def place_of(element: Element, place: Place) -> Place:
    """Return the properties that the contents of an element inherit."""
    if not element.attributes and element.name in _PLAIN:
        return place
    if element.name in _FORMATTING:
        place = place._replace(ink=_formatted(element.name, place.ink))
    if element.attributes:
        place = _styled(element, place)
    return _arranged(element, place)


def _formatted(name: str, ink: Ink) -> Ink:
    """Apply the default format of an element."""
    return ink._replace(
        bold=ink.bold or name in _BOLD,
        italic=ink.italic or name in _ITALIC,
        underline=ink.underline or name in _UNDERLINE,
        strike=ink.strike or name in _STRIKE,
        fixed=ink.fixed or name in _FIXED,
        size=_STEPS.get(name, ink.size),
        raised=_RAISED.get(name, ink.raised),
    )


def _arranged(element: Element, place: Place) -> Place:
    """Apply the alignment and indentation of an element."""
    paragraph, style = place.paragraph, element.style
    if element.is_block and element.name != "table":
        align = (style.get("text-align") or element.attributes.get("align", "")).strip().lower()
        align = "center" if element.name == "center" else align
        if align in ("left", "center", "right"):
            paragraph = paragraph._replace(align=align.removeprefix("left"))
    if element.name in _INDENTED:
        paragraph = paragraph.quoted() if is_quote(element) else paragraph.indented()
    if element.name == "pre" or style.get("white-space"):
        verbatim = element.name == "pre" or style.get("white-space") in ("pre", "pre-wrap", "break-spaces")
        paragraph = paragraph._replace(verbatim=verbatim)
    return place if paragraph is place.paragraph else place._replace(paragraph=paragraph)


def _styled(element: Element, place: Place) -> Place:
    """Apply the attributes of an element."""
    style, attributes, outer = element.style, element.attributes, place
    if style.values:
        place = place._replace(ink=_with_font(element, place.ink))
    ground = style.get("background-color") or style.get("background") or attributes.get("bgcolor", "")
    if "url(" in ground or "gradient" in ground or "background" in attributes:
        place = place._replace(ground="", owner=element)
    elif ground and (found := read_color(ground)) and found != place.ground:
        place = place._replace(ground=found, owner=element)
    written = attributes.get("text", "") if element.name == "body" else attributes.get("color", "")
    color = read_color(style.get("color") or written)
    if element.name == "font" and attributes.get("size", "") in _FONT_STEPS:
        place = place._replace(ink=place.ink._replace(size=_FONT_STEPS[attributes["size"]]))
    if element.name == "a" and (target := read_link(attributes.get("href", ""))) is not None:
        return _linked(element, place, outer, target.address)._replace(color=color)
    return place._replace(color=color) if color else place


def _with_font(element: Element, ink: Ink) -> Ink:
    """Apply the font properties of an element's style."""
    style = element.style
    if weight := style.get("font-weight"):
        ink = ink._replace(bold=weight.startswith("bold") or (weight[:3].isdecimal() and int(weight[:3]) >= 600))
    if slant := style.get("font-style"):
        ink = ink._replace(italic=slant.startswith(("italic", "oblique")))
    if decoration := style.get("text-decoration"):
        ink = ink._replace(underline="underline" in decoration, strike="line-through" in decoration)
    if (size := style.get("font-size")) and element.letters <= LONGEST_LARGE:
        ink = ink._replace(size=_size_step(size, ink.size))
    return ink


def _linked(element: Element, place: Place, outer: Place, address: str) -> Place:
    """Return the properties of a link. A short link that is alone on a colored ground is a button."""
    owner = place.owner
    alone = owner is not None and owner.letters == element.letters <= LONGEST_BUTTON and owner.lines == 1
    is_button = alone and bool(place.ground) and contrast(place.ground, "#ffffff") > COLORFUL_GROUND
    ink = place.ink._replace(link=address, underline=False, ground=place.ground if is_button else "")
    return place._replace(ink=ink)


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
    sizes = (picture.style.get(name) or picture.attributes.get(name, "") for name in ("width", "height"))
    found = (_LENGTH.match(size.strip()) for size in sizes)
    return any(size is not None and size[2] != "%" and float(size[1]) <= 2 for size in found)


def shown_size(picture: Element, width: int, height: int, room: int) -> tuple[int, int]:
    """Return the size of a picture: as the page wants it, within the room, and at most twice its own size."""
    written = (picture.style.get("width") or picture.attributes.get("width", "")).strip()
    found = _LENGTH.match(written)
    wanted = float(found[1]) * _PIXELS[found[2]] if found and found[2] != "%" else width
    shown = max(1.0, min(wanted, room, 2 * width, 2 * room * width / max(1, height)))
    return round(shown), max(1, round(height * shown / max(1, width)))
