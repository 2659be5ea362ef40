"""Viewer of a message's text. Nothing is fetched or run."""

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any

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
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser

from nbmail.ui.kit.sizes import scaled
from nbmail.ui.kit.theme import LIGHT, Colors, colors
from nbmail.ui.message.body import text_marks
from nbmail.ui.message.body.text_marks import Mark
from nbmail.ui.message.body.word_tints import WordTint
from nbmail.ui.message.link_targets import ascii_address
from nbmail.ui.page.flat_page import EVERY_QUOTE, FlatPage
from nbmail.ui.page.long_lines import break_long_lines
from nbmail.ui.page.page_flow import flatten_page
from nbmail.ui.page.page_writer import FOLD, PICTURE
from nbmail.ui.page.plain_page import lay_out_text
from nbmail.ui.page.text_format import INDENT
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import plain_tip

LONGEST_TEXT = 300_000
MAX_ADDRESS = 500
MOST_PHRASE_WORDS = 12
LONGEST_LINE = 900
"""Maximum length of a line in pixels. Longer lines are hard to read."""
MARGIN = 16
BAR = 2
"""Pixels of the bar beside a quotation."""
Render = Callable[[Container[int]], FlatPage | None]
"""Returns a page with these long quotations shown, None if plain text is shown without layout."""


