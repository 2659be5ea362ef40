"""The evidence of one message as a ledger, in hundredths, which add up as shown: down the lines and along each."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from nbmail.ui.evidence.feature_texts import feature_text, place_text
from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import format_count, tr, tr_count
from nbmail.worker.protocol import Contribution, Explanation

MOST_BRIEFLY = 12
"""Words of the short ledger; all others are one line of it."""


class Group(StrEnum):
    """Where in a message evidence was found, as people see a message; the text comes first."""

    TEXT = "text"
    SUBJECT = "subject"
    SENDER = "sender"
    WAY = "way"
    LINKS = "links"
    LAYOUT = "layout"
    REST = "rest"


_PLACES = {
    Group.TEXT: "body start text pair",
    Group.SUBJECT: "subject",
    Group.SENDER: "from sender reply return organization signed list-id",
    Group.WAY: "received origin id",
    Group.LINKS: "link path",
    Group.LAYOUT: "html",
}
_GROUP_OF = {place: group for group, places in _PLACES.items() for place in places.split()}
_PARTED = frozenset(
    ("from", "sender", "reply", "return", "signed", "list-id", "received", "origin", "id", "link", "to")
)
"""Places in which addresses, servers and networks are told whole and in parts."""
SHORTEST_PART = 3
_ORDER = {place: number for number, place in enumerate(_GROUP_OF)}


class LineKind(StrEnum):
    """What a line of the ledger is."""

    PRIOR = "prior"
    GROUP = "group"
    WORD = "word"
    WEAKER = "weaker"
    CALIBRATION = "calibration"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class BreakdownLine:
    """A word, a group of words, another part of the score, or the sum. Amounts are hundredths of log-odds.

    `counted` is what the counts say and `learned` what mistakes taught; together they are what the line `adds`.
    `start` is what all lines before it come to. `features` are what it is made of: one fact that was found in several
    places is one line, and `count` says how many clues a line stands for.
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
        """Where the word stood; nothing for the text of the message and for lines that are no words."""
        names = dict.fromkeys(place_text(each.place) for each in self.features if each.place != "body")
        return ", ".join(name for name in names if name) if self.kind is LineKind.WORD else ""

    def spoken(self) -> str:
        """The line as a sentence."""
        amount = tr("adds {amount}").format(amount=self.amount)
        if self.kind is not LineKind.WORD:
            return f"{self.text}, {amount}"
        feature, place = self.features[0], self.place or place_text(self.features[0].place)
        return tr("{word}: in {junk} of your junk and {good} of your good messages; {amount}").format(
            word=f"{self.text}, {place}" if place else self.text,
            junk=format_count(feature.junk),
            good=format_count(feature.good),
            amount=amount,
        )


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """All lines, put in order. `counted` and `learned` are the sums of those of all words."""

    prior: BreakdownLine
    groups: tuple[tuple[BreakdownLine, tuple[BreakdownLine, ...]], ...]
    calibration: BreakdownLine
    total: BreakdownLine

    @property
    def counted(self) -> int:
        return sum(line.counted for line, _ in self.groups)

    @property
    def learned(self) -> int:
        return sum(line.learned for line, _ in self.groups)

    @property
    def words(self) -> list[BreakdownLine]:
        """The lines of words of all groups, the strongest first."""
        found = [line for _, lines in self.groups for line in lines]
        return sorted(found, key=lambda line: (line.kind is LineKind.WEAKER, -abs(line.adds)))

    def added(self) -> dict[str, float]:
        """What each word adds, as it is shown where it has a line of its own."""
        return {
            each.word: line.adds / 100 if line.count == 1 else each.contribution
            for line in self.words
            for each in line.features
        }

    def compact_lines(self) -> list[BreakdownLine]:
        """The strongest words, all others as one line, what else adds to the score."""
        words, weaker = self.words[:MOST_BRIEFLY], self.words[MOST_BRIEFLY:]
        if weaker:
            words.append(_weaker(sum(line.count for line in weaker), sum(line.adds for line in weaker)))
        others = [line for line in (self.prior, self.calibration) if line.adds]
        return [*words, *others]

    def whole(self, folded: Iterable[Group]) -> list[BreakdownLine]:
        """Line by line as the score comes about; of a folded group only its sum."""
        lines, closed = [self.prior], set(folded)
        for group, words in self.groups:
            lines += [group, *(() if group.group in closed else words)]
        return [*lines, self.calibration, self.total]


def break_down(why: Explanation) -> ScoreBreakdown:
    """Lay an explanation out so that all that is shown adds up: parts first, then groups, then the words in them."""
    found = _together([_line(each) for each in why.contributions])
    if why.weaker_count:
        found.append((_weaker(why.weaker_count, 0), why.weaker, 0.0))
    grouped_lines = {group: [one for one in found if one[0].group is group] for group in Group}
    members = [lines for lines in grouped_lines.values() if lines]
    counted = [math.fsum(one[1] for one in lines) for lines in members]
    learned = [math.fsum(one[2] for one in lines) for lines in members]
    parts = [why.prior, math.fsum(counted), math.fsum(learned), why.calibration]
    prior, all_counted, all_learned, calibration = settle(parts, round(100 * why.log_odds))
    sums = zip(settle(counted, all_counted), settle(learned, all_learned), members, strict=True)
    start, groups = prior, []
    for group_counted, group_learned, lines in sums:
        groups.append(_settled(lines, group_counted, group_learned, start))
        start += group_counted + group_learned
    return ScoreBreakdown(
        BreakdownLine(LineKind.PRIOR, tr("before reading"), prior),
        tuple(groups),
        BreakdownLine(LineKind.CALIBRATION, tr("from experience"), calibration, start=start),
        BreakdownLine(LineKind.SUM, tr("together"), round(100 * why.log_odds)),
    )


