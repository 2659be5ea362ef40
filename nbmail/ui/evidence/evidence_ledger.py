"""The evidence of one message as a ledger: every line has an amount, and the amounts shown add up to the sum shown."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt

from nbmail.ui.evidence.clue_texts import bare_word, place_words
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import grouped, tr, tr_count
from nbmail.ui.kit.lines_table import Index, LinesModel, TableLine
from nbmail.worker.protocol import Contribution, Explanation


class Detail(IntEnum):
    """The columns of the ledger."""

    WORD = 0
    BAR = 1
    JUNK = 2
    GOOD = 3
    RATIO = 4
    CORRECTION = 5
    ADDS = 6


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A word, another part of the score, or the sum of all. `adds` is exact, `shown` rounded so that they add up."""

    text: str
    adds: float
    shown: float
    word: Contribution | None = None
    is_sum: bool = False

    @property
    def place(self) -> str:
        """Where the word stood, in words; nothing for the text of the message and for lines that are no words."""
        return place_words(self.word.place) if self.word is not None and self.word.place != "body" else ""

    def cell(self, detail: Detail) -> str:
        """What stands in a column."""
        if detail == Detail.WORD:
            return self.text
        if detail == Detail.ADDS:
            return phrases.signed(self.shown)
        if self.word is None:
            return ""
        return {
            Detail.JUNK: grouped(self.word.junk),
            Detail.GOOD: grouped(self.word.good),
            Detail.RATIO: phrases.signed(self.word.log_ratio),
            Detail.CORRECTION: phrases.signed(self.word.correction) if self.word.correction else "",
        }.get(detail, "")

    def spoken(self) -> str:
        """The line as a sentence."""
        amount = tr("adds {amount}").format(amount=phrases.signed(self.shown))
        if self.word is None:
            return f"{self.text}, {amount}"
        place = place_words(self.word.place)
        return tr("{word}: in {junk} of your junk and {good} of your good messages; {amount}").format(
            word=f"{self.text}, {place}" if place else self.text,
            junk=grouped(self.word.junk),
            good=grouped(self.word.good),
            amount=amount,
        )


def ledger(why: Explanation) -> list[LedgerLine]:
    """The lines of an explanation: the words, the strongest first, what else adds to the score, the sum."""
    others = (
        (tr_count("%n weaker word", "%n weaker words", why.weaker_count), why.weaker, why.weaker_count),
        (tr("before reading"), why.prior, why.prior),
        (tr("from experience"), why.calibration, why.calibration),
    )
    parts = [
        *((bare_word(each.word, each.place), each.contribution, each) for each in why.contributions),
        *((text, amount, None) for text, amount, there in others if there),
    ]
    shown = phrases.settle_sum([amount for _, amount, _ in parts], why.log_odds)
    lines = [LedgerLine(*part[:2], amount, part[2]) for part, amount in zip(parts, shown, strict=True)]
    # Rounding to a sum may turn two near ones round.
    lines.sort(key=lambda line: (line.word is None, -abs(line.shown) if line.word is not None else 0))
    total = phrases.settle_sum([why.log_odds], why.log_odds)[0]
    return [*lines, LedgerLine(tr("together"), why.log_odds, total, is_sum=True)]


class EvidenceModel(LinesModel):
    """The ledger as a table. `reach` is the amount whose bar goes to the edge. Signals: those of every Qt model."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(tuple(heading for heading, *_ in _headings()), parent)
        self.reach = 1.0
        self.brief = False

    def show_ledger(self, lines: list[LedgerLine]) -> None:
        """Show these."""
        self.reach = max((abs(line.adds) for line in lines if line.word is not None), default=1.0) or 1.0
        self.show_lines(
            [TableLine(tuple(map(line.cell, Detail)), line, (line.spoken(),) * len(Detail)) for line in lines]
        )

    def line(self, row: int) -> LedgerLine:
        """The line in this row."""
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
        heading, brief, hint = _headings()[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return brief if self.brief else heading
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == Detail.WORD else Qt.AlignmentFlag.AlignRight
            return (Qt.AlignmentFlag.AlignHCenter if section == Detail.BAR else side) | Qt.AlignmentFlag.AlignVCenter
        return hint if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.AccessibleTextRole and index.isValid():
            return self.line(index.row()).spoken()
        return super().data(index, role)


def _headings() -> tuple[tuple[str, str, str], ...]:
    """For each column its heading, what stands there where room is short, and what a tooltip says of it."""
    sides = f"◂ {tr('good')}  {tr('junk')} ▸"
    adds = tr("What it adds to this message's score, in log-odds: +0.7 doubles the odds of junk, −0.7 halves them")
    ratio = tr("The logarithm of how much more often it is in junk than in good mail")
    return (
        (tr("Word"), tr("Word"), tr("What was found, and where in the message")),
        (sides, "◂ · ▸", tr("How strongly it speaks for good mail or for junk")),
        (tr("In junk"), tr("Junk"), tr("In how many of your junk messages it was")),
        (tr("In good"), tr("Good"), tr("In how many of your good messages it was")),
        (tr("Ratio"), tr("Ratio"), ratio),
        (tr("Corr."), tr("Corr."), tr("What past mistakes added to that")),
        (tr("Adds"), tr("Adds"), adds),
    )
