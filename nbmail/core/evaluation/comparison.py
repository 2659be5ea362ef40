"""Learning curves, comparison of methods on training, selection and test messages, and folder
suggestions.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from nbmail.core.counting.sample import Vocabulary
from nbmail.core.evaluation.trials import (
    Case,
    Figures,
    ScoredCase,
    Trial,
    calibration_error,
    interval,
    learning,
    one_minus_auc,
    percent,
)
from nbmail.core.folders.folder_model import FiledMail, FolderModel
from nbmail.core.scoring.explanation import Proportion
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM

_RESAMPLED = 200
CURVE_SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)


class Rates(NamedTuple):
    """Test of a model.

    `accuracy` is that of the likelier class after calibration, `arg_max` that of the class with the
    highest score. `recall` of spam and `false_positives` among ham messages are those of the
    verdicts, of no messages if own classes are tested.
    """

    accuracy: Proportion
    arg_max: Proportion
    recall: Proportion = Proportion(0, 0)
    false_positives: Proportion = Proportion(0, 0)

    @classmethod
    def of(cls, outcomes: Sequence[ScoredCase], spam_or_ham: bool) -> "Rates":
        seen = [outcome for outcome in outcomes if outcome.right is not None]
        columns = [[bool(outcome.right) for outcome in seen], [outcome.arg_max for outcome in seen]]
        for label in (SPAM, HAM) if spam_or_ham else ():
            columns.append(
                [outcome.verdict == "spam" for outcome in outcomes if outcome.label == label]
            )
        return cls(*(Proportion(sum(column), len(column)) for column in columns))

    def figures(self, spam_or_ham: bool) -> Figures:
        found: Figures = {}
        names = ("accuracy", "arg_max", "spam_caught", "ham_lost")[: 4 if spam_or_ham else 2]
        for name, counted in zip(names, self, strict=False):
            found[f"{name}_percent"] = 100 * counted.share if counted.count else None
            found[f"{name}_interval"] = (100 * counted.lowest, 100 * counted.highest)
        return found


class LearningPoint(NamedTuple):
    """Test of a model of `method` with this number of labels. `learned`: accuracy on the messages
    of these labels.
    """

    labels: int
    unseen: Rates
    learned: Proportion
    method: str


def learning_curve(
    trial: Trial,
    model: Model,
    cases: Sequence[Case],
    tested: int,
    sizes: Iterable[int],
    *,
    points: list[LearningPoint],
    at_once: int,
) -> Generator[int, None, None]:
    """Append to `points` a test after each number of labels in `sizes`, and after all, on the last
    `tested` cases.

    Cases of unlearned classes count as errors.
    """
    room = len(cases) - tested
    done = 0

    def rates(part: Sequence[Case]) -> Generator[int, None, Rates]:
        outcomes = yield from trial.classifying(model, part, at_once)
        return Rates.of(
            [replace(one, right=bool(one.right)) for one in outcomes], trial.spam_or_ham
        )

    for size in sorted({*(size for size in sizes if 0 < size < room), room} - {0}):
        yield from learning(model, cases[done:size], at_once)
        done = size
        learned = yield from rates(cases[:size])
        points.append(
            LearningPoint(size, (yield from rates(cases[room:])), learned.accuracy, model.method)
        )


class Candidate(NamedTuple):
    """Test of a method. `one_minus_auc`: chance that a ham message scores higher than spam, NaN
    for other classes.
    """

    method: str
    rates: Rates
    one_minus_auc: float

    @classmethod
    def of(cls, method: str, outcomes: Sequence[ScoredCase], spam_or_ham: bool) -> "Candidate":
        scores = np.array([outcome.score for outcome in outcomes], np.float64)
        spam = np.array([outcome.label == SPAM for outcome in outcomes], np.bool_)
        return cls(
            method,
            Rates.of(outcomes, spam_or_ham),
            one_minus_auc(scores, spam) if spam_or_ham else np.nan,
        )

    def worth(self, spam_or_ham: bool) -> tuple[float, int, int]:
        """Return a sort key, smallest for the best method; the later figures break ties."""
        if not spam_or_ham:
            return -self.rates.accuracy.share, 0, 0
        ranking = 1.0 if np.isnan(self.one_minus_auc) else self.one_minus_auc
        return ranking, self.rates.false_positives.found, -self.rates.recall.found


class MethodChoice(NamedTuple):
    """Results of all methods on the selection part, and of the best one on the test part.

    `learned`, `compared`: messages of the training and of the selection part. `flattered`: amount
    by which the best accuracy on the selection part is probably too high, since it is the best.
    `seed` of parts drawn at random.
    """

    learned: int
    compared: int
    candidates: tuple[Candidate, ...]
    best: Candidate
    outcomes: tuple[ScoredCase, ...]
    flattered: float
    seed: int | None = None


def choosing(
    trial: Trial,
    fresh: Callable[[str], Model],
    names: Sequence[str],
    cases: Sequence[Case],
    parts: tuple[int, int],
    *,
    at_once: int,
) -> Generator[int, None, MethodChoice]:
    """Train all methods on the first part, and select the best on the second. Train it on both,
    test it on the rest.
    """
    second = parts[0]
    last = sum(parts)
    found = list[Candidate]()
    tried = list[list[ScoredCase]]()
    best = fresh(names[0])
    for name in names:
        model = fresh(name)
        yield from learning(model, cases[:second], at_once)
        outcomes = yield from trial.classifying(model, cases[second:last], at_once)
        found.append(Candidate.of(name, outcomes, trial.spam_or_ham))
        tried.append(outcomes)
        # Only the best and the next are held in memory.
        best = (
            model if min(found, key=lambda one: one.worth(trial.spam_or_ham)) is found[-1] else best
        )
    yield from learning(best, cases[second:last], at_once)
    outcomes = yield from trial.classifying(best, cases[last:], at_once)
    flattered = yield from _flattering(tried, trial.spam_or_ham)
    tested = Candidate.of(best.method, outcomes, trial.spam_or_ham)
    return MethodChoice(*parts, tuple(found), tested, tuple(outcomes), flattered)


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
    spam = np.array([one.label == SPAM for one in tried[0]], np.bool_)
    random = np.random.default_rng(0)
    optimism = 0.0
    for _ in range(_RESAMPLED):
        drawn = random.integers(len(spam), size=len(spam))
        there = right[:, drawn].mean(axis=1)
        worth = (
            [one_minus_auc(row[drawn], spam[drawn]) for row in scores] if spam_or_ham else -there
        )
        best = int(np.lexsort((-there, np.nan_to_num(worth, nan=1.0)))[0])
        optimism += float(there[best] - right[best].mean()) / _RESAMPLED
        yield 0
    return max(0.0, optimism)


def stratified(cases: Sequence[Case], seed: int) -> list[Case]:
    """Return the messages in random order, with the same share of each class in every part of the
    list.
    """
    random = np.random.default_rng(seed)
    classes = dict[str, list[Case]]()
    for case in cases:
        classes.setdefault(case.label, []).append(case)
    return interleaved(
        [
            [own[place] for place in random.permutation(len(own)).tolist()]
            for own in classes.values()
        ]
    )


def interleaved(classes: Iterable[Sequence[Case]]) -> list[Case]:
    """Merge the messages of classes in their order, with the same share of each in every part of
    the list.
    """
    ranked = [((place + 0.5) / len(own), case) for own in classes for place, case in enumerate(own)]
    ranked.sort(key=lambda one: one[0])
    return [case for _, case in ranked]


def evaluate_suggestions(vocabulary: Vocabulary, cases: Iterable[Case], after: int) -> Figures:
    """Return how often the first folder was right, or any of the first three, and the calibration
    errors of both.
    """
    model = FolderModel(vocabulary)
    read = 0
    for case in cases:
        model.learn(FiledMail(case.sample), [case.label])
        read += 1
    past = model.past[max(0, after - read + len(model.past)) :]
    count = max(0, read - after)
    chances = np.array([(one.probability, one.together) for one in past], np.float64).reshape(-1, 2)
    rights = np.array([(one.place == 0, one.place >= 0) for one in past], np.bool_).reshape(-1, 2)
    found: Figures = {"reported": count}
    for name, right in zip(("first", "among_three"), rights.T, strict=True):
        share = float(right.sum()) / count if count else np.nan
        found |= {f"{name}_percent": percent(share), f"{name}_interval": interval(share, count)}
    for name, chance, right in zip(("first", "three"), chances.T, rights.T, strict=True):
        found[f"calibration_{name}"] = percent(calibration_error(chance, right))
    return found
