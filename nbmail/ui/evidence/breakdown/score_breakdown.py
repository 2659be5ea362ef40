"""Score breakdown of one message, rounded so that shown amounts add up."""

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from nbmail.core.explaining.explanation import Explanation, PriorFrom
from nbmail.ui.evidence.breakdown.breakdown_lines import (
    BreakdownLine,
    Group,
    LineKind,
    group_name,
    weaker_line,
    word_line,
)
from nbmail.ui.evidence.breakdown.merged_facts import merge_same_facts
from nbmail.ui.texts.language import tr, tr_count
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.plain_text import join_sentences

COMPACT_WORDS = 5
"""Words of the compact breakdown. Another line stands for all others."""
GroupLines = tuple[BreakdownLine, list[BreakdownLine]]
"""Line of a group, and the lines of its words."""


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """All lines in order. Each group has its own line and the lines of its words."""

    prior: BreakdownLine
    prior_meaning: str
    groups: tuple[GroupLines, ...]
    calibration: BreakdownLine
    total: BreakdownLine

    @property
    def words(self) -> list[BreakdownLine]:
        """Lines of the words of all groups, strongest first; one line for all absent words."""
        found: list[BreakdownLine] = []
        for group, lines in self.groups:
            if group.group is Group.ABSENT:
                found.append(replace(group, kind=LineKind.WORD))
            else:
                found += lines
        return sorted(found, key=lambda line: (line.kind is LineKind.WEAKER, -abs(line.adds)))

    def added(self) -> dict[str, float]:
        """Return what each feature adds, rounded as shown if it has its own line."""
        adds = {}
        for line in self.words:
            for feature in line.features:
                is_alone = line.count == 1
                adds[feature.word] = line.adds / 100 if is_alone else feature.contribution
        return adds

    def compact_lines(self) -> list[BreakdownLine]:
        every = self.words
        absent = [line for line in every if line.group is Group.ABSENT]
        words = [line for line in every if line.group is not Group.ABSENT]
        lines = words[:COMPACT_WORDS]
        weaker = words[COMPACT_WORDS:]
        if weaker:
            count = sum(line.count for line in weaker)
            lines.append(weaker_line(count, sum(line.adds for line in weaker)))
        ends = [line for line in (self.prior, self.calibration) if line.adds]
        return [*lines, *absent, *ends]

    def all_lines(self, folded: Container[Group | None] = ()) -> list[BreakdownLine]:
        """Return all lines in the order of the sum; folded groups without their words."""
        lines = [self.prior]
        for group, words in self.groups:
            lines.append(group)
            if group.group not in folded:
                lines += words
        return [*lines, self.calibration, self.total]


def break_down(why: Explanation) -> ScoreBreakdown:
    """Round an explanation so that it adds up: first its parts, then its groups, then words."""
    members = _lines_by_group(why)
    counted = [math.fsum(line.counted for line in lines) for lines in members.values()]
    learned = [math.fsum(line.learned for line in lines) for lines in members.values()]
    total = round(100 * why.log_odds)
    parts = [why.prior, math.fsum(counted), math.fsum(learned), why.calibration]
    prior, all_counted, all_learned, calibration = round_to_sum(parts, total)

    start = prior
    groups = []
    rounded_counted = round_to_sum(counted, all_counted)
    rounded_learned = round_to_sum(learned, all_learned)
    sums = zip(members.items(), rounded_counted, rounded_learned, strict=True)
    for (group, lines), its_counted, its_learned in sums:
        head = BreakdownLine(
            LineKind.GROUP,
            group_name(group),
            counted=its_counted,
            learned=its_learned,
            start=start,
            group=group,
        )
        if group is Group.ABSENT:
            head = _absent_head(why, head)
        groups.append((head, _rounded(lines, head)))
        start += its_counted + its_learned

    name, meaning = _prior_texts(why)
    return ScoreBreakdown(
        BreakdownLine(LineKind.PRIOR, name, prior),
        meaning,
        tuple(groups),
        BreakdownLine(LineKind.CALIBRATION, tr("calibration"), calibration, start=start),
        BreakdownLine(LineKind.SUM, tr("total"), total),
    )


