"""Colors of a page, adjusted to the contrast of the theme."""

import re
from functools import lru_cache

from PySide6.QtGui import QColor

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
    rgb = _RGB.search(text)
    if rgb:
        return _read_rgb(rgb)
    digits = _HEX.search(text)
    # Attributes may leave the sign out.
    if digits and (text.startswith("#") or digits[0] == text):
        return _read_hex(digits[1])
    return _read_name(text)


def _read_rgb(found: re.Match[str]) -> str:
    opacity = found[4]
    if opacity and float(opacity.rstrip("%")) == 0:
        return ""
    red, green, blue = (min(255, int(each)) for each in found.groups()[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def _read_hex(digits: str) -> str:
    if len(digits) == 3:
        return "#" + "".join(2 * each for each in digits)
    return "" if digits[6:] == "00" else f"#{digits[:6]}"


def _read_name(text: str) -> str:
    for name in _NAME.findall(text):
        if name != "transparent" and QColor.isValidColorName(name):
            return QColor(name).name()
    return ""


@lru_cache(4096)
def contrast(one: str, other: str) -> float:
    """Return the contrast of two colors, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(4096)
def readable(ink: str, ground: str, text: str) -> str:
    """Return `ink`, blended with the theme's color `text` until it is readable on `ground`."""
    for share in (0.0, 0.25, 0.5, 0.75):
        blended = _blended(ink, text, share)
        if contrast(blended, ground) >= LEAST_CONTRAST:
            return blended
    return text


def _blended(one: str, other: str, share: float) -> str:
    """Return a color between two others. `share`: that of the second."""
    blended = "#"
    for first, second in zip(_channels(one), _channels(other), strict=True):
        channel = round(first + share * (second - first))
        blended += f"{channel:02x}"
    return blended


def ink_on(ground: str) -> str:
    """Return black or white, whichever has the larger contrast."""
    return max(("#ffffff", "#000000"), key=lambda ink: contrast(ink, ground))


def is_gray(color: str) -> bool:
    channels = _channels(color)
    return max(channels) - min(channels) < 40


def _channels(color: str) -> bytes:
    return bytes.fromhex(color[1:])


def _luminance(color: str) -> float:
    red, green, blue = map(_linear, _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: int) -> float:
    share = channel / 255
    if share <= 0.03928:
        return share / 12.92
    return float(((share + 0.055) / 1.055) ** 2.4)
