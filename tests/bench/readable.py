"""Readability of HTML mail: the finished layout of a folder of raw messages at three widths, light
and dark.

`python -m tests.bench readable [FOLDER…] [--json]`. Without a folder: the corpora. Hostile pages
are always measured.

A page is unreadable if one of these is true:

- more than 10 % of its letters stand in wrapped columns under 12 characters, beyond the right edge,
  or at a contrast
  under 2 : 1
- the first text is below 160 pixels, or text fills under 20 % of the first 320 pixels
- fewer than half of the visible words are shown
"""

import gc
import os
import re
import time
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextTable
from PySide6.QtWidgets import QApplication

from nbmail.ui.kit.theme import DARK, LIGHT, apply_theme
from nbmail.ui.message.body.mail_body import MailBody
from nbmail.worker.reading.message_text import text_of
from tests.bench._frame import parser_of, show
from tests.ui.hostile_pages import HOSTILE

WIDTHS = (420, 560, 800)
SCREEN = 320
DEEP_START = 160
NARROW_COLUMN = 12
WORDS = re.compile(r"\w+")
CORPORA = ("modern-junk", "spamassassin", "mime-torture")


class Reference(HTMLParser):
    """Visible words of a page by another reader: the standard parser and inline styles."""

    VOID = re.compile("area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr")
    SILENT = re.compile(
        "script|style|title|template|svg|math|iframe|object|select|textarea|noscript|head"
    )
    INLINE = re.compile("b|i|u|span|font|strong|em|a|wbr")
    HIDING = re.compile(
        r"display:none|visibility:hidden|mso-hide:all|max-height:0(?![.\d])|opacity:0(?![.\d])"
    )
    NO_SIZE = re.compile(r"font-size:0(?![.\d])")
    SIZE = re.compile(r"font-size:")

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.stack = []
        self.texts = []

    def handle_starttag(self, tag, attrs):
        if self.VOID.fullmatch(tag):
            self.texts.append(" ")
            return
        style = re.sub(r"\s+", "", dict(attrs).get("style") or "").lower()
        above = self.stack[-1] if self.stack else ("", False, False, "", "#ffffff")
        color, ground = self.colors_of(tag, dict(attrs), style, above)
        hidden = (
            above[1]
            or self.SILENT.fullmatch(tag) is not None
            or tag == "noscript"
            or "hidden" in dict(attrs)
            or bool(self.HIDING.search(style))
        )
        tiny = bool(self.NO_SIZE.search(style)) or (above[2] and not self.SIZE.search(style))
        self.stack.append((tag, hidden, tiny, color, ground))
        self.texts.append("" if self.INLINE.fullmatch(tag) else " ")

    def handle_endtag(self, tag):
        for depth in range(len(self.stack) - 1, -1, -1):
            if self.stack[depth][0] == tag:
                del self.stack[depth:]
                self.texts.append("" if self.INLINE.fullmatch(tag) else " ")
                return

    def handle_data(self, data):
        _, hidden, tiny, color, ground = (
            self.stack[-1] if self.stack else ("", False, False, "", "")
        )
        if not (hidden or tiny or (color and color == ground)):
            self.texts.append(data)

    def colors_of(self, tag, attributes, style, above):
        """Return the colors of text and ground, as far as they are known."""
        ground = re.search(r"background(?:-color)?:([^;]*)", style)
        ground = ground[1] if ground else (attributes.get("bgcolor") or "")
        color = re.search(r"(?<![-\w])color:([^;]*)", style)
        color = (
            color[1]
            if color
            else (attributes.get("color") or (tag == "body" and attributes.get("text")) or "")
        )
        inherited = "" if tag == "a" and attributes.get("href") else above[3]
        covered = "url(" in style or "background" in attributes
        return self.hexed(color) or inherited, "" if covered else self.hexed(ground) or above[4]

    @staticmethod
    def hexed(written):
        color = QColor.fromString(written.replace("!important", "").strip())
        return color.name() if color.isValid() else ""


def visible_words(page):
    reader = Reference()
    reader.feed(page)
    reader.close()
    return Counter(word.lower() for word in WORDS.findall("".join(reader.texts)))


