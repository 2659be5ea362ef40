"""Texts about the accuracy of the model."""

from nbmail.core.evaluation.proportion import Proportion
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.number_texts import exact_percent, percent
from nbmail.worker.protocol.quality import ReliabilityBin

NEAR_END = 0.03
"""Shares closer than this to 0 or 1 get a decimal."""


def share_text(counted: Proportion) -> str:
    """Format a share with its confidence interval: "97 % (92–99 %)"."""
    if not counted.count:
        return tr("no messages to test")
    lowest = _rounded(counted.lowest).removesuffix("%").rstrip()
    return f"{_rounded(counted.share)} ({lowest}–{_rounded(counted.highest)})"


def _rounded(share: float) -> str:
    digits = 2 if NEAR_END < share < 1 - NEAR_END else 3
    return exact_percent(round(share, digits))


def headline_text(caught: Proportion, lost: Proportion) -> str:
    """Return the accuracy on mail that the model had not learned: the same sentence everywhere."""
    text = tr(
        "On mail it hadn't learned: {caught} of spam caught, {lost} of {ham} good messages lost."
    )
    return text.format(
        caught=share_text(caught), lost=format_count(lost.found), ham=format_count(lost.count)
    )


def reliability_text(reliability: ReliabilityBin) -> str:
    text = tr("Predicted {promised}: {found} of {count} were spam")
    return text.format(
        promised=percent(reliability.predicted),
        found=format_count(reliability.spam.found),
        count=format_count(reliability.spam.count),
    )
