"""Undo, redo and journeys in time: one transaction each, then the model follows, or is folded anew."""

from collections.abc import Callable

from nbmail.store.labels.marks import LabelChanges
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import Slices
from nbmail.worker.marking.marking import count_turned, follow
from nbmail.worker.marking.server_actions import actions_of
from nbmail.worker.protocol import GoBack, Marked, Redo, Undo


def undo(state: EngineState, command: Undo) -> Slices | Marked:
    """Take the latest step back, if it isn't too large; a job that is still at it ends first."""
    latest = state.store.steps.to_undo()
    taken = state.store.steps.figures(latest.number) if latest and command.most is not None else None
    if taken is not None and command.most is not None and taken.messages > command.most:
        return Marked((), None, step=taken, held=True)
    for job in state.label_jobs:
        if latest is not None and job.step == latest.number:
            job.end()
    state.trained.clear()
    return _turn(state, lambda: state.store.marks.undo(moment=state.clock()))


def redo(state: EngineState, command: Redo) -> Slices:
    """Do the latest undone step again."""
    return _turn(state, lambda: state.store.marks.redo(moment=state.clock()))


def go_back(state: EngineState, command: GoBack) -> Slices:
    """Set all labels to what they were. Moves are only taken back: going back in time moves nothing anew."""
    for job in state.label_jobs:
        job.end()
    store, actions = state.store, actions_of(state.store, moving=False)
    line = store.journal.line_before(command.before)
    return _turn(state, lambda: store.marks.go_back(line, moment=state.clock(), actions=actions))


def _turn(state: EngineState, turn: Callable[[], LabelChanges]) -> Slices:
    before = state.scores.remember()
    done = turn()
    state.labels_changed(done)
    yield from follow(state)
    messages, labels = tuple(change.message for change in done.changes), {change.after for change in done.changes}
    turned = yield from count_turned(state, before, messages)
    label = labels.pop() if len(labels) == 1 else None
    return Marked(messages, label, turned, done.base, state.store.steps.figures(done.step))
