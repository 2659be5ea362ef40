"""Rates of a tested model from the results of single messages."""

from collections.abc import Sequence

from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.evaluation.tested_models import Rates
from nbmail.core.evaluation.trials import Figures, ScoredCase
from nbmail.values import HAM, SPAM


def rates_of(outcomes: Sequence[ScoredCase], spam_or_ham: bool) -> Rates:
    seen = [outcome for outcome in outcomes if outcome.right is not None]
    accuracy = _proportion([bool(outcome.right) for outcome in seen])
    arg_max = _proportion([outcome.arg_max for outcome in seen])
    if not spam_or_ham:
        return Rates(accuracy, arg_max)
    recall = _proportion(_is_called_spam(outcomes, SPAM))
    false_positives = _proportion(_is_called_spam(outcomes, HAM))
    return Rates(accuracy, arg_max, recall, false_positives)


def figures_of(rates: Rates, spam_or_ham: bool) -> Figures:
    """Return rates as percents with their intervals, by the names of `evaluate --json`."""
    counted = {"accuracy": rates.accuracy, "arg_max": rates.arg_max}
    if spam_or_ham:
        counted["spam_caught"] = rates.recall
        counted["ham_lost"] = rates.false_positives
    found: Figures = {}
    for name, each in counted.items():
        found[f"{name}_percent"] = 100 * each.share if each.count else None
        found[f"{name}_interval"] = (100 * each.lowest, 100 * each.highest)
    return found


def _proportion(flags: list[bool]) -> Proportion:
    return Proportion(sum(flags), len(flags))


def _is_called_spam(outcomes: Sequence[ScoredCase], label: str) -> list[bool]:
    return [outcome.verdict == "spam" for outcome in outcomes if outcome.label == label]
