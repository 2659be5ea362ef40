"""HTML pages, flattened into paragraphs and small tables. They fetch nothing and run nothing.

Qt's layout of nested tables takes exponential time, and pages with fixed widths are unreadable in a
narrow pane. So tables for layout become paragraphs, and only tables of data stay tables.
"""

import re
from collections.abc import Container
from types import MappingProxyType

from nbmail.ui.kit.theme import Colors
from nbmail.ui.page.data_tables import (
    LONGEST_LINE,
    LONGEST_PART,
    MOST_COLUMNS,
    Cells,
    DataTable,
    cells_of,
    is_line,
    rows_of,
)
from nbmail.ui.page.flat_page import EVERY_QUOTE, LONGEST_QUOTE, FlatPage, Pictures
from nbmail.ui.page.page_styles import Place, is_quote, place_of
from nbmail.ui.page.page_tree import Element, measure, read_tree
from nbmail.ui.page.page_writer import GAP, PageFullError, PageWriter
from nbmail.ui.page.picture_sizes import is_pixel, shown_size
from nbmail.ui.page.text_format import Ink

MOST_CELLS = 600
"""Cells of all tables of data. Further tables become paragraphs."""
LONGEST_WORD = 24
"""Maximum letters of a cell of data that is never wrapped."""
CELL_WIDTH = 160
"""Pixels of other cells of data. Wide tables are scrolled sideways."""
LONGEST_ALT = 120
_SPACED = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "blockquote", "pre", "table")
)
"""Elements with a gap above and below."""
_FILLERS = re.compile(r"[\s\u00a0\u00ad\u034f\u200b-\u200f\u2007\u2060\ufeff]{3,}")
"""Invisible characters that fill the preview of a mail list."""


def flatten_page(
    page: str,
    theme: Colors,
    opened: Container[int] = (),
    pictures: Pictures = MappingProxyType({}),
    room: int = 0,
) -> FlatPage:
    """Return a page as paragraphs in the colors of a theme.

    `opened`: long quotations that are shown. `room`: maximum width of pictures.
    """
    root, is_cut = read_tree(page)
    measure(root)
    flow = _Flow(theme, root.letters, opened, pictures, room)
    try:
        flow.walk(root, Place())
    except PageFullError:
        is_cut = True
    return FlatPage(
        flow.writer.html(),
        pictures=len(flow.sources),
        sources=tuple(dict.fromkeys(filter(None, flow.sources))),
        hidden=" ".join(flow.hidden),
        is_cut=is_cut,
        quotes=flow.quotes,
    )


