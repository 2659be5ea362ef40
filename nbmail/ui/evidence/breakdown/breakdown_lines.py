"""Lines of the score breakdown, in hundredths of log-odds."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from nbmail.core.explaining.explanation import Contribution
from nbmail.ui.evidence.features.feature_texts import class_texts, contribution_text
from nbmail.ui.evidence.features.place_texts import place_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import signed


class Group(StrEnum):
    """Parts of a message as the user sees it, in their order. Values: the places of each."""

    TEXT = "body phrase start text"
    SUBJECT = "subject"
    SENDER = "from sender reply return organization signed list-id"
    WAY = "received origin id"
    LINKS = "link path"
    HIDDEN = "hidden"
    LAYOUT = "html"
    REST = ""
    ABSENT = "absent"


GROUP_OF = {place: group for group in Group for place in group.split()}


class LineKind(StrEnum):
    """Kinds of lines of the breakdown."""

    PRIOR = "prior"
    GROUP = "group"
    WORD = "word"
    WEAKER = "weaker"
    CALIBRATION = "calibration"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class BreakdownLine:
    """A word, a group of words, another part of the score, or the sum, in hundredths of log-odds.

    `counted`: contribution of the counts. `learned`: correction from mistakes. `start`: sum of all
    lines above. `features`: one fact found in several places is one line. `count`: number of
    features of the line.
    """

    kind: LineKind
    text: str
    counted: float
    learned: float = 0
    start: float = 0
    features: tuple[Contribution, ...] = ()
    group: Group | None = None
    count: int = 1

    @property
    def adds(self) -> float:
        return self.counted + self.learned

    @property
    def amount(self) -> str:
        return amount_text(self.adds)

    @property
    def place(self) -> str:
        """Names of the places of a word; empty for the text of the message and for other lines."""
        if self.kind is not LineKind.WORD:
            return ""
        names = [place_text(each.place) for each in self.features if each.place != "body"]
        return ", ".join(dict.fromkeys(name for name in names if name))

    def accessible_text(self) -> str:
        amount = tr("adds {amount}").format(amount=self.amount)
        if self.kind is not LineKind.WORD:
            return f"{self.text}, {amount}"

        feature = self.features[0]
        place = self.place or place_text(feature.place)
        name = f"{self.text}, {place}" if place else self.text
        figures = _figures_of(self)
        if not (figures.spam and figures.ratio):
            return f"{name}, {amount}"
        sentence = _counts_text(figures, name, amount, is_measure=bool(feature.measure))
        if feature.place == "phrase":
            return f"{sentence}. {tr('Its words also count one by one.')}"
        return sentence


class _Figures(NamedTuple):
    """Numbers of a word as text, each empty if the features of the line differ in it."""

    spam: str = ""
    ham: str = ""
    ratio: str = ""
    times: str = ""


def _figures_of(line: BreakdownLine) -> _Figures:
    """Return the numbers that are true of the whole line: of each feature, and all occurrences."""
    features = [each for each in line.features if each.place != "absent"]
    if not features:
        return _Figures()
    counts = {class_texts(each) for each in features}
    ratios = {signed(each.log_ratio) for each in features}
    spam, ham = counts.pop() if len(counts) == 1 else ("", "")
    ratio = ratios.pop() if len(ratios) == 1 else ""
    times = ""
    if not any(each.measure for each in features):
        times = format_count(sum(each.occurrences for each in features))
    return _Figures(spam, ham, ratio, times)


def _counts_text(figures: _Figures, name: str, amount: str, *, is_measure: bool) -> str:
    text = tr("{word}: in {spam} spam and {ham} good messages; log-ratio {ratio}; {amount}")
    if is_measure:
        text = tr(
            "{word}: spam {spam}, good mail {ham} (mean ± standard deviation); "
            "log-ratio {ratio}; {amount}"
        )
    return text.format(
        word=name, amount=amount, spam=figures.spam, ham=figures.ham, ratio=figures.ratio
    )


def word_line(feature: Contribution) -> BreakdownLine:
    """Return the line of a feature with its exact amounts in log-odds."""
    return BreakdownLine(
        LineKind.WORD,
        contribution_text(feature),
        counted=feature.contribution - feature.correction,
        learned=feature.correction,
        features=(feature,),
        group=GROUP_OF.get(feature.place, Group.REST),
    )


def weaker_line(count: int, adds: float) -> BreakdownLine:
    """Return the line that stands for all words without their own."""
    name = tr_count("%n weaker word", "%n weaker words", count)
    return BreakdownLine(LineKind.WEAKER, name, adds, group=Group.REST, count=count)


def amount_text(hundredths: float) -> str:
    return signed(hundredths / 100)


def line_cells(line: BreakdownLine) -> tuple[str, ...]:
    """Return the texts of a line in the order of the columns. The bar has none.

    A word found in several places has the numbers that all of them share; its window opens each.
    """
    counted = learned = ""
    if line.kind in (LineKind.WORD, LineKind.GROUP):
        counted = amount_text(line.counted) if line.counted else ""
        learned = amount_text(line.learned) if line.learned else ""
    return (line.text, "", *_figures_of(line), counted, learned, line.amount)


def group_name(group: Group | None) -> str:
    names = {
        Group.TEXT: tr("text"),
        Group.SUBJECT: tr("subject"),
        Group.SENDER: tr("sender"),
        Group.WAY: tr("delivery route"),
        Group.LINKS: tr("links"),
        Group.HIDDEN: tr("hidden text"),
        Group.LAYOUT: tr("layout"),
        Group.ABSENT: tr("absent words"),
    }
    return names.get(group or Group.REST, tr("other"))
