"""The ledger as a table: short beside the message, or whole, in groups that can be folded."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from nbmail.ui.evidence.score_breakdown import BreakdownLine, Group, LineKind, ScoreBreakdown, amount_text
from nbmail.ui.kit.icons import fill_round
from nbmail.ui.kit.language import format_count, tr
from nbmail.ui.kit.layouts import header_width, max_text_width, scaled
from nbmail.ui.kit.plain_text import LEFT, RIGHT, plain_tip
from nbmail.ui.kit.text_table import Index, TextRow, TextTableModel, style_table
from nbmail.ui.kit.theme import color


class Detail(IntEnum):
    """The columns of the ledger."""

    WORD = 0
    BAR = 1
    JUNK = 2
    GOOD = 3
    COUNTED = 4
    LEARNED = 5
    ADDS = 6


class BreakdownModel(TextTableModel[BreakdownLine]):
    """The lines that are shown. Signals: those of every Qt model.

    `reach` is the amount whose bar goes to the edge of a short ledger; `ends` are the ends of the axis of a whole one,
    on which `junk_from` is where junk begins, NaN where nobody knows.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tuple(heading for heading, *_ in _headings(False)), parent)
        self.brief = self.whole = False
        self.folded: set[Group] = set()
        self.reach, self.ends, self.junk_from = 1.0, (0.0, 1.0), math.nan
        self._breakdown: ScoreBreakdown | None = None

    def show_breakdown(self, breakdown: ScoreBreakdown | None, junk_from: float | None = None) -> None:
        """Show this one; `junk_from` is the probability from which on it is junk."""
        self._breakdown = breakdown
        known = junk_from is not None and 0 < junk_from < 1
        self.junk_from = 100 * math.log(junk_from / (1 - junk_from)) if known and junk_from else math.nan
        self._lay_out()

    def set_expanded(self, whole: bool) -> None:
        self.whole = whole
        self._lay_out()

    def fold(self, group: Group, folded: bool) -> None:
        """Show a group's sum without its words, or with them."""
        (self.folded.add if folded else self.folded.discard)(group)
        self._lay_out()

    def _lay_out(self) -> None:
        breakdown, lines = self._breakdown, list[BreakdownLine]()
        if breakdown is not None:
            lines = breakdown.whole(self.folded) if self.whole else breakdown.compact_lines()
            ends = [0, *(end for line in breakdown.whole(()) for end in (line.start, line.start + line.adds))]
            ends += [] if math.isnan(self.junk_from) else [round(self.junk_from)]
            self.ends = (min(ends), max(*ends, min(ends) + 1))
        self.reach = max((abs(line.adds) for line in lines if line.kind is LineKind.WORD), default=1) or 1
        # Their cells are told when they are asked for: of 5,000 lines a screen shows 30.
        self.set_rows([TextRow((), line) for line in lines])

    def line(self, row: int) -> BreakdownLine:
        return self.rows[row].item

    def set_compact(self, brief: bool) -> None:
        """Whether the headings have to make do with little room."""
        if brief != self.brief:
            self.brief = brief
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Detail) - 1)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        heading, brief, hint = _headings(self.whole)[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return brief if self.brief else heading
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == Detail.WORD else Qt.AlignmentFlag.AlignRight
            return (Qt.AlignmentFlag.AlignHCenter if section == Detail.BAR else side) | Qt.AlignmentFlag.AlignVCenter
        return hint if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.line(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return _cells(line)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(line.spoken())
        return line.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else None


def _cells(line: BreakdownLine) -> tuple[str, ...]:
    """What stands in the columns."""
    counts = [format_count(line.features[0].junk), format_count(line.features[0].good)] if line.features else ["", ""]
    parts = (line.counted, line.learned) if line.kind in (LineKind.WORD, LineKind.GROUP) else (0, 0)
    return (line.text, "", *counts, *(amount_text(part) if part else "" for part in parts), line.amount)


def _headings(whole: bool) -> tuple[tuple[str, str, str], ...]:
    """For each column its heading, what stands there where room is short, and what a tooltip says of it."""
    sides = f"◂ {tr('good')}  {tr('junk')} ▸"
    bars = tr("How the score comes about line by line, from the top to the sum; the mark is where junk begins")
    adds = tr("What it adds to this message's score, in log-odds: +0.7 doubles the odds of junk, −0.7 halves them")
    return (
        (tr("Word"), tr("Word"), tr("What was found, and where in the message")),
        (sides, "◂ · ▸", bars if whole else tr("How strongly it speaks for good mail or for junk")),
        (tr("In junk"), tr("Junk"), tr("In how many of your junk messages it was")),
        (tr("In good"), tr("Good"), tr("In how many of your good messages it was")),
        (tr("Counts"), tr("Counts"), tr("What these numbers alone would add")),
        (tr("Mistakes"), tr("Mist."), tr("What past mistakes added to that")),
        (tr("Adds"), tr("Adds"), adds),
    )


NARROW = 520
"""Below this width the headings are shorter."""
WIDE, WIDE_BESIDE_THE_LIST = 560, 720
"""From this width on the two parts of an amount have columns of their own: of all reasons, and of the glance at them,
which needs the room for words."""
BAR_SHARE, CASCADE_SHARE = 0.2, 0.3
"""Of what the numbers leave, this is for the bar at least; words take what they need of the rest."""
LEAST_BAR, LEAST_WORD = 44, 120
"""Pixels that are left to bars and words however narrow the panel is; below, counts are in the tooltip only."""
WORD_ROOM, MEASURED = 58, 100
"""Pixels around a word and its place; so many lines say how wide they are to be."""
PLACE_SHARE = 0.4
"""A word that is too long leaves so much of its line to where it was found."""
ROW_ROOM = 11
LEAST_LINES = (3, 6)
"""Lines that are left however low the panel is: of the short ledger, of the whole one."""
RING = 1
"""Pixels of the line around the ledger that shows where the keyboard is."""
INDENT = 16
FADED = 0.4
"""How much is left of reasons that are old."""
NUMBERS = (Detail.JUNK, Detail.GOOD, Detail.COUNTED, Detail.LEARNED, Detail.ADDS)


class BreakdownTable(QTableView):
    """Table of the score breakdown.

    Signals: `opened(BreakdownLine)` after a click or Enter; `pointed(BreakdownLine | None)` for the line under the
    mouse or keyboard, None after the mouse leaves.
    """

    opened = Signal(object)
    pointed = Signal(object)

    def __init__(self, model: BreakdownModel) -> None:
        super().__init__()
        self.setModel(model)
        self._breakdown, self.faded = model, False
        self.setAccessibleName(tr("Words that decided"))
        style_table(self, ROW_ROOM)
        self.setProperty("ring", True)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setMinimumSectionSize(30)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.clicked.connect(lambda index: self._open(index.row()))
        self.entered.connect(lambda index: self.pointed.emit(model.line(index.row())))
        self.setItemDelegate(BreakdownDelegate(model, self))
        model.modelReset.connect(self._fit)

    def fade(self, faded: bool) -> None:
        self.faded = faded
        self.viewport().update()

    def _fit(self) -> None:
        """Be no taller than the lines, so that the sum in words stands right below them."""
        self.share_width()
        around = self.horizontalHeader().sizeHint().height() + 2 * RING
        self.setMinimumHeight(around + LEAST_LINES[self._breakdown.whole] * self.verticalHeader().defaultSectionSize())
        self.setMaximumHeight(max(around + self.verticalHeader().length(), self.minimumHeight()))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def _open(self, row: int) -> None:
        """Fold or unfold a group in its place; other lines are for others to open."""
        line = self._breakdown.line(row)
        if line.kind is LineKind.GROUP:
            self._fold(row, line.group not in self._breakdown.folded)
        else:
            self.opened.emit(line)

    def _fold(self, row: int, folded: bool) -> None:
        group, scrolled = self._breakdown.line(row).group, self.verticalScrollBar().value()
        if group is not None:
            self._breakdown.fold(group, folded)
            self.setCurrentIndex(self._breakdown.index(row, 0))
            self.verticalScrollBar().setValue(scrolled)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, keys = self.currentIndex().row(), Qt.Key
        is_group = row >= 0 and self._breakdown.line(row).kind is LineKind.GROUP
        if row >= 0 and event.key() in (keys.Key_Return, keys.Key_Enter, keys.Key_Space):
            self._open(row)
        elif is_group and event.key() in (keys.Key_Left, keys.Key_Right):
            self._fold(row, event.key() == keys.Key_Left)
        else:
            super().keyPressEvent(event)

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:  # type: ignore[override]
        super().currentChanged(current, previous)
        self.pointed.emit(self._breakdown.line(current.row()) if current.isValid() else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_width()

    def share_width(self) -> None:
        """Give each column its share of the width."""
        width = self.viewport().width()
        self._breakdown.set_compact(width < scaled(self, NARROW))
        least_bar = max(LEAST_BAR, header_width(self, Detail.BAR))
        rest = width - self._fit_numbers(width, LEAST_WORD + least_bar)
        wanted = max_text_width(self.fontMetrics(), map(_written, self._breakdown.rows[:MEASURED])) + WORD_ROOM
        share = CASCADE_SHARE if self._breakdown.whole else BAR_SHARE
        word = max(LEAST_WORD, min(wanted, rest - max(least_bar, round(rest * share))))
        self.setColumnWidth(Detail.WORD, min(word, rest - least_bar))
        self.setColumnWidth(Detail.BAR, max(least_bar, rest - word))

    def _fit_numbers(self, width: int, least_rest: int) -> int:
        """Show the numbers there is room for beside the rest. How wide they are together."""
        wanted = {detail: header_width(self, detail) for detail in NUMBERS}
        wide = width >= scaled(self, WIDE if self._breakdown.whole else WIDE_BESIDE_THE_LIST)
        thin = width - sum(wanted[detail] for detail in (Detail.JUNK, Detail.GOOD, Detail.ADDS)) < least_rest
        hidden = {Detail.JUNK: thin, Detail.GOOD: thin, Detail.COUNTED: not wide, Detail.LEARNED: not wide}
        for detail in NUMBERS:
            self.setColumnHidden(detail, hidden.get(detail, False))
            self.setColumnWidth(detail, wanted[detail])
        return sum(wanted[detail] for detail in NUMBERS if not hidden.get(detail))


def _written(line: TextRow[BreakdownLine]) -> str:
    """A line's words as they are measured: with where they stood, of a group with its arrow."""
    return f"{line.item.text}   {line.item.place}"


class BreakdownDelegate(QStyledItemDelegate):
    """Paints the lines. Has no signals of its own."""

    def __init__(self, model: BreakdownModel, parent: BreakdownTable) -> None:
        super().__init__(parent)
        self._model, self._view = model, parent
        self._plain, self._bold = QFont(parent.font()), QFont(parent.font())
        self._bold.setWeight(QFont.Weight.DemiBold)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        line, rect, detail = self._model.line(index.row()), option.rect, Detail(index.column())
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.setOpacity(FADED if self._view.faded else 1.0)
        self._paint_ground(painter, rect, line, index.row())
        if detail == Detail.WORD:
            inset = INDENT * (2 if self._model.whole and line.kind in (LineKind.WORD, LineKind.WEAKER) else 1)
            self._paint_word(painter, rect.adjusted(inset, 0, -6, 0), line)
        elif detail == Detail.BAR:
            paint = self._paint_cascade if self._model.whole else self._paint_bar
            paint(painter, rect, line)
        else:
            self._paint_number(painter, rect.adjusted(0, 0, -12, 0), line, detail, str(index.data()))

    def _paint_ground(self, painter: QPainter, rect: QRect, line: BreakdownLine, row: int) -> None:
        """The row that the keyboard is on, and a line above the sum and above each group."""
        if self._view.hasFocus() and row == self._view.currentIndex().row():
            painter.fillRect(rect, color("chosen"))
        if line.kind in (LineKind.SUM, LineKind.GROUP):
            colour = "muted" if line.kind is LineKind.SUM else "line"
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, color(colour))

    def _paint_word(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        strong = line.kind in (LineKind.GROUP, LineKind.SUM) or (line.kind is LineKind.WORD and not self._model.whole)
        font, text = self._bold if strong else self._plain, line.text
        if line.kind is LineKind.GROUP:
            text = f"{'▸' if line.group in self._model.folded else '▾'} {text}"
        measure = QFontMetrics(font)
        told = self._model.whole and line.group in (Group.SUBJECT, Group.LAYOUT)
        place, kept = "" if told else line.place, 0
        if place:
            beside = max(round(PLACE_SHARE * rect.width()), rect.width() - measure.horizontalAdvance(text) - 10)
            kept = min(beside, measure.horizontalAdvance(place) + 10)
        text = measure.elidedText(text, Qt.TextElideMode.ElideRight, rect.width() - kept)
        painter.setFont(font)
        plain = strong or line.kind is LineKind.WORD
        painter.setPen(color("text" if plain else "muted"))
        painter.drawText(rect, LEFT, text)
        if place:
            rest = rect.adjusted(measure.horizontalAdvance(text) + 8, 0, 0, 0)
            painter.setFont(self._plain)
            painter.setPen(color("muted"))
            shown = QFontMetrics(self._plain).elidedText(place, Qt.TextElideMode.ElideRight, rest.width())
            painter.drawText(rest, LEFT, shown)

    def _paint_bar(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        """From the middle to one side."""
        middle = rect.center().x()
        painter.fillRect(middle, rect.top(), 1, rect.height(), color("line"))
        reach = (rect.width() / 2 - 6) * min(1.0, abs(line.adds) / self._model.reach)
        bar = QRectF(middle + 1.0 if line.adds > 0 else middle - reach, rect.center().y() - 4.5, max(2.0, reach), 10)
        self._fill(painter, bar, line)
        if abs(line.adds) > self._model.reach:
            # Gaps near its end say that a bar goes on: all weaker words together can reach further than any one.
            first = bar.right() - 9 if line.adds > 0 else bar.left() + 4
            for gap in (first, first + 4):
                painter.fillRect(QRectF(gap, bar.top() - 1, 2, bar.height() + 2), color("base"))

    def _paint_cascade(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        """From where all lines before it came to, to where it leads; the sum from nothing."""
        low, high = self._model.ends
        inner = rect.adjusted(6, 0, -6, 0)

        def across(amount: float) -> float:
            return inner.left() + inner.width() * (amount - low) / (high - low)

        painter.fillRect(round(across(0)), rect.top(), 1, rect.height(), color("line"))
        if not math.isnan(self._model.junk_from):
            painter.fillRect(round(across(self._model.junk_from)) - 1, rect.top(), 2, rect.height(), self._junk_line())
        ends = sorted((across(line.start), across(line.start + line.adds)))
        thick = 10 if line.kind in (LineKind.GROUP, LineKind.SUM) else 6
        self._fill(painter, QRectF(ends[0], rect.center().y() - thick / 2, max(2.0, ends[1] - ends[0]), thick), line)

    def _junk_line(self) -> QColor:
        colour = QColor(color("junk"))
        colour.setAlphaF(0.35)
        return colour

    def _fill(self, painter: QPainter, bar: QRectF, line: BreakdownLine) -> None:
        if not line.adds:
            return
        colour = QColor(color("junk" if line.adds > 0 else "good"))
        if line.kind in (LineKind.PRIOR, LineKind.CALIBRATION, LineKind.WEAKER) or (
            self._model.whole and line.kind is LineKind.WORD
        ):
            colour.setAlphaF(0.45)
        fill_round(painter, bar, colour, 2)

    def _paint_number(self, painter: QPainter, rect: QRect, line: BreakdownLine, detail: Detail, text: str) -> None:
        colour = "muted"
        if detail == Detail.ADDS:
            side = "junk" if line.adds > 0 else "good" if line.adds < 0 else "muted"
            colour = "text" if line.kind is LineKind.SUM else side
        painter.setFont(self._bold if line.kind in (LineKind.SUM, LineKind.GROUP) else self._plain)
        painter.setPen(color(colour))
        painter.drawText(rect, RIGHT, text)
