"""Score breakdown of one message in hundredths of log-odds. Shown amounts add up, in columns and in lines."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from nbmail.core.scoring.explanation import Absent, Contribution, Explanation, PriorFrom
from nbmail.ui.evidence.feature_texts import class_texts, contribution_text, place_text
from nbmail.ui.kit import phrases
from nbmail.ui.kit.phrases import format_count, tr, tr_count
from nbmail.ui.kit.plain_text import join_sentences

COMPACT_WORDS = 5
"""Words of the compact breakdown. Another line stands for all others."""


class Group(StrEnum):
    """Parts of a message as the user sees it, in the order of the breakdown."""

    TEXT = "text"
    SUBJECT = "subject"
    SENDER = "sender"
    WAY = "way"
    LINKS = "links"
    HIDDEN = "hidden"
    LAYOUT = "layout"
    REST = "rest"
    ABSENT = "absent"


_PLACES = {
    Group.TEXT: "body phrase start text",
    Group.SUBJECT: "subject",
    Group.SENDER: "from sender reply return organization signed list-id",
    Group.WAY: "received origin id",
    Group.LINKS: "link path",
    Group.HIDDEN: "hidden",
    Group.LAYOUT: "html",
    Group.ABSENT: "absent",
}
_GROUP_OF = {place: group for group, places in _PLACES.items() for place in places.split()}
_PARTED = frozenset(
    ("from", "sender", "reply", "return", "signed", "list-id", "received", "origin", "id", "link", "to")
)
"""Places whose addresses, servers and networks are features as a whole and in parts."""
SHORTEST_PART = 3
_ORDER = {place: number for number, place in enumerate(_GROUP_OF)}


class LineKind(StrEnum):
    """Kind of a line of the breakdown."""

    PRIOR = "prior"
    GROUP = "group"
    WORD = "word"
    WEAKER = "weaker"
    CALIBRATION = "calibration"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class BreakdownLine:
    """A word, a group of words, another part of the score, or the sum, in hundredths of log-odds.

    `counted`: contribution of the counts. `learned`: correction from mistakes. `start`: sum of all lines above.
    `features`: one fact found in several places is one line. `count`: number of features of the line.
    """

    kind: LineKind
    text: str
    counted: int
    learned: int = 0
    start: int = 0
    features: tuple[Contribution, ...] = ()
    group: Group | None = None
    count: int = 1

    @property
    def adds(self) -> int:
        return self.counted + self.learned

    @property
    def amount(self) -> str:
        return amount_text(self.adds)

    @property
    def place(self) -> str:
        """Names of the places of a word; empty for the text of the message and for other lines."""
        names = dict.fromkeys(place_text(each.place) for each in self.features if each.place != "body")
        return ", ".join(name for name in names if name) if self.kind is LineKind.WORD else ""

    def accessible_text(self) -> str:
        """Return the line as a sentence."""
        amount = tr("adds {amount}").format(amount=self.amount)
        if self.kind is not LineKind.WORD:
            return f"{self.text}, {amount}"
        feature, place = self.features[0], self.place or place_text(self.features[0].place)
        name = f"{self.text}, {place}" if place else self.text
        if feature.place == "absent":
            return f"{name}, {amount}"
        junk, good = class_texts(feature)
        text = tr("{word}: in {junk} junk and {good} good messages; log-ratio {ratio}; {amount}")
        if feature.measure:
            text = tr("{word}: junk {junk}, good mail {good} (mean ± standard deviation); log-ratio {ratio}; {amount}")
        counts = {"junk": junk, "good": good, "ratio": phrases.signed(feature.log_ratio)}
        text = text.format(word=name, amount=amount, **counts)
        return f"{text}. {tr('Its words also count one by one.')}" if feature.place == "phrase" else text


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """All lines in order. Each group has its own line and the lines of its words."""

    prior: BreakdownLine
    groups: tuple[tuple[BreakdownLine, tuple[BreakdownLine, ...]], ...]
    calibration: BreakdownLine
    total: BreakdownLine
    prior_meaning: str = ""

    @property
    def counted(self) -> int:
        return sum(line.counted for line, _ in self.groups)

    @property
    def learned(self) -> int:
        return sum(line.learned for line, _ in self.groups)

    @property
    def words(self) -> list[BreakdownLine]:
        """Lines of the words of all groups, strongest first; one line for all absent words."""
        found = list[BreakdownLine]()
        for group, lines in self.groups:
            found += [replace(group, kind=LineKind.WORD)] if group.group is Group.ABSENT else lines
        return sorted(found, key=lambda line: (line.kind is LineKind.WEAKER, -abs(line.adds)))

    def added(self) -> dict[str, float]:
        """Return what each feature adds, rounded as shown if it has its own line."""
        return {
            each.word: line.adds / 100 if line.count == 1 else each.contribution
            for line in self.words
            for each in line.features
        }

    def compact_lines(self) -> list[BreakdownLine]:
        """Return the strongest words, one line for all others, and the other parts of the score."""
        absent = [line for line in self.words if line.group is Group.ABSENT]
        words = [line for line in self.words if line.group is not Group.ABSENT]
        words, weaker = words[:COMPACT_WORDS], words[COMPACT_WORDS:]
        if weaker:
            words.append(_weaker(sum(line.count for line in weaker), sum(line.adds for line in weaker)))
        words += absent
        others = [line for line in (self.prior, self.calibration) if line.adds]
        return [*words, *others]

    def all_lines(self, folded: Iterable[Group]) -> list[BreakdownLine]:
        """Return all lines in the order of the sum; folded groups without their words."""
        lines, closed = [self.prior], set(folded)
        for group, words in self.groups:
            lines += [group, *(() if group.group in closed else words)]
        return [*lines, self.calibration, self.total]


def break_down(why: Explanation) -> ScoreBreakdown:
    """Round an explanation so that it adds up: first its parts, then the groups, then the words of each group."""
    found = _merge_same_facts([_line(each) for each in why.contributions])
    if why.weaker_count:
        found.append((_weaker(why.weaker_count, 0), why.weaker, 0.0))
    grouped_lines = {group: [one for one in found if one[0].group is group] for group in Group}
    absent = grouped_lines[Group.ABSENT]
    if absent and why.absent.words:
        grouped_lines[Group.ABSENT] = _absent_lines(why.absent)
    members = [lines for lines in grouped_lines.values() if lines]
    counted = [math.fsum(one[1] for one in lines) for lines in members]
    learned = [math.fsum(one[2] for one in lines) for lines in members]
    parts = [why.prior, math.fsum(counted), math.fsum(learned), why.calibration]
    prior, all_counted, all_learned, calibration = round_to_sum(parts, round(100 * why.log_odds))
    sums = zip(round_to_sum(counted, all_counted), round_to_sum(learned, all_learned), members, strict=True)
    start, groups = prior, []
    for group_counted, group_learned, lines in sums:
        groups.append(_rounded_group(lines, group_counted, group_learned, start))
        if lines[0][0].group is Group.ABSENT:
            name = tr_count("%n absent word", "%n absent words", why.absent.total) if why.absent.words else ""
            head = replace(groups[-1][0], text=name or absent[0][0].text, features=absent[0][0].features)
            groups[-1] = (head, groups[-1][1])
        start += group_counted + group_learned
    return ScoreBreakdown(
        BreakdownLine(LineKind.PRIOR, _prior_name(why), prior),
        tuple(groups),
        BreakdownLine(LineKind.CALIBRATION, tr("calibration"), calibration, start=start),
        BreakdownLine(LineKind.SUM, tr("total"), round(100 * why.log_odds)),
        _prior_meaning(why),
    )


_Fact = tuple[BreakdownLine, float, float]
"""A line with its exact amounts: counted and learned."""


def _line(each: Contribution) -> _Fact:
    text, group = contribution_text(each), _GROUP_OF.get(each.place, Group.REST)
    line = BreakdownLine(LineKind.WORD, text, 0, features=(each,), group=group)
    return line, each.contribution - each.correction, each.correction


def _absent_lines(absent: Absent) -> list[_Fact]:
    """Return the lines of the strongest absent words, and one for all others."""
    found = [_line(each) for each in absent.words]
    found = [(replace(line, group=Group.ABSENT), counted, learned) for line, counted, learned in found]
    if absent.weaker_count:
        found.append((replace(_weaker(absent.weaker_count, 0), group=Group.ABSENT), absent.weaker, 0.0))
    return found


def _prior_name(why: Explanation) -> str:
    if why.prior_from is PriorFrom.EVEN:
        return tr("starting point: even odds")
    return tr("starting point: {share} junk").format(share=phrases.percent(why.prior_share))


def _prior_meaning(why: Explanation) -> str:
    text = {
        PriorFrom.EVEN: tr("It begins with even odds of junk and good mail."),
        PriorFrom.MAIL: tr("It begins with the estimated share of junk in your mail, {share}."),
        PriorFrom.LABELS: tr("It begins with the share of junk among the learned messages, {share}."),
    }[why.prior_from]
    return text.format(share=phrases.percent(why.prior_share))


def _merge_same_facts(found: Sequence[_Fact]) -> list[_Fact]:
    """Merge the lines of one fact: the sender's server in several headers, or a word in several places of the text.

    An address and its server and name, or a network of three sizes, are merged if they always occurred together.
    """
    joined: dict[tuple[object, str], _Fact] = {}
    for one in found:
        key = (_group_of(one[0]), one[0].text.removeprefix("@"))
        joined[key] = _merged(joined[key], one) if key in joined else one
    parted = [one for one in joined.values() if one[0].features[0].place in _PARTED]
    wholes: list[_Fact] = []
    for one in sorted(parted, key=lambda one: -len(_core(one[0].features[0]))):
        place = next((place for place, whole in enumerate(wholes) if _is_part(one[0], whole[0])), -1)
        if place >= 0:
            wholes[place] = _merged(wholes[place], one)
        else:
            wholes.append(one)
    return [*wholes, *(one for one in joined.values() if one[0].features[0].place not in _PARTED)]


def _group_of(line: BreakdownLine) -> Group | None:
    """Return the group of a line. A server of the way belongs to the sender, to merge with the sender's own server."""
    text = line.text.removeprefix("@")
    host = line.group in (Group.SENDER, Group.WAY) and "." in text and " " not in text
    return Group.SENDER if host else line.group


