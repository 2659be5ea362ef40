"""Colors of HTML pages, adjusted to the contrast of the theme."""

import re
from functools import lru_cache

from PySide6.QtGui import QColor

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
