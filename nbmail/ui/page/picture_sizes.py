"""Sizes of a page's pictures."""

from nbmail.ui.page.css_lengths import read_length
from nbmail.ui.page.page_tree import Element

LARGEST_PIXEL = 2


def is_pixel(picture: Element) -> bool:
    """True for pictures of at most 2 pixels, which track readers or fill space."""
    return _is_tiny(picture.given("width")) or _is_tiny(picture.given("height"))


def _is_tiny(written: str) -> bool:
    length = read_length(written)
    return length is not None and not length.is_share and length.number <= LARGEST_PIXEL


def shown_size(picture: Element, width: int, height: int, room: int) -> tuple[int, int]:
    """Return the size of a picture with this width and height of its own.

    The page decides, within the room and twice the own size.
    """
    given = read_length(picture.given("width"))
    wanted = float(width)
    if given is not None and not given.is_share:
        wanted = given.pixels
    highest = 2 * room * width / max(1, height)
    shown = max(1.0, min(wanted, room, 2 * width, highest))
    return round(shown), max(1, round(height * shown / max(1, width)))
