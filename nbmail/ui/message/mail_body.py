"""The text of a message. Nothing in it is ever fetched or run; the words that decided are marked, and can be asked."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from PySide6.QtCore import QByteArray, QEvent, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPalette,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.layouts import scaled
from nbmail.ui.kit.plain_text import plain_tip
from nbmail.ui.kit.theme import LIGHT, Colors
from nbmail.ui.list.search_words import found_places
from nbmail.ui.message.link_targets import ascii_address
from nbmail.ui.message.safe_html import bearable, make_safe

LONGEST_TEXT = 300_000
MAX_ADDRESS = 500
MOST_TINTS = 400
LONGEST_LINE = 900
"""Pixels: lines that are longer are hard to follow."""
_WORD = re.compile(r"[\w$%!'\u2019-]+")
"""A word with the signs that belong to it, as the model reads it."""
FOUND = "#ffe066"
"""Behind words that were searched for, which are black in any theme: as marked with a pen."""


Place = tuple[int, int, str]
"""From where to where, and the colour behind it."""
Mark = tuple[QTextCursor, QTextCharFormat]


@dataclass(frozen=True, slots=True)
class WordTint:
    """How a word of the text is marked, and what is said of it."""

    colour: str
    tell: Callable[[], str]


class MailBody(QTextBrowser):
    """Shows a mail's text. Every resource is refused and counted; links are handed to `follow`, never opened here.

    Signals: `word_asked(str)`, the word of the model that stands where the mouse was clicked.
    """

    word_asked = Signal(str)

    def __init__(self, follow: Callable[[str], None]) -> None:
        super().__init__()
        self.refused = 0
        self._tints: list[Mark] = []
        self._words: Mapping[str, WordTint] = {}
        self._lit = self._ink = "black"
        self._found: list[Mark] = []
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(tr("Text of the message"))
        self.anchorClicked.connect(lambda address: follow(ascii_address(address)))
        self.highlighted.connect(lambda address: self.setToolTip(plain_tip(ascii_address(address)[:MAX_ADDRESS])))
        self.document().setDocumentMargin(16)
        # Of a low pane the head takes what it needs first: lines that lie over one another can't be read at all.
        self.setMinimumHeight(self.fontMetrics().height() + 24)

    def show_plain(self, text: str) -> None:
        """Show plain text. Qt would give it the shape of where the cursor was last, a link and all."""
        self.clear()
        self.setTextCursor(QTextCursor(self.document()))
        self.setCurrentCharFormat(QTextCharFormat())
        self.setPlainText(bearable(text[:LONGEST_TEXT]))

    def show_page(self, html: str, paper: str) -> list[str]:
        """Show a page on this paper without what could fetch or run; what to say of that."""
        page = make_safe(html, paper)
        self.document().setDefaultStyleSheet(f"a {{ color: {LIGHT.link}; }}")
        self.setHtml(page.html)
        pictures = tr_count("%n picture was not loaded.", "%n pictures were not loaded.", page.pictures)
        return [pictures] * bool(page.pictures) + [tr("Its layout was simplified.")] * page.shortened

    def wear(self, colors: Colors) -> None:
        """Take on these colours."""
        self._lit, self._ink = colors.chosen, colors.text
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Base, QColor(colors.base))
        palette.setColor(QPalette.ColorRole.Text, QColor(colors.text))
        palette.setColor(QPalette.ColorRole.Link, QColor(colors.link))
        self.setPalette(palette)
        self.setStyleSheet(
            f"QTextBrowser {{ background: {colors.base}; color: {colors.text}; border: 1px solid {colors.base}; }}"
            f"QTextBrowser:focus {{ border-color: {colors.accent}; }}"
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        max_text_width = scaled(self, LONGEST_LINE)
        modes = QTextBrowser.LineWrapMode
        self.setLineWrapMode(modes.FixedPixelWidth if self.viewport().width() > max_text_width else modes.WidgetWidth)
        self.setLineWrapColumnOrWidth(max_text_width)

    def tint(self, words: Mapping[str, WordTint], ink: str) -> None:
        """Mark these words of the text, each on its colour, and say its numbers where the mouse is on it.

        They are written in `ink`: a mail may have them in white.
        """
        self._words = words
        self._tints = _tints(self.document(), {word: each.colour for word, each in words.items()}, ink)
        self.point_at(())

    def point_at(self, words: Collection[str], links: Collection[str] = ()) -> None:
        """Underline these words of the text, and links whose addresses hold one of these."""
        document, ink = self.document(), self._ink
        lit = _tints(document, dict.fromkeys(words, self._lit), ink)
        lit += _marks(document, islice(_linked_places(document, links, self._lit), MOST_TINTS), ink) if links else []
        for _, look in lit:
            look.setFontUnderline(True)
        self.setExtraSelections([_selection(*mark) for mark in (*self._tints, *lit, *self._found)])

    def light(self, words: Sequence[str]) -> None:
        """Light the words that somebody searched for, and show the first of them."""
        text = self.toPlainText()
        places = islice(found_places(text, words), MOST_TINTS) if words else ()
        self._found = _marks(self.document(), _in_units(text, ((start, end, FOUND) for start, end in places)), "black")
        self.point_at(())
        if self._found:
            cursor = QTextCursor(self._found[0][0])
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def turn_page(self, way: int) -> None:
        """Show the next page of it, or the one before."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + way * max(1, bar.pageStep() - 2 * self.fontMetrics().height()))

    def word_at(self, place: QPoint) -> str:
        """The marked word at a place of the view, empty if there is none."""
        position = self.cursorForPosition(place).position()
        for cursor, _ in self._tints:
            if cursor.selectionStart() <= position <= cursor.selectionEnd():
                return cursor.selectedText().lower()
        return ""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        place = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            word = "" if self.anchorAt(place) else self.word_at(place)
            if word:
                self.word_asked.emit(word)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and not self.anchorAt(event.pos()):
            known = self._words.get(self.word_at(event.pos()))
            self.setToolTip(plain_tip(known.tell()) if known is not None else "")
        return super().viewportEvent(event)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        self.refused += 1
        return QByteArray()

    def doSetSource(
        self, name: QUrl | str, kind: QTextDocument.ResourceType = QTextDocument.ResourceType.HtmlResource
    ) -> None:
        self.refused += 1


