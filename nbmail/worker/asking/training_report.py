"""What learning has brought, by the scores that labelled messages got from models that had not learned them."""

import numpy as np

from nbmail.core.judging.intervals import wilson
from nbmail.core.judging.model import GOOD, JUNK
from nbmail.core.judging.verdict import VERDICTS
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Slices
from nbmail.worker.protocol.report import ReportTraining, TrainingReport


def report_training(state: EngineState, command: ReportTraining) -> Slices:
    """Judge the latest labels by their held-out scores, once these are those of the labels as they are."""
    if not state.store.model.settled:
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
    lowest, highest = wilson(caught, int(np.count_nonzero(junk)))
    misjudged = np.flatnonzero((verdicts == VERDICTS.index("junk")) & ~junk)
    missed = np.flatnonzero((verdicts == VERDICTS.index("good")) & junk)
    return TrainingReport(
        junk=int(np.count_nonzero(junk)),
        good=int(np.count_nonzero(~junk)),
        caught=caught,
        lowest=lowest,
        highest=highest,
        misjudged=tuple(latest[misjudged[np.argsort(-scores[misjudged], kind="stable")]].tolist()),
        missed=tuple(latest[missed[np.argsort(scores[missed], kind="stable")]].tolist()),
        judged=tuple(latest.tolist()),
    )
