"""Table of the score breakdown: compact next to the message, or expanded in groups that can be
folded.
"""

import math
from enum import IntEnum
from itertools import product
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from nbmail.ui.evidence.feature_texts import class_texts
from nbmail.ui.evidence.score_breakdown import (
    BreakdownLine,
    Group,
    LineKind,
    ScoreBreakdown,
    line_cells,
)
from nbmail.ui.kit.drawing import fill_round
from nbmail.ui.kit.painted_text import LEFT, RIGHT
from nbmail.ui.kit.sizes import header_width, max_text_width, scaled
from nbmail.ui.kit.text_table import style_table
from nbmail.ui.kit.theme import color
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import plain_tip

Index = QModelIndex | QPersistentModelIndex
NARROW = 520
WIDE_COMPACT = 720
"""Width in pixels below which the headings are shorter, and from which the compact table has all
columns.
"""
BAR_SHARE = 0.2
CASCADE_SHARE = 0.3
"""Minimum share of the bars, in the compact and the expanded table, in the width that the numbers
leave.
"""
LEAST_BAR = 44
LEAST_WORD = 120
"""Minimum width in pixels of bars and words. In narrower tables the counts are hidden."""
WORD_PADDING = 58
MEASURED = 100
"""Pixels around a word and its place; number of lines that determine the width of the words."""
PLACE_SHARE = 0.4
"""Share of the place in the width of a word that is too long."""
ROW_PADDING = 11
LEAST_LINES = (3, 6)
"""Minimum number of visible lines, in the compact and the expanded table."""
RING = 1
"""Width in pixels of the ring that shows the keyboard focus."""
INDENT = 16
FADED = 0.4
"""Opacity of outdated reasons."""


class Detail(IntEnum):
    """Columns of the table."""

    WORD, BAR, SPAM, HAM, LOG_RATIO, OCCURRENCES, COUNTED, LEARNED, ADDS = range(9)


NUMBERS = tuple(detail for detail in Detail if detail > Detail.BAR)
PARTS = frozenset((Detail.OCCURRENCES, Detail.COUNTED, Detail.LEARNED))
COUNTS = frozenset((Detail.SPAM, Detail.HAM))
HIDDEN = (
    frozenset[Detail](),
    frozenset((Detail.COUNTED,)),
    PARTS,
    PARTS | COUNTS,
    PARTS | COUNTS | {Detail.LOG_RATIO},
)
"""Columns that are hidden in tables of decreasing width."""


