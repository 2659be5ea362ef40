"""Learning curve: accuracy by number of labels."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace

from nbmail.core.evaluation.tested_models import LearningPoint, Rates
from nbmail.core.evaluation.trials import Case, Trial, learning
from nbmail.core.scoring.model import Model
from nbmail.lab.rates import rates_of

CURVE_SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)


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
    """Append to `points` a test after each number of labels in `sizes`, and one after all.

    The last `tested` cases are the test part. Cases of unlearned classes count as errors.
    """
    room = len(cases) - tested
    unseen_cases = cases[room:]
    wanted = {size for size in sizes if 0 < size < room}
    if room:
        wanted.add(room)
    done = 0
    for size in sorted(wanted):
        yield from learning(model, cases[done:size], at_once)
        done = size
        learned = yield from _rates(trial, model, cases[:size], at_once)
        unseen = yield from _rates(trial, model, unseen_cases, at_once)
        points.append(LearningPoint(size, unseen, learned.accuracy, model.method))


def _rates(
    trial: Trial, model: Model, cases: Sequence[Case], at_once: int
) -> Generator[int, None, Rates]:
    outcomes = yield from trial.classifying(model, cases, at_once)
    counted = [replace(outcome, right=bool(outcome.right)) for outcome in outcomes]
    return rates_of(counted, trial.spam_or_ham)
