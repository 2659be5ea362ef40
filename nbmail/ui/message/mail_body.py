"""Text of a message. Nothing is fetched or run. Words with evidence are tinted and clickable."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtCore import QByteArray, QEvent, QPoint, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from nbmail.core.explaining.explanation import Contribution, Explanation
from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.theme import LIGHT, Colors, colors
from nbmail.ui.list.search_words import found_places
from nbmail.ui.message.link_targets import ascii_address
from nbmail.ui.page.page_flow import FlatPage, flatten_page, lay_out_text
from nbmail.ui.page.page_writer import EVERY_QUOTE, FOLD, INDENT, PICTURE, break_long_lines
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.number_texts import signed
from nbmail.ui.texts.plain_text import plain_tip

LONGEST_TEXT = 300_000
MAX_ADDRESS = 500
MOST_PHRASE_WORDS = 12
STEPS = 10
"""Number of tints for each class."""
FAINTEST = 0.05
"""Share of the strongest contribution below which words are not tinted."""
MOST_TINTS = 400
LONGEST_LINE = 900
"""Maximum length of a line in pixels. Longer lines are hard to read."""
_WORD = re.compile(r"[\w$%!'\u2019-]+")
"""A word as the tokenizer splits it."""
MARGIN = 16
BAR = 2
"""Pixels of the bar beside a quotation."""
FOUND = "#ffe066"
"""Background of search matches. Their text is black in every theme."""


Place = tuple[int, int, str]
"""Start, end and background color."""
Mark = tuple[QTextCursor, QTextCharFormat]


class WordTint(NamedTuple):
    """Background color of a word, and a function that returns its tooltip."""

    colour: str
    tooltip: Callable[[], str]


def word_tints(why: Explanation, most: int, theme: Colors) -> dict[str, WordTint]:
    """Return tints of at most `most` words of the text, by words in lower case."""
    found = [each for each in why.contributions if each.place == "body"]
    strongest = sorted(found, key=lambda each: -abs(each.contribution))[:most]
    limit = max((abs(each.contribution) for each in strongest), default=0.0)
    steps = (
        {step: _tint_color(step / STEPS, theme) for step in range(-STEPS, STEPS + 1)}
        if limit
        else {}
    )
    return {
        each.word.lower(): WordTint(
            steps[round(STEPS * each.contribution / limit)], partial(_tint_tip, each)
        )
        for each in strongest
        if abs(each.contribution) >= FAINTEST * limit > 0
    }


def _tint_color(strength: float, theme: Colors) -> str:
    """Return the color of a word. `strength`: share of the strongest contribution, negative for
    good mail.
    """
    soft = QColor(theme.spam_soft if strength > 0 else theme.ham_soft)
    base = QColor(theme.base)
    part = 0.35 + 0.65 * abs(strength)
    pairs = (
        (soft.redF(), base.redF()),
        (soft.greenF(), base.greenF()),
        (soft.blueF(), base.blueF()),
    )
    return QColor.fromRgbF(*(part * one + (1 - part) * other for one, other in pairs)).name()


def _tint_tip(each: Contribution) -> str:
    text = tr(
        "Log-ratio {ratio}: in {spam} spam and {ham} good messages; adds {amount} here. "
        "Click for details."
    )
    counts = {"spam": format_count(each.spam), "ham": format_count(each.ham)}
    return text.format(ratio=signed(each.log_ratio), amount=signed(each.contribution), **counts)


class MailBody(QTextBrowser):
    """Viewer of a mail's text. `follow`: gets clicked links. Signals: `word_clicked(str)`;
    `phrase_chosen(str)`.
    """

    word_clicked = Signal(str)
    phrase_chosen = Signal(str)

    def __init__(self, follow: Callable[[str], None]) -> None:
        super().__init__()
        self._follow = follow
        self._colors = colors()
        self.refused = 0
        self._quotes = 0
        self._tints = list[Mark]()
        self._found = list[Mark]()
        self._words = dict[str, WordTint]()
        self._ink = self._colors.text
        self._render: Callable[[Container[int]], FlatPage | None] = lambda opened: None
        self._opened: Container[int] = ()
        self._images: Sequence[QImage] = ()
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(tr("Message text"))
        self.anchorClicked.connect(self._open_link)
        self.highlighted.connect(self._show_address)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.document().setDocumentMargin(MARGIN)
        self._apply_colors()
        # In a low pane the header gets its room first: overlapping lines are unreadable.
        self.setMinimumHeight(self.fontMetrics().height() + 24)

    def _open_link(self, address: QUrl) -> None:
        if address.scheme() == FOLD:
            self._toggle_quote(int(address.path()))
        else:
            self._follow(ascii_address(address))

    def _show_address(self, address: QUrl) -> None:
        shown = "" if address.scheme() == FOLD else ascii_address(address)[:MAX_ADDRESS]
        self.setToolTip(plain_tip(shown))

    def show_plain(self, text: str, *, literally: bool = False) -> None:
        """Show plain text. `literally`, and if it is very long: without bars, folds and fixed-width
        parts.
        """
        self._opened = set()
        self._render = lambda opened: (
            None if literally else lay_out_text(text, self._colors, opened)
        )
        if self._show() is None:
            self.setPlainText(break_long_lines(text[:LONGEST_TEXT]))

    def show_page(self, html: str, images: Mapping[str, QImage] = MappingProxyType({})) -> FlatPage:
        """Show a page. `images`: pictures by their addresses, as written in the page."""
        self._opened = set()
        self._images = list(images.values())
        sizes = {
            source: (n, image.width(), image.height())
            for n, (source, image) in enumerate(images.items())
        }
        room = max(MARGIN, self.viewport().width() - 4 * MARGIN)
        self._render = lambda opened: flatten_page(html, self._colors, opened, sizes, room)
        page = self._show()
        assert page is not None
        return page

    def write_to(self, cursor: QTextCursor) -> None:
        """Write the text in dark colors with all quotations, for the printer."""
        document = cursor.document()
        for number, image in enumerate(self._images):
            document.addResource(
                QTextDocument.ResourceType.ImageResource, QUrl(f"{PICTURE}:{number}"), image
            )
        theme = self._colors
        self._colors = LIGHT
        page = self._render(EVERY_QUOTE)
        self._colors = theme
        cursor.insertHtml(page.html) if page is not None else cursor.insertText(self.toPlainText())

    def _show(self) -> FlatPage | None:
        page = self._render(self._opened)
        self._quotes = page.quotes if page is not None else 0
        # Without the format of the previous cursor position, which may be a link.
        self.clear()
        self.setTextCursor(QTextCursor(self.document()))
        self.setCurrentCharFormat(QTextCharFormat())
        if page is not None:
            self.setHtml(page.html)
        return page

    def open_quotes(self) -> None:
        if self._quotes:
            self._opened = EVERY_QUOTE
            self._show()

    def _toggle_quote(self, number: int) -> None:
        """Show or hide a long quotation, at the same position of the page."""
        position = self.verticalScrollBar().value()
        self._opened = {
            each for each in range(self._quotes) if (each in self._opened) != (each == number)
        }
        self._show()
        self.tint(self._words, self._ink)
        self.verticalScrollBar().setValue(position)

    def set_colors(self, theme: Colors) -> bool:
        """Set the colors of the theme. False if they are the same as before."""
        if theme is self._colors:
            return False
        self._colors = theme
        self._apply_colors()
        return True

    def _apply_colors(self) -> None:
        colors = self._colors
        palette = QPalette(self.palette())
        roles = QPalette.ColorRole
        for role, name in (
            (roles.Base, colors.base),
            (roles.Text, colors.text),
            (roles.Link, colors.link),
        ):
            palette.setColor(role, QColor(name))
        self.setPalette(palette)
        self.setStyleSheet(
            f"QTextBrowser "
            f"{{ background: {colors.base}; color: {colors.text}; border: 1px solid {colors.base}; }}"
            f"QTextBrowser:focus {{ border-color: {colors.accent}; }}"
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        max_text_width = scaled(self, LONGEST_LINE)
        modes = QTextBrowser.LineWrapMode
        self.setLineWrapMode(
            modes.FixedPixelWidth if self.viewport().width() > max_text_width else modes.WidgetWidth
        )
        self.setLineWrapColumnOrWidth(max_text_width)

    def tint(self, words: dict[str, WordTint], ink: str) -> None:
        """Tint words, with a tooltip each. Their text color is `ink`: the mail may have chosen
        white.
        """
        self._words = words
        self._ink = ink
        self._tints = _tints(
            self.document(), {word: each.colour for word, each in words.items()}, ink
        )
        self.underline(())

    def underline(self, words: Collection[str], links: Collection[str] = ()) -> None:
        """Underline words, and links whose addresses contain one of `links`."""
        document = self.document()
        ink = self._colors.text
        ground = self._colors.chosen
        marks = _tints(document, dict.fromkeys(words, ground), ink)
        linked = islice(_linked_places(document, links, ground), MOST_TINTS)
        marks += _marks(document, linked, ink) if links else []
        for _, style in marks:
            style.setFontUnderline(True)
        self.setExtraSelections(
            [_selection(*mark) for mark in (*self._tints, *marks, *self._found)]
        )

    def highlight(self, words: Sequence[str]) -> None:
        """Highlight search matches and scroll to the first."""
        if words:
            self.open_quotes()
        text = self.toPlainText()
        places = (
            ((*place, FOUND) for place in islice(found_places(text, words), MOST_TINTS))
            if words
            else ()
        )
        self._found = _marks(self.document(), _in_units(text, places), "black")
        self.underline(())
        for cursor, _ in self._found[:1]:
            first = QTextCursor(cursor)
            first.clearSelection()
            self.setTextCursor(first)

    def scroll_page(self, direction: int) -> None:
        """Scroll by a page, forward (1) or back (-1)."""
        bar = self.verticalScrollBar()
        bar.setValue(
            bar.value() + direction * max(1, bar.pageStep() - 2 * self.fontMetrics().height())
        )

    def _word_at(self, place: QPoint) -> str:
        """Return the tinted word at a point of the view, "" for none and for a link."""
        position = self.cursorForPosition(place).position()
        cursors = [] if self.anchorAt(place) else [cursor for cursor, _ in self._tints]
        at = (each for each in cursors if each.selectionStart() <= position <= each.selectionEnd())
        return next((each.selectedText().lower() for each in at), "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        is_click = (
            event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection()
        )
        if is_click and (word := self._word_at(event.position().toPoint())):
            self.word_clicked.emit(word)

    def _open_menu(self, place: QPoint) -> None:
        menu = self.createStandardContextMenu(place)
        words = self.textCursor().selectedText().split()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if 1 < len(words) <= MOST_PHRASE_WORDS:
            menu.addSeparator()
            menu.addAction(
                tr("Count as a &phrase"), lambda: self.phrase_chosen.emit(" ".join(words))
            )
        menu.popup(self.mapToGlobal(place))

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and not self.anchorAt(event.pos()):
            known = self._words.get(self._word_at(event.pos()))
            self.setToolTip(plain_tip(known.tooltip()) if known is not None else "")
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        layout = self.document().documentLayout()
        top = self.verticalScrollBar().value()
        left = self.document().documentMargin() - self.horizontalScrollBar().value()
        block = self.cursorForPosition(QPoint(0, 0)).block()
        above = 0
        end = 0.0
        painter = QPainter(self.viewport())
        while block.isValid() and end < self.viewport().height():
            area = layout.blockBoundingRect(block).translated(0, -top)
            for level in range(block.userState()):
                # Without a break between paragraphs of one quotation.
                start = min(end, area.top()) if level < above else area.top()
                bar = QRectF(left + level * INDENT, start, BAR, area.bottom() - start)
                painter.fillRect(bar, QColor(self._colors.edge))
            above = block.userState()
            end = area.bottom()
            block = block.next()
        painter.end()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        address = QUrl(name)
        if (
            address.scheme() == PICTURE
            and address.path().isdecimal()
            and int(address.path()) < len(self._images)
        ):
            return self._images[int(address.path())]
        self.refused += 1
        return QByteArray()

    def doSetSource(
        self,
        name: QUrl | str,
        kind: QTextDocument.ResourceType = QTextDocument.ResourceType.HtmlResource,
    ) -> None:
        self.refused += 1


def _tints(document: QTextDocument, colours: Mapping[str, str], ink: str) -> list[Mark]:
    if not colours:
        return []
    text = document.toPlainText()
    found = (
        (each, colours.get(each.group().replace("\u2019", "'").lower()))
        for each in _WORD.finditer(text)
    )
    places = ((each.start(), each.end(), colour) for each, colour in found if colour is not None)
    return _marks(document, _in_units(text, islice(places, MOST_TINTS)), ink)


def _in_units(text: str, places: Iterable[Place]) -> Iterator[Place]:
    """Convert positions to UTF-16 units, in which Qt counts."""
    wide = (
        [place for place, letter in enumerate(text) if letter > "\uffff"]
        if not text.isascii()
        else []
    )
    for start, end, colour in places:
        yield start + bisect_left(wide, start), end + bisect_left(wide, end), colour


def _linked_places(document: QTextDocument, links: Collection[str], colour: str) -> Iterator[Place]:
    """Return the places of links whose addresses contain one of `links`."""
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
    """Return a cursor and a format for each place. All have the text color `ink`."""
    marks = []
    for start, end, colour in places:
        cursor = QTextCursor(document)
        style = QTextCharFormat()
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        style.setBackground(QColor(colour))
        style.setForeground(QColor(ink))
        marks.append((cursor, style))
    return marks


def _selection(cursor: QTextCursor, style: QTextCharFormat) -> QTextEdit.ExtraSelection:
    """Return a selection for Qt. Reading its members again would free them twice."""
    made = QTextEdit.ExtraSelection()
    made.cursor = cursor
    made.format = style
    return made
