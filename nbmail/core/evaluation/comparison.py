"""Learning curves, and the comparison of methods on separate training, selection and test messages.

Both are cooperative generators that yield numbers of messages.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nbmail.core.evaluation.trials import Case, ScoredCase, Trial, learning, one_minus_auc
from nbmail.core.scoring.explanation import Proportion
from nbmail.core.scoring.model import GOOD, JUNK, Model

CURVE_SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)


@dataclass(frozen=True, slots=True)
class Rates:
    """Test results. `accuracy` is that of the likelier class.

    `recall` of junk and `false_positives` among good messages are those of the verdicts; None for other classes.
    """

    accuracy: Proportion
    recall: Proportion | None = None
    false_positives: Proportion | None = None

    @classmethod
    def of(cls, outcomes: Sequence[ScoredCase], junk_or_good: bool) -> "Rates":
        if not junk_or_good:
            right = [outcome.right for outcome in outcomes if outcome.right is not None]
            return cls(Proportion(sum(right), len(right)))
        likelier = sum((outcome.probability > 0.5) == (outcome.label == JUNK) for outcome in outcomes)
        caught, lost = (
            [outcome.verdict == "junk" for outcome in outcomes if outcome.label == label] for label in (JUNK, GOOD)
        )
        return cls(
            Proportion(likelier, len(outcomes)), Proportion(sum(caught), len(caught)), Proportion(sum(lost), len(lost))
        )


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """Results of a model of `labels` messages on unseen messages, and optionally on those it learned."""

    labels: int
    unseen: Rates
    learned: Rates | None


def learning_curve(
    trial: Trial,
    model: Model,
    cases: Sequence[Case],
    tested: int,
    sizes: Iterable[int],
    *,
    points: list[LearningPoint],
    at_once: int,
    learned_too: bool = False,
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
        learned = (yield from rates(cases[:size])) if learned_too else None
        points.append(LearningPoint(size, (yield from rates(cases[room:])), learned))


@dataclass(frozen=True, slots=True)
class Candidate:
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


@dataclass(frozen=True, slots=True)
class MethodChoice:
    """Results of all methods on the selection part, and of the best one on the test part."""

    candidates: list[Candidate]
    best: Candidate
    outcomes: list[ScoredCase]


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
    found, best = list[Candidate](), fresh(names[0])
    for name in names:
        model = fresh(name)
        yield from learning(model, cases[:second], at_once)
        outcomes = yield from trial.classifying(model, cases[second:last], at_once)
        found.append(Candidate.of(name, outcomes, trial.junk_or_good))
        # Only the best and the next are held in memory.
        best = model if min(found, key=Candidate.worth) is found[-1] else best
    yield from learning(best, cases[second:last], at_once)
    outcomes = yield from trial.classifying(best, cases[last:], at_once)
    return MethodChoice(found, Candidate.of(best.method, outcomes, trial.junk_or_good), outcomes)
