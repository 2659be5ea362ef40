"""Table of the score breakdown: compact next to the message, or expanded in groups."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from nbmail.ui.evidence.breakdown.breakdown_lines import BreakdownLine, Group, LineKind
from nbmail.ui.evidence.breakdown.breakdown_model import BreakdownModel, Detail, Index
from nbmail.ui.evidence.breakdown.breakdown_painter import LinePainter
from nbmail.ui.evidence.features.feature_texts import class_texts
from nbmail.ui.kit.sizes import header_width, max_text_width, scaled
from nbmail.ui.kit.table_style import style_table
from nbmail.ui.texts.language import tr

NARROW = 520
"""Width in pixels below which the headings are shorter."""
WIDE_COMPACT = 720
"""Width in pixels from which the compact table has all columns."""
BAR_SHARE = 0.2
CASCADE_SHARE = 0.3
"""Minimum share of the bars, in the compact and the expanded table, of what the numbers leave."""
LEAST_BAR = 44
LEAST_WORD = 120
"""Minimum width in pixels of bars and words. In narrower tables the counts are hidden."""
WORD_PADDING = 58
"""Pixels around a word and its place."""
MEASURED = 100
"""Number of lines that determine the width of the words."""
ROW_PADDING = 11
LEAST_LINES_COMPACT = 3
LEAST_LINES_EXPANDED = 6
"""Minimum number of visible lines."""
RING = 1
"""Width in pixels of the ring that shows the keyboard focus."""

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
HIDDEN_COMPACT = HIDDEN[2:]
OPEN_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
FOLD_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right)


class BreakdownTable(QTableView):
    """View of the breakdown.

    Signals: `opened(BreakdownLine)`; `pointed(BreakdownLine | None)` with the current line or the
    one under the mouse.
    """

    opened = Signal(object)
    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.content = BreakdownModel(self)
        self.setModel(self.content)
        self._painter = LinePainter(self, self.content)
        self.setItemDelegate(self._painter)
        self.setAccessibleName(tr("Reasons"))
        self._set_style()
        self.clicked.connect(lambda index: self._open(index.row()))
        self.entered.connect(lambda index: self.pointed.emit(self.lines[index.row()]))
        self.content.modelReset.connect(self._fit)

    def _set_style(self) -> None:
        style_table(self, ROW_PADDING)
        self.setProperty("ring", True)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().setMinimumSectionSize(30)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    @property
    def lines(self) -> list[BreakdownLine]:
        return self.content.lines

    @property
    def expanded(self) -> bool:
        return self.content.expanded

    def set_expanded(self, expanded: bool) -> None:
        self.content.expanded = expanded
        self.content.lay_out()

    @property
    def faded(self) -> bool:
        """True if the lines are painted as outdated."""
        return self._painter.faded

    def fade(self, faded: bool) -> None:
        """Paint the lines as outdated, or as current again."""
        self._painter.faded = faded
        self.viewport().update()

    def fold(self, group: Group | None, folded: bool) -> None:
        if folded:
            self.content.folded.add(group)
        else:
            self.content.folded.discard(group)
        self.content.lay_out()

    def line_height(self) -> int:
        return self.verticalHeader().defaultSectionSize()

    def _fit(self) -> None:
        """Limit the height to the lines, so that the sum stands right below them."""
        self.set_column_widths()
        around = self.horizontalHeader().sizeHint().height() + 2 * RING
        least_lines = LEAST_LINES_EXPANDED if self.expanded else LEAST_LINES_COMPACT
        least = around + least_lines * self.line_height()
        self.setMinimumHeight(least)
        self.setMaximumHeight(max(around + self.verticalHeader().length(), least))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())

    # ---------------------------------------------------------------------------------------------
    # opening and folding

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
        is_group = row >= 0 and self.lines[row].kind is LineKind.GROUP
        if row >= 0 and event.key() in OPEN_KEYS:
            self._open(row)
        elif is_group and event.key() in FOLD_KEYS:
            self._fold_row(row, event.key() == Qt.Key.Key_Left)
        else:
            super().keyPressEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.pointed.emit(self.lines[current.row()] if current.isValid() else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    # ---------------------------------------------------------------------------------------------
    # column widths

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.set_column_widths()

    def set_column_widths(self) -> None:
        """Distribute the width: numbers first, then bars and words."""
        width = self.viewport().width()
        rest = width - self._fit_numbers(width)
        texts = (f"{line.text}   {line.place}" for line in self.lines[:MEASURED])
        wanted_word = max_text_width(self.fontMetrics(), texts) + WORD_PADDING
        least_bar = self._least_bar()
        share = CASCADE_SHARE if self.expanded else BAR_SHARE
        bar = max(least_bar, round(rest * share))
        word = max(LEAST_WORD, min(wanted_word, rest - bar))
        self.setColumnWidth(Detail.WORD, min(word, rest - least_bar))
        self.setColumnWidth(Detail.BAR, max(least_bar, rest - word))

    def _least_bar(self) -> int:
        return max(LEAST_BAR, header_width(self, Detail.BAR))

    def _fit_numbers(self, width: int) -> int:
        """Show the numbers that fit, and return their width."""
        taken = 0
        hidden = HIDDEN[-1]
        widths: dict[Detail, int] = {}
        for hidden, short in self._arrangements(width):
            self._shorten_headings(short)
            widths = {detail: self._number_width(detail) for detail in NUMBERS}
            taken = sum(widths[detail] for detail in NUMBERS if detail not in hidden)
            if taken + LEAST_WORD + self._least_bar() <= width:
                break

        for detail, number_width in widths.items():
            self.setColumnHidden(detail, detail in hidden)
            self.setColumnWidth(detail, number_width)
        return taken

    def _arrangements(self, width: int) -> Iterator[tuple[frozenset[Detail], bool]]:
        """Yield hidden columns with whether headings are short, the widest arrangement first.

        Headings are shortened before numbers are hidden.
        """
        has_all = self.expanded or width >= scaled(self, WIDE_COMPACT)
        is_narrow = width < scaled(self, NARROW)
        for hidden in HIDDEN if has_all else HIDDEN_COMPACT:
            if not is_narrow:
                yield hidden, False
            yield hidden, True

    def _shorten_headings(self, short: bool) -> None:
        if short != self.content.short_headings:
            self.content.short_headings = short
            self.content.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Detail) - 1)

    def _number_width(self, detail: Detail) -> int:
        """Return the width of the heading, or of means and deviations of measures if wider."""
        texts = []
        for line in self.lines if detail in COUNTS else ():
            for feature in line.features:
                if feature.measure:
                    spam, ham = class_texts(feature)
                    texts.append(ham if detail == Detail.HAM else spam)
        widest = max_text_width(self.fontMetrics(), texts) + 2 * ROW_PADDING
        return max(header_width(self, detail), widest)