def luminance(color):
    parts = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (
        each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ground_of(fragment, block, document, paper):
    """Return the background color behind a fragment."""
    formats = [fragment.charFormat(), block.blockFormat()]
    frame = document.frameAt(block.position())
    while frame is not None:
        if isinstance(frame, QTextTable):
            cell = frame.cellAt(block.position())
            formats.append(cell.format())
        formats.append(frame.frameFormat())
        frame = frame.parentFrame()
    for each in formats:
        brush = each.background()
        if brush.style() != Qt.BrushStyle.NoBrush and brush.color().alpha() > 0:
            return brush.color()
    return QColor(paper)


class Layout:
    """Figures of one page at one width and theme."""

    def __init__(self, body, theme):
        document = body.document()
        self.letters = self.narrow = self.beyond = self.pale = 0
        self.tops = []
        self.spans = []
        width = body.viewport().width()
        character = body.fontMetrics().averageCharWidth()
        layout = document.documentLayout()
        block = document.begin()
        while block.isValid():
            place = layout.blockBoundingRect(block)
            lines = block.layout()
            for number in range(lines.lineCount()):
                line = lines.lineAt(number)
                text = block.text()[line.textStart() : line.textStart() + line.textLength()]
                letters = len(text) - len(re.findall(r"\s", text))
                if not letters:
                    continue
                self.letters += letters
                wrapped = lines.lineCount() > 1
                self.narrow += letters * (wrapped and line.width() < NARROW_COLUMN * character)
                left = place.x() + line.x()
                right = place.x() + line.x() + line.naturalTextWidth()
                self.beyond += letters * max(
                    0.0, min(1.0, (right - width) / max(1.0, right - left))
                )
                top = place.y() + line.y()
                self.spans.append((top, top + line.height()))
            self._read_colors(block, document, theme)
            block = block.next()

    def _read_colors(self, block, document, theme):
        for part in block:
            fragment = part.fragment()
            letters = len(re.sub(r"\s", "", fragment.text()))
            if letters:
                brush = fragment.charFormat().foreground()
                named = brush.style() != Qt.BrushStyle.NoBrush
                ink = (
                    brush.color()
                    if named
                    else QColor(theme.link if fragment.charFormat().isAnchor() else theme.text)
                )
                self.pale += letters * (
                    contrast(ink, ground_of(fragment, block, document, theme.base)) < 2
                )

    @property
    def first_text(self):
        return min((top for top, _ in self.spans), default=0.0)

    @property
    def filled(self):
        """Return the share of the first screen, or of a shorter page, that lines of text fill."""
        end = max((bottom for _, bottom in self.spans), default=0.0)
        covered = 0.0
        reached = 0.0
        screen = min(SCREEN, end)
        for top, bottom in sorted(self.spans):
            covered += max(0.0, min(bottom, screen) - max(top, reached))
            reached = max(reached, bottom)
        return covered / screen if screen else 1.0

    def reasons(self, kept):
        tenth = self.letters / 10
        found = {
            "narrow": self.narrow > tenth,
            "beyond": self.beyond > tenth,
            "pale": self.pale > tenth,
            "deep": self.first_text > DEEP_START,
            "empty": self.filled < 0.2,
            "lost": kept < 0.5,
        }
        return [name for name, is_so in found.items() if is_so]


def measure(body, page, themes):
    """Return time to show, share of kept words, and the layouts by width and theme."""
    gc.collect()
    gc.freeze()
    began = time.process_time()
    body.set_colors(LIGHT)
    body.show_page(page)
    body.document().documentLayout().documentSize()
    body.grab()
    spent = 1000 * (time.process_time() - began)
    wanted = visible_words(page)
    body.open_quotes()
    shown = Counter(word.lower() for word in WORDS.findall(body.toPlainText()))
    kept = sum((wanted & shown).values()) / sum(wanted.values()) if wanted else 1.0
    layouts = {}
    for theme in themes:
        if theme is not LIGHT:
            body.set_colors(theme)
            body.show_page(page)
        for width in WIDTHS:
            body.resize(width, 600)
            body.document().documentLayout().documentSize()
            layouts[width, theme.dark] = Layout(body, theme)
    return spent, kept, layouts


def pages_in(folders):
    """Return the different pages of the messages in these folders."""
    raws = (
        path.read_bytes()
        for folder in folders
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    )
    pages = dict.fromkeys(text_of(1, raw, len(raw)).html for raw in raws)
    return [page for page in pages if WORDS.search(page)]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def run(arguments):
    parser = parser_of(__doc__)
    parser.add_argument("folders", nargs="*")
    options = parser.parse_args(arguments)
    corpora = os.environ.get("NBMAIL_CORPORA", "")
    folders = options.folders or [Path(corpora, name) for name in CORPORA if corpora]
    app = QApplication.instance() or QApplication([])
    apply_theme(app, "light")
    body = MailBody(lambda _: None)
    body.resize(560, 600)
    body.show()
    measured = [measure(body, page, (LIGHT, DARK)) for page in pages_in(folders)]
    hostile = max(measure(body, page, (LIGHT,))[0] for page in HOSTILE.values())
    body.close()
    figures = summary(measured, hostile)
    show(options, figures, "\n".join(f"{name:44} {value:10.1f}" for name, value in figures.items()))
    return 0


def summary(measured, hostile):
    figures = {"pages": len(measured)}
    for width in WIDTHS:
        for dark in (False, True):
            bad = [
                each
                for _, kept, layouts in measured
                if (each := layouts[width, dark].reasons(kept))
            ]
            name = f"unreadable at {width}, {'dark' if dark else 'light'} (%)"
            figures[name] = 100 * len(bad) / max(1, len(measured))
    layouts = [layout for *_, found in measured for layout in found.values() if layout.letters]
    kept = [kept for _, kept, _ in measured]
    times = [spent for spent, *_ in measured]
    return figures | {
        "first text within 80 pixels (%)": 100
        * sum(each.first_text <= 80 for each in layouts)
        / max(1, len(layouts)),
        "first screen filled, 5th percentile (%)": 100
        * percentile([each.filled for each in layouts], 0.05),
        "words kept, mean (%)": 100 * sum(kept) / max(1, len(kept)),
        "messages with under 90 % of words (%)": 100
        * sum(each < 0.9 for each in kept)
        / max(1, len(kept)),
        "milliseconds to show, median": percentile(times, 0.5),
        "milliseconds to show, 99 %": percentile(times, 0.99),
        "milliseconds to show, worst": max(times, default=0.0),
        "milliseconds to show, worst hostile": hostile,
    }
