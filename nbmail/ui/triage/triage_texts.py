"""What is said while messages are decided one after the other, and in the end."""

from collections.abc import Sequence

from nbmail.ui.kit import phrases
from nbmail.ui.kit.language import grouped, tr, tr_count
from nbmail.ui.kit.plain_text import sentences
from nbmail.ui.model.model_texts import caught_of, share_words
from nbmail.worker.protocol.own_model import TrainingReport

FEWEST = 5
"""Checked junk messages below which a share of what is caught says nothing."""


def progress_words(place: int, total: int) -> str:
    """Which one this is of those that nbmail is unsure of."""
    return tr("{place} of {total} unsure").format(place=grouped(place), total=grouped(total))


def asked_words(marks: int, unlabelled: int) -> str:
    """How many questions were answered; there are always more."""
    return f"{tr_count('%n answer', '%n answers', marks)} · {tr_count('%n unmarked', '%n unmarked', unlabelled)}"


def brought_words(before: TrainingReport | None, now: TrainingReport | None) -> str:
    """What the marks brought, by messages that were judged by models that had not learned them.

    A change that chance may have made is none: then it is said how far the share can be trusted.
    """
    if now is None or now.junk < FEWEST:
        return ""
    if before is None or before.junk < FEWEST or before.rate.lowest <= now.rate.share <= before.rate.highest:
        return tr("Junk it would catch: {share}").format(share=share_words(caught_of(now)))
    return tr("Junk it would catch: {before} → {after}").format(before=_share(before), after=_share(now))


def _share(report: TrainingReport) -> str:
    return f"{round(100 * report.rate.share)}{phrases.THIN}%"


def marks_words(labels: Sequence[str]) -> str:
    """What was decided."""
    if not labels:
        return ""
    junk = sum(label == "junk" for label in labels)
    text = tr_count(
        "You decided %n message: {junk} junk, {good} good.",
        "You decided %n messages: {junk} junk, {good} good.",
        len(labels),
    )
    return text.format(junk=grouped(junk), good=grouped(len(labels) - junk))


def ending_words(labels: Sequence[str], by_themselves: int, skipped: int) -> str:
    """What came of it."""
    learned = tr_count(
        "%n other got its verdict from what you taught.",
        "%n others got their verdict from what you taught.",
        by_themselves,
    )
    left = tr_count("%n was skipped and stays unsure.", "%n were skipped and stay unsure.", skipped)
    return sentences(marks_words(labels), learned if by_themselves > 0 else "", left if skipped else "")
