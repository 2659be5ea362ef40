"""Score breakdown of one message in hundredths of log-odds. Shown amounts add up, in columns and in
lines.
"""

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from nbmail.core.explaining.explanation import Contribution, Explanation, PriorFrom
from nbmail.ui.evidence.feature_texts import class_texts, contribution_text, place_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import percent, signed
from nbmail.ui.texts.plain_text import join_sentences

COMPACT_WORDS = 5
"""Words of the compact breakdown. Another line stands for all others."""


class Group(StrEnum):
    """Parts of a message as the user sees it, in the order of the breakdown. Values: their
    places.
    """

    TEXT = "body phrase start text"
    SUBJECT = "subject"
    SENDER = "from sender reply return organization signed list-id"
    WAY = "received origin id"
    LINKS = "link path"
    HIDDEN = "hidden"
    LAYOUT = "html"
    REST = ""
    ABSENT = "absent"


_GROUP_OF = {place: group for group in Group for place in group.split()}
_PARTED = frozenset(
    (
        "from",
        "sender",
        "reply",
        "return",
        "signed",
        "list-id",
        "received",
        "origin",
        "id",
        "link",
        "to",
    )
)
"""Places whose addresses, servers and networks are features as a whole and in parts."""
SHORTEST_PART = 3
_ORDER = {place: number for number, place in enumerate(_GROUP_OF)}


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
        names = dict.fromkeys(
            place_text(each.place) for each in self.features if each.place != "body"
        )
        return ", ".join(name for name in names if name) if self.kind is LineKind.WORD else ""

    def accessible_text(self) -> str:
        amount = tr("adds {amount}").format(amount=self.amount)
        if self.kind is not LineKind.WORD:
            return f"{self.text}, {amount}"
        feature = self.features[0]
        place = self.place or place_text(self.features[0].place)
        name = f"{self.text}, {place}" if place else self.text
        if feature.place == "absent":
            return f"{name}, {amount}"
        spam, ham = class_texts(feature)
        text = tr("{word}: in {spam} spam and {ham} good messages; log-ratio {ratio}; {amount}")
        if feature.measure:
            text = tr(
                "{word}: spam {spam}, good mail {ham} (mean ± standard deviation); "
                "log-ratio {ratio}; {amount}"
            )
        text = text.format(
            word=name, amount=amount, spam=spam, ham=ham, ratio=signed(feature.log_ratio)
        )
        return (
            f"{text}. {tr('Its words also count one by one.')}"
            if feature.place == "phrase"
            else text
        )


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """All lines in order. Each group has its own line and the lines of its words."""

    prior: BreakdownLine
    prior_meaning: str
    groups: tuple[tuple[BreakdownLine, list[BreakdownLine]], ...]
    calibration: BreakdownLine
    total: BreakdownLine

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
        absent = [line for line in self.words if line.group is Group.ABSENT]
        words = [line for line in self.words if line.group is not Group.ABSENT]
        words, weaker = words[:COMPACT_WORDS], words[COMPACT_WORDS:]
        if weaker:
            words.append(
                _weaker(sum(line.count for line in weaker), sum(line.adds for line in weaker))
            )
        return [*words, *absent, *(line for line in (self.prior, self.calibration) if line.adds)]

    def all_lines(self, folded: Container[Group | None] = ()) -> list[BreakdownLine]:
        """Return all lines in the order of the sum; folded groups without their words."""
        lines = [self.prior]
        for group, words in self.groups:
            lines += [group, *(() if group.group in folded else words)]
        return [*lines, self.calibration, self.total]


