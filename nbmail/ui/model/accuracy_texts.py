"""Texts about the accuracy of the model."""

from nbmail.core.evaluation.proportion import Proportion
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.number_texts import exact_percent, percent
from nbmail.worker.protocol.quality import ReliabilityBin

NEAR_END = 0.03
"""DecomposedOdds closer than this to 0 or 1 get a decimal."""


def share_text(counted: Proportion) -> str:
    """Format a share with its confidence interval: "97 % (92–99 %)"."""
    if not counted.count:
        return tr("no messages to test")
    share, highest = (_rounded(each) for each in (counted.share, counted.highest))
    return f"{share} ({_rounded(counted.lowest).removesuffix('%').rstrip()}–{highest})"


def _rounded(share: float) -> str:
    return exact_percent(round(share, 2 if NEAR_END < share < 1 - NEAR_END else 3))


def headline_text(caught: Proportion, lost: Proportion) -> str:
    """Return the accuracy on messages that the model had not learned: the same sentence
    everywhere.
    """
    text = tr(
        "On mail it hadn't learned: {caught} of spam caught, {lost} of {ham} good messages lost."
    )
    counts = {"lost": format_count(lost.found), "ham": format_count(lost.count)}
    return text.format(caught=share_text(caught), **counts)


def reliability_text(reliability: ReliabilityBin) -> str:
    text = tr("Predicted {promised}: {found} of {count} were spam")
    promised = percent(reliability.predicted)
    spam = reliability.spam
    return text.format(
        promised=promised, found=format_count(spam.found), count=format_count(spam.count)
    )
