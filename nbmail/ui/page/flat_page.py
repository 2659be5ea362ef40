"""Page or plain text, flattened to HTML for Qt."""

from collections.abc import Mapping
from typing import NamedTuple

from nbmail.ui.page.page_writer import MOST_BLOCKS

EVERY_QUOTE = range(MOST_BLOCKS)
"""Numbers of all long quotations: they are shown, without links that hide them."""
LONGEST_QUOTE = 8
"""Lines of a quotation that is not folded."""
Pictures = Mapping[str, tuple[int, int, int]]
"""Numbers, widths and heights of pictures that can be shown, by their addresses."""


class FlatPage(NamedTuple):
    """HTML for Qt, and what was left out.

    `pictures`: number of pictures that are not shown. `sources`: their different addresses, as
    written in the page. `hidden`: text that the page hides. `is_cut`: only the beginning is shown.
    `quotes`: number of long quotations.
    """

    html: str
    pictures: int = 0
    sources: tuple[str, ...] = ()
    hidden: str = ""
    is_cut: bool = False
    quotes: int = 0

    @property
    def hidden_words(self) -> int:
        return len(self.hidden.split())