def _is_part(line: BreakdownLine, whole: BreakdownLine) -> bool:
    """True if a line's word is contained in another's, and both have equal counts."""
    feature, other, core = line.features[0], whole.features[0], _core(line.features[0])
    equal = whole.group is line.group and (other.junk, other.good) == (feature.junk, feature.good)
    return equal and len(core) >= SHORTEST_PART and core in _core(other)


def _core(feature: Contribution) -> str:
    return feature.word.removeprefix(f"{feature.place}:").removeprefix("by ").strip("@.*")


def _merged(one: _Fact, other: _Fact) -> _Fact:
    """Merge two lines: the text of the first, the places of both, the sender's first."""
    first = one[0] if one[0].group is Group.SENDER or other[0].group is not Group.SENDER else other[0]
    features = (*one[0].features, *other[0].features)
    features = tuple(sorted(features, key=lambda each: _ORDER.get(each.place, len(_ORDER))))
    both = replace(first, text=first.text.removeprefix("@"), features=features, count=len(features))
    return both, one[1] + other[1], one[2] + other[2]


def _rounded_group(
    lines: list[_Fact], counted: int, learned: int, start: int
) -> tuple[BreakdownLine, tuple[BreakdownLine, ...]]:
    """Return a group's line and the lines of its words, strongest first. Their amounts add up to the group's."""
    each_counted = round_to_sum([one[1] for one in lines], counted)
    each_learned = round_to_sum([one[2] for one in lines], learned)
    amounts = zip((one[0] for one in lines), each_counted, each_learned, strict=True)
    group, placed = lines[0][0].group, list[BreakdownLine]()
    head = BreakdownLine(LineKind.GROUP, group_name(group), counted, learned, start, group=group)
    for line, its_counted, its_learned in sorted(amounts, key=lambda one: -abs(one[1] + one[2])):
        placed.append(replace(line, counted=its_counted, learned=its_learned, start=start, group=group))
        start += its_counted + its_learned
    return head, tuple(placed)


