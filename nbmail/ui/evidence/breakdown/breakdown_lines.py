"""Lines of the score breakdown, in hundredths of log-odds."""

from dataclasses import dataclass
from enum import StrEnum

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
        if feature.place == "absent":
            return f"{name}, {amount}"
        sentence = _counts_text(feature, name, amount)
        if feature.place == "phrase":
            return f"{sentence}. {tr('Its words also count one by one.')}"
        return sentence


def _counts_text(feature: Contribution, name: str, amount: str) -> str:
    text = tr("{word}: in {spam} spam and {ham} good messages; log-ratio {ratio}; {amount}")
    if feature.measure:
        text = tr(
            "{word}: spam {spam}, good mail {ham} (mean ± standard deviation); "
            "log-ratio {ratio}; {amount}"
        )
    spam, ham = class_texts(feature)
    return text.format(
        word=name, amount=amount, spam=spam, ham=ham, ratio=signed(feature.log_ratio)
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
    """Return the texts of a line in the order of the columns. The bar has none."""
    spam = ham = ratio = times = ""
    if line.features and line.features[0].place != "absent":
        feature = line.features[0]
        spam, ham = class_texts(feature)
        ratio = signed(feature.log_ratio)
        times = "" if feature.measure else format_count(feature.occurrences)

    counted = learned = ""
    if line.kind in (LineKind.WORD, LineKind.GROUP):
        counted = amount_text(line.counted) if line.counted else ""
        learned = amount_text(line.learned) if line.learned else ""
    return (line.text, "", spam, ham, ratio, times, counted, learned, line.amount)


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
