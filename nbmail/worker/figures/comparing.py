"""Trials on one's own labelled mail, the old learned and the new judged: methods side by side, a learning curve."""

import math
from collections.abc import Generator, Sequence
from functools import partial
from typing import TypeVar

from nbmail.core.evaluation.comparison import Candidate, LearningPoint, Rates, choosing, learning_curve
from nbmail.core.evaluation.trials import Case, Trial
from nbmail.core.methods.registry import NAMES
from nbmail.core.scoring.explanation import Counted
from nbmail.core.scoring.model import GOOD, JUNK, Model
from nbmail.errors import ErrorCode, KnownError
from nbmail.store.labels.labels import in_pieces
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, Pause
from nbmail.worker.protocol.own_model import (
    CompareMethods,
    CurvePoint,
    DrawLearningCurve,
    MethodComparison,
    MethodFigures,
)

Result = TypeVar("Result")
# Messages learned or judged between two looks at the queue: the slower methods take 8 ms for them.
_PIECE = 4
# Labels read at once.
_READ = 64
MOST = 2000
"""So many labelled messages take part, the newest of each class."""
FEWEST = 40
"""With fewer there is nothing to compare."""
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000)
"""After so many labels a curve has a point, and after all."""


def compare_methods(state: EngineState, command: CompareMethods) -> JobSteps:
    """Eight tenths to learn, a tenth to compare, a tenth to judge the best of them once."""
    cases = yield from _cases(state)
    second, last = len(cases) * 8 // 10, len(cases) * 9 // 10
    fresh, trial = partial(_fresh, state), Trial(junk_or_good=True)
    work = choosing(trial, fresh, NAMES, cases, (second, last - second), at_once=_PIECE)
    choice = yield from _shown(work, len(NAMES) * last + len(cases) - second)
    return MethodComparison(second, last - second, tuple(map(_figures, choice.candidates)), _figures(choice.best))


def draw_learning_curve(state: EngineState, command: DrawLearningCurve) -> JobSteps:
    """The newest fifth is judged, again and again while the rest is learned."""
    cases = yield from _cases(state)
    last, points = len(cases) * 8 // 10, list[LearningPoint]()
    tested, sizes = len(cases) - last, [size for size in STEPS if size < last]
    model, trial = _fresh(state, state.model.method), Trial(junk_or_good=True)
    work = learning_curve(trial, model, cases, tested, sizes, points=points, at_once=_PIECE)
    yield from _shown(work, last + (len(sizes) + 1) * tested, points)
    return _points(points)


def _shown(
    work: Generator[int, None, Result], total: int, points: Sequence[LearningPoint] = ()
) -> Generator[Pause, None, Result]:
    """The pieces as slices that tell how far it is, and the points there are."""
    done = 0
    while True:
        try:
            done += next(work)
        except StopIteration as end:
            result: Result = end.value
            return result
        yield Pause(done, total, so_far=_points(points) if points else None)


def _points(points: Sequence[LearningPoint]) -> tuple[CurvePoint, ...]:
    return tuple(CurvePoint(one.labels, *_caught_and_misjudged(one.unseen)) for one in points)


def _figures(candidate: Candidate) -> MethodFigures:
    ranked = 0.0 if math.isnan(candidate.one_minus_auc) else 100 * candidate.one_minus_auc
    return MethodFigures(candidate.method, *_caught_and_misjudged(candidate.rates), ranked)


def _caught_and_misjudged(rates: Rates) -> tuple[Counted, Counted]:
    return rates.junk_caught or Counted(0, 0), rates.good_lost or Counted(0, 0)


def _cases(state: EngineState) -> Generator[Pause, None, list[Case]]:
    """Labelled junk and good mail, the newest of it, the old first.

    Each class by its own dates, so that any part has as much of both: junk is thrown away sooner than good mail.
    """
    found: dict[str, list[tuple[float, Case]]] = {JUNK: [], GOOD: []}
    for chunk in in_pieces(state.store.labels, _READ):
        heads = state.store.messages.headings(one.message for one in chunk)
        for one in chunk:
            if one.label in found:
                found[one.label].append((heads[one.message].date, Case(one.label, one.sample)))
        yield Pause()
    total = sum(map(len, found.values()))
    if total < FEWEST or not all(found.values()):
        raise KnownError(ErrorCode.NOT_ENOUGH_YET)
    ranked = list[tuple[float, Case]]()
    for dated in found.values():
        dated.sort(key=lambda one: one[0])
        newest = [one for _, one in dated[-max(1, MOST * len(dated) // total) :]]
        ranked += [((place + 0.5) / len(newest), one) for place, one in enumerate(newest)]
    ranked.sort(key=lambda one: one[0])
    return [one for _, one in ranked]


def _fresh(state: EngineState, method: str) -> Model:
    model = Model(state.model.vocabulary, method)
    model.costs, model.share = state.costs, state.model.share
    return model
