"""Why: the verdict in one line, the reason in one sentence, and the ledger of words that adds up to it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from nbmail.ui.evidence.evidence_ledger import (
    Detail,
    EvidenceModel,
    Part,
    alike_words,
    change_words,
    ledger,
    reason_words,
    sum_words,
)
from nbmail.ui.evidence.giver_texts import brief_words, given_words
from nbmail.ui.kit import phrases
from nbmail.ui.kit.icons import draw_icon
from nbmail.ui.kit.language import tr, tr_count
from nbmail.ui.kit.letter_sizes import grown, heading_width
from nbmail.ui.kit.mirror import Mirror
from nbmail.ui.kit.plain_text import plain_label, plain_tip
from nbmail.ui.kit.short_label import ShortLabel
from nbmail.ui.kit.theme import Shades
from nbmail.worker.protocol import Explanation, Given

NARROW = 520
"""Below this width the headings are shorter."""
WORD_SHARE = 0.75
"""Of what the numbers leave, this is for the word and its place, the rest for the bar."""
LEAST_BAR, LEAST_WORD = 44, 120
"""Pixels that are left to bars and words however narrow the panel is; below, counts are in the tooltip only."""
RING = 1
"""Pixels of the line around the ledger that shows where the keyboard is."""
PLACE_SHARE = 0.4
"""A word that is too long leaves so much of its line to where it was found."""
WIDE = 560
"""From this width on ratio and correction have columns of their own; below they are in the line's tooltip."""


