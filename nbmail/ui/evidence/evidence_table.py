"""The ledger on the screen: words with where they stood, bars to either side, numbers."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from nbmail.ui.evidence.evidence_ledger import Detail, EvidenceModel, LedgerLine
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.letter_sizes import grown, heading_width
from nbmail.ui.kit.lines_table import shape_table
from nbmail.ui.kit.plain_text import LEFT, RIGHT
from nbmail.ui.kit.theme import Shades

NARROW = 520
"""Below this width the headings are shorter."""
WIDE = 560
"""From this width on ratio and correction have columns of their own; below they are in the line's tooltip."""
WORD_SHARE = 0.75
"""Of what the numbers leave, this is for the word and its place, the rest for the bar."""
LEAST_BAR, LEAST_WORD = 44, 120
"""Pixels that are left to bars and words however narrow the panel is; below, counts are in the tooltip only."""
WIDEST_WORD = 360
PLACE_SHARE = 0.4
"""A word that is too long leaves so much of its line to where it was found."""
LONGEST_WORD = 200
ROW_ROOM = 11
LEAST_LINES = 2
"""Lines that are left however low the panel is."""
RING = 1
"""Pixels of the line around the ledger that shows where the keyboard is."""


class EvidenceTable(QTableView):
    """The ledger. Has no signals of its own."""

    def __init__(self, model: EvidenceModel, shades: Shades) -> None:
        super().__init__()
        self.setModel(model)
        self._ledger = model
        self.setAccessibleName(tr("Words that decided"))
        shape_table(self, ROW_ROOM)
        self.setProperty("ring", True)
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setMinimumSectionSize(30)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.wear(shades)

    def wear(self, shades: Shades) -> None:
        """Take on a theme."""
        self.setItemDelegate(LedgerDelegate(self._ledger, shades, self))

    def fit_height(self) -> None:
        """Be no taller than the lines, so that the sum in words stands right below them."""
        around = self.horizontalHeader().sizeHint().height() + 2 * RING
        self.setMinimumHeight(around + LEAST_LINES * self.verticalHeader().defaultSectionSize())
        self.setMaximumHeight(max(around + self.verticalHeader().length(), self.minimumHeight()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = self.viewport().width()
        self._ledger.be_brief(width < grown(self, NARROW))
        least_bar = max(LEAST_BAR, heading_width(self, Detail.BAR)) if self._ledger.brief else LEAST_BAR
        rest = width - self._fit_numbers(width, LEAST_WORD + least_bar)
        # "167 weaker words" is not cut where there is room for a bar beside it.
        least = self.fontMetrics().horizontalAdvance(tr_count("%n weaker word", "%n weaker words", 100)) + 26
        wanted = min(grown(self, WIDEST_WORD), max(least, round(rest * WORD_SHARE)))
        word = min(wanted, max(LEAST_WORD, rest - least_bar))
        self.setColumnWidth(Detail.WORD, word)
        self.setColumnWidth(Detail.BAR, max(least_bar, rest - word))

    def _fit_numbers(self, width: int, least_rest: int) -> int:
        """Show the numbers there is room for beside the rest. How wide they are together."""
        numbers = (Detail.JUNK, Detail.GOOD, Detail.RATIO, Detail.CORRECTION, Detail.ADDS)
        each = max(heading_width(self, detail) for detail in numbers)
        wide, thin = width >= grown(self, WIDE), width - 3 * each < least_rest
        hidden = {Detail.JUNK: thin, Detail.GOOD: thin, Detail.RATIO: not wide, Detail.CORRECTION: not wide}
        for detail in numbers:
            self.setColumnHidden(detail, hidden.get(detail, False))
            self.setColumnWidth(detail, each)
        return each * (len(numbers) - sum(hidden.values()))


class LedgerDelegate(QStyledItemDelegate):
    """Paints the lines. Has no signals of its own."""

    def __init__(self, model: EvidenceModel, shades: Shades, parent: QWidget) -> None:
        super().__init__(parent)
        self._model, self._shades = model, shades
        self._plain, self._bold = QFont(parent.font()), QFont(parent.font())
        self._bold.setWeight(QFont.Weight.DemiBold)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line, rect, detail = self._model.line(index.row()), option.rect, Detail(index.column())
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        if line.is_sum:
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, QColor(self._shades.muted))
        if detail == Detail.WORD:
            self._paint_word(painter, rect.adjusted(16, 0, -6, 0), line)
        elif detail == Detail.BAR:
            self._paint_bar(painter, rect, line)
        else:
            self._paint_number(painter, rect.adjusted(0, 0, -12, 0), line, detail)

    def _paint_word(self, painter: QPainter, rect: QRect, line: LedgerLine) -> None:
        strong = line.word is not None or line.is_sum
        font = self._bold if strong else self._plain
        measure = QFontMetrics(font)
        word, place, kept = line.text[:LONGEST_WORD], line.place, 0
        if place:
            beside = max(round(PLACE_SHARE * rect.width()), rect.width() - measure.horizontalAdvance(word) - 10)
            kept = min(beside, measure.horizontalAdvance(place) + 10)
        text = measure.elidedText(word, Qt.TextElideMode.ElideRight, rect.width() - kept)
        painter.setFont(font)
        painter.setPen(QColor(self._shades.text if strong else self._shades.muted))
        painter.drawText(rect, LEFT, text)
        if place:
            rest = rect.adjusted(measure.horizontalAdvance(text) + 8, 0, 0, 0)
            painter.setFont(self._plain)
            painter.setPen(QColor(self._shades.muted))
            shown = QFontMetrics(self._plain).elidedText(place, Qt.TextElideMode.ElideRight, rest.width())
            painter.drawText(rest, LEFT, shown)

    def _paint_bar(self, painter: QPainter, rect: QRect, line: LedgerLine) -> None:
        middle = rect.center().x()
        painter.fillRect(middle, rect.top(), 1, rect.height(), QColor(self._shades.line))
        if line.is_sum or not line.adds:
            return
        reach = (rect.width() / 2 - 6) * min(1.0, abs(line.adds) / self._model.reach)
        left = middle + 1.0 if line.adds > 0 else middle - reach
        colour = QColor(self._shades.junk if line.adds > 0 else self._shades.good)
        if line.word is None:
            colour.setAlphaF(0.45)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        bar = QRectF(left, rect.center().y() - 4.5, max(2.0, reach), 10)
        painter.drawRoundedRect(bar, 2, 2)
        if abs(line.adds) > self._model.reach:
            # Gaps near its end say that a bar goes on: all weaker words together can reach further than any one.
            painter.setBrush(QColor(self._shades.base))
            first = bar.right() - 9 if line.adds > 0 else bar.left() + 4
            for gap in (first, first + 4):
                painter.drawRect(QRectF(gap, bar.top() - 1, 2, bar.height() + 2))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_number(self, painter: QPainter, rect: QRect, line: LedgerLine, detail: Detail) -> None:
        colour = self._shades.muted
        if detail == Detail.ADDS:
            side = self._shades.junk if line.shown > 0 else self._shades.good
            colour = self._shades.text if line.is_sum else side
        painter.setFont(self._bold if line.is_sum else self._plain)
        painter.setPen(QColor(colour))
        painter.drawText(rect, RIGHT, line.cell(detail))