def _lines_by_group(why: Explanation) -> dict[Group, list[BreakdownLine]]:
    """Return the lines of all words with exact amounts, by their groups in order."""
    found = merge_same_facts([word_line(each) for each in why.contributions])
    if why.weaker_count:
        found.append(weaker_line(why.weaker_count, why.weaker))
    members = {}
    for group in Group:
        lines = [line for line in found if line.group is group]
        if lines:
            members[group] = lines

    if Group.ABSENT in members and why.absent.words:
        absent = [word_line(each) for each in why.absent.words]
        if why.absent.weaker_count:
            absent.append(weaker_line(why.absent.weaker_count, why.absent.weaker))
        members[Group.ABSENT] = absent
    return members


def _absent_head(why: Explanation, head: BreakdownLine) -> BreakdownLine:
    """Return the line of all absent words, with their number if they are listed."""
    feature = next(each for each in why.contributions if each.place == "absent")
    line = word_line(feature)
    text = line.text
    if why.absent.words:
        text = tr_count("%n absent word", "%n absent words", why.absent.total)
    return replace(head, text=text, features=line.features)


def _prior_texts(why: Explanation) -> tuple[str, str]:
    """Return the name of the starting point, and a sentence about it."""
    if why.prior_from is PriorFrom.EVEN:
        meaning = tr("It begins with even odds of spam and good mail.")
        return tr("starting point: even odds"), meaning

    meaning = tr("It begins with the share of spam among the learned messages, {share}.")
    if why.prior_from is PriorFrom.MAIL:
        meaning = tr("It begins with the estimated share of spam in your mail, {share}.")
    share = percent(why.prior_share)
    name = tr("starting point: {share} spam").format(share=share)
    return name, meaning.format(share=share)


def _rounded(lines: list[BreakdownLine], group: BreakdownLine) -> list[BreakdownLine]:
    """Return the lines of a group, strongest first. Their amounts add up to the group's."""
    counted = round_to_sum([line.counted for line in lines], int(group.counted))
    learned = round_to_sum([line.learned for line in lines], int(group.learned))
    rounded = [
        replace(line, counted=its_counted, learned=its_learned, group=group.group)
        for line, its_counted, its_learned in zip(lines, counted, learned, strict=True)
    ]
    rounded.sort(key=lambda line: -abs(line.adds))

    start = group.start
    placed = []
    for line in rounded:
        placed.append(replace(line, start=start))
        start += line.adds
    return placed


def round_to_sum(values: Sequence[float], total: int) -> list[int]:
    """Round values to hundredths that add up to `total`. Zeros stay zero.

    The values nearest to the next higher hundredth are rounded up.
    """
    rounded = [math.floor(100 * value) for value in values]
    places = [place for place, value in enumerate(values) if value]
    if not places:
        return rounded
    each, rest = divmod(total - sum(rounded), len(places))
    places.sort(key=lambda place: rounded[place] - 100 * values[place])
    for rank, place in enumerate(places):
        rounded[place] += each
        if rank < rest:
            rounded[place] += 1
    return rounded


class PartText(NamedTuple):
    """Part of a score. `adds`: its amount in hundredths of log-odds."""

    name: str
    adds: float
    meaning: str


def part_texts(breakdown: ScoreBreakdown) -> list[PartText]:
    """Return all parts of a score in the order of the sum."""
    before = join_sentences(tr("The score before any word counts."), breakdown.prior_meaning)
    counts = tr("How much more or less often each word occurs in spam than in good mail.")
    learned = tr(
        "Adjustments to single words, learned from messages whose score was wrong or not "
        "clear enough."
    )
    experience = tr(
        "Adjusts the score to past results and to the share of spam in your mail. Of 100 "
        "messages shown at 90 %, about 90 are spam."
    )
    groups = [group for group, _ in breakdown.groups]
    calibration = breakdown.calibration
    return [
        PartText(tr("starting point"), breakdown.prior.adds, before),
        PartText(tr("word counts"), sum(group.counted for group in groups), counts),
        PartText(tr("learned corrections"), sum(group.learned for group in groups), learned),
        PartText(calibration.text, calibration.adds, experience),
    ]
