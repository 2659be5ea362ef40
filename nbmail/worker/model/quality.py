"""Quality of the model on the user's own labels: accuracy, learning curve, comparison of methods,
label errors.

Every figure comes from models that had not learned the message, except the learning curve's
accuracy on learned ones.

For label errors, the labelled messages are divided into `PARTS` by their numbers. A model without a
part, calibrated without it as well, scores the part. `tests/bench/MEASUREMENTS.md`: how many wrong
labels this finds.
"""

from collections.abc import Callable, Collection, Generator, Sequence
from typing import TypeVar

import numpy as np

from nbmail.core.counting.arrays import FloatArray
from nbmail.core.evaluation.proportion import Proportion
from nbmail.core.evaluation.tested_models import LearningPoint, MethodChoice
from nbmail.core.evaluation.trials import Case, Trial
from nbmail.core.explaining.explaining import word_parts
from nbmail.core.scoring.model import Model
from nbmail.core.scoring.model_content import ModelContent
from nbmail.core.scoring.verdict import VerdictArray
from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import METHODS
from nbmail.store.labels.labels import Labelled, in_pieces
from nbmail.store.store import Store
from nbmail.values import HAM, SPAM, VERDICTS, BoolArray
from nbmail.worker.engine.jobs import JobSteps, Pause
from nbmail.worker.model.laboratory import load_laboratory, method_named
from nbmail.worker.model.updates import Updates
from nbmail.worker.protocol import quality
from nbmail.worker.protocol.marks import SuspiciousLabel
from nbmail.worker.protocol.quality import ALL_LABELS, TrainingReport

Result = TypeVar("Result")
# Messages learned or scored in one time slice of a comparison: the slower methods take 8 ms for
# them.
_COMPARED = 4
# Labels read at once.
_READ = 64
MOST = 2000
"""Labelled messages that take part in comparisons, the newest of each class."""
FEWEST = 40
"""Labelled messages without which there is no comparison."""
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000)
"""Numbers of labels at which a learning curve has a point, besides its end."""
PARTS = 5
# Labels learned, or scored, in one time slice: about 3 ms.
CHUNK = 128
# Log-odds beyond which a label counts as contradicted: 88 % against it.
CONTRADICTION = 2.0
# Edges of the reliability bins: most probabilities are near 0 or 1.
_EDGES = np.array([0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 1.0])
_COLUMNS = [VERDICTS.index(name) for name in ("spam", "unsure", "ham")]


