"""Styles that the contents of an element inherit."""

import re
from functools import lru_cache
from typing import NamedTuple

from nbmail.ui.kit.theme import Colors
from nbmail.ui.message.link_targets import read_link
from nbmail.ui.page.css_lengths import read_length
from nbmail.ui.page.page_colors import contrast, ink_on, is_gray, read_color, readable
from nbmail.ui.page.page_tree import Element
from nbmail.ui.page.text_format import Ink, Paragraph

LONGEST_BUTTON = 40
"""Maximum letters of a link that is shown as a button."""
LONGEST_LARGE = 300
"""Maximum letters of a text whose font size is kept."""
COLORFUL_GROUND = 1.3
"""Contrast to white from which a ground makes a button."""
ORDINARY_CONTRAST = 8
"""Contrast from which gray text is ordinary text."""
WHITE = "#ffffff"

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


class Place(NamedTuple):
    """Properties that the contents of an element inherit.

    `color` and `ground`: colors of the page itself, "" if unknown. `owner`: element that has set
    the ground.
    """

    ink: Ink = Ink()
    paragraph: Paragraph = Paragraph()
    color: str = ""
    ground: str = WHITE
    owner: Element | None = None

    def shown_ink(self, theme: Colors) -> Ink:
        """Return the format of text here, in colors that are readable in the theme."""
        if self.ink.ground:
            return self.ink._replace(color=ink_on(self.ink.ground))
        if self.color and not self._is_ordinary:
            return self.ink._replace(color=readable(self.color, theme.base, theme.text))
        if self.ink.link:
            return self.ink._replace(color=theme.link)
        return self.ink._replace(color=theme.muted if self.paragraph.quote else "")

    @property
    def _is_ordinary(self) -> bool:
        """True for gray text of high contrast, which gets the color of the theme."""
        ground = self.ground or WHITE
        return is_gray(self.color) and contrast(self.color, ground) > ORDINARY_CONTRAST


def place_of(element: Element, place: Place) -> Place:
    """Return what the contents of an element at this place inherit."""
    if not element.attributes and element.name in _PLAIN:
        return place
    if element.name in _FORMATTING:
        place = place._replace(ink=_formatted(element.name, place.ink))
    if element.attributes:
        place = _styled(element, place)
    paragraph = _paragraph(element, place.paragraph)
    return place if paragraph is place.paragraph else place._replace(paragraph=paragraph)


def is_quote(element: Element) -> bool:
    """True for a block that quotes another message. Other indented blocks have no sign of it."""
    if element.name != "blockquote":
        return False
    given = element.attributes
    signs = [*given, given.get("type", ""), given.get("class", ""), given.get("style", "")]
    return bool(_QUOTED.search(" ".join(signs).lower()))


def _formatted(name: str, ink: Ink) -> Ink:
    """Return the format of text in an element of this name."""
    return ink._replace(
        bold=ink.bold or name in _BOLD,
        italic=ink.italic or name in _ITALIC,
        underline=ink.underline or name in _UNDERLINE,
        strike=ink.strike or name in _STRIKE,
        fixed=ink.fixed or name in _FIXED,
        size=_STEPS.get(name, ink.size),
        raised=_RAISED.get(name, ink.raised),
    )


def _paragraph(element: Element, paragraph: Paragraph) -> Paragraph:
    """Return the format of paragraphs in an element."""
    name = element.name
    if element.is_block and name != "table":
        align = element.style.get("text-align") or element.attributes.get("align", "")
        align = "center" if name == "center" else align.strip().lower()
        if align in ("left", "center", "right"):
            paragraph = paragraph._replace(align=align.removeprefix("left"))
    if name in _INDENTED:
        paragraph = paragraph.quoted() if is_quote(element) else paragraph.indented()
    spaces = element.style.get("white-space")
    if spaces or name == "pre":
        verbatim = name == "pre" or spaces in ("pre", "pre-wrap", "break-spaces")
        paragraph = paragraph._replace(verbatim=verbatim)
    return paragraph


def _styled(element: Element, place: Place) -> Place:
    """Return the place with the styles that the attributes of an element set."""
    attributes = element.attributes
    ink = _styled_ink(element, place.ink)
    place = _grounded(element, place)
    attribute = "text" if element.name == "body" else "color"
    color = read_color(element.style.get("color") or attributes.get(attribute, ""))
    target = read_link(attributes.get("href", "")) if element.name == "a" else None
    if target is not None:
        # The color around a link is not its own.
        ground = place.ground if _is_button(element, place) else ""
        ink = ink._replace(link=target.address, underline=False, ground=ground)
        return place._replace(ink=ink, color=color)
    return place._replace(ink=ink, color=color or place.color)


def _styled_ink(element: Element, ink: Ink) -> Ink:
    style = element.style
    weight = style.get("font-weight")
    if weight:
        ink = ink._replace(bold=_is_bold(weight))
    slant = style.get("font-style")
    if slant:
        ink = ink._replace(italic=slant.startswith(("italic", "oblique")))
    decoration = style.get("text-decoration")
    if decoration:
        ink = ink._replace(underline="underline" in decoration, strike="line-through" in decoration)
    size = style.get("font-size")
    if size and element.letters <= LONGEST_LARGE:
        ink = ink._replace(size=_size_step(size, ink.size))
    if element.name == "font":
        written = element.attributes.get("size", "")
        ink = ink._replace(size=_FONT_STEPS.get(written, ink.size))
    return ink


def _is_bold(weight: str) -> bool:
    if weight[:3].isdecimal():
        return int(weight[:3]) >= 600
    return weight.startswith("bold")


def _grounded(element: Element, place: Place) -> Place:
    """Return the place with the background that an element sets."""
    style = element.style
    attributes = element.attributes
    ground = style.get("background-color") or style.get("background")
    ground = ground or attributes.get("bgcolor", "")
    if "url(" in ground or "gradient" in ground or "background" in attributes:
        return place._replace(ground="", owner=element)
    color = read_color(ground)
    if color and color != place.ground:
        return place._replace(ground=color, owner=element)
    return place


def _is_button(link: Element, place: Place) -> bool:
    """True for a short link that is alone on a colored ground."""
    owner = place.owner
    if owner is None or not place.ground:
        return False
    is_alone = owner.letters == link.letters and owner.lines == 1
    is_short = link.letters <= LONGEST_BUTTON
    return is_alone and is_short and contrast(place.ground, WHITE) > COLORFUL_GROUND


@lru_cache(512)
def _size_step(written: str, inherited: int) -> int:
    """Return the steps from the normal font size."""
    if written in _KEYWORDS:
        return _KEYWORDS[written]
    length = read_length(written)
    if length is None:
        return inherited
    if length.pixels < 11:
        return -1
    if length.pixels < 18:
        return 0
    return 1 if length.pixels < 23 else 2