class _Flow:
    """Walks the tree and writes the visible contents. `letters`: visible letters of the page."""

    def __init__(
        self,
        theme: Colors,
        letters: int,
        opened: Container[int],
        pictures: Pictures,
        picture_room: int,
    ) -> None:
        self._theme = theme
        self._letters = letters
        self._opened = opened
        self._pictures = pictures
        self._picture_room = picture_room
        self._cells = 0
        self._last_alt = ""
        self.writer = PageWriter()
        self.quotes = 0
        self.sources = list[str]()
        self.hidden = list[str]()

    def walk(self, element: Element, place: Place) -> None:
        for child in element.children:
            if isinstance(child, str):
                self._write_text(child, place)
            else:
                self._write_element(child, place)

    def _write_text(self, text: str, place: Place) -> None:
        if not text.isspace():
            self._last_alt = ""
        if not text.isprintable() and not place.paragraph.verbatim:
            text = _FILLERS.sub(" ", text)
        self.writer.write(text, place.shown_ink(self._theme), place.paragraph)

    def _write_element(self, element: Element, place: Place) -> None:
        if element.hides:
            self.hidden += element.texts()
        elif element.name == "br":
            self.writer.end_line()
        elif element.name == "img":
            self._write_picture(element, place)
        elif element.name == "hr":
            self.writer.write_rule()
        elif not element.is_block:
            self.walk(element, place_of(element, place))
        elif element.letters or element.pictures:
            gap = GAP if element.name in _SPACED else 0
            self.writer.end_block(gap)
            self._write_block(element, place_of(element, place))
            self.writer.end_block(gap)
        else:
            self.hidden += element.texts()

    def _write_block(self, element: Element, place: Place) -> None:
        if element.name == "table":
            self._write_table(element, place)
        elif element.name in ("ul", "ol"):
            self._write_list(element, place)
        elif place.paragraph.quote == 1 and is_quote(element) and self._folds(element):
            self._write_quote(element, place)
        else:
            self.walk(element, place)

    # ---------------------------------------------------------------------------------------------
    # quotations, lists, pictures

    def _folds(self, quote: Element) -> bool:
        """True for a long quotation in a message that has other text."""
        is_long = quote.lines > LONGEST_QUOTE or quote.letters > LONGEST_QUOTE * LONGEST_LINE
        return is_long and quote.letters < self._letters

    def _write_quote(self, quote: Element, place: Place) -> None:
        """Write a long quotation that can be folded."""
        number = self.quotes
        self.quotes += 1
        is_open = number in self._opened
        if self._opened is not EVERY_QUOTE:
            self.writer.write_fold(number, quote.lines, is_open=is_open)
        if is_open:
            self.walk(quote, place)

    def _write_list(self, element: Element, place: Place) -> None:
        start = element.attributes.get("start", "1")
        number = int(start[:6]) if start.isdecimal() else 1
        for child in element.children:
            if isinstance(child, str):
                self._write_text(child, place)
            elif child.name == "li" and child.letters:
                marker = f"{number}." if element.name == "ol" else "•"
                self._write_item(child, place_of(child, place), marker)
                number += 1
            else:
                self._write_element(child, place)

    def _write_item(self, item: Element, place: Place, marker: str) -> None:
        self.writer.end_block()
        self.writer.write(marker, Ink(), place.paragraph)
        self.writer.write(" ", Ink(), place.paragraph)
        self.walk(item, place)
        self.writer.end_block()

    def _write_picture(self, picture: Element, place: Place) -> None:
        """Write a picture, or its text, once for a run of pictures with the same text."""
        if is_pixel(picture):
            return
        source = picture.attributes.get("src", "").strip()
        known = self._pictures.get(source)
        if known is not None:
            number, width, height = known
            size = shown_size(picture, width, height, self._picture_room)
            self.writer.write_picture(number, size, place.ink, place.paragraph)
            return
        self.sources.append(source)
        text = " ".join(picture.attributes.get("alt", "").split())[:LONGEST_ALT]
        if text and text != self._last_alt:
            self._last_alt = text
            self.writer.write(f" [{text}] ", self._alt_ink(place.ink.link), place.paragraph)

    def _alt_ink(self, link: str) -> Ink:
        return Ink(italic=True, link=link, color=self._theme.link if link else "")

    # ---------------------------------------------------------------------------------------------
    # tables

    def _write_table(self, table: Element, place: Place) -> None:
        for child in table.elements():
            if child.name == "caption":
                self._write_element(child, place)
        rows = list(rows_of(table))
        if self._is_data(table, rows):
            self._write_data(rows, place)
        else:
            for row in rows:
                self._write_row(row, place_of(row, place))

    def _is_data(self, table: Element, rows: list[Element]) -> bool:
        """True for a table of data, as long as there are not too many cells."""
        is_for_layout = table.attributes.get("role", "") in ("presentation", "none")
        if is_for_layout or table.tables or len(rows) < 2:
            return False
        data = DataTable(table, rows)
        return self._cells + data.count <= MOST_CELLS and data.is_data

    def _write_data(self, rows: list[Element], place: Place) -> None:
        self.writer.write_tag(
            f'<table border="1" cellspacing="0" cellpadding="4" '
            f'style="margin-top:{GAP}px;border-collapse:collapse;'
            f'border-style:solid;border-color:{self._theme.line}">'
        )
        for row in rows:
            self.writer.write_tag("<tr>")
            inner = place_of(row, place)
            for cell in cells_of(row):
                self._write_cell(cell, place_of(cell, inner))
            self.writer.write_tag("</tr>")
        self.writer.write_tag("</table>")

    def _write_cell(self, cell: Element, place: Place) -> None:
        self._cells += 1
        tag = "th" if cell.name == "th" else "td"
        self.writer.begin_cell(f"<{tag}{_span(cell)}{_width(cell)}>")
        self.walk(cell, place)
        self.writer.end_cell(f"</{tag}>")

    def _write_row(self, row: Element, place: Place) -> None:
        """Write short cells in one line, other cells below each other."""
        cells = [cell for cell in cells_of(row) if not cell.hides]
        self.writer.end_block()
        if is_line([cell for cell in cells if cell.letters]):
            self._write_joined(cells, place)
        else:
            self._write_stacked(cells, place)
        self.writer.end_block()

    def _write_joined(self, cells: Cells, place: Place) -> None:
        for number, cell in enumerate(cells):
            self.writer.set_inline(True, "\u2003" if number and cell.letters else "")
            self.walk(cell, place_of(cell, place))
            self.writer.set_inline(False)

    def _write_stacked(self, cells: Cells, place: Place) -> None:
        for cell in cells:
            gap = GAP if cell.lines > 1 or cell.letters > LONGEST_PART else 0
            self.writer.end_block(gap)
            self.walk(cell, place_of(cell, place))
            self.writer.end_block(gap)


def _span(cell: Element) -> str:
    """Return the attribute of a cell that is wider than one column."""
    span = cell.attributes.get("colspan", "")
    columns = min(int(span[:3]), MOST_COLUMNS) if span.isdecimal() else 1
    return f' colspan="{columns}"' if columns > 1 else ""


def _width(cell: Element) -> str:
    """Return the attribute that keeps short cells in one line, and wraps others."""
    if cell.letters <= LONGEST_WORD:
        return ' style="white-space:nowrap"'
    return f' width="{CELL_WIDTH}"'