class BreakdownModel(QAbstractTableModel):
    """Shown lines. `reach`: amount of a full bar. `ends`: of the axis. `spam_from`: amount on it,
    NaN if unknown.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.short_headings = self.expanded = False
        self.folded: set[Group | None] = {Group.ABSENT}
        self.show_breakdown(None)

    def show_breakdown(
        self, breakdown: ScoreBreakdown | None, spam_from: float | None = None
    ) -> None:
        """Show a breakdown. `spam_from`: probability from which a message is spam."""
        self._breakdown: ScoreBreakdown | None = breakdown
        self.spam_from = (
            100 * math.log(spam_from / (1 - spam_from)) if spam_from and spam_from < 1 else math.nan
        )
        self.lay_out()

    def lay_out(self) -> None:
        """Choose the lines again after a change of `expanded` or `folded`."""
        self.beginResetModel()
        breakdown = self._breakdown
        self._headings = _headings(self.expanded)
        every = breakdown.all_lines() if breakdown is not None else []
        self.lines = every
        if breakdown is not None:
            self.lines = (
                breakdown.all_lines(self.folded) if self.expanded else breakdown.compact_lines()
            )
        ends = [0, *(end for line in every for end in (line.start, line.start + line.adds))]
        ends += [] if math.isnan(self.spam_from) else [round(self.spam_from)]
        self.ends = (min(ends), max(*ends, min(ends) + 1))
        self.reach = (
            max((abs(line.adds) for line in self.lines if line.kind is LineKind.WORD), default=1)
            or 1
        )
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Detail)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        heading, short, hint = self._headings[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return short if self.short_headings else heading
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignLeft
                if section == Detail.WORD
                else Qt.AlignmentFlag.AlignRight
            )
            return (
                Qt.AlignmentFlag.AlignHCenter if section == Detail.BAR else side
            ) | Qt.AlignmentFlag.AlignVCenter
        return hint if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line_cells(line)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(line.accessible_text())
        return line.accessible_text() if role == Qt.ItemDataRole.AccessibleTextRole else None


class BreakdownTable(QTableView):
    """Table of the score breakdown. Signals: `opened(BreakdownLine)`; `pointed(BreakdownLine |
    None)`, or None.
    """

    opened = Signal(object)
    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.content = BreakdownModel(self)
        self.faded = False
        self.setModel(self.content)
        self.setAccessibleName(tr("Reasons"))
        style_table(self, ROW_PADDING)
        self.setProperty("ring", True)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setMinimumSectionSize(30)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.clicked.connect(lambda index: self._open(index.row()))
        self.entered.connect(lambda index: self.pointed.emit(self.lines[index.row()]))
        self.setItemDelegate(LinePainter(self))
        self.content.modelReset.connect(self._fit)

    @property
    def lines(self) -> list[BreakdownLine]:
        return self.content.lines

    @property
    def expanded(self) -> bool:
        return self.content.expanded

    def set_expanded(self, expanded: bool) -> None:
        self.content.expanded = expanded
        self.content.lay_out()

    def fade(self, faded: bool) -> None:
        """Paint the lines as outdated, or as current again."""
        self.faded = faded
        self.viewport().update()

    def fold(self, group: Group | None, folded: bool) -> None:
        (self.content.folded.add if folded else self.content.folded.discard)(group)
        self.content.lay_out()

    def _fit(self) -> None:
        """Limit the height to the lines, so that the sum stands right below them."""
        self.set_column_widths()
        around = self.horizontalHeader().sizeHint().height() + 2 * RING
        self.setMinimumHeight(
            around + LEAST_LINES[self.expanded] * self.verticalHeader().defaultSectionSize()
        )
        self.setMaximumHeight(max(around + self.verticalHeader().length(), self.minimumHeight()))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def _open(self, row: int) -> None:
        """Fold or unfold a group; report other lines."""
        line = self.lines[row]
        if line.kind is LineKind.GROUP:
            self._fold_row(row, line.group not in self.content.folded)
        else:
            self.opened.emit(line)

    def _fold_row(self, row: int, folded: bool) -> None:
        scrolled = self.verticalScrollBar().value()
        self.fold(self.lines[row].group, folded)
        self.setCurrentIndex(self.content.index(row, 0))
        self.verticalScrollBar().setValue(scrolled)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        keys = Qt.Key
        is_group = row >= 0 and self.lines[row].kind is LineKind.GROUP
        if row >= 0 and event.key() in (keys.Key_Return, keys.Key_Enter, keys.Key_Space):
            self._open(row)
        elif is_group and event.key() in (keys.Key_Left, keys.Key_Right):
            self._fold_row(row, event.key() == keys.Key_Left)
        else:
            super().keyPressEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.pointed.emit(self.lines[current.row()] if current.isValid() else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.set_column_widths()

    def set_column_widths(self) -> None:
        """Distribute the width: numbers first, then bars and words."""
        rest = self.viewport().width() - self._fit_numbers(self.viewport().width())
        least_bar = self._least_bar()
        texts = (f"{line.text}   {line.place}" for line in self.lines[:MEASURED])
        wanted = max_text_width(self.fontMetrics(), texts) + WORD_PADDING
        share = CASCADE_SHARE if self.expanded else BAR_SHARE
        word = max(LEAST_WORD, min(wanted, rest - max(least_bar, round(rest * share))))
        self.setColumnWidth(Detail.WORD, min(word, rest - least_bar))
        self.setColumnWidth(Detail.BAR, max(least_bar, rest - word))

    def _least_bar(self) -> int:
        return max(LEAST_BAR, header_width(self, Detail.BAR))

    def _fit_numbers(self, width: int) -> int:
        """Show the numbers that fit, and return their width. Shorten headings before hiding
        numbers.
        """
        taken = 0
        hidden = HIDDEN[-1]
        widths = dict[Detail, int]()
        all_fit = self.expanded or width >= scaled(self, WIDE_COMPACT)
        headings = (True,) if width < scaled(self, NARROW) else (False, True)
        for hidden, short in product(HIDDEN if all_fit else HIDDEN[2:], headings):
            if short != self.content.short_headings:
                self.content.short_headings = short
                self.content.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Detail) - 1)
            widths = {detail: self._number_width(detail) for detail in NUMBERS}
            taken = sum(each for detail, each in widths.items() if detail not in hidden)
            if taken + LEAST_WORD + self._least_bar() <= width:
                break
        for detail, each in widths.items():
            self.setColumnHidden(detail, detail in hidden)
            self.setColumnWidth(detail, each)
        return taken

    def _number_width(self, detail: Detail) -> int:
        """Return the width of the heading, or of means and deviations of measures, which are
        wider.
        """
        lines = self.lines if detail in COUNTS else ()
        measures = [each for line in lines for each in line.features if each.measure]
        texts = [class_texts(each)[detail == Detail.HAM] for each in measures]
        return max(
            header_width(self, detail), max_text_width(self.fontMetrics(), texts) + 2 * ROW_PADDING
        )


class LinePainter(QStyledItemDelegate):
    """Painter of the lines."""

    def __init__(self, table: BreakdownTable) -> None:
        super().__init__(table)
        self._table = table
        self._model = table.content
        self._plain = QFont(table.font())
        self._bold = QFont(table.font())
        self._bold.setWeight(QFont.Weight.DemiBold)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = self._table.lines[index.row()]
        rect = option.rect
        detail = Detail(index.column())
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.setOpacity(FADED if self._table.faded else 1.0)
        if self._table.hasFocus() and index.row() == self._table.currentIndex().row():
            painter.fillRect(rect, color("chosen"))
        if line.kind in (LineKind.SUM, LineKind.GROUP):
            rule = color("muted" if line.kind is LineKind.SUM else "line")
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, rule)
        if detail == Detail.WORD:
            inset = INDENT * (
                2 if self._model.expanded and line.kind in (LineKind.WORD, LineKind.WEAKER) else 1
            )
            self._paint_word(painter, rect.adjusted(inset, 0, -6, 0), line)
        elif detail == Detail.BAR:
            paint = self._paint_cascade if self._model.expanded else self._paint_bar
            paint(painter, rect, line)
        else:
            side = "spam" if line.adds > 0 else "ham" if line.adds < 0 else "muted"
            side = "text" if line.kind is LineKind.SUM else side
            painter.setFont(
                self._bold if line.kind in (LineKind.SUM, LineKind.GROUP) else self._plain
            )
            painter.setPen(color(side if detail == Detail.ADDS else "muted"))
            painter.drawText(rect.adjusted(0, 0, -12, 0), RIGHT, str(index.data()))

    def _paint_word(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        expanded = self._model.expanded
        strong = line.kind in (LineKind.GROUP, LineKind.SUM) or (
            line.kind is LineKind.WORD and not expanded
        )
        font = self._bold if strong else self._plain
        text = line.text
        if line.kind is LineKind.GROUP:
            text = f"{'▸' if line.group in self._model.folded else '▾'} {text}"
        measure = QFontMetrics(font)
        place = "" if expanded and line.group in (Group.SUBJECT, Group.LAYOUT) else line.place
        kept = 0
        if place:
            beside = max(
                round(PLACE_SHARE * rect.width()),
                rect.width() - measure.horizontalAdvance(text) - 10,
            )
            kept = min(beside, measure.horizontalAdvance(place) + 10)
        text = measure.elidedText(text, Qt.TextElideMode.ElideRight, rect.width() - kept)
        painter.setFont(font)
        painter.setPen(color("text" if strong or line.kind is LineKind.WORD else "muted"))
        painter.drawText(rect, LEFT, text)
        if place:
            rest = rect.adjusted(measure.horizontalAdvance(text) + 8, 0, 0, 0)
            painter.setFont(self._plain)
            painter.setPen(color("muted"))
            shown = QFontMetrics(self._plain).elidedText(
                place, Qt.TextElideMode.ElideRight, rest.width()
            )
            painter.drawText(rest, LEFT, shown)

    def _paint_bar(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        middle = rect.center().x()
        painter.fillRect(middle, rect.top(), 1, rect.height(), color("line"))
        reach = (rect.width() / 2 - 6) * min(1.0, abs(line.adds) / self._model.reach)
        bar = QRectF(
            middle + 1.0 if line.adds > 0 else middle - reach,
            rect.center().y() - 4.5,
            max(2.0, reach),
            10,
        )
        self._fill(painter, bar, line)
        if abs(line.adds) > self._model.reach:
            # Gaps near the end show a cut bar: all weaker words together may exceed the strongest
            # word.
            first = bar.right() - 9 if line.adds > 0 else bar.left() + 4
            for gap in (first, first + 4):
                painter.fillRect(QRectF(gap, bar.top() - 1, 2, bar.height() + 2), color("base"))

    def _paint_cascade(self, painter: QPainter, rect: QRect, line: BreakdownLine) -> None:
        """Paint a bar from the sum of all lines above to the sum including this line."""
        low, high = self._model.ends
        inner = rect.adjusted(6, 0, -6, 0)

        def across(amount: float) -> float:
            return inner.left() + inner.width() * (amount - low) / (high - low)

        painter.fillRect(round(across(0)), rect.top(), 1, rect.height(), color("line"))
        if not math.isnan(self._model.spam_from):
            threshold = QColor(color("spam"))
            threshold.setAlphaF(0.35)
            painter.fillRect(
                round(across(self._model.spam_from)) - 1, rect.top(), 2, rect.height(), threshold
            )
        ends = sorted((across(line.start), across(line.start + line.adds)))
        thick = 10 if line.kind in (LineKind.GROUP, LineKind.SUM) else 6
        self._fill(
            painter,
            QRectF(ends[0], rect.center().y() - thick / 2, max(2.0, ends[1] - ends[0]), thick),
            line,
        )

    def _fill(self, painter: QPainter, bar: QRectF, line: BreakdownLine) -> None:
        if not line.adds:
            return
        fill = QColor(color("spam" if line.adds > 0 else "ham"))
        pale = line.kind in (LineKind.PRIOR, LineKind.CALIBRATION, LineKind.WEAKER)
        if pale or (self._model.expanded and line.kind is LineKind.WORD):
            fill.setAlphaF(0.45)
        fill_round(painter, bar, fill, 2)


def _headings(expanded: bool) -> tuple[tuple[str, str, str], ...]:
    sides = f"◂ {tr('not spam')}  {tr('spam')} ▸"
    bars = tr(
        "How each line moves the score, from the starting point to the total; the vertical "
        "line is the spam threshold"
    )
    adds = tr(
        "Effect on this message's score in log-odds: +0.7 doubles the odds of spam, −0.7 "
        "halves them"
    )
    return (
        (tr("Word"), tr("Word"), tr("Word or fact, and where it was found")),
        (
            sides,
            "◂ · ▸",
            bars if expanded else tr("How strongly it points to good mail or to spam"),
        ),
        (tr("In spam"), tr("Spam"), tr("Number of spam messages that contain it")),
        (tr("In good"), tr("Good"), tr("Number of good messages that contain it")),
        (
            tr("Log-ratio"),
            tr("Ratio"),
            tr("Log-ratio of its frequency in spam and in good mail, from counts"),
        ),
        (tr("Times"), tr("Times"), tr("Number of times this message contains it")),
        (tr("Counts"), tr("Counts"), tr("Effect of these counts alone")),
        (tr("Corrections"), tr("Corr."), tr("Effect of learned corrections")),
        (tr("Adds"), tr("Adds"), adds),
    )