_Fact = tuple[BreakdownLine, float, float]
"""A line whose amounts are still exact: what counts say, and what mistakes taught."""


def _line(each: Contribution) -> _Fact:
    line = BreakdownLine(
        LineKind.WORD,
        feature_text(each.word, each.place),
        0,
        features=(each,),
        group=_GROUP_OF.get(each.place, Group.REST),
    )
    return line, each.contribution - each.correction, each.correction


def _together(found: Sequence[_Fact]) -> list[_Fact]:
    """One line for each fact: the sender's server is met again in other headers, a word in several places of a text.

    An address, its server and its name, or a network of three sizes, are one fact too where they were always together.
    """
    joined: dict[tuple[object, str], _Fact] = {}
    for one in found:
        key = (_group_of(one[0]), one[0].text.removeprefix("@"))
        joined[key] = _added(joined[key], one) if key in joined else one
    parted = [one for one in joined.values() if one[0].features[0].place in _PARTED]
    wholes: list[_Fact] = []
    for one in sorted(parted, key=lambda one: -len(_core(one[0].features[0]))):
        place = next((place for place, whole in enumerate(wholes) if _is_part(one[0], whole[0])), -1)
        if place >= 0:
            wholes[place] = _added(wholes[place], one)
        else:
            wholes.append(one)
    return [*wholes, *(one for one in joined.values() if one[0].features[0].place not in _PARTED)]


def _group_of(line: BreakdownLine) -> Group | None:
    """Where a line belongs: a server's name in the way it came is the sender's, if that has the same."""
    text = line.text.removeprefix("@")
    host = line.group in (Group.SENDER, Group.WAY) and "." in text and " " not in text
    return Group.SENDER if host else line.group


def _is_part(line: BreakdownLine, whole: BreakdownLine) -> bool:
    """Whether one line stands in the words of another, and was learned in as many messages of either kind."""
    feature, other, core = line.features[0], whole.features[0], _core(line.features[0])
    alike = whole.group is line.group and (other.junk, other.good) == (feature.junk, feature.good)
    return alike and len(core) >= SHORTEST_PART and core in _core(other)


def _core(feature: Contribution) -> str:
    return feature.word.removeprefix(f"{feature.place}:").removeprefix("by ").strip("@.*")


def _added(one: _Fact, other: _Fact) -> _Fact:
    """Two lines as one, in the words of the first and with the places of both, the sender's first."""
    first = one[0] if one[0].group is Group.SENDER or other[0].group is not Group.SENDER else other[0]
    features = (*one[0].features, *other[0].features)
    features = tuple(sorted(features, key=lambda each: _ORDER.get(each.place, len(_ORDER))))
    both = replace(first, text=first.text.removeprefix("@"), features=features, count=len(features))
    return both, one[1] + other[1], one[2] + other[2]


def _settled(
    lines: list[_Fact], counted: int, learned: int, start: int
) -> tuple[BreakdownLine, tuple[BreakdownLine, ...]]:
    """A group's line and those of its words, the strongest first, which add up to it."""
    each_counted = settle([one[1] for one in lines], counted)
    each_learned = settle([one[2] for one in lines], learned)
    amounts = zip((one[0] for one in lines), each_counted, each_learned, strict=True)
    group, placed = lines[0][0].group, list[BreakdownLine]()
    head = BreakdownLine(LineKind.GROUP, group_name(group), counted, learned, start, group=group)
    for line, says, taught in sorted(amounts, key=lambda one: -abs(one[1] + one[2])):
        placed.append(replace(line, counted=says, learned=taught, start=start, group=group))
        start += says + taught
    return head, tuple(placed)


def _weaker(count: int, adds: int) -> BreakdownLine:
    name = tr_count("%n weaker word", "%n weaker words", count)
    return BreakdownLine(LineKind.WEAKER, name, adds, group=Group.REST, count=count)


def settle(values: Sequence[float], total: int) -> list[int]:
    """Round each value to hundredths, up or down, so that together they are this total; what is nothing stays nothing.

    Those nearest to the next step up give way first.
    """
    places = [place for place, value in enumerate(values) if value]
    floors = [math.floor(100 * value) for value in values]
    if places:
        each, more = divmod(total - sum(floors), len(places))
        nearest = sorted(places, key=lambda place: floors[place] - 100 * values[place])
        for rank, place in enumerate(nearest):
            floors[place] += each + (rank < more)
    return floors


def amount_text(hundredths: int) -> str:
    """An amount as it is shown."""
    return phrases.signed(hundredths / 100)


def group_name(group: Group | None) -> str:
    """A group in words."""
    return {
        Group.TEXT: tr("the text"),
        Group.SUBJECT: tr("the subject"),
        Group.SENDER: tr("the sender"),
        Group.WAY: tr("the way it came"),
        Group.LINKS: tr("links"),
        Group.LAYOUT: tr("layout"),
    }.get(group or Group.REST, tr("the rest"))


def part_texts(breakdown: ScoreBreakdown) -> list[tuple[str, int, str]]:
    """The four honest parts of a score: what each is called, what it adds, and what it is."""
    before = tr("How much of what you marked was junk, before a word of this message is read.")
    counts = tr("How much more often each of its words was in your junk than in your good mail, or less often.")
    learned = tr("What was learned from messages that had been misjudged: which words mislead, and which say more.")
    turned_out = tr("How messages with such a score turned out, so that of 100 that are told 90 % about 90 are junk.")
    return [
        (breakdown.prior.text, breakdown.prior.adds, before),
        (tr("its words"), breakdown.counted, counts),
        (tr("mistakes"), breakdown.learned, learned),
        (breakdown.calibration.text, breakdown.calibration.adds, turned_out),
    ]