def _tints(document: QTextDocument, colours: Mapping[str, str], ink: str) -> list[Mark]:
    if not colours:
        return []
    text = document.toPlainText()
    found = ((each, colours.get(each.group().replace("\u2019", "'").lower())) for each in _WORD.finditer(text))
    places = ((each.start(), each.end(), colour) for each, colour in found if colour is not None)
    return _marks(document, _in_units(text, islice(places, MOST_TINTS)), ink)


def _in_units(text: str, places: Iterable[Place]) -> Iterator[Place]:
    """Qt counts a letter outside the basic plane, such as an emoji, twice."""
    wide = [place for place, letter in enumerate(text) if letter > "\uffff"] if not text.isascii() else []
    for start, end, colour in places:
        yield start + bisect_left(wide, start), end + bisect_left(wide, end), colour


def _linked_places(document: QTextDocument, links: Collection[str], colour: str) -> Iterator[Place]:
    """Where words lead to an address that holds one of these."""
    block = document.begin()
    while block.isValid():
        chunks = block.begin()
        while not chunks.atEnd():
            chunk = chunks.fragment()
            address = chunk.charFormat().anchorHref().lower()
            if address and any(each in address for each in links):
                yield chunk.position(), chunk.position() + chunk.length(), colour
            chunks += 1
        block = block.next()


def _marks(document: QTextDocument, places: Iterable[Place], ink: str) -> list[Mark]:
    """These places of the text, each on its colour, all in one ink."""
    marks = []
    for start, end, colour in places:
        cursor, look = QTextCursor(document), QTextCharFormat()
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        look.setBackground(QColor(colour))
        look.setForeground(QColor(ink))
        marks.append((cursor, look))
    return marks


def _selection(cursor: QTextCursor, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
    """Made at the last moment and never read from: Python would free what was read of it a second time."""
    made = QTextEdit.ExtraSelection()
    made.cursor, made.format = cursor, look
    return made
