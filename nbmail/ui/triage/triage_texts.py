"""Texts about the progress of a triage."""

from collections.abc import Sequence

from nbmail.ui.model.model_texts import share_text
from nbmail.ui.texts.language import format_count, tr, tr_count
from nbmail.ui.texts.number_texts import THIN
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.worker.protocol.quality import TrainingReport

FEWEST = 5
"""Minimum number of checked spam messages for a rate."""


def improvement_text(before: TrainingReport | None, now: TrainingReport | None) -> str:
    """Return the improvement of the recall on unlearned messages, none within the interval of the
    first report.
    """
    if now is None or now.spam < FEWEST:
        return ""
    if (
        before is None
        or before.spam < FEWEST
        or before.recall.lowest <= now.recall.share <= before.recall.highest
    ):
        return tr("On mail it hadn't learned: {share} of spam caught").format(
            share=share_text(now.recall)
        )
    text = tr("On mail it hadn't learned: {before} → {after} of spam caught")
    shares = (f"{round(100 * report.recall.share)}{THIN}%" for report in (before, now))
    return text.format(**dict(zip(("before", "after"), shares, strict=True)))


def ending_text(labels: Sequence[str], by_model: int, skipped: int) -> str:
    """Return the summary of a session. `by_model`: messages that got their verdict from the
    model.
    """
    spam = labels.count("spam")
    marked = tr_count(
        "You marked %n message: {spam} spam, {ham} not spam.",
        "You marked %n messages: {spam} spam, {ham} not spam.",
        len(labels),
    ).format(spam=format_count(spam), ham=format_count(len(labels) - spam))
    learned = tr_count(
        "%n other message is no longer unsure.", "%n other messages are no longer unsure.", by_model
    )
    left = tr_count(
        "%n skipped message is still unsure.", "%n skipped messages are still unsure.", skipped
    )
    return join_sentences(
        marked if labels else "", learned if by_model > 0 else "", left if skipped else ""
    )
