"""Model of the breakdown table: its columns, headings and shown lines."""

import math
from enum import IntEnum
from typing import NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from nbmail.ui.evidence.breakdown.breakdown_lines import BreakdownLine, Group, LineKind, line_cells
from nbmail.ui.evidence.breakdown.score_breakdown import ScoreBreakdown
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import plain_tip

Index = QModelIndex | QPersistentModelIndex


class Detail(IntEnum):
    """Columns of the table."""

    WORD, BAR, SPAM, HAM, LOG_RATIO, OCCURRENCES, COUNTED, LEARNED, ADDS = range(9)


class ColumnHeading(NamedTuple):
    """ColumnHeading of a column, with a short form and a tooltip."""

    text: str
    short: str
    hint: str


class BreakdownModel(QAbstractTableModel):
    """Shown lines of a breakdown.

    `reach`: amount of a full bar. `ends`: lowest and highest amount of the axis. `spam_from`: spam
    threshold on the axis, NaN if unknown.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.short_headings = False
        self.expanded = False
        self.folded: set[Group | None] = {Group.ABSENT}
        self.show_breakdown(None)

    def show_breakdown(
        self, breakdown: ScoreBreakdown | None, spam_from: float | None = None
    ) -> None:
        """Show a breakdown. `spam_from`: probability from which a message is spam."""
        self._breakdown: ScoreBreakdown | None = breakdown
        self.spam_from = math.nan
        if spam_from and spam_from < 1:
            self.spam_from = 100 * math.log(spam_from / (1 - spam_from))
        self.lay_out()

    def lay_out(self) -> None:
        """Choose the lines again after a change of `expanded` or `folded`."""
        self.beginResetModel()
        self._headings = column_headings(self.expanded)
        self.lines = self._choose_lines()
        self.ends = self._axis_ends()
        amounts = [abs(line.adds) for line in self.lines if line.kind is LineKind.WORD]
        self.reach = max(amounts, default=1) or 1
        self.endResetModel()

    def _choose_lines(self) -> list[BreakdownLine]:
        if self._breakdown is None:
            return []
        if self.expanded:
            return self._breakdown.all_lines(self.folded)
        return self._breakdown.compact_lines()

    def _axis_ends(self) -> tuple[float, float]:
        """Return the lowest and highest sum that any line reaches, folded or not."""
        lines = self._breakdown.all_lines() if self._breakdown is not None else []
        sums: list[float] = [0]
        for line in lines:
            sums += [line.start, line.start + line.adds]
        if not math.isnan(self.spam_from):
            sums.append(round(self.spam_from))
        lowest = min(sums)
        return lowest, max(*sums, lowest + 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Detail)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Vertical:
            return None
        heading = self._headings[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return heading.short if self.short_headings else heading.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return heading.hint
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line_cells(line)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(line.accessible_text())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.accessible_text()
        return None


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight
    if column == Detail.WORD:
        side = Qt.AlignmentFlag.AlignLeft
    elif column == Detail.BAR:
        side = Qt.AlignmentFlag.AlignHCenter
    return side | Qt.AlignmentFlag.AlignVCenter


def column_headings(expanded: bool) -> tuple[ColumnHeading, ...]:
    sides = f"◂ {tr('not spam')}  {tr('spam')} ▸"
    bars = tr("How strongly it points to good mail or to spam")
    if expanded:
        bars = tr(
            "How each line moves the score, from the starting point to the total; the vertical "
            "line is the spam threshold"
        )
    ratio = tr("Log-ratio of its frequency in spam and in good mail, from counts")
    adds = tr(
        "Effect on this message's score in log-odds: +0.7 doubles the odds of spam, −0.7 "
        "halves them"
    )
    return (
        ColumnHeading(tr("Word"), tr("Word"), tr("Word or fact, and where it was found")),
        ColumnHeading(sides, "◂ · ▸", bars),
        ColumnHeading(tr("In spam"), tr("Spam"), tr("Number of spam messages that contain it")),
        ColumnHeading(tr("In good"), tr("Good"), tr("Number of good messages that contain it")),
        ColumnHeading(tr("Log-ratio"), tr("Ratio"), ratio),
        ColumnHeading(tr("Times"), tr("Times"), tr("Number of times this message contains it")),
        ColumnHeading(tr("Counts"), tr("Counts"), tr("Effect of these counts alone")),
        ColumnHeading(tr("Corrections"), tr("Corr."), tr("Effect of learned corrections")),
        ColumnHeading(tr("Adds"), tr("Adds"), adds),
    )
