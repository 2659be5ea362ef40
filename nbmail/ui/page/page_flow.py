"""Flattens HTML pages and plain text into paragraphs and small tables for Qt. They fetch nothing
and run nothing.

Qt's layout of nested tables takes exponential time, and pages with fixed widths are unreadable in a
narrow pane. So tables for layout become paragraphs, and only tables of data stay tables. In plain
text, quotations are indented and fold, and drawn text is fixed-width.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from PySide6.QtGui import QTextDocument

from nbmail.ui.kit.theme import LIGHT, Colors
from nbmail.ui.page.page_tree import (
    Element,
    Place,
    is_pixel,
    is_quote,
    measure,
    place_of,
    read_tree,
    shown_size,
)
from nbmail.ui.page.page_writer import (
    EVERY_QUOTE,
    GAP,
    MOST_BLOCKS,
    MOST_LETTERS,
    Ink,
    PageFullError,
    PageWriter,
    Paragraph,
)
from nbmail.ui.texts.language import tr

MOST_CELLS = 600
MOST_COLUMNS = 10
LONGEST_CELL = 120
MOST_TITLES = 2
"""Bounds of tables of data: cells of all, then columns, letters of a cell, and rows with one
cell.
"""
WIDEST_TABLE = 110
WIDEST_RULED = 180
"""Maximum letters of a row, and of one in a table with a border or headings."""
LONGEST_PART = 60
LONGEST_LINE = 100
"""Maximum letters of a cell that becomes part of a line, and of that line."""
LONGEST_WORD = 24
CELL_WIDTH = 160
"""Letters of a cell of data that is never wrapped, and pixels of others. Wide tables are scrolled
sideways.
"""
LONGEST_MARKER = 3
"""Maximum letters of a list marker that is a cell of a table."""
LONGEST_ALT = 120
LONGEST_QUOTE = 8
"""Lines of a quotation that is not folded."""
_SPACED = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "blockquote", "pre", "table")
)
"""Elements with a gap above and below."""
_FILLERS = re.compile(r"[\s\u00a0\u00ad\u034f\u200b-\u200f\u2007\u2060\ufeff]{3,}")
"""Invisible characters that fill the preview of a mail list."""


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


Pictures = Mapping[str, tuple[int, int, int]]
"""Numbers and sizes of pictures that can be shown, by their addresses."""


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
    sources = tuple(dict.fromkeys(filter(None, flow.sources)))
    return FlatPage(
        flow.writer.html(), len(flow.sources), sources, " ".join(flow.hidden), is_cut, flow.quotes
    )


class _Flow:
    """Walks the tree and writes the visible contents."""

    def __init__(
        self,
        theme: Colors,
        letters: int,
        opened: Container[int],
        pictures: Pictures,
        picture_room: int,
    ) -> None:
        self._theme = theme
        self.writer = PageWriter()
        self._letters = letters
        self._opened = opened
        self._pictures = pictures
        self._picture_room = picture_room
        self._cells = 0
        self.quotes = 0
        self.sources = list[str]()
        self.hidden = list[str]()
        self._last_alt = ""

    def walk(self, element: Element, place: Place) -> None:
        for child in element.children:
            if isinstance(child, str):
                self._write_text(child, place)
            else:
                self._write_element(child, place)

    def _write_text(self, text: str, place: Place) -> None:
        self._last_alt = self._last_alt if text.isspace() else ""
        shown = text if text.isprintable() or place.paragraph.verbatim else _FILLERS.sub(" ", text)
        self.writer.write(shown, place.shown_ink(self._theme), place.paragraph)

    def _write_element(self, element: Element, place: Place) -> None:
        if element.hides:
            self.hidden += _texts_in(element)
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
            self.hidden += _texts_in(element)

    def _write_block(self, element: Element, place: Place) -> None:
        if element.name == "table":
            self._write_table(element, place)
        elif element.name in ("ul", "ol"):
            self._write_list(element, place)
        elif place.paragraph.quote == 1 and is_quote(element) and self._folds(element):
            number = self.quotes
            self.quotes = self.quotes + 1
            if self._opened is not EVERY_QUOTE:
                self.writer.write_fold(number, element.lines, is_open=number in self._opened)
            if number in self._opened:
                self.walk(element, place)
        else:
            self.walk(element, place)

    def _folds(self, quote: Element) -> bool:
        """True for a long quotation in a message that has other text."""
        long = quote.lines > LONGEST_QUOTE or quote.letters > LONGEST_QUOTE * LONGEST_LINE
        return long and quote.letters < self._letters

    def _write_list(self, element: Element, place: Place) -> None:
        start = element.attributes.get("start", "1")
        number = int(start[:6]) if start.isdecimal() else 1
        for child in element.children:
            if isinstance(child, str):
                self._write_text(child, place)
            elif child.name == "li" and child.letters:
                self.writer.end_block()
                inner = place_of(child, place)
                self.writer.write(
                    f"{number}." if element.name == "ol" else "•", Ink(), inner.paragraph
                )
                self.writer.write(" ", Ink(), inner.paragraph)
                number += 1
                self.walk(child, inner)
                self.writer.end_block()
            else:
                self._write_element(child, place)

    def _write_picture(self, picture: Element, place: Place) -> None:
        """Write a picture, or its text, once for a run of pictures with the same text."""
        if is_pixel(picture):
            return
        source = picture.attributes.get("src", "").strip()
        if known := self._pictures.get(source):
            size = shown_size(picture, *known[1:], self._picture_room)
            self.writer.write_picture(known[0], size, place.ink, place.paragraph)
            return
        self.sources.append(source)
        text = " ".join(picture.attributes.get("alt", "").split())[:LONGEST_ALT]
        if text and text != self._last_alt:
            self._last_alt = text
            ink = Ink(
                italic=True, link=place.ink.link, color=self._theme.link if place.ink.link else ""
            )
            self.writer.write(f" [{text}] ", ink, place.paragraph)

    # ----------------------------------------------------------------------------------------------------
    # tables

    def _write_table(self, table: Element, place: Place) -> None:
        for child in table.elements():
            if child.name == "caption":
                self._write_element(child, place)
        rows = list(_rows(table))
        if self._is_data(table, rows):
            self._write_data(rows, place)
        else:
            for row in rows:
                self._write_row(row, place_of(row, place))

    def _is_data(self, table: Element, rows: list[Element]) -> bool:
        """True for a table of short cells with a header, a border, or at least three columns and
        rows.
        """
        if (
            table.attributes.get("role", "") in ("presentation", "none")
            or table.tables
            or len(rows) < 2
        ):
            return False
        cells = [list(_cells(row)) for row in rows]
        filled = [[cell for cell in row if cell.letters] for row in cells]
        full = [row for row in filled if len(row) > 1]
        titles = sum(len(row) == 1 for row in filled)
        flat = [cell for row in full for cell in row]
        columns = max(map(len, cells))
        if (
            not 2 <= columns <= MOST_COLUMNS
            or len(full) < 2
            or self._cells + len(flat) > MOST_CELLS
        ):
            return False
        if titles > MOST_TITLES or any(
            cell.letters > LONGEST_CELL or cell.lines > 3 for cell in flat
        ):
            return False
        widths = (
            max((row[n].letters for row in full if n < len(row)), default=0) for n in range(columns)
        )
        has_border = table.attributes.get("border", "0").strip() not in ("", "0")
        is_ruled = has_border or any(cell.name == "th" for cell in flat)
        if sum(widths) + 2 * columns > (WIDEST_RULED if is_ruled else WIDEST_TABLE):
            return False
        if is_ruled:
            return True
        wide = sum(len(row) >= 3 for row in filled)
        return wide >= 3 and 3 * wide >= 2 * (len(full) + titles)

    def _write_data(self, rows: list[Element], place: Place) -> None:
        self.writer.write_tag(
            f'<table border="1" cellspacing="0" cellpadding="4" '
            f'style="margin-top:{GAP}px;border-collapse:collapse;'
            f'border-style:solid;border-color:{self._theme.line}">'
        )
        for row in rows:
            self.writer.write_tag("<tr>")
            inner = place_of(row, place)
            for cell in _cells(row):
                self._cells += 1
                tag = "th" if cell.name == "th" else "td"
                span = cell.attributes.get("colspan", "")
                columns = min(int(span[:3]), MOST_COLUMNS) if span.isdecimal() else 1
                span = f' colspan="{columns}"' if columns > 1 else ""
                style = (
                    ' style="white-space:nowrap"'
                    if cell.letters <= LONGEST_WORD
                    else f' width="{CELL_WIDTH}"'
                )
                self.writer.begin_cell(f"<{tag}{span}{style}>")
                self.walk(cell, place_of(cell, inner))
                self.writer.end_cell(f"</{tag}>")
            self.writer.write_tag("</tr>")
        self.writer.write_tag("</table>")

    def _write_row(self, row: Element, place: Place) -> None:
        """Write short cells in one line, other cells below each other."""
        cells = [cell for cell in _cells(row) if not cell.hides]
        is_joined = _is_line([cell for cell in cells if cell.letters])
        self.writer.end_block()
        for number, cell in enumerate(cells):
            inner = place_of(cell, place)
            if is_joined:
                self.writer.set_inline(True, "\u2003" if number and cell.letters else "")
                self.walk(cell, inner)
                self.writer.set_inline(False)
            else:
                gap = GAP if cell.lines > 1 or cell.letters > LONGEST_PART else 0
                self.writer.end_block(gap)
                self.walk(cell, inner)
                self.writer.end_block(gap)
        self.writer.end_block()


def _is_line(cells: list[Element]) -> bool:
    """True for several short cells, such as a label and an amount, or a list marker and its
    text.
    """
    if len(cells) < 2 or any(cell.lines > 1 for cell in cells):
        return False
    is_item = len(cells) == 2 and cells[0].letters <= LONGEST_MARKER
    are_short = max(cell.letters for cell in cells) <= LONGEST_PART
    return is_item or (are_short and sum(cell.letters for cell in cells) <= LONGEST_LINE)


def _rows(table: Element) -> Iterator[Element]:
    for child in table.elements():
        if child.name in ("tbody", "thead", "tfoot"):
            yield from _rows(child)
        elif child.name != "caption" and not child.hides:
            yield child


def _cells(row: Element) -> Iterator[Element]:
    """Return the cells of a row. Contents outside of rows and cells form one cell."""
    return row.elements() if row.name == "tr" else iter((row,))


def _texts_in(element: Element) -> Iterator[str]:
    for each in element.children:
        yield from (each.strip(),) if isinstance(each, str) else _texts_in(each)


_QUOTED = re.compile(r">(?!From )(?: ?>)* ?")
_COLUMN = re.compile(r"(?<=\S)(?: {2,}|\t+)(?=\S)")
_SIGNS = re.compile(r"[-|+=_/\\*#~^<>\u2500-\u259f]")
_BOX = re.compile(r"\s*[|+].*[|+]$|.*[\u2500-\u259f]{2}")
_PATCH_STARTS = re.compile(r"diff --git |@@ -\d|Index: \S|--- \S.*")
_PATCHED = re.compile(
    r"[-+ @\\]|diff |index |(?:new|deleted) file|similarity |rename |Binary |=====|$"
)


def lay_out_text(text: str, theme: Colors, opened: Container[int] = ()) -> FlatPage | None:
    """Return plain text as paragraphs; None if it is too long. `opened`: long quotations that are
    shown.
    """
    lines = [_read_line(line.rstrip()) for line in text.split("\n")]
    if len(text) > MOST_LETTERS or len(lines) > MOST_BLOCKS:
        return None
    writer = PageWriter()
    number = 0
    has_own = any(line and not level for level, line in lines)
    try:
        for is_quoted, group in groupby(lines, key=lambda line: line[0] > 0):
            part = list(group)
            if is_quoted and has_own and len(part) > LONGEST_QUOTE:
                if opened is not EVERY_QUOTE:
                    writer.write_fold(number, len(part), is_open=number in opened)
                part = part if number in opened else []
                number += 1
            for (level, line), is_drawn in zip(
                part, drawn_lines([line for _, line in part]), strict=True
            ):
                if line:
                    ink = Ink(fixed=is_drawn, color=theme.muted if level else "")
                    writer.write(
                        line, ink, Paragraph(verbatim=True, is_drawn=is_drawn).quoted(level)
                    )
                    writer.end_block()
                else:
                    writer.write_empty_line()
    except PageFullError:
        return None
    return FlatPage(writer.html(), quotes=number)


def _read_line(line: str) -> tuple[int, str]:
    found = _QUOTED.match(line)
    return (found[0].count(">"), line[found.end() :]) if found else (0, line)


def page_as_text(html: str, text: str = "") -> str:
    """Return `text`, or the text of a page if that is empty, and the text that the page hides."""
    page = flatten_page(html, LIGHT, EVERY_QUOTE)
    if not text.strip():
        document = QTextDocument()
        document.setHtml(page.html)
        text = document.toPlainText()
    return f"{text.rstrip()}\n\n{tr('Hidden text:')}\n{page.hidden}" if page.hidden_words else text


def drawn_lines(lines: Sequence[str]) -> list[bool]:
    """Return, for each line, whether its columns are part of a drawing, a table or a patch."""
    drawn = _patched_lines(lines)
    start = 0
    for is_blank, group in groupby(lines, key=lambda line: not line.strip()):
        run = list(group)
        if not is_blank and _is_drawn(run):
            drawn[start : start + len(run)] = [True] * len(run)
        start += len(run)
    return drawn


def _patched_lines(lines: Sequence[str]) -> list[bool]:
    found = list[bool]()
    inside = False
    for line, following in zip(lines, [*lines, ""][1:], strict=True):
        starts = _PATCH_STARTS.match(line) and (line[0] != "-" or following.startswith("+++ "))
        inside = bool(starts) or (inside and bool(_PATCHED.match(line)))
        found.append(inside)
    return found


def _is_drawn(run: Sequence[str]) -> bool:
    """True for consecutive lines of which at least half are drawn or have a column in common."""
    signs = sum(_is_sign_line(line) for line in run)
    starts = [{found.end() for found in _COLUMN.finditer(line.expandtabs())} for line in run]
    counts = [sum(place in each for each in starts) for place in set().union(*starts)]
    return max(signs, max(counts, default=0)) >= max(2 if signs else 3, len(run) / 2)


def _is_sign_line(line: str) -> bool:
    letters = len(line) - line.count(" ")
    if len(set(line.strip())) == 1:
        # A rule above or below a text.
        return False
    return bool(_BOX.match(line)) or (letters >= 4 and 2 * len(_SIGNS.findall(line)) >= letters)
