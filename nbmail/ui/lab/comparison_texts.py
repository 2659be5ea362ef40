"""Texts about a comparison of methods."""

from nbmail.core.evaluation.tested_models import MethodChoice
from nbmail.ui.model.accuracy_texts import share_text
from nbmail.ui.texts.language import format_count, locale, tr
from nbmail.ui.texts.plain_text import join_sentences

FEW_COMPARED = 500
"""Compared messages below which the accuracy of the best method is flattered noticeably."""


def comparison_text(comparison: MethodChoice, name: str) -> str:
    """Return how the methods were compared, and the test result of the best one, called `name`."""
    rates = comparison.best.rates
    spam = ""
    if rates.recall.count:
        spam = tr("It caught {caught} of the spam with {lost} false alarms.").format(
            caught=share_text(rates.recall), lost=share_text(rates.false_positives)
        )
    return join_sentences(
        _split_text(comparison), _best_text(comparison, name), spam, _flattered_text(comparison)
    )


def _split_text(comparison: MethodChoice) -> str:
    text = tr("Trained on {learned} older messages, compared on {compared} newer ones.")
    if comparison.seed is not None:
        text = tr(
            "Trained on {learned} messages, compared on {compared} others, drawn at random "
            "(seed {seed})."
        )
    return text.format(
        learned=format_count(comparison.learned),
        compared=format_count(comparison.compared),
        seed=comparison.seed,
    )


def _best_text(comparison: MethodChoice, name: str) -> str:
    text = tr("Best: {name}. On the newest {tested}, its accuracy is {accuracy}.")
    if comparison.seed is not None:
        text = tr("Best: {name}. On {tested} further messages, its accuracy is {accuracy}.")
    accuracy = comparison.best.rates.accuracy
    return text.format(
        name=name, tested=format_count(accuracy.count), accuracy=share_text(accuracy)
    )


def _flattered_text(comparison: MethodChoice) -> str:
    """Return how much the choice among several methods flatters the best one, "" if little."""
    count = len(comparison.candidates)
    if count < 2 or comparison.compared >= FEW_COMPARED:
        return ""
    text = tr(
        "The best of {count} on only {compared} messages looks about {points} points better "
        "there than it is."
    )
    points = locale().toString(100 * comparison.flattered, "f", 1)
    return text.format(count=count, compared=format_count(comparison.compared), points=points)
