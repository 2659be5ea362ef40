"""Comparison of methods on training, selection and test messages."""

from collections.abc import Callable, Generator, Sequence

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.core.evaluation.metrics import one_minus_auc
from nbmail.core.evaluation.tested_models import Candidate, MethodChoice
from nbmail.core.evaluation.trials import Case, ScoredCase, Trial, learning
from nbmail.core.scoring.model import Model
from nbmail.lab.rates import rates_of
from nbmail.values import SPAM, BoolArray

_RESAMPLED = 200


def choosing(
    trial: Trial,
    fresh: Callable[[str], Model],
    names: Sequence[str],
    cases: Sequence[Case],
    parts: tuple[int, int],
    *,
    at_once: int,
) -> Generator[int, None, MethodChoice]:
    """Train all methods on the first part, and select the best on the second.

    The best is trained on both parts and tested on the rest.
    """
    learned, compared = parts
    last = learned + compared
    candidates: list[Candidate] = []
    tried: list[list[ScoredCase]] = []
    best = fresh(names[0])
    for name in names:
        model = fresh(name)
        yield from learning(model, cases[:learned], at_once)
        outcomes = yield from trial.classifying(model, cases[learned:last], at_once)
        candidate = candidate_of(name, outcomes, trial.spam_or_ham)
        candidates.append(candidate)
        tried.append(outcomes)
        # Only the best and the next are held in memory.
        if min(candidates, key=lambda one: _merit(one, trial.spam_or_ham)) is candidate:
            best = model

    yield from learning(best, cases[learned:last], at_once)
    outcomes = yield from trial.classifying(best, cases[last:], at_once)
    flattered = yield from _flattering(tried, trial.spam_or_ham)
    return MethodChoice(
        learned=learned,
        compared=compared,
        candidates=tuple(candidates),
        best=candidate_of(best.method, outcomes, trial.spam_or_ham),
        outcomes=tuple(outcomes),
        flattered=flattered,
    )


def candidate_of(method: str, outcomes: Sequence[ScoredCase], spam_or_ham: bool) -> Candidate:
    rates = rates_of(outcomes, spam_or_ham)
    if not spam_or_ham:
        return Candidate(method, rates, np.nan)
    scores = np.array([outcome.score for outcome in outcomes], np.float64)
    return Candidate(method, rates, one_minus_auc(scores, _is_spam(outcomes)))


def _is_spam(outcomes: Sequence[ScoredCase]) -> BoolArray:
    return np.array([outcome.label == SPAM for outcome in outcomes], np.bool_)


def _merit(candidate: Candidate, spam_or_ham: bool) -> tuple[float, int, int]:
    """Return a sort key, smallest for the best method; the later figures break ties."""
    rates = candidate.rates
    if not spam_or_ham:
        return -rates.accuracy.share, 0, 0
    ranking = 1.0 if np.isnan(candidate.one_minus_auc) else candidate.one_minus_auc
    return ranking, rates.false_positives.found, -rates.recall.found


def _flattering(
    tried: Sequence[Sequence[ScoredCase]], spam_or_ham: bool
) -> Generator[int, None, float]:
    """Return how much too high the accuracy of the best method is on the messages that selected it.

    The best is selected again in bootstrap samples of the messages. It is too good there by the
    same amount as here (Efron 1983, optimism of the apparent error).
    """
    if len(tried) < 2 or not tried[0]:
        return 0.0
    right = np.array([[bool(one.right) for one in outcomes] for outcomes in tried], np.float64)
    scores = np.array([[one.score for one in outcomes] for outcomes in tried])
    spam = _is_spam(tried[0])
    random = np.random.default_rng(0)
    optimism = 0.0
    for _ in range(_RESAMPLED):
        drawn = random.integers(len(spam), size=len(spam))
        accuracies = right[:, drawn].mean(axis=1)
        demerits = -accuracies
        if spam_or_ham:
            demerits = _ranking_errors(scores[:, drawn], spam[drawn])
        best = int(np.lexsort((-accuracies, demerits))[0])
        optimism += float(accuracies[best] - right[best].mean()) / _RESAMPLED
        yield 0
    return max(0.0, optimism)


def _ranking_errors(scores: FloatArray, spam: BoolArray) -> FloatArray:
    """Return `one_minus_auc` of each method (row), 1 if it is undefined."""
    found = np.array([one_minus_auc(row, spam) for row in scores])
    return np.asarray(np.nan_to_num(found, nan=1.0))
