"""Marks in a text document: tinted and underlined words, links, and search matches."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from nbmail.ui.list.search_words import found_places

MOST_MARKS = 400
FOUND = "#ffe066"
"""Background of search matches. Their text is black in every theme."""
Place = tuple[int, int, str]
"""Start, end and background color."""
Mark = tuple[QTextCursor, QTextCharFormat]
_WORD = re.compile(r"[\w$%!'\u2019-]+")
"""A word as the tokenizer splits it."""


def mark_words(document: QTextDocument, colors: Mapping[str, str], ink: str) -> list[Mark]:
    """Mark words by their colors, with the text color `ink`. The keys are in lower case."""
    if not colors:
        return []
    text = document.toPlainText()
    places = islice(_word_places(text, colors), MOST_MARKS)
    return _marks(document, _in_units(text, places), ink)


def mark_links(document: QTextDocument, parts: Collection[str], color: str, ink: str) -> list[Mark]:
    """Mark links whose addresses contain one of `parts`."""
    if not parts:
        return []
    places = islice(_link_places(document, parts, color), MOST_MARKS)
    return _marks(document, places, ink)


def mark_found(document: QTextDocument, text: str, words: Sequence[str]) -> list[Mark]:
    """Mark the matches of searched words. `text`: text of the document."""
    if not words:
        return []
    found = islice(found_places(text, words), MOST_MARKS)
    places = ((start, end, FOUND) for start, end in found)
    return _marks(document, _in_units(text, places), "black")


def underline(marks: Iterable[Mark]) -> None:
    for _, style in marks:
        style.setFontUnderline(True)


def selection(mark: Mark) -> QTextEdit.ExtraSelection:
    """Return a selection for Qt. Reading its members again would free them twice."""
    made = QTextEdit.ExtraSelection()
    made.cursor, made.format = mark
    return made


def _word_places(text: str, colors: Mapping[str, str]) -> Iterator[Place]:
    for found in _WORD.finditer(text):
        color = colors.get(found[0].replace("\u2019", "'").lower())
        if color is not None:
            yield found.start(), found.end(), color


def _link_places(document: QTextDocument, parts: Collection[str], color: str) -> Iterator[Place]:
    block = document.begin()
    while block.isValid():
        yield from _link_places_in(block, parts, color)
        block = block.next()


def _link_places_in(block: QTextBlock, parts: Collection[str], color: str) -> Iterator[Place]:
    chunks = block.begin()
    while not chunks.atEnd():
        chunk = chunks.fragment()
        address = chunk.charFormat().anchorHref().lower()
        if any(part in address for part in parts):
            yield chunk.position(), chunk.position() + chunk.length(), color
        chunks += 1


def _in_units(text: str, places: Iterable[Place]) -> Iterator[Place]:
    """Convert positions to UTF-16 units, in which Qt counts."""
    wide = list[int]()
    if not text.isascii():
        wide = [place for place, letter in enumerate(text) if letter > "\uffff"]
    for start, end, color in places:
        yield start + bisect_left(wide, start), end + bisect_left(wide, end), color


def _marks(document: QTextDocument, places: Iterable[Place], ink: str) -> list[Mark]:
    """Return a cursor and a format for each place. All have the text color `ink`."""
    marks = []
    for start, end, color in places:
        cursor = QTextCursor(document)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        style = QTextCharFormat()
        style.setBackground(QColor(color))
        style.setForeground(QColor(ink))
        marks.append((cursor, style))
    return marks
