"""The evidence of one message as a ledger: every line has an amount, and the amounts shown add up to the sum shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication

from nbmail.ui.evidence.clue_texts import bare_word, place_words
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import grouped, tr, tr_count
from nbmail.ui.kit.plain_text import plain_tip
from nbmail.worker.protocol import Contribution, Explanation

MOST_NAMED = 5
"""Beyond this many words without which the verdict would turn, only their number is told."""
MOST_COUNTED = 30
"""Beyond this many their number says no more than that they are many."""
Index = QModelIndex | QPersistentModelIndex


class Part(Enum):
    """What a line of the ledger is about."""

    PRIOR = "prior"
    WORD = "word"
    WEAKER = "weaker"
    CALIBRATION = "calibration"
    SUM = "sum"


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
class Line:
    """One line: `adds` is exact, `shown` is rounded so that the column adds up."""

    part: Part
    text: str
    place: str
    adds: float
    shown: float
    word: Contribution | None = None


def ledger(why: Explanation) -> list[Line]:
    """The lines of an explanation, the sum last."""
    parts: list[tuple[Part, str, str, float, Contribution | None]] = [
        (Part.WORD, bare_word(each.word, each.place), place_words(each.word, each.place), each.contribution, each)
        for each in why.contributions
    ]
    if why.weaker_count:
        text = tr_count("%n weaker word", "%n weaker words", why.weaker_count)
        parts.append((Part.WEAKER, text, "", why.weaker, None))
    if why.prior:
        parts.append((Part.PRIOR, tr("before reading"), "", why.prior, None))
    if why.calibration:
        parts.append((Part.CALIBRATION, tr("from experience"), "", why.calibration, None))
    shown = phrases.settle_sum([part[3] for part in parts], why.log_odds)
    lines = [Line(*part[:4], amount, part[4]) for part, amount in zip(parts, shown, strict=True)]
    # Rounding to a sum may turn two near ones round.
    lines.sort(key=lambda line: (line.part is not Part.WORD, -abs(line.shown) if line.part is Part.WORD else 0))
    total = phrases.settle_sum([why.log_odds], why.log_odds)[0]
    return [*lines, Line(Part.SUM, tr("together"), "", why.log_odds, total)]


def sum_words(why: Explanation) -> str:
    """The last line in words."""
    amount = phrases.signed(why.log_odds)
    if why.probability is None:
        return tr("Together {amount}: {lean}. Too few of your marks are checked yet to make that a percentage.").format(
            amount=amount, lean=phrases.lean_word(why.log_odds)
        )
    return tr("Together {amount}, which is a {percent} chance of junk.").format(
        amount=amount, percent=phrases.percent(why.probability)
    )


def alike_words(why: Explanation) -> str:
    """What the percentage rests on: what became of the messages that scored like this one."""
    count, junk = why.alike
    if count <= 0 or why.probability is None:
        return ""
    if count == 1:
        return (
            tr("The one message that scored like this was junk.")
            if junk
            else tr("The one message that scored like this was good.")
        )
    text = {
        0: tr("Of {count} messages that scored like this, none was junk."),
        1: tr("Of {count} messages that scored like this, one was junk."),
        count: tr("Of {count} messages that scored like this, all were junk."),
    }.get(junk, tr("Of {count} messages that scored like this, {junk} were junk."))
    return text.format(count=grouped(count), junk=grouped(junk))


def reason_words(why: Explanation) -> str:
    """Why, in plain words: the strongest for and against."""
    junk = [_quoted(each) for each in why.contributions if each.contribution > 0][:3]
    good = [_quoted(each) for each in why.contributions if each.contribution < 0][:3]
    if not junk and not good and why.log_odds:
        return _one_sided(why)
    if not junk and not good:
        return tr(
            "Nothing in this message has been learned yet. Mark some mail, and the words that decide appear here."
        )
    texts = []
    if junk:
        words = tr("{words} speaks for junk.") if len(junk) == 1 else tr("{words} speak for junk.")
        texts.append(words.format(words=_listed(junk)))
    if good:
        words = tr("{words} speaks for good mail.") if len(good) == 1 else tr("{words} speak for good mail.")
        texts.append(words.format(words=_listed(good)))
    return " ".join(texts if why.log_odds > 0 else reversed(texts))


def _one_sided(why: Explanation) -> str:
    """While only one kind of mail is known every word speaks for it: none decides."""
    if why.log_odds < 0:
        return tr("So far only good mail was learned. Mark some junk too, and the words that decide appear here.")
    return tr("So far only junk was learned. Mark some good mail too, and the words that decide appear here.")


def change_words(why: Explanation) -> str:
    """What would turn the verdict."""
    texts = []
    if len(why.flip_without) > MOST_NAMED:
        texts.append(_many_words(len(why.flip_without)))
    elif why.flip_without:
        words = _listed([tr("“{word}”").format(word=_bare(word)) for word in why.flip_without])
        texts.append(_other_verdict(why).format(words=words))
    if why.marks_to_flip is not None and why.marks_to_flip > 0:
        texts.append(
            tr_count("%n mark the other way would turn it.", "%n marks the other way would turn it.", why.marks_to_flip)
        )
    return " ".join(texts)


def _many_words(count: int) -> str:
    if count > MOST_COUNTED:
        return tr("No few words decide it: a great many say the same.")
    return tr("No few words decide it: {count} would have to be missing to turn it.").format(count=grouped(count))


def _other_verdict(why: Explanation) -> str:
    """What the message would be without some words: an unsure one turns to the side they held it back from."""
    if why.verdict == "junk":
        return tr("Without {words} it would not be junk.")
    if why.verdict == "good":
        return tr("Without {words} it would not be good.")
    pull = sum(each.contribution for each in why.contributions if each.word in why.flip_without)
    return tr("Without {words} it would be good.") if pull > 0 else tr("Without {words} it would be junk.")


def _bare(word: str) -> str:
    place, colon, rest = word.partition(":")
    return bare_word(word, place) if colon and rest else word


def _quoted(each: Contribution) -> str:
    word, place = bare_word(each.word, each.place), place_words(each.word, each.place)
    if each.place == "body" or not place:
        return tr("“{word}”").format(word=word)
    return tr("“{word}” ({place})").format(word=word, place=place)


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return tr("{most} and {last}").format(most=", ".join(words[:-1]), last=words[-1])


class EvidenceModel(QAbstractTableModel):
    """The ledger as a table. Signals: those of every Qt model."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines: list[Line] = []
        self.reach = 1.0
        self.brief = False

    def show_lines(self, lines: list[Line]) -> None:
        """Show these."""
        self.beginResetModel()
        self.lines = lines
        words = [abs(line.adds) for line in lines if line.part is Part.WORD]
        self.reach = max(words, default=1.0) or 1.0
        self.endResetModel()

    def be_brief(self, brief: bool) -> None:
        """Whether the headings have to make do with little room."""
        if brief != self.brief:
            self.brief = brief
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Detail) - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Detail)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _brief_heading(Detail(section)) if self.brief else _heading(Detail(section))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == Detail.WORD else Qt.AlignmentFlag.AlignRight
            return (Qt.AlignmentFlag.AlignHCenter if section == Detail.BAR else side) | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return _heading_hint(Detail(section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell(line, Detail(index.column()))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken_line(line)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(spoken_line(line))
        return None


def sides(*, turned: bool) -> str:
    """What stands over the bars, which grow the other way where reading does."""
    good, junk = tr("good"), tr("junk")
    # The mark in the middle has no width; it keeps words of another script in the order of the bars.
    return f"▸ {good} \u200f {junk} ◂" if turned else f"◂ {good} \u200e {junk} ▸"


def _turned() -> bool:
    return QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft


@cache
def _heading(detail: Detail) -> str:
    return {
        Detail.WORD: tr("Word"),
        Detail.BAR: sides(turned=_turned()),
        Detail.JUNK: tr("In junk"),
        Detail.GOOD: tr("In good"),
        Detail.RATIO: tr("Ratio"),
        Detail.CORRECTION: tr("Corr."),
        Detail.ADDS: tr("Adds"),
    }[detail]


@cache
def _brief_heading(detail: Detail) -> str:
    short = {Detail.BAR: "▸ · ◂" if _turned() else "◂ · ▸", Detail.JUNK: tr("Junk"), Detail.GOOD: tr("Good")}
    return short.get(detail) or _heading(detail)


@cache
def _heading_hint(detail: Detail) -> str:
    return {
        Detail.WORD: tr("What was found, and where in the message"),
        Detail.BAR: tr("How strongly it speaks for good mail or for junk"),
        Detail.JUNK: tr("In how many of your junk messages it was"),
        Detail.GOOD: tr("In how many of your good messages it was"),
        Detail.RATIO: tr("The logarithm of how much more often it is in junk than in good mail"),
        Detail.CORRECTION: tr("What past mistakes added to that"),
        Detail.ADDS: tr(
            "What it adds to this message's score, in log-odds: +0.7 doubles the odds of junk, −0.7 halves them"
        ),
    }[detail]


def _cell(line: Line, detail: Detail) -> str:
    if detail == Detail.WORD:
        return line.text
    if detail == Detail.ADDS:
        return phrases.signed(line.shown)
    if line.word is None:
        return ""
    return {
        Detail.JUNK: grouped(line.word.junk),
        Detail.GOOD: grouped(line.word.good),
        Detail.RATIO: phrases.signed(line.word.log_ratio),
        Detail.CORRECTION: phrases.signed(line.word.correction) if line.word.correction else "",
    }.get(detail, "")


def spoken_line(line: Line) -> str:
    """A line as a sentence."""
    amount = tr("adds {amount}").format(amount=phrases.signed(line.shown))
    if line.word is None:
        return f"{line.text}, {amount}"
    name = f"{line.text}, {line.place}" if line.place else line.text
    return tr("{word}: in {junk} of your junk and {good} of your good messages; {amount}").format(
        word=name, junk=grouped(line.word.junk), good=grouped(line.word.good), amount=amount
    )
