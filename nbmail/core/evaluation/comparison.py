"""Learning curves, comparison of methods on training, selection and test messages, and folder suggestions."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
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
from nbmail.values import GOOD, JUNK

_RESAMPLED = 200
CURVE_SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)


@dataclass(frozen=True, slots=True)
class Rates:
    """Test results.

    `accuracy` is that of the likelier class after calibration, `arg_max` that of the class with the highest score.
    `recall` of junk and `false_positives` among good messages are those of the verdicts; None for other classes.
    """

    accuracy: Proportion
    arg_max: Proportion
    recall: Proportion | None = None
    false_positives: Proportion | None = None

    @classmethod
    def of(cls, outcomes: Sequence[ScoredCase], junk_or_good: bool) -> "Rates":
        seen = [outcome for outcome in outcomes if outcome.right is not None]
        arg_max = Proportion(sum(outcome.arg_max for outcome in seen), len(seen))
        accuracy = Proportion(sum(is_right(outcome, junk_or_good) for outcome in seen), len(seen))
        if not junk_or_good:
            return cls(accuracy, arg_max)
        caught, lost = (
            [outcome.verdict == "junk" for outcome in outcomes if outcome.label == label] for label in (JUNK, GOOD)
        )
        return cls(accuracy, arg_max, Proportion(sum(caught), len(caught)), Proportion(sum(lost), len(lost)))

    def figures(self) -> Figures:
        found: Figures = {}
        shares = {"accuracy": self.accuracy, "arg_max": self.arg_max}
        for name, counted in (shares | {"junk_caught": self.recall, "good_lost": self.false_positives}).items():
            if counted is not None:
                found[f"{name}_percent"] = 100 * counted.share if counted.count else None
                found[f"{name}_interval"] = [100 * counted.lowest, 100 * counted.highest]
        return found


def is_right(outcome: ScoredCase, junk_or_good: bool) -> bool:
    """Return whether the likelier class, after calibration, is the true one."""
    return (outcome.probability > 0.5) == (outcome.label == JUNK) if junk_or_good else bool(outcome.right)


class LearningPoint(NamedTuple):
    """Results of a model of `labels` messages on unseen messages, and on those it learned."""

    labels: int
    unseen: Rates
    learned: Rates


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
    """Return the first so many messages learned, the last ones `tested`, always the same; all before them in the end.

    A message of a class not learned yet is one put wrong.
    """
    room, done = len(cases) - tested, 0

    def rates(part: Sequence[Case]) -> Generator[int, None, Rates]:
        outcomes = yield from trial.classifying(model, part, at_once)
        return Rates.of([replace(one, right=bool(one.right)) for one in outcomes], trial.junk_or_good)

    for size in sorted({*(size for size in sizes if 0 < size < room), room} - {0}):
        yield from learning(model, cases[done:size], at_once)
        done = size
        learned = yield from rates(cases[:size])
        points.append(LearningPoint(size, (yield from rates(cases[room:])), learned))


class Candidate(NamedTuple):
    """A method and how it did on messages it had not learned; `one_minus_auc` is NaN but for junk and good mail."""

    method: str
    rates: Rates
    one_minus_auc: float

    @classmethod
    def of(cls, method: str, outcomes: Sequence[ScoredCase], junk_or_good: bool) -> "Candidate":
        scores = np.array([outcome.score for outcome in outcomes], np.float64)
        junk = np.array([outcome.label == JUNK for outcome in outcomes], np.bool_)
        return cls(method, Rates.of(outcomes, junk_or_good), one_minus_auc(scores, junk) if junk_or_good else np.nan)

    def worth(self) -> tuple[float, int, int]:
        """Better ones are smaller; where few messages were compared many rank alike."""
        if self.rates.recall is None or self.rates.false_positives is None:
            return -self.rates.accuracy.share, 0, 0
        ranking = 1.0 if np.isnan(self.one_minus_auc) else self.one_minus_auc
        return ranking, self.rates.false_positives.found, -self.rates.recall.found


class MethodChoice(NamedTuple):
    """Results of all methods on the selection part, and of the best one on the test part.

    `flattered`: amount by which the best accuracy on the selection part is probably too high, since it is the best.
    """

    candidates: list[Candidate]
    best: Candidate
    outcomes: list[ScoredCase]
    flattered: float


def choosing(
    trial: Trial,
    fresh: Callable[[str], Model],
    names: Sequence[str],
    cases: Sequence[Case],
    parts: tuple[int, int],
    *,
    at_once: int,
) -> Generator[int, None, MethodChoice]:
    """Each method learns the first part and is tried on the second; the best learns that too and judges the rest."""
    second, last = parts[0], sum(parts)
    found, tried, best = list[Candidate](), list[list[ScoredCase]](), fresh(names[0])
    for name in names:
        model = fresh(name)
        yield from learning(model, cases[:second], at_once)
        outcomes = yield from trial.classifying(model, cases[second:last], at_once)
        found.append(Candidate.of(name, outcomes, trial.junk_or_good))
        tried.append(outcomes)
        # Only the best and the next are held in memory.
        best = model if min(found, key=Candidate.worth) is found[-1] else best
    yield from learning(best, cases[second:last], at_once)
    outcomes = yield from trial.classifying(best, cases[last:], at_once)
    flattered = yield from _flattering(tried, trial.junk_or_good)
    return MethodChoice(found, Candidate.of(best.method, outcomes, trial.junk_or_good), outcomes, flattered)


def _flattering(tried: Sequence[Sequence[ScoredCase]], junk_or_good: bool) -> Generator[int, None, float]:
    """Return by how much the accuracy of the best of several methods is too high on the messages that chose it.

    In bootstrap samples of the messages the best is chosen again. It is too good there by the same amount as here
    (Efron 1983, optimism of the apparent error).
    """
    if len(tried) < 2 or not tried[0]:
        return 0.0
    right = np.array([[is_right(one, junk_or_good) for one in outcomes] for outcomes in tried], np.float64)
    scores = np.array([[one.score for one in outcomes] for outcomes in tried])
    junk = np.array([one.label == JUNK for one in tried[0]], np.bool_)
    random, optimism = np.random.default_rng(0), 0.0
    for _ in range(_RESAMPLED):
        drawn = random.integers(len(junk), size=len(junk))
        there = right[:, drawn].mean(axis=1)
        worth = [one_minus_auc(row[drawn], junk[drawn]) for row in scores] if junk_or_good else -there
        best = int(np.lexsort((-there, np.nan_to_num(worth, nan=1.0)))[0])
        optimism += float(there[best] - right[best].mean()) / _RESAMPLED
        yield 0
    return max(0.0, optimism)


def stratified(cases: Sequence[Case], seed: int) -> list[Case]:
    """Return the messages in random order, with the same share of each class in every part of the list."""
    random, classes = np.random.default_rng(seed), dict[str, list[Case]]()
    for case in cases:
        classes.setdefault(case.label, []).append(case)
    return interleaved([[own[place] for place in random.permutation(len(own)).tolist()] for own in classes.values()])


def interleaved(classes: Iterable[Sequence[Case]]) -> list[Case]:
    """Merge the messages of classes in their order, with the same share of each in every part of the list."""
    ranked = [((place + 0.5) / len(own), case) for own in classes for place, case in enumerate(own)]
    ranked.sort(key=lambda one: one[0])
    return [case for _, case in ranked]


def evaluate_suggestions(vocabulary: Vocabulary, cases: Iterable[Case], after: int) -> Figures:
    """Return how often the first folder was right, or any of the first three, and the calibration errors of both."""
    model, read = FolderModel(vocabulary), 0
    for case in cases:
        model.learn(FiledMail(case.sample), [case.label])
        read += 1
    past, count = model.past[max(0, after - read + len(model.past)) :], max(0, read - after)
    chances = np.array([(one.probability, one.together) for one in past], np.float64).reshape(-1, 2)
    rights = np.array([(one.place == 0, one.place >= 0) for one in past], np.bool_).reshape(-1, 2)
    found: Figures = {"reported": count}
    for name, right in zip(("first", "among_three"), rights.T, strict=True):
        share = float(right.sum()) / count if count else np.nan
        found |= {f"{name}_percent": percent(share), f"{name}_interval": interval(share, count)}
    for name, chance, right in zip(("first", "three"), chances.T, rights.T, strict=True):
        found[f"calibration_{name}"] = percent(calibration_error(chance, right))
    return found