class Quality:
    """Measures the model of one data folder."""

    def __init__(self, updates: Updates) -> None:
        self._updates = updates
        self._store = updates.store
        self._scoring = updates.scoring

    def measure_accuracy(self) -> JobSteps[quality.Accuracy]:
        """Measure the accuracy of the model in use."""
        yield from self._updates.make_exact()
        model = self._scoring.model
        held_out = self._scoring.model.held_out.all
        known = ~np.isnan(held_out.scores)
        scores = held_out.scores[known]
        spam = held_out.spam[known]
        if not (spam.any() and (~spam).any()):
            raise KnownError(ErrorCode.NOT_ENOUGH_YET)
        verdicts = model.verdicts(scores)
        chances = model.probabilities(scores)
        return quality.Accuracy(
            spam=_row(verdicts[spam]),
            ham=_row(verdicts[~spam]),
            reliability=reliability(chances, spam),
            spam_chances=tuple(chances[spam].tolist()),
            ham_chances=tuple(chances[~spam].tolist()),
        )

    def report_training(
        self, limit: int = ALL_LABELS, among: Collection[int] = ()
    ) -> JobSteps[TrainingReport]:
        """Report how well the latest `limit` labelled messages are classified by models without
        them.

        `among`: consider only these messages. The difference of two reports on the same messages is
        the effect of the marks between them. With `limit` 1000 the report is quick enough to follow
        each mark.
        """
        yield from self._updates.make_exact()
        held_out = self._scoring.model.held_out.all
        latest = np.array(
            self._store.labels.latest((SPAM, HAM), limit + len(among))[: len(held_out)], np.int64
        )
        scores = held_out.scores[::-1][: len(latest)]
        spam = held_out.spam[::-1][: len(latest)]
        # The only message of its class has no held-out score.
        known = ~np.isnan(scores)
        if among:
            known &= np.isin(latest, list(among))
        by_score = np.flatnonzero(known)[np.argsort(scores[known], kind="stable")]
        latest = latest[by_score]
        spam = spam[by_score]
        verdicts = self._scoring.model.verdicts(scores[by_score])
        is_spam = verdicts == VERDICTS.index("spam")
        is_ham = verdicts == VERDICTS.index("ham")
        return TrainingReport(
            spam=int(np.count_nonzero(spam)),
            ham=int(np.count_nonzero(~spam)),
            true_positives=int(np.count_nonzero(is_spam & spam)),
            false_positives=tuple(latest[is_spam & ~spam][::-1].tolist()),
            false_negatives=tuple(latest[is_ham & spam].tolist()),
            classified=tuple(latest.tolist()),
        )

    def find_suspicious_labels(self) -> JobSteps[tuple[SuspiciousLabel, ...]]:
        """Find labels that contradict all other labels, strongest first."""
        return find_suspicious_labels(self._store)

    def compare_methods(
        self, methods: Sequence[str] = METHODS, split: quality.Split | None = None
    ) -> JobSteps[MethodChoice]:
        """Train methods on the first labels, select the best on the next, test it on the last."""
        split = split or quality.Split()
        cases = yield from self._cases(own_classes=split.own_classes)
        if split.seed is not None:
            cases = load_laboratory().stratified(cases, split.seed)
        sizes = [
            max(1, round(part if part >= 1 else len(cases) * part))
            for part in (split.learn, split.choose)
        ]
        if split.test:
            cases = cases[-(sum(sizes) + round(split.test)) :]
        second = min(sizes[0], len(cases) - 2)
        last = min(second + sizes[1], len(cases) - 1)
        trial = Trial(spam_or_ham=not split.own_classes)
        work = load_laboratory().choosing(
            trial, self._fresh, methods, cases, (second, last - second), at_once=_COMPARED
        )
        choice = yield from _with_progress(work, len(methods) * last + len(cases) - second)
        return choice._replace(seed=split.seed)

    def weigh_word(self, word: str) -> JobSteps[quality.WordWeights]:
        """Return a word's weights in Naive Bayes and in logistic regression.

        Both learn the same marked messages.
        """
        numbers = self._scoring.model.vocabulary.known_numbers_of([word])
        if numbers[0] < 0:
            raise KnownError(ErrorCode.NOT_FOUND, word)
        cases = yield from self._cases()
        naive_bayes = self._fresh("bernoulli")
        logistic = self._fresh("logistic")
        for first in range(0, len(cases), _COMPARED):
            chunk = cases[first : first + _COMPARED]
            logistic.learn_without_scores(
                [case.sample for case in chunk], [case.label for case in chunk]
            )
            yield Pause(first + len(chunk), len(cases))
        naive_bayes.restore(ModelContent.of(logistic.counts))
        words = np.array(numbers, np.int32)
        (ratios, _), (_, corrections) = word_parts(naive_bayes, words), word_parts(logistic, words)
        return quality.WordWeights(float(ratios[0]), float(corrections[0]), len(cases))

    def draw_learning_curve(
        self, show: Callable[[tuple[LearningPoint, ...]], object], own_classes: bool = False
    ) -> JobSteps[tuple[LearningPoint, ...]]:
        """Measure the accuracy with fewer labels, on the newest fifth of them and on those learned.

        `show` gets the points up to then.
        """
        cases = yield from self._cases(own_classes=own_classes)
        last = len(cases) * 8 // 10
        points = list[LearningPoint]()
        tested = len(cases) - last
        sizes = [size for size in STEPS if size < last]
        model = self._fresh(self._scoring.model.method)
        trial = Trial(spam_or_ham=not own_classes)
        work = load_laboratory().learning_curve(
            trial, model, cases, tested, sizes, points=points, at_once=_COMPARED
        )
        for pause in _with_progress(work, 2 * last + sum(sizes) + (len(sizes) + 1) * tested):
            if points:
                show(tuple(points))
            yield pause
        return tuple(points)

    def _cases(self, *, own_classes: bool = False) -> JobSteps[list[Case]]:
        """Return the newest labelled messages, oldest first; only spam and good mail without
        `own_classes`.

        Each class is sorted by its own dates, so that every part of the list has the same share of
        both. Otherwise the oldest part would be mostly good mail, because spam is deleted sooner.
        """
        found: dict[str, list[tuple[float, Case]]] = {SPAM: [], HAM: []}
        for chunk in in_pieces(self._store.labels, _READ):
            heads = self._store.messages.headings(one.message for one in chunk)
            for one in chunk:
                if own_classes or one.label in found:
                    found.setdefault(one.label, []).append(
                        (heads[one.message].date, Case(one.label, one.sample))
                    )
            yield Pause()
        total = sum(map(len, found.values()))
        if (
            total < FEWEST
            or sum(map(bool, found.values())) < 2
            or not (own_classes or all(found.values()))
        ):
            raise KnownError(ErrorCode.NOT_ENOUGH_YET)
        sorted_classes = (
            sorted(dated, key=lambda one: one[0]) for dated in found.values() if dated
        )
        newest = (
            [one for _, one in dated[-max(1, MOST * len(dated) // total) :]]
            for dated in sorted_classes
        )
        return load_laboratory().interleaved(list(newest))

    def _fresh(self, method: str) -> Model:
        model = Model(self._scoring.model.vocabulary, method_named(method))
        model.costs = self._scoring.costs
        model.base_rate = self._scoring.model.base_rate
        return model


def find_suspicious_labels(store: Store) -> JobSteps[tuple[SuspiciousLabel, ...]]:
    found = list[SuspiciousLabel]()
    done = 0
    total = PARTS * len(store.labels)
    for part in range(PARTS):
        model = store.model.without_labels()
        held_out = list[Labelled]()
        for chunk in in_pieces(store.labels, CHUNK):
            others = [one for one in chunk if one.message % PARTS != part]
            held_out += [
                one for one in chunk if one.message % PARTS == part and one.label in (SPAM, HAM)
            ]
            asked = [one.asked for one in others]
            model.learn_many([one.sample for one in others], [one.label for one in others], asked)
            done += len(chunk)
            yield Pause(done, max(total, done))
        for _ in model.cross_validating():
            yield Pause(done, max(total, done))
        for first in range(0, len(held_out), CHUNK):
            found += suspicions(model, held_out[first : first + CHUNK])
            yield Pause(done, max(total, done))
    labels = store.labels.of(one.message for one in found)
    unchanged = [one for one in found if labels.get(one.message) == one.label]
    return tuple(sorted(unchanged, key=lambda one: -abs(one.log_odds)))


def suspicions(model: Model, held_out: list[Labelled]) -> list[SuspiciousLabel]:
    raw = model.log_odds(model.rows([one.sample for one in held_out]))
    if not model.calibrated:
        return []
    calibrated = model.calibrate(raw)
    chances = model.probabilities(raw)
    against = np.where([one.label == SPAM for one in held_out], -calibrated, calibrated)
    return [
        SuspiciousLabel(
            held_out[place].message,
            held_out[place].label,
            float(calibrated[place]),
            float(chances[place]),
        )
        for place in np.flatnonzero(against > CONTRADICTION).tolist()
    ]


def reliability(probabilities: FloatArray, spam: BoolArray) -> tuple[quality.ReliabilityBin, ...]:
    bins = np.searchsorted(_EDGES[1:-1], probabilities, side="right")
    return tuple(
        quality.ReliabilityBin(
            float(probabilities[inside].mean()),
            Proportion(int(spam[inside].sum()), int(inside.sum())),
        )
        for inside in (bins == number for number in range(len(_EDGES) - 1))
        if inside.any()
    )


def _row(verdicts: VerdictArray) -> tuple[int, int, int]:
    spam, unsure, ham = (int(np.count_nonzero(verdicts == column)) for column in _COLUMNS)
    return spam, unsure, ham


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
