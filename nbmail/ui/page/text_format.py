"""Formats of text and paragraphs, and their HTML for Qt."""

from functools import lru_cache
from html import escape
from typing import NamedTuple

INDENT = 20
"""Pixels of one level of indentation."""
MOST_INDENTS = 5
_SIZES = {-1: "small", 1: "large", 2: "x-large"}


class Ink(NamedTuple):
    """Format of a run of text.

    `size`: steps from the normal size. `ground`: background of a button.
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
        quote = min(self.quote + levels, MOST_INDENTS)
        return self.indented(levels)._replace(quote=quote)

    def indented(self, levels: int = 1) -> "Paragraph":
        indent = min(self.indent + levels * INDENT, MOST_INDENTS * INDENT)
        return self._replace(indent=indent)


@lru_cache(2048)
def run_tags(ink: Ink) -> tuple[str, str]:
    """Return the tags before and behind a run of text."""
    style = ";".join(_run_rules(ink))
    if ink.link:
        pad = "\u00a0\u00a0" if ink.ground else ""
        return f'<a href="{escape(ink.link)}" style="{style}">{pad}', f"{pad}</a>"
    if style:
        return f'<span style="{style}">', "</span>"
    return "", ""


def _run_rules(ink: Ink) -> list[str]:
    rules = []
    if ink.bold:
        rules.append("font-weight:bold")
    if ink.italic:
        rules.append("font-style:italic")
    if ink.strike:
        rules.append("text-decoration:line-through")
    elif ink.underline:
        rules.append("text-decoration:underline")
    if ink.link and ink.ground:
        rules.append("text-decoration:none")
    if ink.fixed:
        rules.append("font-family:monospace")
    if ink.size:
        rules.append(f"font-size:{_SIZES[ink.size]}")
    if ink.raised:
        rules.append(f"vertical-align:{ink.raised}")
    if ink.color:
        rules.append(f"color:{ink.color}")
    if ink.ground:
        rules.append(f"background-color:{ink.ground}")
    return rules


@lru_cache(256)
def block_tag(gap: int, paragraph: Paragraph) -> str:
    """Return the opening tag of a paragraph. `gap`: pixels above it."""
    rules = []
    if gap:
        rules.append(f"margin-top:{gap}px")
    if paragraph.indent:
        rules.append(f"margin-left:{paragraph.indent}px")
    if paragraph.quote:
        rules.append(f"-qt-user-state:{paragraph.quote}")
    if paragraph.is_drawn:
        rules.append("white-space:pre")
    align = f' align="{paragraph.align}"' if paragraph.align else ""
    style = f' style="{";".join(rules)}"' if rules else ""
    return f"<div{align}{style}>"