class MailBody(QTextBrowser):
    """Viewer of a mail's text. Words with evidence are tinted and clickable.

    `follow`: called with clicked links. `refused`: number of resources that were requested.

    Signals: `word_clicked(str)`; `phrase_chosen(str)`.
    """

    word_clicked = Signal(str)
    phrase_chosen = Signal(str)

    def __init__(self, follow: Callable[[str], None]) -> None:
        super().__init__()
        self._follow = follow
        self._colors = colors()
        self.refused = 0
        self._render: Render = lambda opened: None
        self._quotes = 0
        self._opened: Container[int] = ()
        self._images: Sequence[QImage] = ()
        self._words = dict[str, WordTint]()
        self._ink = self._colors.text
        self._tinted = list[Mark]()
        self._found = list[Mark]()
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

    # ---------------------------------------------------------------------------------------------
    # text

    def show_plain(self, text: str, *, literally: bool = False) -> None:
        """Show plain text.

        `literally`, and if it is very long: without bars, folds and fixed-width parts.
        """

        def render(opened: Container[int]) -> FlatPage | None:
            return None if literally else lay_out_text(text, self._colors, opened)

        self._opened = ()
        self._render = render
        if self._show() is None:
            self.setPlainText(break_long_lines(text[:LONGEST_TEXT]))

    def show_page(self, html: str, images: Mapping[str, QImage] = MappingProxyType({})) -> FlatPage:
        """Show a page. `images`: pictures by their addresses, as written in the page."""
        sizes = {}
        for number, (source, image) in enumerate(images.items()):
            sizes[source] = (number, image.width(), image.height())
        room = max(MARGIN, self.viewport().width() - 4 * MARGIN)

        def render(opened: Container[int]) -> FlatPage:
            return flatten_page(html, self._colors, opened, sizes, room)

        self._opened = ()
        self._images = list(images.values())
        self._render = render
        page = self._show()
        assert page is not None
        return page

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

    def write_to(self, cursor: QTextCursor) -> None:
        """Write the text in dark colors with all quotations, for the printer."""
        kind = QTextDocument.ResourceType.ImageResource
        for number, image in enumerate(self._images):
            cursor.document().addResource(kind, QUrl(f"{PICTURE}:{number}"), image)

        theme = self._colors
        self._colors = LIGHT
        page = self._render(EVERY_QUOTE)
        self._colors = theme
        if page is not None:
            cursor.insertHtml(page.html)
        else:
            cursor.insertText(self.toPlainText())

    def open_quotes(self) -> None:
        """Show all long quotations."""
        if self._quotes:
            self._opened = EVERY_QUOTE
            self._show()

    def _toggle_quote(self, number: int) -> None:
        """Show or hide a long quotation, at the same position of the page."""
        position = self.verticalScrollBar().value()
        opened = {each for each in range(self._quotes) if each in self._opened}
        self._opened = opened ^ {number}
        self._show()
        self.tint(self._words, self._ink)
        self.verticalScrollBar().setValue(position)

    # ---------------------------------------------------------------------------------------------
    # links

    def _open_link(self, address: QUrl) -> None:
        if address.scheme() == FOLD:
            self._toggle_quote(int(address.path()))
        else:
            self._follow(ascii_address(address))

    def _show_address(self, address: QUrl) -> None:
        shown = ""
        if address.scheme() != FOLD:
            shown = ascii_address(address)[:MAX_ADDRESS]
        self.setToolTip(plain_tip(shown))

    # ---------------------------------------------------------------------------------------------
    # colors

    def set_colors(self, theme: Colors) -> bool:
        """Set the colors of the theme. False if they are the same as before."""
        if theme is self._colors:
            return False
        self._colors = theme
        self._apply_colors()
        return True

    def _apply_colors(self) -> None:
        theme = self._colors
        roles = QPalette.ColorRole
        palette = QPalette(self.palette())
        palette.setColor(roles.Base, QColor(theme.base))
        palette.setColor(roles.Text, QColor(theme.text))
        palette.setColor(roles.Link, QColor(theme.link))
        self.setPalette(palette)
        self.setStyleSheet(
            f"QTextBrowser {{ background: {theme.base}; color: {theme.text}; "
            f"border: 1px solid {theme.base}; }}"
            f"QTextBrowser:focus {{ border-color: {theme.accent}; }}"
        )

    # ---------------------------------------------------------------------------------------------
    # marked words

    def tint(self, words: dict[str, WordTint], ink: str) -> None:
        """Tint words, with a tooltip each.

        Their text color is `ink`: the mail may have chosen white.
        """
        self._words = words
        self._ink = ink
        colors = {word: tint.color for word, tint in words.items()}
        self._tinted = text_marks.mark_words(self.document(), colors, ink)
        self.underline(())

    def underline(self, words: Collection[str], links: Collection[str] = ()) -> None:
        """Underline words, and links whose addresses contain one of `links`."""
        ground = self._colors.chosen
        ink = self._colors.text
        marks = text_marks.mark_words(self.document(), dict.fromkeys(words, ground), ink)
        marks += text_marks.mark_links(self.document(), links, ground, ink)
        text_marks.underline(marks)
        # Later marks are above earlier ones.
        visible = [*self._tinted, *marks, *self._found]
        self.setExtraSelections([text_marks.selection(mark) for mark in visible])

    def highlight(self, words: Sequence[str]) -> None:
        """Highlight search matches and scroll to the first."""
        if words:
            self.open_quotes()
        self._found = text_marks.mark_found(self.document(), self.toPlainText(), words)
        self.underline(())
        if self._found:
            first = QTextCursor(self._found[0][0])
            first.clearSelection()
            self.setTextCursor(first)

    def _word_at(self, place: QPoint) -> str:
        """Return the tinted word at a point of the view, "" for none and for a link."""
        if self.anchorAt(place):
            return ""
        position = self.cursorForPosition(place).position()
        for cursor, _ in self._tinted:
            if cursor.selectionStart() <= position <= cursor.selectionEnd():
                return cursor.selectedText().lower()
        return ""

    # ---------------------------------------------------------------------------------------------
    # mouse and keyboard

    def scroll_page(self, direction: int) -> None:
        """Scroll by a page, forward (1) or back (-1)."""
        bar = self.verticalScrollBar()
        page = max(1, bar.pageStep() - 2 * self.fontMetrics().height())
        bar.setValue(bar.value() + direction * page)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and not self.textCursor().hasSelection():
            word = self._word_at(event.position().toPoint())
            if word:
                self.word_clicked.emit(word)

    def _open_menu(self, place: QPoint) -> None:
        menu = self.createStandardContextMenu(place)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = self.textCursor().selectedText().split()
        if 1 < len(words) <= MOST_PHRASE_WORDS:
            phrase = " ".join(words)
            menu.addSeparator()
            menu.addAction(tr("Count as a &phrase"), lambda: self.phrase_chosen.emit(phrase))
        menu.popup(self.mapToGlobal(place))

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and not self.anchorAt(event.pos()):
            tint = self._words.get(self._word_at(event.pos()))
            self.setToolTip("" if tint is None else plain_tip(tint.tooltip()))
        return super().viewportEvent(event)

    # ---------------------------------------------------------------------------------------------
    # layout

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        longest = scaled(self, LONGEST_LINE)
        modes = QTextBrowser.LineWrapMode
        is_wide = self.viewport().width() > longest
        self.setLineWrapMode(modes.FixedPixelWidth if is_wide else modes.WidgetWidth)
        self.setLineWrapColumnOrWidth(longest)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self._paint_bars(painter)
        painter.end()

    def _paint_bars(self, painter: QPainter) -> None:
        """Paint a bar for each level beside the visible quotations."""
        left = self.document().documentMargin() - self.horizontalScrollBar().value()
        block = self.cursorForPosition(QPoint(0, 0)).block()
        above = 0
        end = 0.0
        while block.isValid() and end < self.viewport().height():
            area = self._area_of(block)
            levels = block.userState()
            for level in range(levels):
                # Without a break between paragraphs of one quotation.
                top = min(end, area.top()) if level < above else area.top()
                bar = QRectF(left + level * INDENT, top, BAR, area.bottom() - top)
                painter.fillRect(bar, QColor(self._colors.edge))
            above = levels
            end = area.bottom()
            block = block.next()

    def _area_of(self, block: QTextBlock) -> QRectF:
        """Return the rectangle of a paragraph in the view."""
        area = self.document().documentLayout().blockBoundingRect(block)
        return area.translated(0, -self.verticalScrollBar().value())

    # ---------------------------------------------------------------------------------------------
    # resources

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture of `show_page`. Every other resource is refused."""
        address = QUrl(name)
        if address.scheme() == PICTURE and address.path().isdecimal():
            number = int(address.path())
            if number < len(self._images):
                return self._images[number]
        self.refused += 1
        return QByteArray()

    def doSetSource(
        self,
        name: QUrl | str,
        kind: QTextDocument.ResourceType = QTextDocument.ResourceType.HtmlResource,
    ) -> None:
        self.refused += 1