def break_down(why: Explanation) -> ScoreBreakdown:
    """Round an explanation so that it adds up: first its parts, then the groups, then the words of
    each group.
    """
    found = _merge_same_facts([_word_line(each) for each in why.contributions])
    if why.weaker_count:
        found.append(_weaker(why.weaker_count, why.weaker))
    members = {
        group: lines
        for group in Group
        if (lines := [line for line in found if line.group is group])
    }
    absent = members.get(Group.ABSENT, [])[:1]
    if absent and why.absent.words:
        total = tr_count("%n absent word", "%n absent words", why.absent.total)
        absent = [replace(absent[0], text=total)]
        weaker = _weaker(why.absent.weaker_count, why.absent.weaker)
        members[Group.ABSENT] = [
            *map(_word_line, why.absent.words),
            *([weaker] if weaker.count else []),
        ]
    counted = [math.fsum(line.counted for line in lines) for lines in members.values()]
    learned = [math.fsum(line.learned for line in lines) for lines in members.values()]
    parts = [why.prior, math.fsum(counted), math.fsum(learned), why.calibration]
    prior, all_counted, all_learned, calibration = round_to_sum(parts, round(100 * why.log_odds))
    sums = zip(
        members, round_to_sum(counted, all_counted), round_to_sum(learned, all_learned), strict=True
    )
    start = prior
    groups = []
    for group, its_counted, its_learned in sums:
        head = BreakdownLine(
            LineKind.GROUP, group_name(group), its_counted, its_learned, start, group=group
        )
        if group is Group.ABSENT:
            head = replace(head, text=absent[0].text, features=absent[0].features)
        groups.append((head, _rounded(members[group], its_counted, its_learned, head)))
        start += its_counted + its_learned
    name, meaning = _prior_texts(why)
    return ScoreBreakdown(
        BreakdownLine(LineKind.PRIOR, name, prior),
        meaning,
        tuple(groups),
        BreakdownLine(LineKind.CALIBRATION, tr("calibration"), calibration, start=start),
        BreakdownLine(LineKind.SUM, tr("total"), round(100 * why.log_odds)),
    )


def _word_line(each: Contribution) -> BreakdownLine:
    """Return the line of a feature with its exact amounts in log-odds."""
    counted = each.contribution - each.correction
    group = _GROUP_OF.get(each.place, Group.REST)
    return BreakdownLine(
        LineKind.WORD, contribution_text(each), counted, each.correction, 0, (each,), group
    )


def _weaker(count: int, adds: float) -> BreakdownLine:
    name = tr_count("%n weaker word", "%n weaker words", count)
    return BreakdownLine(LineKind.WEAKER, name, adds, group=Group.REST, count=count)


def _prior_texts(why: Explanation) -> tuple[str, str]:
    """Return the name of the starting point, and a sentence about it."""
    if why.prior_from is PriorFrom.EVEN:
        return tr("starting point: even odds"), tr(
            "It begins with even odds of spam and good mail."
        )
    text = tr("It begins with the share of spam among the learned messages, {share}.")
    if why.prior_from is PriorFrom.MAIL:
        text = tr("It begins with the estimated share of spam in your mail, {share}.")
    share = percent(why.prior_share)
    return tr("starting point: {share} spam").format(share=share), text.format(share=share)


def _merge_same_facts(found: Sequence[BreakdownLine]) -> list[BreakdownLine]:
    """Merge the lines of one fact: the sender's server in several headers, or a word in several
    places of the text.

    An address and its server and name, or a network of three sizes, are merged if they always
    occurred together.
    """
    joined: dict[tuple[object, str], BreakdownLine] = {}
    for line in found:
        text = line.text.removeprefix("@")
        # A server of the way belongs to the sender, to merge with the sender's own server.
        is_server = line.group in (Group.SENDER, Group.WAY) and "." in text and " " not in text
        key = (Group.SENDER if is_server else line.group, text)
        joined[key] = _merged(joined[key], line) if key in joined else line
    parted = [line for line in joined.values() if line.features[0].place in _PARTED]
    wholes = list[BreakdownLine]()
    for line in sorted(parted, key=lambda line: -len(_core(line.features[0]))):
        place = next((place for place, whole in enumerate(wholes) if _is_part(line, whole)), -1)
        if place >= 0:
            wholes[place] = _merged(wholes[place], line)
        else:
            wholes.append(line)
    return [*wholes, *(line for line in joined.values() if line.features[0].place not in _PARTED)]


