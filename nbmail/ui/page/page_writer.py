"""Writer of the simple HTML that Qt shows: paragraphs of formatted text, and tables without
nesting.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import NamedTuple

from nbmail.ui.texts.language import tr, tr_count

LONGEST_PARAGRAPH = 2_000
"""Maximum letters of a paragraph. Qt's time for one grows with its square if no space comes."""
LONGEST_MIXED = 200
"""Maximum letters of a paragraph with both writing directions. 64,000 alternating letters took Qt
20 s.
"""
MOST_LETTERS = 100_000
MOST_BLOCKS = 3_000
MOST_RUNS = 3_000
"""Bounds of a page, together less than 100 ms of Qt's time. Real mail has at most 23,000, 400 and
600.
"""
GAP = 8
"""Pixels between paragraphs."""
INDENT = 20
MOST_INDENTS = 5
"""Pixels of one level of indentation, and the maximum number of levels."""
PICTURE = "picture"
"""Scheme of the addresses of pictures."""
EVERY_QUOTE = range(MOST_BLOCKS)
"""Numbers of all long quotations: they are shown, without links that hide them."""
FOLD = "quote"
"""Scheme of links that show or hide a long quotation."""

_SPACES = re.compile(r"[ \t\n\r\f\v\u00a0\u2007]+")
_BACKWARD = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+")
_SIZES = {-1: "small", 1: "large", 2: "x-large"}


class Ink(NamedTuple):
    """Format of a run of text. `size`: steps from the normal size. `ground`: background of a
    button.
    """

    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    fixed: bool = False
    size: int = 0
    raised: str = ""
    color: str = ""
    ground: str = ""
    link: str = ""


class Paragraph(NamedTuple):
    """Format of a paragraph.

    `indent`: pixels. `verbatim`: line breaks and spaces are kept. `quote`: level of quotation, the
    state of its blocks. `is_drawn`: lines are never wrapped.
    """

    align: str = ""
    indent: int = 0
    verbatim: bool = False
    quote: int = 0
    is_drawn: bool = False

    def quoted(self, levels: int = 1) -> "Paragraph":
        return self.indented(levels)._replace(quote=min(self.quote + levels, MOST_INDENTS))

    def indented(self, levels: int = 1) -> "Paragraph":
        return self._replace(indent=min(self.indent + levels * INDENT, MOST_INDENTS * INDENT))


class PageFullError(Exception):
    """The page exceeds the bounds."""


