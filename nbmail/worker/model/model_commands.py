"""Model files out and in, costs, learning everything anew, by another method too, and a new beginning."""

from dataclasses import replace

from nbmail.core.methods.registry import NAMES
from nbmail.errors import ErrorCode, KnownError
from nbmail.worker.engine.engine_state import EngineState
from nbmail.worker.engine.job_queue import JobSteps, paused
from nbmail.worker.marking.marking import follow
from nbmail.worker.model.model_files import backing_up, importing
from nbmail.worker.protocol import ImportModel, Relearn, SetCost, SetMoving
from nbmail.worker.protocol.model_files import DropImports
from nbmail.worker.protocol.own_model import StartedOver, StartOver, UseMethod


def import_model(state: EngineState, command: ImportModel) -> JobSteps:
    """Add a file to the base from which labels are folded, or put it in its place."""
    done, imported = yield from importing(state.store, command, state.clock())
    state.labels_changed(done)
    yield from follow(state)
    return imported


def drop_imports(state: EngineState, command: DropImports) -> JobSteps:
    """Learn from the labels alone."""
    done = state.store.marks.drop_base(moment=state.clock())
    state.labels_changed(done)
    yield from follow(state)
    return done.base


def set_cost(state: EngineState, command: SetCost) -> JobSteps:
    """Weigh mistakes otherwise: scores stay, verdicts follow."""
    state.costs = replace(state.model.costs, false_junk=command.junk_seen)
    state.model.costs = state.costs
    state.model_changed()
    yield from follow(state)


def set_moving(state: EngineState, command: SetMoving) -> None:
    """From now on marks move messages on the server, or don't."""
    state.moving = command.on


def relearn(state: EngineState, command: Relearn) -> JobSteps:
    """Fold all labels anew, whatever was kept of them."""
    backup = yield from paused(backing_up(state.store, state.clock()))
    state.store.model.forget_kept()
    yield from state.refolding.fold()
    yield from follow(state)
    return backup


def use_method(state: EngineState, command: UseMethod) -> JobSteps:
    """The model in use answers until the new one has learned everything."""
    if command.method not in NAMES:
        raise KnownError(ErrorCode.BAD_INPUT, command.method)
    if command.method != state.model.method:
        yield from state.refolding.fold(method=command.method)
        yield from follow(state)


def start_over(state: EngineState, command: StartOver) -> JobSteps:
    """As a journey to before the first mark, but that what was imported goes too."""
    for job in state.label_jobs:
        job.end()
    yield from state.refolding.rebuild_if_stale()
    backup = yield from paused(backing_up(state.store, state.clock()))
    state.trained.clear()
    done = state.store.marks.start_over(moment=state.clock())
    state.labels_changed(done)
    yield from follow(state)
    return StartedOver(len(done.changes), backup)