def _is_part(line: BreakdownLine, whole: BreakdownLine) -> bool:
    """True if a line's word is contained in another's, and both have equal counts."""
    feature = line.features[0]
    other = whole.features[0]
    core = _core(line.features[0])
    equal = whole.group is line.group and (other.spam, other.ham) == (feature.spam, feature.ham)
    return equal and len(core) >= SHORTEST_PART and core in _core(other)


def _core(feature: Contribution) -> str:
    return feature.word.removeprefix(f"{feature.place}:").removeprefix("by ").strip("@.*")


def _merged(one: BreakdownLine, other: BreakdownLine) -> BreakdownLine:
    """Merge two lines: the text of the first, the places of both, the sender's first."""
    first = one if one.group is Group.SENDER or other.group is not Group.SENDER else other
    features = sorted(
        (*one.features, *other.features), key=lambda each: _ORDER.get(each.place, len(_ORDER))
    )
    return replace(
        first,
        text=first.text.removeprefix("@"),
        counted=one.counted + other.counted,
        learned=one.learned + other.learned,
        features=tuple(features),
        count=len(features),
    )


def _rounded(
    lines: list[BreakdownLine], counted: int, learned: int, group: BreakdownLine
) -> list[BreakdownLine]:
    """Return the lines of the words of a group, strongest first. Their amounts add up to the
    group's.
    """
    each_counted = round_to_sum([line.counted for line in lines], counted)
    each_learned = round_to_sum([line.learned for line in lines], learned)
    start = group.start
    placed = list[BreakdownLine]()
    amounts = zip(lines, each_counted, each_learned, strict=True)
    for line, its_counted, its_learned in sorted(amounts, key=lambda one: -abs(one[1] + one[2])):
        placed.append(
            replace(line, counted=its_counted, learned=its_learned, start=start, group=group.group)
        )
        start += its_counted + its_learned
    return placed


def round_to_sum(values: Sequence[float], total: int) -> list[int]:
    """Round values to hundredths that add up to `total`: those nearest to the next higher one up.
    Zeros stay zero.
    """
    places = [place for place, value in enumerate(values) if value]
    floors = [math.floor(100 * value) for value in values]
    if places:
        each, more = divmod(total - sum(floors), len(places))
        nearest = sorted(places, key=lambda place: floors[place] - 100 * values[place])
        for rank, place in enumerate(nearest):
            floors[place] += each + (rank < more)
    return floors


def amount_text(hundredths: float) -> str:
    return signed(hundredths / 100)


def line_cells(line: BreakdownLine) -> tuple[str, ...]:
    word = line.features[0] if line.features else None
    numbers = [""] * 4
    if word is not None and word.place != "absent":
        times = "" if word.measure else format_count(word.occurrences)
        numbers = [*class_texts(word), signed(word.log_ratio), times]
    parts = (line.counted, line.learned) if line.kind in (LineKind.WORD, LineKind.GROUP) else (0, 0)
    return (
        line.text,
        "",
        *numbers,
        *(amount_text(part) if part else "" for part in parts),
        line.amount,
    )


def group_name(group: Group | None) -> str:
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


def part_texts(breakdown: ScoreBreakdown) -> list[tuple[str, float, str]]:
    before = join_sentences(tr("The score before any word counts."), breakdown.prior_meaning)
    counts = tr("How much more or less often each word occurs in spam than in good mail.")
    learned = tr(
        "Adjustments to single words, learned from messages whose score was wrong or not "
        "clear enough."
    )
    experience = tr(
        "Adjusts the score to past results and to the share of spam in your mail. Of 100 "
        "messages shown "
        "at 90 %, about 90 are spam."
    )
    return [
        (tr("starting point"), breakdown.prior.adds, before),
        (tr("word counts"), sum(line.counted for line, _ in breakdown.groups), counts),
        (tr("learned corrections"), sum(line.learned for line, _ in breakdown.groups), learned),
        (breakdown.calibration.text, breakdown.calibration.adds, experience),
    ]