class PageWriter:
    """Writes runs of text into paragraphs, collapses white space, and enforces the bounds."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._ink: Ink | None = None
        self._is_open = self._is_inline = self._space = False
        self._gap = self._letters = self._blocks = self._runs = 0
        self._room = LONGEST_PARAGRAPH

    def html(self) -> str:
        self._is_inline = False
        self.end_block()
        return "".join(self._out)

    # ----------------------------------------------------------------------------------------------------
    # blocks

    def end_block(self, gap: int = 0) -> None:
        """End the paragraph. The next one has at least this gap above."""
        if self._is_inline:
            self._space = self._is_open
            return
        self._gap = max(self._gap, gap)
        self._end_run()
        if self._is_open:
            self._out.append("</div>")
            self._is_open = self._space = False

    def end_line(self) -> None:
        # A second line break in sequence adds a gap.
        self.end_block(0 if self._is_open else GAP)

    def set_inline(self, is_inline: bool, separator: str = "") -> None:
        """Write all blocks into one line from now on, after a separator from the text before, or
        stop that.
        """
        self._is_inline = is_inline
        self._space = False
        if separator and self._is_open:
            self._end_run()
            self._out.append(separator)

    def write_rule(self) -> None:
        """Write a horizontal rule, except above the first text."""
        self.end_block(GAP)
        if self._out and not self._is_inline:
            self._count_block()
            self._out.append("<hr>")

    def write_empty_line(self) -> None:
        self.end_block()
        self._count_block()
        self._out.append('<p style="-qt-paragraph-type:empty;margin:0"><br></p>')

    def write_fold(self, number: int, lines: int, *, is_open: bool) -> None:
        self.end_block(GAP)
        shown = tr_count("Show quoted text (%n line)", "Show quoted text (%n lines)", lines)
        text = f"▾ {tr('Hide quoted text')}" if is_open else f"▸ {shown}"
        self.write(text, Ink(link=f"{FOLD}:{number}"), Paragraph().quoted())
        self.end_block()

    def write_tag(self, tag: str) -> None:
        self._end_run()
        self._out.append(tag)

    def begin_cell(self, tag: str) -> None:
        """Begin a cell with this tag. The cell is one paragraph."""
        self.write_tag(tag)
        self._count_block()
        self._is_open = True
        self._is_inline = True
        self._space = False
        self._room = LONGEST_PARAGRAPH

    def end_cell(self, tag: str) -> None:
        self.write_tag(tag)
        self._is_open = self._is_inline = self._space = False

    # ------------------------------------------------------------------------------------------------------
    # text

    def write(self, text: str, ink: Ink, paragraph: Paragraph) -> None:
        """Write text in a format. White space is collapsed unless the paragraph is verbatim."""
        if paragraph.verbatim and not self._is_inline:
            self._write_verbatim(text, ink, paragraph)
            return
        collapsed = _SPACES.sub(" ", text)
        words = collapsed.strip(" ")
        if not words:
            self._space = self._space or self._is_open
            return
        if (self._space or collapsed[0] == " ") and self._is_open:
            words = f" {words}"
        self._write_words(words, ink, paragraph)
        self._space = collapsed[-1] == " "

    def write_picture(
        self, number: int, size: tuple[int, int], ink: Ink, paragraph: Paragraph
    ) -> None:
        if not self._is_open:
            self._open_block(paragraph)
        self._end_run()
        self._begin_run(Ink(link=ink.link))
        self._out.append(f'<img src="{PICTURE}:{number}" width="{size[0]}" height="{size[1]}">')
        self._end_run()

    def _write_verbatim(self, text: str, ink: Ink, paragraph: Paragraph) -> None:
        for number, line in enumerate(text.expandtabs().split("\n")):
            if number:
                self.end_line()
            if words := line.strip():
                indent = "\u00a0" * (len(line) - len(line.lstrip())) if not self._is_open else ""
                self._write_words(indent + words.replace("  ", " \u00a0"), ink, paragraph)

    def _write_words(self, words: str, ink: Ink, paragraph: Paragraph) -> None:
        if words[0] == " " and ink != self._ink and self._is_open:
            # The space between two formats belongs to neither: an underline would cover it.
            self._end_run()
            self._out.append(" ")
            words = words[1:]
        backward = None if words.isascii() else _BACKWARD.search(words)
        is_mixed = backward is not None and len(backward[0]) < len(words.strip())
        room = LONGEST_MIXED if is_mixed else LONGEST_PARAGRAPH
        for number, chunk in enumerate(split_paragraph(words, min(self._room, room), room)):
            if number and not self._is_inline:
                self.end_block()
            if not self._is_open:
                self._open_block(paragraph)
            self._letters += len(chunk)
            if self._letters > MOST_LETTERS:
                raise PageFullError
            self._begin_run(ink)
            self._out.append(escape(chunk, quote=False))
            self._room = max(1, min(self._room, room) - len(chunk))

    def _open_block(self, paragraph: Paragraph) -> None:
        self._out.append(_block_tag(self._gap if self._out else 0, paragraph))
        self._gap = 0
        self._is_open = True
        self._space = False
        self._room = LONGEST_PARAGRAPH
        self._count_block()

    def _count_block(self) -> None:
        self._blocks += 1
        if self._blocks > MOST_BLOCKS:
            raise PageFullError

    def _begin_run(self, ink: Ink) -> None:
        if ink == self._ink:
            return
        self._end_run()
        self._runs += 1
        if self._runs > MOST_RUNS:
            raise PageFullError
        self._ink = ink
        self._out.append(_run_tags(ink)[0])

    def _end_run(self) -> None:
        if self._ink is not None:
            self._out.append(_run_tags(self._ink)[1])
            self._ink = None


@lru_cache(2048)
def _run_tags(ink: Ink) -> tuple[str, str]:
    rules = (
        "font-weight:bold" if ink.bold else "",
        "font-style:italic" if ink.italic else "",
        "text-decoration:line-through"
        if ink.strike
        else "text-decoration:underline"
        if ink.underline
        else "",
        "text-decoration:none" if ink.link and ink.ground else "",
        "font-family:monospace" if ink.fixed else "",
        f"font-size:{_SIZES[ink.size]}" if ink.size else "",
        f"vertical-align:{ink.raised}" if ink.raised else "",
        f"color:{ink.color}" if ink.color else "",
        f"background-color:{ink.ground}" if ink.ground else "",
    )
    style = ";".join(filter(None, rules))
    pad = "\u00a0\u00a0" if ink.ground else ""
    if ink.link:
        return f'<a href="{escape(ink.link)}" style="{style}">{pad}', f"{pad}</a>"
    return (f'<span style="{style}">', "</span>") if style else ("", "")


@lru_cache(256)
def _block_tag(gap: int, paragraph: Paragraph) -> str:
    rules = (
        f"margin-top:{gap}px" if gap else "",
        f"margin-left:{paragraph.indent}px" if paragraph.indent else "",
        f"-qt-user-state:{paragraph.quote}" if paragraph.quote else "",
        "white-space:pre" if paragraph.is_drawn else "",
    )
    align = f' align="{paragraph.align}"' if paragraph.align else ""
    return (
        f'<div{align} style="{style}">'
        if (style := ";".join(filter(None, rules)))
        else f"<div{align}>"
    )


def split_paragraph(
    text: str, first: int = LONGEST_PARAGRAPH, others: int = LONGEST_PARAGRAPH
) -> Iterator[str]:
    """Split a text into chunks of at most `others` letters, the first at most `first`; at spaces if
    there are any.
    """
    start = 0
    room = max(1, first)
    while len(text) - start > room:
        space = text.rfind(" ", start + room // 2, start + room)
        end = space + 1 if space >= 0 else start + room
        yield text[start:end]
        start = end
        room = others
    yield text[start:]


def break_long_lines(text: str) -> str:
    if len(text) <= LONGEST_PARAGRAPH or all(
        len(line) <= LONGEST_PARAGRAPH for line in text.splitlines()
    ):
        return text
    return "\n".join(chunk for line in text.splitlines() for chunk in split_paragraph(line))
