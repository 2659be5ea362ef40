"""Writer of the simple HTML that Qt shows: paragraphs, and tables without nesting."""

import re
from html import escape

from nbmail.ui.page.long_lines import LONGEST_PARAGRAPH, split_paragraph
from nbmail.ui.page.text_format import Ink, Paragraph, block_tag, run_tags
from nbmail.ui.texts.language import tr, tr_count

LONGEST_MIXED = 200
"""Maximum letters of a paragraph with both writing directions.

64,000 alternating letters took Qt 20 s.
"""
MOST_LETTERS = 100_000
MOST_BLOCKS = 3_000
MOST_RUNS = 3_000
"""Bounds of a page, together less than 100 ms of Qt's time.

Real mail has at most 23,000, 400 and 600.
"""
GAP = 8
"""Pixels between paragraphs."""
PICTURE = "picture"
"""Scheme of the addresses of pictures."""
FOLD = "quote"
"""Scheme of links that show or hide a long quotation."""
_SPACES = re.compile(r"[ \t\n\r\f\v\u00a0\u2007]+")
_BACKWARD = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+")
"""Letters that are written from right to left."""


class PageFullError(Exception):
    """The page exceeds the bounds."""


class PageWriter:
    """Writes runs of text into paragraphs, collapses white space, and enforces the bounds."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._ink: Ink | None = None
        self._is_open = False
        self._is_inline = False
        self._space = False
        """True if a space separates the next words from those before."""
        self._gap = 0
        self._room = LONGEST_PARAGRAPH
        """Letters that the open paragraph can still take."""
        self._letters = 0
        self._blocks = 0
        self._runs = 0

    def html(self) -> str:
        self._is_inline = False
        self.end_block()
        return "".join(self._out)

    # ---------------------------------------------------------------------------------------------
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
            self._is_open = False
            self._space = False

    def end_line(self) -> None:
        # A second line break in sequence adds a gap.
        self.end_block(0 if self._is_open else GAP)

    def set_inline(self, is_inline: bool, separator: str = "") -> None:
        """Write all blocks into one line from now on, or stop that.

        `separator`: stands between the line and the text before.
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
        """Write the link that shows or hides a long quotation."""
        self.end_block(GAP)
        if is_open:
            text = f"▾ {tr('Hide quoted text')}"
        else:
            shown = tr_count("Show quoted text (%n line)", "Show quoted text (%n lines)", lines)
            text = f"▸ {shown}"
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
        self._is_open = False
        self._is_inline = False
        self._space = False

    # ---------------------------------------------------------------------------------------------
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
        begins_with_space = self._space or collapsed[0] == " "
        if begins_with_space and self._is_open:
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
        width, height = size
        self._out.append(f'<img src="{PICTURE}:{number}" width="{width}" height="{height}">')
        self._end_run()

    def _write_verbatim(self, text: str, ink: Ink, paragraph: Paragraph) -> None:
        for number, line in enumerate(text.expandtabs().split("\n")):
            if number:
                self.end_line()
            words = line.strip()
            if not words:
                continue
            indent = 0 if self._is_open else len(line) - len(line.lstrip())
            words = words.replace("  ", " \u00a0")
            self._write_words("\u00a0" * indent + words, ink, paragraph)

    def _write_words(self, words: str, ink: Ink, paragraph: Paragraph) -> None:
        if words[0] == " " and ink != self._ink and self._is_open:
            # The space between two formats belongs to neither: an underline would cover it.
            self._end_run()
            self._out.append(" ")
            words = words[1:]
        room = LONGEST_MIXED if _is_mixed(words) else LONGEST_PARAGRAPH
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
        self._out.append(block_tag(self._gap if self._out else 0, paragraph))
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
        opening, _ = run_tags(ink)
        self._out.append(opening)

    def _end_run(self) -> None:
        if self._ink is not None:
            _, closing = run_tags(self._ink)
            self._out.append(closing)
            self._ink = None


def _is_mixed(words: str) -> bool:
    """True for words in both writing directions."""
    if words.isascii():
        return False
    backward = _BACKWARD.search(words)
    return backward is not None and len(backward[0]) < len(words.strip())