def _weaker(count: int, adds: int) -> BreakdownLine:
    name = tr_count("%n weaker word", "%n weaker words", count)
    return BreakdownLine(LineKind.WEAKER, name, adds, group=Group.REST, count=count)


def round_to_sum(values: Sequence[float], total: int) -> list[int]:
    """Round values to hundredths that add up to `total`: those nearest to the next higher one up. Zeros stay zero."""
    places = [place for place, value in enumerate(values) if value]
    floors = [math.floor(100 * value) for value in values]
    if places:
        each, more = divmod(total - sum(floors), len(places))
        nearest = sorted(places, key=lambda place: floors[place] - 100 * values[place])
        for rank, place in enumerate(nearest):
            floors[place] += each + (rank < more)
    return floors


def amount_text(hundredths: int) -> str:
    """Return an amount as shown."""
    return phrases.signed(hundredths / 100)


def line_cells(line: BreakdownLine) -> tuple[str, ...]:
    """Return the texts of a line in the columns of the table."""
    word, numbers = line.features[0] if line.features else None, [""] * 4
    if word is not None and word.place != "absent":
        times = "" if word.measure else format_count(word.occurrences)
        numbers = [*class_texts(word), phrases.signed(word.log_ratio), times]
    parts = (line.counted, line.learned) if line.kind in (LineKind.WORD, LineKind.GROUP) else (0, 0)
    return (line.text, "", *numbers, *(amount_text(part) if part else "" for part in parts), line.amount)


def group_name(group: Group | None) -> str:
    """Return the shown name of a group."""
    return {
        Group.TEXT: tr("text"),
        Group.SUBJECT: tr("subject"),
        Group.SENDER: tr("sender"),
        Group.WAY: tr("delivery route"),
        Group.LINKS: tr("links"),
        Group.HIDDEN: tr("hidden text"),
        Group.LAYOUT: tr("layout"),
        Group.ABSENT: tr("absent words"),
    }.get(group or Group.REST, tr("other"))


def part_texts(breakdown: ScoreBreakdown) -> list[tuple[str, int, str]]:
    """Return name, amount and explanation of the four parts of a score."""
    before = join_sentences(tr("The score before any word counts."), breakdown.prior_meaning)
    counts = tr("How much more or less often each word occurs in junk than in good mail.")
    learned = tr("Adjustments to single words, learned from messages whose score was wrong or not clear enough.")
    experience = tr(
        "Adjusts the score to past results and to the share of junk in your mail. Of 100 messages shown "
        "at 90 %, about 90 are junk."
    )
    return [
        (tr("starting point"), breakdown.prior.adds, before),
        (tr("word counts"), breakdown.counted, counts),
        (tr("learned corrections"), breakdown.learned, learned),
        (breakdown.calibration.text, breakdown.calibration.adds, experience),
    ]
