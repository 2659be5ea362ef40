"""Experiments of the laboratory on the labels of the user."""

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

import numpy as np

from nbmail.core.evaluation.tested_models import LearningPoint, MethodChoice
from nbmail.core.evaluation.trials import Case, Trial
from nbmail.core.explaining.explaining import word_parts
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import METHODS
from nbmail.store.store import Store
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.model.laboratory import load_laboratory, method_named
from nbmail.worker.protocol.quality import Split, WordWeights
from nbmail.worker.quality.labelled_cases import read_cases
from nbmail.worker.scores.scores import Scoring

Result = TypeVar("Result")
# Messages learned or scored in one time slice: the slower methods take 8 ms for them.
_COMPARED = 4
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000)
"""Numbers of labels at which a learning curve has a point, besides its end."""


class MethodComparison:
    """Trains further models on labelled messages, and tests them on others."""

    def __init__(self, store: Store, scoring: Scoring) -> None:
        self._store = store
        self._scoring = scoring

    def compare_methods(
        self, methods: Sequence[str] = METHODS, split: Split | None = None
    ) -> JobSteps[MethodChoice]:
        """Train methods on the first labels, select the best on the next, test it on the last."""
        if split is None:
            split = Split()
        cases = yield from read_cases(self._store, own_classes=split.own_classes)
        if split.seed is not None:
            cases = load_laboratory().stratified(cases, split.seed)

        learned = _size(split.learn, len(cases))
        compared = _size(split.choose, len(cases))
        if split.test:
            cases = cases[-(learned + compared + round(split.test)) :]
        second = min(learned, len(cases) - 2)
        last = min(second + compared, len(cases) - 1)

        trial = Trial(spam_or_ham=not split.own_classes)
        sizes = (second, last - second)
        work = load_laboratory().choosing(
            trial, self._fresh, methods, cases, sizes, at_once=_COMPARED
        )
        total = len(methods) * last + len(cases) - second
        choice = yield from _with_progress(work, total)
        return choice._replace(seed=split.seed)

    def draw_learning_curve(
        self, show: Callable[[tuple[LearningPoint, ...]], object], own_classes: bool = False
    ) -> JobSteps[tuple[LearningPoint, ...]]:
        """Measure the accuracy with fewer labels, on the newest fifth of them and on those learned.

        `show` gets the points up to then.
        """
        cases = yield from read_cases(self._store, own_classes=own_classes)
        learned = len(cases) * 8 // 10
        tested = len(cases) - learned
        sizes = [size for size in STEPS if size < learned]
        points = list[LearningPoint]()
        work = load_laboratory().learning_curve(
            Trial(spam_or_ham=not own_classes),
            self._fresh(self._scoring.model.method),
            cases,
            tested,
            sizes,
            points=points,
            at_once=_COMPARED,
        )
        total = 2 * learned + sum(sizes) + (len(sizes) + 1) * tested
        for pause in _with_progress(work, total):
            if points:
                show(tuple(points))
            yield pause
        return tuple(points)

    def weigh_word(self, word: str) -> JobSteps[WordWeights]:
        """Return a word's weights in Naive Bayes and in logistic regression.

        Both learn the same marked messages.
        """
        numbers = self._scoring.model.vocabulary.known_numbers_of([word])
        if numbers[0] < 0:
            raise KnownError(ErrorCode.NOT_FOUND, word)
        cases = yield from read_cases(self._store)
        logistic = yield from self._learn(self._fresh("logistic"), cases)
        naive_bayes = self._fresh("bernoulli")
        naive_bayes.restore(ModelContent.of(logistic.counts))

        words = np.array(numbers, np.int32)
        ratios, _ = word_parts(naive_bayes, words)
        _, corrections = word_parts(logistic, words)
        return WordWeights(float(ratios[0]), float(corrections[0]), len(cases))

    def _learn(self, model: Model, cases: Sequence[Case]) -> JobSteps[Model]:
        for first in range(0, len(cases), _COMPARED):
            chunk = cases[first : first + _COMPARED]
            samples = [case.sample for case in chunk]
            model.learn_without_scores(samples, [case.label for case in chunk])
            yield Pause(first + len(chunk), len(cases))
        return model

    def _fresh(self, method: str) -> Model:
        """Return a model of this method that has learned nothing."""
        model = Model(self._scoring.model.vocabulary, method_named(method))
        model.costs = self._scoring.costs
        model.base_rate = self._scoring.model.base_rate
        return model


def _size(part: float, count: int) -> int:
    """Return the number of messages of a part: a share of `count`, or a number."""
    return max(1, round(part if part >= 1 else count * part))


def _with_progress(work: Generator[int, None, Result], total: int) -> JobSteps[Result]:
    """Run work that yields how much it did, with one time slice for each of its steps."""
    done = 0
    while True:
        try:
            done += next(work)
        except StopIteration as end:
            result: Result = end.value
            return result
        yield Pause(done, total)
