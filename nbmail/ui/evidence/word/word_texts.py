"""Texts about a word: name, counts and weight."""

from collections.abc import Sequence

from nbmail.ui.evidence.breakdown.breakdown_lines import amount_text
from nbmail.ui.evidence.breakdown.score_breakdown import round_to_sum
from nbmail.ui.evidence.features.feature_texts import feature_text
from nbmail.ui.evidence.features.place_texts import place_text
from nbmail.ui.texts.language import format_count, tr
from nbmail.ui.texts.number_texts import signed
from nbmail.ui.texts.plain_text import join_sentences
from nbmail.worker.protocol.quality import WordWeights
from nbmail.worker.protocol.words import WordCounts, WordDescription, WordFigures


def word_name(figures: WordFigures) -> str:
    """Return a word with its place, unless that is the text."""
    place = place_text(figures.place) if figures.place != "body" else ""
    name = feature_text(figures.word)
    return f"{name} ({place})" if place else name


def counts_text(story: WordDescription) -> str:
    text = tr("Found in {spam} of {all_spam} spam messages and {ham} of {all_ham} good messages.")
    return text.format(
        spam=format_count(story.figures.spam),
        all_spam=format_count(story.spam_messages),
        ham=format_count(story.figures.ham),
        all_ham=format_count(story.ham_messages),
    )


def past_counts_text(history: Sequence[WordCounts], moment: float) -> str:
    """Return the counts when the open message arrived at `moment`, "" if they are the same now."""
    then = [line for line in history if line.moment <= moment]
    if not moment or len(then) == len(history):
        return ""
    spam = then[-1].spam if then else 0
    ham = then[-1].ham if then else 0
    text = tr("When the open message arrived: in {spam} spam and {ham} good messages.")
    return text.format(spam=format_count(spam), ham=format_count(ham))


def weight_text(figures: WordFigures, adds: float | None) -> str:
    """Return the weight of the word, and why its contribution to the open message differs.

    `adds`: that contribution, None if the message doesn't contain the word.
    """
    if figures.ignored:
        return tr("This word is ignored and doesn't affect any score.")
    if not figures.spam and not figures.ham:
        return tr("It has no weight yet.")

    weight = figures.log_ratio + figures.correction
    total = round(100 * weight)
    ratio, learned = round_to_sum((figures.log_ratio, figures.correction), total)
    text = tr(
        "Its weight is {amount} and points to {side}: {ratio} from counts, {learned} from "
        "learned corrections."
    )
    general = text.format(
        amount=amount_text(total),
        side=tr("spam") if weight > 0 else tr("good mail"),
        ratio=amount_text(ratio),
        learned=amount_text(learned),
    )
    if adds is None or round(100 * adds) == total:
        return general
    return join_sentences(general, _here_text(weight, adds))


def _here_text(weight: float, adds: float) -> str:
    """Return why a word adds less or more than its weight to the open message."""
    text = tr(
        "In the open message it adds {amount}, because the weights of all words are averaged."
    )
    if abs(adds) > abs(weight):
        text = tr(
            "In the open message it adds {amount}, because its number of occurrences and the "
            "other words also matter."
        )
    return text.format(amount=signed(adds))


def ignore_text(count: int, *, ignored: bool) -> str:
    """Return the name of the button that ignores all features of a line, or uses them again."""
    if count > 1:
        text = tr("Ignore in all {count} places")
        if ignored:
            text = tr("Use in all {count} places again")
        return text.format(count=format_count(count))
    return tr("Use this word again") if ignored else tr("Ignore this word")


def ignored_text(name: str, words: Sequence[str], *, ignored: bool) -> str:
    """Return what was done to all features of a line. `name`: that of the only one."""
    if len(words) > 1:
        text = tr("“{word}” is used again in {count} places.")
        if ignored:
            text = tr("“{word}” is now ignored in {count} places.")
        return text.format(word=feature_text(words[0]), count=format_count(len(words)))
    text = tr("“{word}” is now ignored.") if ignored else tr("“{word}” is used again.")
    return text.format(word=name)


def both_weights_text(weights: WordWeights) -> str:
    """Return the weights of a word by Naive Bayes and by logistic regression."""
    text = tr(
        "By {count} marked messages: Naive Bayes (Bernoulli) {bayes}, logistic regression "
        "{logistic}, which counts 1/√n in a message of n words."
    )
    return text.format(
        count=format_count(weights.messages),
        bayes=signed(weights.naive_bayes),
        logistic=signed(weights.logistic),
    )
