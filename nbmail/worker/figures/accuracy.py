"""Accuracy of the model in use, and what learning brought: by scores of labelled messages from models without them."""

import numpy as np

from nbmail.core.counting.sample import FloatArray
from nbmail.core.evaluation.trials import Flags
from nbmail.core.scoring.explanation import Counted
from nbmail.core.scoring.model import GOOD, JUNK
from nbmail.core.scoring.verdict import VERDICTS, VerdictArray
from nbmail.errors import ErrorCode, KnownError
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps
from nbmail.worker.protocol.own_model import Accuracy, JudgeModel, ReliabilityBin, ReportTraining, TrainingReport

_EDGES = np.array([0.0, 0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99, 1.0])
"""Where one group of promises ends and the next begins: most mail is near one of the ends."""
_COLUMNS = [VERDICTS.index(name) for name in ("junk", "unsure", "good")]


def judge_model(state: EngineState, command: JudgeModel) -> JobSteps:
    """Once the scores are those of the labels as they are."""
    if not state.store.model.is_exact:
        yield from state.refolding.fold()
    model, held_out = state.model, state.model.held_out
    known = ~np.isnan(held_out.scores)
    scores, junk = held_out.scores[known], held_out.junk[known]
    if not (junk.any() and (~junk).any()):
        raise KnownError(ErrorCode.NOT_ENOUGH_YET)
    verdicts = model.verdicts(scores)
    of_junk, of_good = _row(verdicts[junk]), _row(verdicts[~junk])
    return Accuracy(
        junk=of_junk,
        good=of_good,
        caught=Counted(of_junk[0], sum(of_junk)),
        misjudged=Counted(of_good[0], sum(of_good)),
        promises=promises_kept(model.probabilities(scores), junk),
    )


def promises_kept(probabilities: FloatArray, junk: Flags) -> tuple[ReliabilityBin, ...]:
    """What was promised beside what came of it, for messages with about the same probability."""
    groups = np.searchsorted(_EDGES[1:-1], probabilities, side="right")
    return tuple(
        ReliabilityBin(float(probabilities[inside].mean()), Counted(int(junk[inside].sum()), int(inside.sum())))
        for inside in (groups == group for group in range(len(_EDGES) - 1))
        if inside.any()
    )


def _row(verdicts: VerdictArray) -> tuple[int, int, int]:
    junk, unsure, good = (int(np.count_nonzero(verdicts == column)) for column in _COLUMNS)
    return junk, unsure, good


def report_training(state: EngineState, command: ReportTraining) -> JobSteps:
    """Judge the latest labels by their held-out scores, once these are those of the labels as they are."""
    if not state.store.model.is_exact:
        yield from state.refolding.fold()
    held_out = state.model.held_out
    wanted = command.most + len(command.among)
    latest = np.array(state.store.labels.latest((JUNK, GOOD), wanted)[: len(held_out)], np.int64)
    scores, junk = held_out.scores[::-1][: len(latest)], held_out.junk[::-1][: len(latest)]
    # One that stands alone in its class has no score by others.
    known = ~np.isnan(scores)
    if command.among:
        known &= np.isin(latest, command.among)
    latest, scores, junk = latest[known], scores[known], junk[known]
    verdicts = state.model.verdicts(scores)
    caught = int(np.count_nonzero(verdicts[junk] == VERDICTS.index("junk")))
    misjudged = np.flatnonzero((verdicts == VERDICTS.index("junk")) & ~junk)
    missed = np.flatnonzero((verdicts == VERDICTS.index("good")) & junk)
    return TrainingReport(
        junk=int(np.count_nonzero(junk)),
        good=int(np.count_nonzero(~junk)),
        caught=caught,
        misjudged=tuple(latest[misjudged[np.argsort(-scores[misjudged], kind="stable")]].tolist()),
        missed=tuple(latest[missed[np.argsort(scores[missed], kind="stable")]].tolist()),
        judged=tuple(latest.tolist()),
    )
