"""Texts about the parts of a score: starting point, counts, corrections, calibration."""

from typing import NamedTuple

from nbmail.ui.evidence.breakdown.score_breakdown import ScoreBreakdown
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.plain_text import join_sentences


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
