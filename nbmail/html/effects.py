"""Effects of styles on the text of an element, and whether readers see it."""

import re
from collections.abc import Iterable
from colorsys import hls_to_rgb
from functools import lru_cache
from typing import NamedTuple

from nbmail.html.tags import read_tag

VISIBLE, NO_TEXT, GONE = range(3)
"""States behind a tag: all is shown, no text but further elements may be, nothing is shown."""
UNSEEN_DIFFERENCE = 16
"""Maximum difference of a channel between text and background that nobody sees."""
_WHITE = "#ffffff"
OTHER = "other"
"""Color that is not known."""
_SIGNS = ("style", "color", "background", "hidden", "text")
"""Every tag with an effect contains one of these."""
_QUOTED = re.compile(r"""\"[^\"]*\"|'[^']*'""")
_HIDDEN = re.compile(r"\shidden(?=[\s/=]|$)", re.IGNORECASE)
TRANSPARENT = "transparent"
"""Color of text that nobody sees on any background."""
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.DOTALL)
# Lengths and shares at which nothing legible is left.
_FAR = r"\s*:\s*-(?:\d{3,}(?:\.\d+)?(?:px|pt)?|\d{2,}(?:\.\d+)?(?:em|rem|vw|vh|%))"
_NEARLY_ZERO = r"(?:0+(?:\.0\d*)?|\.0\d*|[0-9]%)"
_ZERO = r"\s*:\s*(?:0+(?:\.0*)?|\.0+)(?:px|pt|em|rem|%)?\s*(?:[;!]|$)"
_GONE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    rf"|opacity{_ZERO}|max-height{_ZERO}"
)
_OFF_PAGE = re.compile(
    rf"(?<![\w-])(?:left|right|top|bottom){_FAR}|(?<![\w-])margin(?:-left|-top|-right)?{_FAR}"
    r"|text-indent\s*:\s*-?\d{4,}|text-indent\s*:\s*-\d{3}"
)
_UNDRAWN = re.compile(
    r"clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)"
    r"|clip-path\s*:\s*(?:inset\(\s*(?:100|[5-9]\d)%|circle\(\s*0)"
    r"|transform\s*:[^;]{0,200}(?:scale[xy]?\(\s*(?:0+(?:\.0\d*)?|\.0\d*)\s*[,)]|translate[xy]?\(\s*-\d{3,})"
    rf"|(?<![\w-])zoom\s*:\s*{_NEARLY_ZERO}\s*(?:[;!]|$)"
    rf"|filter\s*:[^;]{{0,200}}opacity\(\s*{_NEARLY_ZERO}\s*\)"
    rf"|opacity\s*:\s*{_NEARLY_ZERO}\s*(?:[;!]|$)"
)
_FLAT = re.compile(
    rf"(?<![\w-])(?:width|height){_ZERO}|(?<![\w-])(?:max-)?(?:width|height)\s*:\s*1px"
)
_CLIPPED = re.compile(r"overflow\s*:\s*hidden")
_SIZE = re.compile(
    r"font-size\s*:\s*([^;!]{1,20})|(?<![\w-])font\s*:[^;]*?(?<![\w.])([0-9.]+(?:px|pt|em|rem|ex|ch|vw|%))"
)
_TINY = re.compile(
    r"0+(?:\.0*)?(?:px|pt|em|rem|ex|ch|vw|%)?|(?:0*\.[0-9]+|0*1(?:\.[0-9]*)?)(?:px|pt)"
    r"|0*\.[0-2][0-9]*(?:em|rem|ex|ch|vw)|0*[0-9](?:\.[0-9]*)?%|0*1[0-9](?:\.[0-9]*)?%"
)
_COLOR = re.compile(r"(?<![\w-])color\s*:\s*([^;!]{1,40})")
_BACKGROUND = re.compile(r"(?<![\w-])background(?:-color|-image)?\s*:\s*([^;!]{1,200})")
_GONE_WAYS = (_GONE, _OFF_PAGE, _UNDRAWN)
_HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})(?:[0-9a-f]{2}|[0-9a-f])?(?![0-9a-f])")
_ALPHA = re.compile(
    r"(?:rgba?|hsla?)\([^)]*[,/]\s*(?:0+(?:\.0\d*)?|\.0\d*|[0-9]%)\s*\)|#(?:[0-9a-f]{6}0[0-9a-f]|[0-9a-f]{3}0)(?![0-9a-f])"
)
_FOUR = re.compile(r"(?:rgba?|hsla?)\([^),/]*[,\s][^),/]*[,\s][^),/]*[,/]")
_HSL = re.compile(r"hsla?\(\s*([0-9.]+)(?:deg)?[\s,]+([0-9.]+)%[\s,]+([0-9.]+)%")
_RGB = re.compile(r"rgba?\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})")
_NO_COLOR = ("", "none", "transparent", "inherit", "initial")
_NAMES = {
    "white": _WHITE,
    "snow": "#fffafa",
    "ivory": "#fffff0",
    "ghostwhite": "#f8f8ff",
    "whitesmoke": "#f5f5f5",
    "black": "#000000",
    "red": "#ff0000",
    "green": "#008000",
    "blue": "#0000ff",
    "yellow": "#ffff00",
    "gray": "#808080",
    "silver": "#c0c0c0",
    "navy": "#000080",
    "maroon": "#800000",
    "orange": "#ffa500",
}


class Effect(NamedTuple):
    """Effect of a start tag on the text in its element. None: inherited."""

    gone: bool = False
    tiny: bool | None = None
    color: str | None = None
    background: str | None = None


