"""Sentences about a score: its sum, its past, and similar scores."""

import math

from nbmail.core.explaining.explanation import Explanation
from nbmail.ui.evidence.breakdown.breakdown_lines import amount_text
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.mark_texts import lean_text
from nbmail.ui.texts.number_texts import near_percent, percent, sharp_percent, signed
from nbmail.ui.texts.plain_text import join_sentences

NOT_NAIVE_BAYES = ("balanced", "logistic")
"""Methods whose scores are no log-odds of Naive Bayes."""
UNUSUAL = 0.99
"""Share of other messages with more probable words from which a message is unusual."""


def sum_text(why: Explanation, *, expanded: bool = False) -> str:
    """Return the sum of the lines, with the chance that follows.

    An expanded breakdown ends with the sum: then return everything else about the score.
    """
    amount = amount_text(round(100 * why.log_odds))
    if why.probability is None:
        text = tr("Total {amount}: {lean}. Mark more messages to get a chance of spam.")
        return text.format(amount=amount, lean=lean_text(why.log_odds))
    text = tr("Total {amount}: {percent} chance of spam.")
    total = text.format(amount=amount, percent=percent(why.probability))
    if not expanded:
        return join_sentences(total, arrival_text(why))
    return join_sentences(
        _threshold_text(why) or total,
        arrival_text(why, expanded=True),
        _class_scores_text(why),
        _uncalibrated_text(why),
    )


def _threshold_text(why: Explanation) -> str:
    if why.spam_from is None or not 0 < why.spam_from < 1:
        return ""
    text = tr("Spam threshold: {amount}, {percent} chance of spam.")
    amount = signed(math.log(why.spam_from / (1 - why.spam_from)))
    return text.format(amount=amount, percent=near_percent(why.spam_from))


def _class_scores_text(why: Explanation) -> str:
    if why.class_scores is None:
        return ""
    spam, ham = why.class_scores
    text = tr("Compatibility scores: log p(x, spam) = {spam}, log p(x, not spam) = {ham}.")
    return text.format(spam=signed(spam), ham=signed(ham))


def _uncalibrated_text(why: Explanation) -> str:
    if not why.method:
        return ""
    text = tr("Plain Naive Bayes would say {percent}.")
    if why.method in NOT_NAIVE_BAYES:
        text = tr("Before calibration it would be {percent}.")
    return text.format(percent=sharp_percent(why.score))


def arrival_text(why: Explanation, *, expanded: bool = False) -> str:
    """Return the chance of spam when the message arrived, "" if there was none."""
    if why.chance_at_arrival is None:
        return ""
    text = tr("{percent} when it arrived.")
    if expanded:
        text = tr("Its chance of spam was {percent} when it arrived.")
    return text.format(percent=percent(why.chance_at_arrival))


def unusual_text(why: Explanation) -> str:
    """Return a note if the words of the message are improbable among the other mail."""
    usual = why.typicality
    if usual is None or usual.higher < UNUSUAL * usual.others:
        return ""
    text = tr(
        "Unlike most of your mail: log p(x) per word is {amount}, "
        "lower than in {higher} of your latest {others} messages."
    )
    return text.format(
        amount=signed(usual.log_likelihood),
        higher=format_count(usual.higher),
        others=format_count(usual.others),
    )


def similar_scores_text(why: Explanation) -> str:
    """Return how many messages with a similar score were spam, "" without calibration."""
    count, spam = why.nearest
    if count <= 0 or why.probability is None:
        return ""
    if count == 1:
        if spam:
            return tr("The tested message with the nearest score was spam.")
        return tr("The tested message with the nearest score was not spam.")
    return _nearest_text(count, spam).format(count=format_count(count), spam=format_count(spam))


def _nearest_text(count: int, spam: int) -> str:
    if spam == 0:
        return tr("Of the {count} tested messages with the nearest scores, none was spam.")
    if spam == 1:
        return tr("Of the {count} tested messages with the nearest scores, one was spam.")
    if spam == count:
        return tr("Of the {count} tested messages with the nearest scores, all were spam.")
    return tr("Of the {count} tested messages with the nearest scores, {spam} were spam.")
