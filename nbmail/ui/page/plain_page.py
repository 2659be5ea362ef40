"""Flattens plain text into paragraphs for Qt: quotations are indented and fold, drawn text is fixed-width."""

import re
from collections.abc import Container, Sequence
from itertools import groupby
from typing import NamedTuple

from PySide6.QtGui import QTextDocument

from nbmail.ui.kit.language import tr
from nbmail.ui.kit.theme import LIGHT, Colors
from nbmail.ui.page.page_flow import LONGEST_QUOTE, FlatPage, flatten_page
from nbmail.ui.page.page_writer import EVERY_QUOTE, MOST_BLOCKS, MOST_LETTERS, Ink, PageFullError, PageWriter, Paragraph

_QUOTED = re.compile(r">(?!From )(?: ?>)* ?")
_COLUMN = re.compile(r"(?<=\S)(?: {2,}|\t+)(?=\S)")
_SIGNS = re.compile(r"[-|+=_/\\*#~^<>\u2500-\u259f]")
_BOX = re.compile(r"\s*[|+].*[|+]$|.*[\u2500-\u259f]{2}")
_PATCH_STARTS = re.compile(r"diff --git |@@ -\d|Index: \S|--- \S.*")
_PATCHED = re.compile(r"[-+ @\\]|diff |index |(?:new|deleted) file|similarity |rename |Binary |=====|$")


class _Line(NamedTuple):
    quote: int
    text: str


def lay_out_text(text: str, theme: Colors, opened: Container[int] = ()) -> FlatPage | None:
    """Return plain text as paragraphs; None if it is too long. `opened`: long quotations that are shown."""
    lines = [_read_line(line.rstrip()) for line in text.split("\n")]
    if len(text) > MOST_LETTERS or len(lines) > MOST_BLOCKS:
        return None
    writer, number = PageWriter(), 0
    has_own = any(line.text and not line.quote for line in lines)
    try:
        for is_quote, group in groupby(lines, key=lambda line: line.quote > 0):
            part = list(group)
            if is_quote and has_own and len(part) > LONGEST_QUOTE:
                if opened is not EVERY_QUOTE:
                    writer.write_fold(number, len(part), is_open=number in opened)
                is_shown, number = number in opened, number + 1
                part = part if is_shown else []
            _write_lines(writer, part, theme)
    except PageFullError:
        return None
    return FlatPage(writer.html(), quotes=number)


def page_as_text(html: str, text: str = "") -> str:
    """Return `text`, or the text of a page if that is empty, and the text that the page hides."""
    page = flatten_page(html, LIGHT, EVERY_QUOTE)
    if not text.strip():
        document = QTextDocument()
        document.setHtml(page.html)
        text = document.toPlainText()
    return f"{text.rstrip()}\n\n{tr('Hidden text:')}\n{page.hidden}" if page.hidden_words else text


def _read_line(line: str) -> _Line:
    """Return a line with its level of quotation."""
    found = _QUOTED.match(line)
    return _Line(found[0].count(">"), line[found.end() :]) if found else _Line(0, line)


def _write_lines(writer: PageWriter, lines: Sequence[_Line], theme: Colors) -> None:
    for line, is_drawn in zip(lines, drawn_lines([line.text for line in lines]), strict=True):
        if not line.text:
            writer.write_empty_line()
            continue
        ink = Ink(fixed=is_drawn, color=theme.muted if line.quote else "")
        writer.write(line.text, ink, Paragraph(verbatim=True, is_drawn=is_drawn).quoted(line.quote))
        writer.end_block()


def drawn_lines(lines: Sequence[str]) -> list[bool]:
    """Return, for each line, whether its columns are part of a drawing, a table or a patch."""
    drawn, start = _patched_lines(lines), 0
    for is_blank, group in groupby(lines, key=lambda line: not line.strip()):
        run = list(group)
        if not is_blank and _is_drawn(run):
            drawn[start : start + len(run)] = [True] * len(run)
        start += len(run)
    return drawn


def _patched_lines(lines: Sequence[str]) -> list[bool]:
    found, inside = list[bool](), False
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
