"""Texts about the progress of a triage."""

from collections.abc import Sequence

from nbmail.ui.model.accuracy_texts import share_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import THIN
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.worker.protocol.quality import TrainingReport

FEWEST = 5
"""Minimum number of checked spam messages for a rate."""


def unsure_place_text(marked: int, left: int) -> str:
    """Return the place among the unsure messages. `left`: those that are still unsure."""
    total = marked + left
    place = min(marked + 1, total)
    text = tr("{place} of {total} unsure messages")
    return text.format(place=format_count(place), total=format_count(total))


def teaching_place_text(marked: int, left: int) -> str:
    """Return the marks of a session of active learning, and the messages without a mark."""
    done = tr_count("%n marked", "%n marked", marked)
    unmarked = tr_count("%n unmarked", "%n unmarked", left)
    return f"{done} · {unmarked}"


def improvement_text(before: TrainingReport | None, now: TrainingReport | None) -> str:
    """Return the recall on unlearned messages, and its improvement if there is one.

    A change within the interval of the first report is none.
    """
    if now is None or now.spam < FEWEST:
        return ""
    if before is None or not _differs(before, now):
        text = tr("On mail it hadn't learned: {share} of spam caught")
        return text.format(share=share_text(now.recall))
    text = tr("On mail it hadn't learned: {before} → {after} of spam caught")
    return text.format(before=_rounded_recall(before), after=_rounded_recall(now))


def _differs(before: TrainingReport, now: TrainingReport) -> bool:
    if before.spam < FEWEST:
        return False
    return not before.recall.lowest <= now.recall.share <= before.recall.highest


def _rounded_recall(report: TrainingReport) -> str:
    return f"{round(100 * report.recall.share)}{THIN}%"


def ending_text(labels: Sequence[str], by_model: int, skipped: int) -> str:
    """Return the summary of a session.

    `by_model`: messages that got their verdict from the model.
    """
    sentences = []
    if labels:
        spam = labels.count("spam")
        marked = tr_count(
            "You marked %n message: {spam} spam, {ham} not spam.",
            "You marked %n messages: {spam} spam, {ham} not spam.",
            len(labels),
        )
        ham = len(labels) - spam
        sentences.append(marked.format(spam=format_count(spam), ham=format_count(ham)))
    if by_model > 0:
        learned = tr_count(
            "%n other message is no longer unsure.",
            "%n other messages are no longer unsure.",
            by_model,
        )
        sentences.append(learned)
    if skipped:
        left = tr_count(
            "%n skipped message is still unsure.", "%n skipped messages are still unsure.", skipped
        )
        sentences.append(left)
    return join_sentences(*sentences)
