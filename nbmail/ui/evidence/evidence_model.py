"""The ledger as a table: short beside the message, or whole, in groups that can be folded."""

import math
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt

from nbmail.ui.evidence.evidence_ledger import Group, Ledger, LedgerLine, LineKind, amount_words
from nbmail.ui.kit.language import grouped, tr
from nbmail.ui.kit.lines_table import Index, LinesModel, TableLine
from nbmail.ui.kit.plain_text import plain_tip


class Detail(IntEnum):
    """The columns of the ledger."""

    WORD = 0
    BAR = 1
    JUNK = 2
    GOOD = 3
    COUNTED = 4
    LEARNED = 5
    ADDS = 6


class EvidenceModel(LinesModel):
    """The lines that are shown. Signals: those of every Qt model.

    `reach` is the amount whose bar goes to the edge of a short ledger; `ends` are the ends of the axis of a whole one,
    on which `junk_from` is where junk begins, NaN where nobody knows.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tuple(heading for heading, *_ in _headings(False)), parent)
        self.brief = self.whole = False
        self.folded: set[Group] = set()
        self.reach, self.ends, self.junk_from = 1.0, (0.0, 1.0), math.nan
        self._ledger: Ledger | None = None

    def show_ledger(self, ledger: Ledger | None, junk_from: float | None = None) -> None:
        """Show this one; `junk_from` is the probability from which on it is junk."""
        self._ledger = ledger
        known = junk_from is not None and 0 < junk_from < 1
        self.junk_from = 100 * math.log(junk_from / (1 - junk_from)) if known and junk_from else math.nan
        self._lay_out()

    def be_whole(self, whole: bool) -> None:
        self.whole = whole
        self._lay_out()

    def fold(self, group: Group, folded: bool) -> None:
        """Show a group's sum without its words, or with them."""
        (self.folded.add if folded else self.folded.discard)(group)
        self._lay_out()

    def _lay_out(self) -> None:
        ledger, lines = self._ledger, list[LedgerLine]()
        if ledger is not None:
            lines = ledger.whole(self.folded) if self.whole else ledger.briefly()
            ends = [0, *(end for line in ledger.whole(()) for end in (line.start, line.start + line.adds))]
            ends += [] if math.isnan(self.junk_from) else [round(self.junk_from)]
            self.ends = (min(ends), max(*ends, min(ends) + 1))
        self.reach = max((abs(line.adds) for line in lines if line.kind is LineKind.WORD), default=1) or 1
        # Their cells are told when they are asked for: of 5,000 lines a screen shows 30.
        self.show_lines([TableLine((), line) for line in lines])

    def line(self, row: int) -> LedgerLine:
        line: LedgerLine = self.lines[row].about
        return line

    def be_brief(self, brief: bool) -> None:
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


def _cells(line: LedgerLine) -> tuple[str, ...]:
    """What stands in the columns."""
    counts = [grouped(line.clues[0].junk), grouped(line.clues[0].good)] if line.clues else ["", ""]
    parts = (line.counted, line.learned) if line.kind in (LineKind.WORD, LineKind.GROUP) else (0, 0)
    return (line.text, "", *counts, *(amount_words(part) if part else "" for part in parts), line.amount)


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
