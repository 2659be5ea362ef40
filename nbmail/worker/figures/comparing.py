"""Trials on one's own labelled mail, the old learned and the new judged: methods side by side, a learning curve."""

from collections.abc import Generator, Iterator, Sequence

import numpy as np

from nbmail.core.counting.sample import FloatArray
from nbmail.core.evaluation.ranking import one_minus_auc
from nbmail.core.judging.model import GOOD, JUNK, Model
from nbmail.core.judging.verdict import VERDICTS
from nbmail.core.methods.names import NAMES
from nbmail.errors import KnownError, Trouble
from nbmail.store.labels.labels import Labelled
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Pause, Slices
from nbmail.worker.figures.accuracy import counted
from nbmail.worker.protocol.own_model import (
    CompareMethods,
    CurvePoint,
    DrawLearningCurve,
    MethodComparison,
    MethodFigures,
)

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


def compare_methods(state: EngineState, command: CompareMethods) -> Slices:
    """Eight tenths to learn, a tenth to compare, a tenth to judge the best of them once."""
    cases = yield from _cases(state)
    second, last = len(cases) * 8 // 10, len(cases) * 9 // 10
    total, done, found, best = (len(NAMES) + 1) * len(cases), 0, list[MethodFigures](), _fresh(state, NAMES[0])
    for method in NAMES:
        model = _fresh(state, method)
        yield from _learning(model, cases[:second], done, total)
        found.append((yield from _judging(model, cases[second:last], done + second, total)))
        # Only the best and the next are held in memory.
        best = model if min(found, key=_worth) is found[-1] else best
        done += len(cases)
    yield from _learning(best, cases[second:last], done, total)
    judged = yield from _judging(best, cases[last:], done, total)
    return MethodComparison(second, last - second, tuple(found), judged)


def _worth(figures: MethodFigures) -> tuple[float, int, int]:
    """Better ones are smaller; where few messages were compared many rank alike."""
    return figures.one_minus_auc, figures.misjudged.found, -figures.caught.found


def draw_learning_curve(state: EngineState, command: DrawLearningCurve) -> Slices:
    """The newest fifth is judged, again and again while the rest is learned."""
    cases = yield from _cases(state)
    last, model, points = len(cases) * 8 // 10, _fresh(state, state.model.method), list[CurvePoint]()
    learned, sizes = 0, [*(size for size in STEPS if size < last), last]
    for size in sizes:
        yield from _learning(model, cases[learned:size], learned, last, tuple(points))
        learned = size
        judged = yield from _judging(model, cases[last:], learned, last, tuple(points))
        points.append(CurvePoint(size, judged.caught, judged.misjudged))
        yield Pause(learned, last, so_far=tuple(points))
    return tuple(points)


def _cases(state: EngineState) -> Generator[Pause, None, list[Labelled]]:
    """Labelled junk and good mail, the newest of it, the old first.

    Each class by its own dates, so that any part has as much of both: junk is thrown away sooner than good mail.
    """
    found: dict[str, list[tuple[float, Labelled]]] = {JUNK: [], GOOD: []}
    position = 0
    while piece := state.store.labels.in_order(position, _READ):
        position = piece[-1].position
        heads = state.store.messages.headings(one.message for one in piece)
        for one in piece:
            if one.label in found:
                found[one.label].append((heads[one.message].date, one))
        yield Pause()
    total = sum(map(len, found.values()))
    if total < FEWEST or not all(found.values()):
        raise KnownError(Trouble.NOT_ENOUGH_YET)
    ranked = list[tuple[float, Labelled]]()
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


def _learning(
    model: Model, cases: Sequence[Labelled], done: int, total: int, so_far: object = None
) -> Generator[Pause, None, None]:
    for piece in _pieces(cases):
        model.learn_many([case.sample for case in piece], [case.label for case in piece])
        done += len(piece)
        yield Pause(done, total, so_far=so_far)
    for _ in model.cross_validating():
        yield Pause(done, total, so_far=so_far)


def _judging(
    model: Model, cases: Sequence[Labelled], done: int, total: int, so_far: object = None
) -> Generator[Pause, None, MethodFigures]:
    scorer, found = model.scorer(), list[FloatArray]()
    for piece in _pieces(cases):
        found.append(scorer(model.rows([case.sample for case in piece])))
        yield Pause(done, total, so_far=so_far)
    scores, junk = np.concatenate(found), np.array([case.label == JUNK for case in cases], np.bool_)
    called = model.verdicts(scores) == VERDICTS.index("junk")
    caught, misjudged = (counted(int(called[kind].sum()), int(kind.sum())) for kind in (junk, ~junk))
    ranked = 100 * one_minus_auc(scores, junk) if junk.any() and not junk.all() else 0.0
    return MethodFigures(model.method, caught, misjudged, ranked)


def _pieces(cases: Sequence[Labelled]) -> Iterator[Sequence[Labelled]]:
    return (cases[first : first + _PIECE] for first in range(0, len(cases), _PIECE))