INHERITED = Effect()


# -------------------------------------------------------------------------------------------------
# reading


def read_effect(written: str) -> Effect:
    """Return the effect of a tag by itself, without style sheets."""
    lowered = written.lower()
    if not any(map(lowered.__contains__, _SIGNS)):
        return INHERITED
    tag = read_tag(written)
    given = tag.attributes()
    effect = INHERITED
    if "style" in given:
        effect = read_declarations(given["style"].lower())
    if "hidden" in lowered and _HIDDEN.search(_QUOTED.sub("", lowered)):
        effect = effect._replace(gone=True)
    if effect.color is None:
        color = given.get("text" if tag.name == "body" else "color")
        if color:
            effect = effect._replace(color=_read_color(color))
    if effect.background is None:
        background = _given_background(given)
        if background:
            effect = effect._replace(background=background)
    return effect


def _given_background(given: dict[str, str]) -> str | None:
    """Return the background that the attributes of a tag set."""
    if given.get("background"):
        return OTHER
    return _read_color(given["bgcolor"]) if "bgcolor" in given else None


@lru_cache(4096)
def read_declarations(style: str) -> Effect:
    """Return the effect of declarations in lower case.

    The last color counts, and the last known background.
    """
    style = _spelled_out(style)
    is_flat = _FLAT.search(style) and _CLIPPED.search(style)
    return Effect(
        gone=bool(is_flat or any(pattern.search(style) for pattern in _GONE_WAYS)),
        tiny=_read_size(style),
        color=_last_color(style),
        background=_last_background(style),
    )


def _spelled_out(style: str) -> str:
    """Return declarations without comments and escapes."""
    if "/*" in style:
        style = _COMMENT.sub("", style)
    if "\\" in style:
        style = _ESCAPE.sub(_unescaped, style).lower()
    return style


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2]
    number = int(escape[1], 16)
    return chr(number) if 0 < number < 0x110000 else ""


def _read_size(style: str) -> bool | None:
    """Return whether the text is too small to be seen."""
    sizes = _SIZE.findall(style)
    if not sizes:
        return None
    first, second = sizes[-1]
    size = first or second
    return bool(_TINY.fullmatch(size.strip()))


def _last_color(style: str) -> str | None:
    colors = _COLOR.findall(style) if "color" in style else ()
    if not colors:
        return None
    last = colors[-1].strip()
    return TRANSPARENT if _is_transparent(last) else _read_color(last)


def _is_transparent(color: str) -> bool:
    if color == TRANSPARENT:
        return True
    return bool(_ALPHA.match(color)) and (color[0] == "#" or bool(_FOUR.match(color)))


def _last_background(style: str) -> str | None:
    backgrounds = _BACKGROUND.findall(style) if "background" in style else ()
    for written in reversed(backgrounds):
        color = _read_color(written)
        if color:
            return color
    return None


@lru_cache(1024)
def _read_color(text: str) -> str | None:
    """Return a color in one spelling, `OTHER` for one that is not known, None for none."""
    text = text.strip().lower()
    if text in _NO_COLOR:
        return None
    if "url" in text or "gradient" in text:
        return OTHER
    digits = _HEX.search(text)
    if digits:
        return _six_digits(digits[1])
    channels = _RGB.search(text)
    if channels:
        return "#" + "".join(f"{min(255, int(each)):02x}" for each in channels.groups())
    found = _HSL.search(text)
    if found:
        return _from_hsl(*map(float, found.groups()))
    return _NAMES.get(text.split()[0], OTHER)


def _from_hsl(hue: float, saturation: float, lightness: float) -> str:
    shares = hls_to_rgb(hue / 360, min(1.0, lightness / 100), min(1.0, saturation / 100))
    return "#" + "".join(f"{round(255 * share):02x}" for share in shares)


def _six_digits(digits: str) -> str:
    if len(digits) == 6:
        return f"#{digits}"
    return "#" + "".join(2 * each for each in digits)


# -------------------------------------------------------------------------------------------------
# visibility


@lru_cache(8192)
def inside(name: str, outer: Effect, own: Effect) -> Effect:
    """Return the effect inside an element of this name. A link has its own color."""
    inherited = None if name == "a" else outer.color
    return Effect(
        gone=outer.gone or own.gone,
        tiny=outer.tiny if own.tiny is None else own.tiny,
        color=own.color or inherited,
        background=own.background or outer.background,
    )


@lru_cache(4096)
def state_of(effect: Effect) -> int:
    """Return `VISIBLE`, `NO_TEXT` or `GONE`."""
    if effect.gone:
        return GONE
    is_unseen = _is_same(effect.color or OTHER, effect.background or _WHITE)
    return NO_TEXT if effect.tiny or is_unseen else VISIBLE


def can_hide(effects: Iterable[Effect]) -> bool:
    """True if one of the effects, or a color of one on the background of another, hides text."""
    colors = set[str]()
    backgrounds = {_WHITE}
    for each in effects:
        if each.gone or each.tiny:
            return True
        colors.add(each.color or OTHER)
        backgrounds.add(each.background or _WHITE)
    return any(_is_same(color, background) for color in colors for background in backgrounds)


@lru_cache(4096)
def _is_same(color: str, background: str) -> bool:
    """True if no reader sees text of this color on the background."""
    if color == TRANSPARENT:
        return True
    if OTHER in (color, background):
        return False
    ink = bytes.fromhex(color[1:])
    ground = bytes.fromhex(background[1:])
    channels = zip(ink, ground, strict=True)
    return all(abs(one - other) <= UNSEEN_DIFFERENCE for one, other in channels)