class EvidencePanel(QWidget):
    """The evidence of the current message. Has no signals of its own."""

    def __init__(self, shades: Shades, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("page", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.why: Explanation | None = None
        self.given: Given | None = None
        self._icon = plain_label()
        self._verdict = ShortLabel()
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 1.3)
        font.setWeight(QFont.Weight.DemiBold)
        self._verdict.setFont(font)
        self._given, self._reason, self._change, self._sum, self._alike = (_sentence() for _ in range(5))
        self._change.setProperty("muted", True)
        self._alike.setProperty("muted", True)
        self._alike.setToolTip(tr("Each of them was scored before nbmail learned what it is."))
        self._sum.setProperty("title", True)
        self.model = EvidenceModel(self)
        self.table = EvidenceTable(self.model, shades)
        self.setMinimumWidth(300)
        self._lay_out()
        self.wear(shades)
        self.clear()

    def _lay_out(self) -> None:
        title = QHBoxLayout()
        title.setSpacing(8)
        title.addWidget(self._icon)
        title.addWidget(self._verdict, 1)
        head = QVBoxLayout()
        head.setContentsMargins(16, 12, 16, 8)
        head.setSpacing(4)
        head.addLayout(title)
        head.addWidget(self._given)
        head.addWidget(self._reason)
        head.addWidget(self._change)
        foot = QVBoxLayout()
        foot.setContentsMargins(16, 6, 16, 10)
        foot.setSpacing(2)
        foot.addWidget(self._sum)
        foot.addWidget(self._alike)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        column.addLayout(foot)
        column.addStretch()

    def wear(self, shades: Shades) -> None:
        """Take on a theme."""
        self._shades = shades
        self.table.wear(shades)
        self._show_icon()

    def clear(self, text: str = "") -> None:
        """Show no evidence."""
        self.why = None
        self._verdict.setText(text)
        for label in (self._reason, self._change, self._sum, self._alike):
            label.clear()
        self._change.hide()
        self._alike.hide()
        self.show_given(None)
        self.model.show_lines([])
        self.table.hide()
        self._show_icon()

    def show_evidence(self, why: Explanation) -> None:
        """Show why."""
        self.why = why
        verdict = phrases.verdict_word(why.verdict)
        if why.probability is None:
            lean = f" · {phrases.lean_word(why.log_odds)}" if why.verdict == "unsure" and why.log_odds else ""
            self._verdict.setText(verdict + lean)
        else:
            chance = tr("{percent} chance of junk").format(percent=phrases.percent(why.probability))
            self._verdict.setText(f"{verdict} · {chance}")
        self._reason.setText(reason_words(why))
        change = change_words(why)
        self._change.setText(change)
        known = bool(why.contributions)
        self.model.show_lines(ledger(why) if known else [])
        self.table.fit_height()
        self._sum.setText(sum_words(why) if known else "")
        alike = alike_words(why) if known else ""
        self._alike.setText(alike)
        self.table.setVisible(known)
        self._fit()
        self._show_icon()

    def show_given(self, given: Given | None) -> None:
        """Say who gave the message its label, if it has one."""
        if given is not None and given == self.given:
            return
        self.given = given
        self._given.setVisible(given is not None)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where there is no room for all sentences the lesser ones give way, rather than lie over one another."""
        words = "" if self.given is None else given_words(self.given)
        self._given.setText(words)
        self._given.setAccessibleName(words)
        self._given.setToolTip("")
        for label in (self._change, self._alike, self._sum):
            label.setVisible(bool(label.text()))
        self.table.setVisible(bool(self.model.lines))
        self._hide_until_it_fits(self._change, self._alike)
        if self.given is not None and not self._fits():
            self._given.setText(brief_words(self.given))
            self._given.setToolTip(plain_tip(words))
        self._hide_until_it_fits(self._sum, self.table)
        if self.model.lines and self.table.isHidden():
            self._show_what_fits(self._sum, self._change)

    def _show_what_fits(self, *parts: QWidget) -> None:
        """Where the ledger had to go there may be room for what went before it."""
        for part in parts:
            part.show()
            part.setHidden(not self._fits())

    def _hide_until_it_fits(self, *parts: QWidget) -> None:
        for part in parts:
            if self._fits():
                return
            part.hide()

    def _fits(self) -> bool:
        column = self.layout()
        assert column is not None
        column.activate()
        return column.minimumHeightForWidth(self.width()) <= self.height()

    def scroll_to_top(self) -> None:
        """Begin with the strongest word."""
        self.table.scrollToTop()

    def _show_icon(self) -> None:
        verdict = self.why.verdict if self.why is not None else ""
        self._icon.setVisible(verdict in ("junk", "good", "unsure"))
        if self._icon.isVisibleTo(self):
            colour = getattr(self._shades, verdict)
            self._icon.setPixmap(draw_icon(verdict, colour, 22, self.devicePixelRatioF()))
            style = f"color: {colour};"
            # Setting the same one again would lay the whole panel out anew.
            if self._verdict.styleSheet() != style:
                self._verdict.setStyleSheet(style)


class EvidenceTable(QTableView):
    """The ledger. Has no signals of its own."""

    def __init__(self, model: EvidenceModel, shades: Shades) -> None:
        super().__init__()
        self.setModel(model)
        self._ledger = model
        self.setAccessibleName(tr("Words that decided"))
        self.setShowGrid(False)
        self.setProperty("ring", True)
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + 11)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(30)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.wear(shades)

    def wear(self, shades: Shades) -> None:
        """Take on a theme."""
        self.setItemDelegate(LedgerDelegate(self._ledger, shades, self))

    def fit_height(self) -> None:
        """Be no taller than the lines, so that the sum in words stands right below them."""
        lines = self.verticalHeader().length() + self.horizontalHeader().sizeHint().height() + 2 * RING
        self.setMaximumHeight(max(lines, self.minimumSizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        width = self.viewport().width()
        wide = width >= grown(self, WIDE)
        self._ledger.be_brief(width < grown(self, NARROW))
        least_bar = max(LEAST_BAR, heading_width(self, Detail.BAR)) if self._ledger.brief else LEAST_BAR
        numbers = (Detail.JUNK, Detail.GOOD, Detail.RATIO, Detail.CORRECTION, Detail.ADDS)
        fixed = dict.fromkeys(numbers, max(heading_width(self, detail) for detail in numbers))
        for detail in (Detail.RATIO, Detail.CORRECTION):
            self.setColumnHidden(detail, not wide)
        thin = width - 3 * fixed[Detail.ADDS] < LEAST_WORD + least_bar
        for detail in (Detail.JUNK, Detail.GOOD):
            self.setColumnHidden(detail, thin)
        rest = width - sum(size for detail, size in fixed.items() if not self.isColumnHidden(detail))
        # "167 weaker words" is not cut where there is room for a bar beside it.
        least = self.fontMetrics().horizontalAdvance(tr_count("%n weaker word", "%n weaker words", 100)) + 26
        wanted = min(grown(self, 360), max(least, round(rest * WORD_SHARE)))
        fixed[Detail.WORD] = min(wanted, max(LEAST_WORD, rest - least_bar))
        fixed[Detail.BAR] = max(least_bar, rest - fixed[Detail.WORD])
        for detail, size in fixed.items():
            self.setColumnWidth(detail, size)


class LedgerDelegate(QStyledItemDelegate):
    """Paints the lines of the ledger. Has no signals of its own."""

    def __init__(self, model: EvidenceModel, shades: Shades, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._shades = shades
        self._bold = QFont(parent.font())
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._plain = QFont(parent.font())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line = self._model.lines[index.row()]
        rect = option.rect
        self._mirror = Mirror(rect, option.direction == Qt.LayoutDirection.RightToLeft)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        if line.part is Part.SUM:
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, QColor(self._shades.muted))
        if index.column() == Detail.WORD:
            self._paint_word(painter, rect.adjusted(16, 0, -6, 0), index.row())
        elif index.column() == Detail.BAR:
            self._paint_bar(painter, rect, index.row())
        else:
            self._paint_number(painter, rect.adjusted(0, 0, -12, 0), index)

    def _paint_word(self, painter: QPainter, rect: QRect, row: int) -> None:
        line = self._model.lines[row]
        strong = line.part in (Part.WORD, Part.SUM)
        font = self._bold if strong else self._plain
        measure = QFontMetrics(font)
        place = line.place if line.word is not None and line.word.place != "body" else ""
        word = line.text[:200]
        kept = (
            max(round(PLACE_SHARE * rect.width()), rect.width() - measure.horizontalAdvance(word) - 10) if place else 0
        )
        room = rect.width() - min(kept, measure.horizontalAdvance(place) + 10)
        text = measure.elidedText(word, Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(QColor(self._shades.text if strong else self._shades.muted))
        painter.drawText(self._mirror.area(rect), self._mirror.near, text)
        if place:
            left = rect.left() + measure.horizontalAdvance(text) + 8
            painter.setFont(self._plain)
            painter.setPen(QColor(self._shades.muted))
            rest = QRect(left, rect.top(), rect.right() - left, rect.height())
            shown = QFontMetrics(self._plain).elidedText(place, Qt.TextElideMode.ElideRight, rest.width())
            painter.drawText(self._mirror.area(rest), self._mirror.near, shown)

    def _paint_bar(self, painter: QPainter, rect: QRect, row: int) -> None:
        line = self._model.lines[row]
        middle = rect.center().x()
        painter.fillRect(self._mirror.area(QRect(middle, rect.top(), 1, rect.height())), QColor(self._shades.line))
        if line.part is Part.SUM or not line.adds:
            return
        reach = (rect.width() / 2 - 6) * min(1.0, abs(line.adds) / self._model.reach)
        left = middle + 1.0 if line.adds > 0 else middle - reach
        colour = QColor(self._shades.junk if line.adds > 0 else self._shades.good)
        if line.part is not Part.WORD:
            colour.setAlphaF(0.45)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        bar = QRectF(left, rect.center().y() - 4.5, max(2.0, reach), 10)
        painter.drawRoundedRect(self._mirror.shape(bar), 2, 2)
        if abs(line.adds) > self._model.reach:
            self._break_bar(painter, bar, towards_junk=line.adds > 0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _break_bar(self, painter: QPainter, bar: QRectF, *, towards_junk: bool) -> None:
        """Gaps near its end say that a bar goes on: all weaker words together can reach further than any one."""
        painter.setBrush(QColor(self._shades.base))
        first = bar.right() - 9 if towards_junk else bar.left() + 4
        for gap in (first, first + 4):
            painter.drawRect(self._mirror.shape(QRectF(gap, bar.top() - 1, 2, bar.height() + 2)))

    def _paint_number(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        line = self._model.lines[index.row()]
        adds = index.column() == Detail.ADDS
        colour = self._shades.muted
        if adds and line.part is Part.SUM:
            colour = self._shades.text
        elif adds:
            colour = self._shades.junk if line.shown > 0 else self._shades.good
        painter.setFont(self._bold if line.part is Part.SUM else self._plain)
        painter.setPen(QColor(colour))
        text = self._model.data(index)
        painter.drawText(self._mirror.area(rect), self._mirror.far, text)


def _sentence() -> QLabel:
    label = plain_label()
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
