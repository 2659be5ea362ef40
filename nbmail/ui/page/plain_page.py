"""Plain text, laid out with indented quotations that fold, and drawings in a fixed width."""

import re
from collections.abc import Container, Sequence
from itertools import groupby
from typing import NamedTuple

from PySide6.QtGui import QTextDocument

from nbmail.ui.kit.theme import LIGHT, Colors
from nbmail.ui.page.drawn_lines import drawn_lines
from nbmail.ui.page.flat_page import EVERY_QUOTE, LONGEST_QUOTE, FlatPage
from nbmail.ui.page.page_flow import flatten_page
from nbmail.ui.page.page_writer import MOST_BLOCKS, MOST_LETTERS, PageFullError, PageWriter
from nbmail.ui.page.text_format import Ink, Paragraph
from nbmail.ui.texts.language import tr

_QUOTED = re.compile(r">(?!From )(?: ?>)* ?")


class _Line(NamedTuple):
    """Level of quotation, 0 for the sender's own text, and the text behind the signs of it."""

    level: int
    text: str


def lay_out_text(text: str, theme: Colors, opened: Container[int] = ()) -> FlatPage | None:
    """Return plain text as paragraphs; None if it is too long.

    `opened`: long quotations that are shown.
    """
    lines = [_read_line(line.rstrip()) for line in text.split("\n")]
    if len(text) > MOST_LETTERS or len(lines) > MOST_BLOCKS:
        return None
    writer = PageWriter()
    try:
        quotes = _write_lines(writer, lines, theme, opened)
    except PageFullError:
        return None
    return FlatPage(writer.html(), quotes=quotes)


def _read_line(line: str) -> _Line:
    found = _QUOTED.match(line)
    if found is None:
        return _Line(0, line)
    return _Line(found[0].count(">"), line[found.end() :])


def _write_lines(
    writer: PageWriter, lines: Sequence[_Line], theme: Colors, opened: Container[int]
) -> int:
    """Write own text and quotations. Return the number of long quotations."""
    has_own = any(line.text and not line.level for line in lines)
    quotes = 0
    for is_quoted, group in groupby(lines, key=lambda line: line.level > 0):
        part = list(group)
        is_shown = True
        if is_quoted and has_own and len(part) > LONGEST_QUOTE:
            is_shown = quotes in opened
            if opened is not EVERY_QUOTE:
                writer.write_fold(quotes, len(part), is_open=is_shown)
            quotes += 1
        if is_shown:
            _write_part(writer, part, theme)
    return quotes


def _write_part(writer: PageWriter, lines: Sequence[_Line], theme: Colors) -> None:
    drawn = drawn_lines([line.text for line in lines])
    for line, is_drawn in zip(lines, drawn, strict=True):
        if not line.text:
            writer.write_empty_line()
            continue
        ink = Ink(fixed=is_drawn, color=theme.muted if line.level else "")
        paragraph = Paragraph(verbatim=True, is_drawn=is_drawn).quoted(line.level)
        writer.write(line.text, ink, paragraph)
        writer.end_block()


def page_as_text(html: str, text: str = "") -> str:
    """Return `text`, or the text of a page if that is empty, and the text that the page hides."""
    page = flatten_page(html, LIGHT, EVERY_QUOTE)
    if not text.strip():
        document = QTextDocument()
        document.setHtml(page.html)
        text = document.toPlainText()
    if not page.hidden_words:
        return text
    return f"{text.rstrip()}\n\n{tr('Hidden text:')}\n{page.hidden}"
